//! `similar`: the documents of a corpus that are most similar to a text. One scan compares each document exactly.

use crate::error::Error;
use crate::lines::Starts;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::Unpublished;
use crate::request::{Job, ListOutput};
use lookalike::compare::{HeldSet, Verifier};
use lookalike::search::{ComparedFeatures, SketchBuilder};
use lookalike::{Fingerprint, Score, Weights};
use lookalike_corpus::{
    Cell, Chunk, ChunkId, ColumnKind, Completed, Inputs, Place, Reader, Scan, Scratch, TableWriter,
};
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::place_name;
use lookalike_engine::features::weights;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::ReadChunk;
use lookalike_engine::scan::scan;
use lookalike_engine::threads::in_pool;
use lookalike_report::SimilarDocument;
use lookalike_report::{EffortSummary, NoFigures, ReadSummary, SimilarSummary, weighted_plan};
use lookalike_report::{columns_of_score, score_cells, score_column};
use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

/// Lists the documents that are most similar to a text.
#[derive(Clone, Debug)]
pub struct Similar {
    /// Where to search, and what is similar. Documents below the threshold are not listed.
    pub job: Job,
    /// The text.
    pub query: String,
    /// How many documents to list.
    pub count: usize,
    /// Bits in which fingerprints may differ, if the distance decides alone. `None` lists the nearest ones at any distance.
    pub within: Option<u32>,
    /// The list.
    pub output: ListOutput,
}

/// A document and how similar it is.
#[derive(Debug)]
struct ScoredDocument {
    score: Score,
    chunk: ChunkId,
    place: Place,
    id: Option<String>,
}

/// The documents that a worker has found.
#[derive(Default)]
struct SimilarDocuments {
    /// The best ones, in order. They are cut to the wanted number now and then.
    best: Vec<ScoredDocument>,
    documents: u64,
    chunks: Vec<ReadChunk>,
}

impl Similar {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; the job then leaves no output.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<SimilarSummary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<SimilarSummary>, Error> {
        let (job, mut clock) = (&self.job, Clock::start());
        if job.request.plan.estimates() {
            return Err(Error::EstimatedQuery);
        }
        let inputs = job.resolve(monitor)?;
        check_places(job, &inputs, Vec::new(), &[&self.output.file(), &job.summary])?;
        let plan = &job.request.plan;
        let mut columns = vec![("id", ColumnKind::Text)];
        columns.extend(columns_of_score(plan, score_column(plan)));
        let table = self.output.path().map(|path| TableWriter::create(path, &columns, &monitor.waiting()));
        let table = table.transpose()?;
        let summary_files = job.start_summary(monitor)?;
        let weights = weights(&job.request, &inputs, &mut clock, monitor)?;
        if QueryComparer::new(self, &weights).is_of_nothing() {
            return Err(Error::EmptyQuery);
        }
        let mut all = self.search(&inputs, &weights, monitor)?;
        clock.lap("search");

        all.best.sort_by(closer);
        all.best.truncate(self.count);
        let (starts, skips) = Starts::new(job, &inputs, all.chunks, all.documents)?;
        let documents: Vec<SimilarDocument> =
            all.best.into_iter().map(|candidate| candidate.named(&inputs, &starts)).collect();
        let outputs = write(table, &documents)?;
        let summary = SimilarSummary {
            read: ReadSummary::new(&inputs, all.documents, skips),
            listed: documents.len() as u64,
            no_figures: NoFigures::OF_CLUSTERS,
            effort: EffortSummary::finish(clock),
            plan: weighted_plan(&job.request.plan, &weights),
            returned: matches!(self.output, ListOutput::Returned { .. }).then_some(documents),
        };
        Unpublished::of_summary(summary, outputs, summary_files)
    }

    fn search(
        &self,
        inputs: &Inputs,
        weights: &Weights,
        monitor: &Monitor,
    ) -> Result<SimilarDocuments, Error> {
        let job = &self.job;
        let fields = job.fields();
        let bar = monitor.stage("search", Unit::Documents, None);
        let reader = Reader::new(inputs, &fields, Scan::Documents);
        let state = || (QueryComparer::new(self, weights), SimilarDocuments::default(), Scratch::default());
        let work = |(comparison, found, scratch): &mut (QueryComparer, SimilarDocuments, Scratch),
                    chunk: Chunk<'_>| {
            let mut loaded = chunk.load(scratch)?;
            let (id, before) = (loaded.id(), found.documents);
            let mut bad = Vec::new();
            let mut looking = comparison.start();
            loaded.for_each(|record| match record {
                Ok(record) => {
                    found.documents += 1;
                    if let Some(score) = looking.compare(record.text) {
                        let (place, id_of) = (record.place, record.id.map(str::to_owned));
                        found.best.push(ScoredDocument { score, chunk: id, place, id: id_of });
                    }
                }
                Err(record) => bad.push(record),
            });
            if found.best.len() > self.count.saturating_mul(2).saturating_add(1000) {
                found.best.sort_by(closer);
                found.best.truncate(self.count);
            }
            found.chunks.push(ReadChunk { id, lines: loaded.lines(), bad, suspect: loaded.suspect_quotes() });
            bar.inc(found.documents - before);
            Ok(None::<()>)
        };
        let states = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
        drop(bar);
        let mut all = SimilarDocuments::default();
        for (_, found, _) in states?.1 {
            all.best.extend(found.best);
            all.chunks.extend(found.chunks);
            all.documents += found.documents;
        }
        Ok(all)
    }
}

