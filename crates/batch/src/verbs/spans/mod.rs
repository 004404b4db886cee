//! `spans`: repeated passages are cut out of texts.
//!
//! ```text
//! texts ──→ anchors ──→ spans and links ──→ tokens of the sources ──→ compare, cut, write
//! ```
//!
//! The search is in [`lookalike_engine::spans`]. The last scan reads each text with a span again. It compares the tokens
//! of each link with those of its source, before it cuts.

mod write;

use crate::against::check_no_index;
use crate::error::Error;
use crate::files::RunCommand;
use crate::lines::Starts;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::{Unpublished, ended};
use crate::request::{Against, Job};
use lookalike::windows::{KeptOccurrence, TextCutter};
use lookalike_corpus::{ColumnKind, Fields, Inputs, KeptWriter, RecordMode, TableWriter};
use lookalike_engine::PlanSummary;
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::{Side, Unusable};
use lookalike_engine::progress::Monitor;
use lookalike_engine::scan::ReadChunk;
use lookalike_engine::spans::{ScannedTexts, SpanSearch, SpanSettings};
use lookalike_engine::threads::in_pool;
use lookalike_engine::work::Work;
use lookalike_report::{CutSummary, EffortSummary, NoFigures, ReadSummary, Skips, SpansSummary};
use std::path::{Path, PathBuf};
use write::{CutWriter, Written};

/// Cuts passages out of texts that occur earlier.
#[derive(Clone, Debug)]
pub struct CutSpans {
    /// The inputs, and how texts are cut into tokens.
    pub job: Job,
    /// Files whose passages are removed from the inputs, in place of those that the inputs repeat.
    pub against: Against,
    /// What a repeated passage is.
    pub settings: SpanSettings,
    /// How passages are cut out.
    pub cutter: TextCutter,
    /// A document that lost a passage is removed if it has fewer tokens left.
    pub min_left: u64,
    /// The file or folder of the documents. `None` writes none.
    pub output: Option<PathBuf>,
    /// The file of the list of passages.
    pub removed: Option<PathBuf>,
}

/// The columns of the list of passages.
const COLUMNS: [(&str, ColumnKind); 9] = [
    ("id", ColumnKind::Id),
    ("start", ColumnKind::Integer),
    ("end", ColumnKind::Integer),
    ("start_byte", ColumnKind::Integer),
    ("end_byte", ColumnKind::Integer),
    ("words", ColumnKind::Integer),
    ("source_id", ColumnKind::Id),
    ("source_start", ColumnKind::Integer),
    ("text", ColumnKind::Text),
];

/// Hashes of different passages are equal once in the life of this program, if at all. A file that changes between two scans gives other
/// passages each time.
const SEEDS: u64 = 2;

impl CutSpans {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; the job then leaves no output.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<SpansSummary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<SpansSummary>, Error> {
        check_no_index(&self.against)?;
        for fields in
            [Some(&self.job.request.text_fields), self.against.fields.text.as_ref()].into_iter().flatten()
        {
            if fields.are_several() {
                return Err(lookalike_corpus::Error::EditedFields { fields: fields.to_string() }.into());
            }
        }
        let mut inputs = self.job.limit(self.against.resolve(&self.job, monitor)?);
        if self.output.is_some() {
            inputs.read_whole_rows();
        }
        self.job.check_named_fields(&inputs, monitor);
        let fields =
            Fields { id: self.removed.is_some().then(|| self.job.id_field.clone()), ..self.job.fields() };
        let work = Work::new(&self.job.run_context(&self.command(), &inputs, Vec::new())?, monitor)?;
        // What is on standard output cannot be taken back.
        let is_standard =
            [&self.output, &self.removed].iter().any(|path| path.as_deref() == Some(Path::new("-")));
        let most_seeds = if is_standard { 0 } else { SEEDS };
        let mut seed = 0;
        loop {
            let writer = self.writer(&inputs, &fields)?;
            let search = SpanSearch {
                request: &self.job.request,
                inputs: &inputs,
                fields: &fields,
                settings: self.settings(),
                budget: work.budget,
                seed,
                monitor,
            };
            match self.run_by(search, writer) {
                Err(Error::Engine(lookalike_engine::Error::EqualHashes)) if seed < most_seeds => seed += 1,
                Ok(done) => return Ok(done.with_work(work)),
                Err(error) => return Err(ended(Some(work), error, monitor)),
            }
        }
    }

