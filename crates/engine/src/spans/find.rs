//! The spans of all texts, from the classes of their anchors and the places of their windows.

use super::SpanSearch;
use super::classes;
use super::shards::{EntryBatch, Places, Shards};
use super::texts::{ScannedTexts, place_of};
use super::visit::VisitedText;
use crate::documents::text_group;
use crate::error::Error;
use lookalike::windows::{AnchorRun, Repeats, TextRepeats, TextSpans, WindowHasher, WindowPlaces};

/// The spans of all texts.
#[derive(Debug, Default)]
pub struct FoundSpans {
    /// For each chunk, its texts with spans, in order.
    pub chunks: Vec<Vec<SpansOfText>>,
}

/// The spans of one text.
#[derive(Debug)]
pub struct SpansOfText {
    /// The number of the text in its chunk.
    pub text: usize,
    /// Its id, or its place if it has none. Empty if ids are not read.
    pub id: String,
    /// Its spans.
    pub found: TextSpans,
    /// The repeated windows, until all parts of the search are done.
    repeats: TextRepeats,
}

impl FoundSpans {
    /// Adds what another part of the search has found. `length` is that of a window.
    pub(super) fn join(&mut self, other: FoundSpans, length: usize) {
        for (chunk, more) in self.chunks.iter_mut().zip(other.chunks) {
            chunk.extend(more);
            chunk.sort_by_key(|of_text| of_text.text);
            chunk.dedup_by(|next, last| {
                let is_same = next.text == last.text;
                if is_same {
                    last.repeats.join(std::mem::take(&mut next.repeats), length);
                }
                is_same
            });
        }
    }

    /// Makes spans of the repeated windows, once all parts of the search are done.
    pub(super) fn settle(&mut self) {
        for chunk in &mut self.chunks {
            for of_text in chunk.iter_mut() {
                of_text.found = std::mem::take(&mut of_text.repeats).into_spans();
            }
            chunk.retain(|of_text| !of_text.found.spans.is_empty());
        }
    }

    /// The links of all texts.
    pub(super) fn links(&self) -> impl Iterator<Item = &lookalike::windows::Link> {
        self.chunks.iter().flatten().flat_map(|text| &text.found.links)
    }
}

/// Puts the windows that must be looked up into a table.
pub(super) fn scan_windows(search: SpanSearch<'_>, texts: &ScannedTexts) -> Result<Places, Error> {
    let values = if search.repeats().needs_last() { 2 } else { 1 };
    let shards = Shards::new(values, search.budget, "the table of windows");
    let wanted = |VisitedText { chunk, text }| texts.chunks[chunk].needs[text].windows;
    let state = || (search.hasher(), EntryBatch::<u64>::default());
    let states =
        search.visit("windows", texts, wanted, state, |(hasher, pending), sketcher, at, record| {
            let start = place_of(at.chunk, texts.chunks[at.chunk].texts[at.text].position)?;
            let group = text_group(record.within);
            hasher.each_anchor(sketcher.token_hashes(record.text), |run| {
                let class = texts.classes.get((run.anchor.key ^ group).max(1));
                if class.is_some_and(classes::has_many) {
                    for window in run.anchor.from..run.anchor.to {
                        pending.push(window_key(&run, window, group), start + window as u64);
                    }
                }
            });
            match pending.is_full() {
                true => shards.put(pending, classes::put_window),
                false => Ok(()),
            }
        })?;
    for (_, mut pending) in states {
        shards.put(&mut pending, classes::put_window)?;
    }
    Ok(shards.finish())
}

/// Finds the spans of all texts.
pub(super) fn find(
    search: SpanSearch<'_>,
    texts: &ScannedTexts,
    windows: &Places,
) -> Result<FoundSpans, Error> {
    let wanted = |VisitedText { chunk, text }| texts.chunks[chunk].needs[text].spans;
    let state =
        || Finder { hasher: search.hasher(), repeats: search.repeats(), keys: Vec::new(), found: Vec::new() };
    let states = search.visit("passages", texts, wanted, state, |finder, sketcher, at, record| {
        let start = place_of(at.chunk, texts.chunks[at.chunk].texts[at.text].position)?;
        let tokens = sketcher.token_hashes(record.text);
        search.check_unchanged(texts, at, tokens.len())?;
        let repeats = finder.find(tokens, start, text_group(record.within), &texts.classes, windows);
        if !repeats.is_empty() {
            let id = search.fields.id.as_ref().map(|_| match record.id {
                Some(id) if !id.is_empty() => id.to_owned(),
                _ => texts.name(search.inputs, at.chunk, at.text),
            });
            finder.found.push((
                at.chunk,
                SpansOfText {
                    text: at.text,
                    id: id.unwrap_or_default(),
                    found: TextSpans::default(),
                    repeats,
                },
            ));
        }
        Ok(())
    })?;
    let mut chunks: Vec<Vec<SpansOfText>> = Vec::new();
    chunks.resize_with(texts.chunks.len(), Vec::new);
    for (chunk, found) in states.into_iter().flat_map(|finder| finder.found) {
        chunks[chunk].push(found);
    }
    Ok(FoundSpans { chunks })
}

struct Finder {
    hasher: WindowHasher,
    repeats: Repeats,
    /// The keys of the windows of an anchor.
    keys: Vec<u64>,
    found: Vec<(usize, SpansOfText)>,
}

impl Finder {
    fn find(
        &mut self,
        tokens: &[u64],
        start: u64,
        group: u64,
        classes: &Places,
        windows: &Places,
    ) -> TextRepeats {
        let Finder { hasher, repeats, keys, .. } = self;
        hasher.each_anchor(tokens, |run| classes.fetch(class_key(&run, group)));
        hasher.each_anchor(tokens, |run| {
            let anchor = run.anchor;
            let Some(class) = classes.get(class_key(&run, group)) else { return };
            if classes::has_many(class) {
                keys.clear();
                keys.extend((anchor.from..anchor.to).map(|window| window_key(&run, window, group)));
                let mut window = anchor.from;
                windows.each(keys, |_, values| {
                    if let Some(values) = values {
                        let known = classes::window_places(values);
                        repeats.add(window..window + 1, start + window as u64, known);
                    }
                    window += 1;
                });
            } else {
                let (known, offset) = (classes::anchor_places(class), (anchor.at - anchor.from) as u64);
                let known = WindowPlaces {
                    first: known.first.saturating_sub(offset),
                    last: known.last.saturating_sub(offset),
                };
                repeats.add(anchor.from..anchor.to, start + anchor.from as u64, known);
            }
        });
        repeats.finish()
    }
}

/// The key of an anchor's class in its group.
pub(super) fn class_key(run: &AnchorRun<'_>, group: u64) -> u64 {
    (run.anchor.key ^ group).max(1)
}

/// The key of a window in its group.
fn window_key(run: &AnchorRun<'_>, window: usize, group: u64) -> u64 {
    (run.window(window) ^ group).max(1)
}

impl SpanSearch<'_> {
    /// Checks that a text still has as many tokens.
    pub(super) fn check_unchanged(
        self,
        texts: &ScannedTexts,
        at: VisitedText,
        tokens: usize,
    ) -> Result<(), Error> {
        if texts.chunks[at.chunk].tokens(at.text, self.settings.length) == tokens as u64 {
            return Ok(());
        }
        let place = texts.name(self.inputs, at.chunk, at.text);
        Err(Error::Changed { place, problem: "it is another text".to_owned() })
    }
}