impl ScoredDocument {
    /// The document with its row and its id.
    fn named(self, inputs: &Inputs, starts: &Starts) -> SimilarDocument {
        let ScoredDocument { score, chunk, place, id } = self;
        let row = starts.of(chunk) + u64::from(place.line);
        let named = || place_name(inputs, chunk.file, place.offset, row);
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(named);
        SimilarDocument { row, id, score }
    }
}

/// Writes the list, if there is a table for it.
fn write(table: Option<TableWriter>, documents: &[SimilarDocument]) -> Result<Completed, Error> {
    let Some(mut table) = table else { return Ok(Completed::default()) };
    for document in documents {
        let id = Cell::Text(&document.id);
        table.row(&[id].into_iter().chain(score_cells(document.score)).collect::<Vec<_>>())?;
    }
    Ok(table.complete()?)
}

/// The closest first, then in input order.
fn closer(a: &ScoredDocument, b: &ScoredDocument) -> Ordering {
    let by_score = a.score.by_nearness(&b.score);
    by_score
        .then(a.chunk.cmp(&b.chunk))
        .then(a.place.line.cmp(&b.place.line))
        .then(a.place.offset.cmp(&b.place.offset))
}

/// Compares texts with the query.
struct QueryComparer {
    builder: SketchBuilder,
    query: PreparedQuery,
}

/// The query, prepared for comparison.
enum PreparedQuery {
    Exactly { compared: ComparedFeatures, verifier: Verifier },
    ByDistance { fingerprint: Fingerprint, within: u32 },
}

impl QueryComparer {
    fn new(similar: &Similar, weights: &Weights) -> Self {
        let (job, query, plan) = (&similar.job, similar.query.as_str(), &similar.job.request.plan);
        let mut builder = SketchBuilder::new(plan, weights, job.request.level);
        let query = if plan.verifies() {
            let compared = ComparedFeatures::new(&mut builder, query);
            let verifier = Verifier::new(job.request.level, plan.measure(), plan.threshold());
            PreparedQuery::Exactly { compared, verifier }
        } else {
            let within = similar.within.unwrap_or(u32::MAX);
            PreparedQuery::ByDistance { fingerprint: builder.fingerprint(query), within }
        };
        QueryComparer { builder, query }
    }

    /// Has the query no features?
    fn is_of_nothing(&self) -> bool {
        match &self.query {
            PreparedQuery::Exactly { compared, .. } => compared.set().features.is_empty(),
            PreparedQuery::ByDistance { fingerprint, .. } => fingerprint.is_empty(),
        }
    }

    /// Starts to compare some texts.
    fn start(&mut self) -> Looking<'_> {
        let query = match &mut self.query {
            PreparedQuery::Exactly { compared, verifier } => {
                HeldQuery::Exactly(verifier.hold(compared.set()))
            }
            PreparedQuery::ByDistance { fingerprint, within } => HeldQuery::ByDistance(*fingerprint, *within),
        };
        Looking { builder: &mut self.builder, query }
    }
}

/// Compares some texts with the query.
struct Looking<'c> {
    builder: &'c mut SketchBuilder,
    query: HeldQuery<'c>,
}

enum HeldQuery<'c> {
    Exactly(HeldSet<'c>),
    ByDistance(Fingerprint, u32),
}

impl Looking<'_> {
    fn compare(&mut self, text: &str) -> Option<Score> {
        match &mut self.query {
            HeldQuery::Exactly(held) => {
                let text = ComparedFeatures::new(self.builder, text);
                let similarity = held.reaches(text.set())?;
                (similarity.value() > 0.0).then_some(Score::Similarity(similarity))
            }
            HeldQuery::ByDistance(fingerprint, within) => {
                let other = self.builder.fingerprint(text);
                let distance = fingerprint.hamming(other).ok().filter(|distance| distance <= within)?;
                (!other.is_empty()).then_some(Score::Hamming(distance))
            }
        }
    }
}
