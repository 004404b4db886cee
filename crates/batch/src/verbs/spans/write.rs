//! The last scan of `spans`: passages are compared with their sources, cut out, and listed.

use crate::error::Error;
use lookalike::windows::TextCutter;
use lookalike::{Sketcher, windows::Link};
use lookalike_corpus::{
    Cell, Chunk, Completed, KeptRows, KeptWriter, Loaded, Place, Queue, Reader, Scan, Scratch, TableWriter,
};
use lookalike_engine::progress::Unit;
use lookalike_engine::scan::scan;
use lookalike_engine::spans::{FoundSpans, ScannedTexts, SourceTexts, SpanSearch, SpansOfText, TextPlace};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// The outputs of `spans`.
pub(super) struct CutWriter<'a> {
    kept: Option<KeptWriter<'a>>,
    list: Option<Mutex<ListedPassages>>,
    cutter: TextCutter,
    min_left: u64,
}

/// Complete outputs, and what is in them.
pub(super) struct Written {
    pub(super) completed: Completed,
    pub(super) counts: CutCounts,
}

/// What was cut.
#[derive(Clone, Copy, Default)]
pub(super) struct CutCounts {
    /// Passages, and their tokens and bytes.
    pub(super) passages: u64,
    pub(super) tokens: u64,
    pub(super) bytes: u64,
    /// Documents that lost a passage.
    pub(super) cut: u64,
    /// Documents that have too few tokens left.
    pub(super) dropped: u64,
}

/// The list of passages. Rows of a chunk wait for those of the chunks before it.
struct ListedPassages {
    table: TableWriter,
    waiting: Queue<Vec<PassageRow>>,
}

/// A passage of the list: its places in the text, and its text.
struct PassageRow {
    id: String,
    characters: [usize; 2],
    bytes: [usize; 2],
    tokens: usize,
    source: (String, u64),
    text: String,
}

/// The state of a thread.
struct PassageCutter {
    sketcher: Sketcher,
    scratch: Scratch,
    counts: CutCounts,
}

/// A text without its passages. `None` if too little of it is left.
struct CutText {
    text: Option<String>,
    rows: Vec<PassageRow>,
}

impl<'a> CutWriter<'a> {
    pub(super) fn new(
        kept: Option<KeptWriter<'a>>,
        table: Option<TableWriter>,
        cutter: TextCutter,
        min_left: u64,
    ) -> Self {
        let list = table.map(|table| Mutex::new(ListedPassages { table, waiting: Queue::default() }));
        CutWriter { kept, list, cutter, min_left }
    }

    /// Writes all documents.
    ///
    /// # Errors
    /// [`EqualHashes`](lookalike_engine::Error::EqualHashes) if a passage is not that of its source.
    pub(super) fn write(
        self,
        search: SpanSearch<'_>,
        texts: &ScannedTexts,
        found: &FoundSpans,
        sources: &SourceTexts,
    ) -> Result<Written, Error> {
        let SpanSearch { request, inputs, fields, monitor, .. } = search;
        let (documents, _) = texts.counts(inputs.against(), search.settings.length);
        let bar = monitor.stage("write", Unit::Documents, Some(documents));
        let order = self.kept.as_ref().map_or(Scan::DocumentsInOrder, KeptWriter::scan);
        let reader = Reader::new(inputs, fields, order);
        let state = || PassageCutter {
            sketcher: Sketcher::with_level(&request.plan, request.level),
            scratch: Scratch::default(),
            counts: CutCounts::default(),
        };
        let work = |worker: &mut PassageCutter, chunk: Chunk<'_>| {
            let number = texts.chunk_index(chunk.id());
            let of_chunk = number.map_or(&[][..], |number| &texts.chunks[number].texts[..]);
            let spans = number.map_or(&[][..], |number| &found.chunks[number][..]);
            bar.inc(of_chunk.len() as u64);
            let mut scratch = std::mem::take(&mut worker.scratch);
            self.write_chunk(worker, search, chunk, (of_chunk, spans), sources, &mut scratch)?;
            worker.scratch = scratch;
            Ok(None::<()>)
        };
        let (_, workers) =
            scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work)?;
        drop(bar);
        let mut completed = Completed::default();
        if let Some(list) = self.list {
            let list = list.into_inner().unwrap_or_else(PoisonError::into_inner);
            completed.join(list.table.complete()?);
        }
        if let Some(kept) = self.kept {
            completed.join(kept.complete()?);
        }
        let mut counts = CutCounts::default();
        workers.iter().for_each(|worker| counts.add(worker.counts));
        Ok(Written { completed, counts })
    }

    /// Writes the texts of a chunk, and lists the passages of those with `spans`.
    fn write_chunk(
        &self,
        worker: &mut PassageCutter,
        search: SpanSearch<'_>,
        chunk: Chunk<'_>,
        (texts, spans): (&[TextPlace], &[SpansOfText]),
        sources: &SourceTexts,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let places = || texts.iter().map(|text| text.place).collect::<Vec<_>>();
        if spans.is_empty() {
            // The list has a turn for each chunk.
            let turn = chunk.turn();
            match &self.kept {
                Some(kept) if texts.is_empty() && !chunk.holds_other_records() => kept.skip(&chunk)?,
                Some(kept) => kept.write(&chunk.load(scratch)?, KeptRows::Copied(&places()))?,
                None => {}
            }
            return self.push_rows(turn, Vec::new());
        }
        let mut loaded = chunk.load(scratch)?;
        let cut = worker.cut_texts(self, search, &mut loaded, texts, spans, sources)?;
        let mut rows = Vec::new();
        let mut edited: HashMap<Place, Option<String>> = HashMap::new();
        for (of_text, cut) in spans.iter().zip(cut) {
            let Some(cut) = cut else { continue };
            rows.extend(cut.rows);
            edited.insert(texts[of_text.text].place, cut.text);
        }
        if let Some(kept) = &self.kept {
            let row = |place: Place| match edited.remove(&place) {
                Some(None) => None,
                Some(text) => Some((place, text)),
                None => Some((place, None)),
            };
            let kept_rows: Vec<_> = places().into_iter().filter_map(row).collect();
            kept.write(&loaded, KeptRows::Edited(&kept_rows))?;
        }
        self.push_rows(loaded.turn(), rows)
    }

    /// Adds the rows of a chunk to the list.
    fn push_rows(&self, turn: u64, rows: Vec<PassageRow>) -> Result<(), Error> {
        let Some(list) = &self.list else { return Ok(()) };
        let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
        list.waiting.push(turn, rows);
        while let Some(rows) = list.waiting.pop() {
            rows.iter().try_for_each(|row| row.write(&mut list.table))?;
        }
        Ok(())
    }
}

