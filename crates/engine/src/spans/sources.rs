//! The tokens that the sources of all links have.

use super::SpanSearch;
use super::find::{FoundSpans, SpansOfText};
use super::texts::{ScannedTexts, place_of};
use super::token_bytes::TokenBytes;
use super::visit::VisitedText;
use crate::error::Error;
use lookalike::{Sketcher, windows::Link};
use std::collections::HashMap;
use std::ops::Range;

/// The sources of all links.
#[derive(Default)]
pub struct SourceTexts {
    /// The places of all tokens that are a source, merged, in order.
    ranges: Vec<Range<u64>>,
    /// The tokens of each.
    tokens: HashMap<u64, TokenBytes>,
    /// The ids of the texts of each, by its start.
    ids: HashMap<u64, String>,
}

/// Reads the texts with a source again.
pub(super) fn read(
    search: SpanSearch<'_>,
    texts: &ScannedTexts,
    found: &FoundSpans,
    named: bool,
) -> Result<SourceTexts, Error> {
    let mut ranges: Vec<Range<u64>> =
        found.links().map(|link| link.source..link.source + link.tokens.len() as u64).collect();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    // Texts are apart, so no range goes from one to another.
    ranges.dedup_by(|next, last| {
        let joins = next.start <= last.end;
        if joins {
            last.end = last.end.max(next.end);
        }
        joins
    });
    let mut sources = SourceTexts { ranges, ..SourceTexts::default() };
    if sources.ranges.is_empty() {
        return Ok(sources);
    }
    let of_text = |at: VisitedText| -> Result<(u64, Range<u64>), Error> {
        let chunk = &texts.chunks[at.chunk];
        let start = place_of(at.chunk, chunk.texts[at.text].position)?;
        Ok((start, start..start + chunk.tokens(at.text, search.settings.length)))
    };
    let wanted = |at: VisitedText| of_text(at).is_ok_and(|(_, places)| !sources.within(&places).is_empty());
    let state = SourceTexts::default;
    let states = search.visit("sources", texts, wanted, state, |read, sketcher, at, record| {
        let (start, places) = of_text(at)?;
        let tokens = sketcher.token_hashes(record.text).len();
        search.check_unchanged(texts, at, tokens)?;
        let located = named.then(|| sketcher.locate(record.text));
        for range in sources.within(&places) {
            if range.end > places.end {
                return Err(Error::EqualHashes);
            }
            let part = (range.start - start) as usize..(range.end - start) as usize;
            let characters = located.iter().flat_map(|located| &located.places()[part.clone()]);
            let characters = characters.map(|place| place.chars.start as u32).collect();
            read.tokens.insert(range.start, TokenBytes::new(sketcher, part, characters));
            if named {
                let id = record.id.filter(|id| !id.is_empty()).map(str::to_owned);
                let id = id.unwrap_or_else(|| texts.name(search.inputs, at.chunk, at.text));
                read.ids.insert(range.start, id);
            }
        }
        Ok(())
    })?;
    for read in states {
        sources.tokens.extend(read.tokens);
        sources.ids.extend(read.ids);
    }
    Ok(sources)
}

impl SourceTexts {
    /// The ranges in these places.
    fn within(&self, places: &Range<u64>) -> &[Range<u64>] {
        let first = self.ranges.partition_point(|range| range.start < places.start);
        let behind = self.ranges.partition_point(|range| range.start < places.end);
        &self.ranges[first..behind.max(first)]
    }

    fn range_of(&self, place: u64) -> Option<&Range<u64>> {
        let behind = self.ranges.partition_point(|range| range.start <= place);
        self.ranges[..behind].last()
    }

    /// Compares the tokens of each link of a text with those of its source. The text is the last one that `sketcher` has cut into tokens, and has
    /// so many.
    ///
    /// # Errors
    /// [`Error::EqualHashes`] if they differ.
    pub fn compare(&self, found: &SpansOfText, sketcher: &Sketcher, tokens: usize) -> Result<(), Error> {
        let is_same = |link: &Link| {
            let Some(range) = self.range_of(link.source) else { return false };
            let first = (link.source - range.start) as usize;
            let of_source = self.tokens.get(&range.start).filter(|_| link.tokens.end <= tokens);
            of_source.is_some_and(|source| source.has(first, sketcher.last_token_bytes(link.tokens.clone())))
        };
        if found.found.links.iter().all(is_same) { Ok(()) } else { Err(Error::EqualHashes) }
    }

    /// The id of the text that a link's source is in, and the first character of the source.
    pub fn name(&self, link: &Link) -> (&str, u64) {
        let Some(range) = self.range_of(link.source) else { return ("", 0) };
        let first = (link.source - range.start) as usize;
        let character = self.tokens.get(&range.start).map_or(0, |tokens| tokens.character(first));
        (self.ids.get(&range.start).map_or("", String::as_str), u64::from(character))
    }
}
