//! `sketch --explain`: how the fingerprints of the first documents are made, for readers.
//!
//! All documents are read and sketched, as `sketch` does, so the summary has the same figures.

use crate::error::Error;
use crate::lines::Starts;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::{Unpublished, start};
use crate::request::Job;
use lookalike::search::SketchBuilder;
use lookalike::simhash::ExplainedFingerprint;
use lookalike::{FeatureHashes, MissingHash, Weights};
use lookalike_corpus::{BadRecord, Chunk, ChunkId, Completed, Inputs, Queue, Reader, Scan, Scratch};
use lookalike_corpus::{Place, SuspectQuotes};
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::place_name;
use lookalike_engine::features::weights;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::{ReadChunk, scan};
use lookalike_engine::threads::in_pool;
use lookalike_report::{EffortSummary, NoFigures, ReadSummary, ReturnedSketches, SketchSummary, hashed_plan};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Explains the fingerprints of the first documents. They are in the `returned` sketches of the summary.
#[derive(Clone, Debug)]
pub struct ExplainFingerprints {
    /// The inputs, and how to sketch them.
    pub job: Job,
    /// How many documents to explain.
    pub count: usize,
    /// The file of the explanation. The caller writes it: see [`Unpublished::write_report`].
    pub output: Option<PathBuf>,
    /// The hashes by which features vote, in place of their own bits.
    pub hashes: Option<Arc<FeatureHashes>>,
}

/// A chunk's documents, the first of them explained.
struct ExplainedChunk {
    id: ChunkId,
    lines: u32,
    explained: Vec<(Option<String>, Place, ExplainedFingerprint)>,
    documents: u64,
    /// Documents without features.
    empty: u64,
    /// What the table of hashes lacks, and of which document. The others of the chunk were left out.
    missing: Option<(Option<String>, Place, MissingHash)>,
    bad: Vec<BadRecord>,
    suspect: SuspectQuotes,
}

/// The explanations in input order, and counts.
#[derive(Default)]
struct Explanations {
    returned: ReturnedSketches,
    queue: Queue<ExplainedChunk>,
    file: Option<u32>,
    /// Lines of the file before the next chunk.
    line: u64,
    chunks: Vec<ReadChunk>,
    documents: u64,
    empty: u64,
}

impl ExplainFingerprints {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; the job then leaves no output.
    ///
    /// # Panics
    /// If the method of the plan is not SimHash.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<SketchSummary>, Error> {
        assert!(self.job.request.plan.simhash().is_some(), "a plan with fingerprints");
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<SketchSummary>, Error> {
        let (job, mut clock) = (&self.job, Clock::start());
        let inputs = job.resolve(monitor)?;
        check_places(job, &inputs, Vec::new(), &[&self.output, &job.summary])?;
        let report = start(self.output.as_ref(), &monitor.waiting())?;
        let summary_files = job.start_summary(monitor)?;
        let weights = weights(&job.request, &inputs, &mut clock, monitor)?;
        let Explanations { returned, chunks, documents, empty, .. } =
            self.explain(&inputs, &weights, monitor)?;
        let (_, skips) = Starts::new(job, &inputs, chunks, documents)?;
        clock.lap("sketch");
        let summary = SketchSummary {
            read: ReadSummary::new(&inputs, documents, skips),
            empty,
            no_figures: NoFigures::OF_PAIRS,
            effort: EffortSummary::finish(clock),
            plan: hashed_plan(&job.request.plan, &weights, self.hashes.as_deref()),
            returned: Some(Arc::new(returned)),
        };
        Ok(Unpublished::of_summary(summary, Completed::default(), summary_files)?.with_report(report))
    }

    fn explain(&self, inputs: &Inputs, weights: &Weights, monitor: &Monitor) -> Result<Explanations, Error> {
        let request = &self.job.request;
        let fields = self.job.fields();
        let bar = monitor.stage("sketch", Unit::Documents, None);
        let reader = Reader::new(inputs, &fields, Scan::DocumentsInOrder);
        let all = Mutex::new(Explanations::default());
        // `enough` spares the explanations of later chunks, which nobody sees.
        let (stop, enough) = (AtomicBool::new(false), AtomicBool::new(false));
        let state = || (SketchBuilder::new(&request.plan, weights, request.level), Scratch::default());
        let work = |(builder, scratch): &mut (SketchBuilder, Scratch), chunk: Chunk<'_>| {
            let mut loaded = chunk.load(scratch)?;
            let (mut explained, mut bad, mut documents, mut empty) = (Vec::new(), Vec::new(), 0, 0);
            let (hashes, mut missing) = (self.hashes.as_deref(), None);
            loaded.for_each(|record| match record {
                _ if missing.is_some() => {}
                Ok(record) => {
                    documents += 1;
                    let id = || record.id.filter(|id| !id.is_empty()).map(str::to_owned);
                    let is_wanted = explained.len() < self.count && !enough.load(Ordering::Relaxed);
                    let made = match is_wanted {
                        true => {
                            builder.explain(record.text, hashes).map(|made| (made.fingerprint, Some(made)))
                        }
                        false => builder.fingerprint_by(record.text, hashes).map(|made| (made, None)),
                    };
                    match made {
                        Ok((fingerprint, explanation)) => {
                            empty += u64::from(fingerprint.is_empty());
                            explained.extend(explanation.map(|made| (id(), record.place, made)));
                        }
                        Err(lacks) => missing = Some((id(), record.place, lacks)),
                    }
                }
                Err(record) => bad.push(record),
            });
            let (id, lines, suspect) = (loaded.id(), loaded.lines(), loaded.suspect_quotes());
            let part = ExplainedChunk { id, lines, explained, documents, empty, missing, bad, suspect };
            if part.missing.is_some() || request.strict && !part.bad.is_empty() {
                stop.store(true, Ordering::Relaxed);
            }
            bar.inc(part.documents);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.queue.push(loaded.turn(), part);
            while let Some(part) = all.queue.pop() {
                all.take(self.count, inputs, part)?;
            }
            enough.store(all.returned.explained.len() == self.count, Ordering::Relaxed);
            Ok(None::<()>)
        };
        scan::<_, _, Error>(&reader, &monitor.interrupt, &stop, state, work)?;
        drop(bar);
        Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Explanations {
    /// Adds the next chunk, and as many of its explanations as make `count` of all.
    fn take(&mut self, count: usize, inputs: &Inputs, part: ExplainedChunk) -> Result<(), Error> {
        if self.file != Some(part.id.file) {
            (self.file, self.line) = (Some(part.id.file), 0);
        }
        let before = self.line;
        let name = |id: Option<String>, place: Place| {
            let line = before + u64::from(place.line);
            id.unwrap_or_else(|| place_name(inputs, part.id.file, place.offset, line))
        };
        if let Some((id, place, missing)) = part.missing {
            return Err(Error::MissingHash { document: name(id, place), missing });
        }
        let wanted = count - self.returned.explained.len();
        for (id, place, explained) in part.explained.into_iter().take(wanted) {
            self.returned.ids.push(name(id, place));
            self.returned.explained.push(explained);
        }
        self.documents += part.documents;
        self.empty += part.empty;
        self.line += u64::from(part.lines);
        self.chunks.push(ReadChunk { id: part.id, lines: part.lines, bad: part.bad, suspect: part.suspect });
        Ok(())
    }
}