    /// What is searched for. Beside other files the first occurrence is always in these.
    fn settings(&self) -> SpanSettings {
        match self.against.is_empty() {
            true => self.settings,
            false => SpanSettings { keep: KeptOccurrence::First, whole: false, ..self.settings },
        }
    }

    fn command(&self) -> RunCommand<'_> {
        let arguments = self.against.inputs.iter().chain(&self.job.inputs).map(String::as_str).collect();
        RunCommand { verb: "spans", arguments, output: self.output.as_deref().or(self.removed.as_deref()) }
    }

    /// The outputs, before a document is read.
    fn writer<'a>(&self, inputs: &'a Inputs, fields: &'a Fields) -> Result<CutWriter<'a>, Error> {
        let standard = Path::new("-");
        if [&self.output, &self.removed].iter().all(|path| path.as_deref() == Some(standard)) {
            return Err(Error::SameOutput { path: standard.to_owned() });
        }
        let kept =
            self.output.as_deref().map(|out| KeptWriter::create(inputs, fields, out, RecordMode::Edit));
        let kept = kept.transpose()?;
        let mut places = kept.as_ref().map(KeptWriter::places).unwrap_or_default();
        places.extend(self.output.clone());
        check_places(&self.job, inputs, places, &[&self.removed, &self.job.summary])?;
        let removed = self.removed.as_deref();
        let removed =
            removed.map(|path| TableWriter::create(path, &COLUMNS, inputs.waiting())).transpose()?;
        Ok(CutWriter::new(kept, removed, self.cutter.clone(), self.min_left))
    }

    fn run_by(
        &self,
        search: SpanSearch<'_>,
        writer: CutWriter<'_>,
    ) -> Result<Unpublished<SpansSummary>, Error> {
        let SpanSearch { inputs, monitor, .. } = search;
        let mut clock = Clock::start();
        let summary_files = self.job.start_summary(monitor)?;
        let length = self.settings.length;
        let mut skips = Skips::default();
        let (texts, found) = search.run(|texts| {
            let (documents, _) = texts.counts(inputs.against(), length);
            let read = std::mem::take(&mut texts.read);
            self.check_against(texts, &read, inputs)?;
            skips = Starts::new(&self.job, inputs, read, documents)?.1;
            self.check_groups(texts, inputs)
        })?;
        let (documents, tokens) = texts.counts(inputs.against(), length);
        clock.lap("passages");
        let sources = search.read_sources(&texts, &found)?;
        clock.lap("sources");
        let Written { completed, counts } = writer.write(search, &texts, &found, &sources)?;
        clock.lap("write");
        let summary = SpansSummary {
            read: ReadSummary::new(inputs, documents, skips),
            cut: CutSummary {
                words: tokens,
                passages: counts.passages,
                cut_documents: counts.cut,
                removed_words: counts.tokens,
                removed_bytes: counts.bytes,
                kept: documents - counts.dropped,
                removed: counts.dropped,
            },
            length: length as u64,
            within: self.job.request.within.clone(),
            no_figures: NoFigures::OF_SPANS,
            effort: EffortSummary::finish(clock),
            plan: PlanSummary::new(&self.job.request.plan),
        };
        Unpublished::of_summary(summary, completed, summary_files)
    }

    /// Refuses other files without a single text: all passages that they should have would stay.
    fn check_against(&self, texts: &ScannedTexts, read: &[ReadChunk], inputs: &Inputs) -> Result<(), Error> {
        let is_against = |file: u32| (file as usize) < inputs.against();
        if texts.chunks.iter().any(|chunk| is_against(chunk.id.file) && !chunk.texts.is_empty()) {
            return Ok(());
        }
        let unusable = Unusable::default();
        for (chunk, bad) in read.iter().filter_map(|chunk| Some((chunk.id, chunk.bad.first()?))) {
            unusable.add(inputs, chunk, bad.problem.clone());
        }
        Ok(unusable.error(inputs, Side::Against).map_or(Ok(()), Err)?)
    }

    /// Refuses a field of `--within` that no document has: its name is probably wrong.
    fn check_groups(&self, texts: &ScannedTexts, inputs: &Inputs) -> Result<(), Error> {
        let within = &self.job.request.within;
        match within.iter().enumerate().find(|(index, _)| !texts.has_group(*index)) {
            Some((_, field)) => {
                let seen = inputs.files().get(inputs.against()).and_then(|file| file.columns().ok());
                let seen = seen.unwrap_or_default();
                Err(lookalike_engine::Error::NoGroup { field: field.clone(), seen }.into())
            }
            None => Ok(()),
        }
    }
}