impl PassageCutter {
    /// The texts of a loaded chunk without their passages. `None` for a text that stays as it is.
    fn cut_texts(
        &mut self,
        writer: &CutWriter<'_>,
        search: SpanSearch<'_>,
        loaded: &mut Loaded<'_>,
        texts: &[TextPlace],
        spans: &[SpansOfText],
        sources: &SourceTexts,
    ) -> Result<Vec<Option<CutText>>, Error> {
        let places: Vec<Place> = spans.iter().map(|of_text| texts[of_text.text].place).collect();
        let read = loaded.texts_of(&places, search.fields);
        let file = loaded.id().file as usize;
        let read = read.map_err(|_| {
            let path = search.inputs.files()[file].path.clone();
            Error::from(lookalike_corpus::Error::Changed { path })
        })?;
        let cut = spans.iter().zip(read).map(|(of_text, text)| self.cut(writer, of_text, &text, sources));
        cut.collect()
    }

    fn cut(
        &mut self,
        writer: &CutWriter<'_>,
        of_text: &SpansOfText,
        text: &str,
        sources: &SourceTexts,
    ) -> Result<Option<CutText>, Error> {
        let PassageCutter { sketcher, counts, .. } = self;
        let located = sketcher.locate(text);
        let tokens = located.places().len();
        sources.compare(of_text, sketcher, tokens)?;
        let spans = writer.cutter.fitted(&located, &of_text.found.spans);
        if spans.is_empty() {
            return Ok(None);
        }
        let removed: usize = spans.iter().map(|span| span.len()).sum();
        let left = (tokens - removed) as u64;
        let whole = writer.cutter.cut(&located, &spans);
        *counts = CutCounts {
            passages: counts.passages + spans.len() as u64,
            tokens: counts.tokens + removed as u64,
            bytes: counts.bytes + text.len().saturating_sub(whole.len()) as u64,
            cut: counts.cut + 1,
            dropped: counts.dropped + u64::from(left < writer.min_left),
        };
        let row = |link: Link| {
            let tokens = located.of_whole_characters(link.tokens.clone());
            let link = link.within(std::slice::from_ref(&tokens)).next()?;
            let places = &located.places()[link.tokens.clone()];
            let (first, last) = (&places[0], &places[places.len() - 1]);
            let (source, character) = sources.name(&link);
            Some(PassageRow {
                id: of_text.id.clone(),
                characters: [first.chars.start, last.chars.end],
                bytes: [first.bytes.start, last.bytes.end],
                tokens: link.tokens.len(),
                source: (source.to_owned(), character),
                text: text[first.bytes.start..last.bytes.end].to_owned(),
            })
        };
        let links = of_text.found.links.iter().flat_map(|link| link.within(&spans));
        let rows = if writer.list.is_some() { links.filter_map(row).collect() } else { Vec::new() };
        Ok(Some(CutText { text: (left >= writer.min_left).then_some(whole), rows }))
    }
}

impl PassageRow {
    fn write(&self, table: &mut TableWriter) -> Result<(), lookalike_corpus::Error> {
        let integer = |number: usize| Cell::Integer(number as u64);
        table.row(&[
            Cell::Text(&self.id),
            integer(self.characters[0]),
            integer(self.characters[1]),
            integer(self.bytes[0]),
            integer(self.bytes[1]),
            integer(self.tokens),
            Cell::Text(&self.source.0),
            Cell::Integer(self.source.1),
            Cell::Text(&self.text),
        ])
    }
}

impl CutCounts {
    fn add(&mut self, other: CutCounts) {
        self.passages += other.passages;
        self.tokens += other.tokens;
        self.bytes += other.bytes;
        self.cut += other.cut;
        self.dropped += other.dropped;
    }
}
