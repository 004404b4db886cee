//! `sketch`: the signature or the fingerprint of every document, for other programs.

use crate::error::Error;
use crate::lines::Starts;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::Unpublished;
use crate::request::Job;
use crate::summary::{EffortSummary, NoFigures, ReadSummary, SketchSummary, weighted_plan};
use lookalike::search::SketchBuilder;
use lookalike::{Bits, Weights};
use lookalike_corpus::{
    BadRecord, Cell, Chunk, ChunkId, ColumnKind, Inputs, Queue, Reader, Scan, Scratch, TableWriter,
};
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::ids::place_name;
use lookalike_engine::features::weights::weights;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::Lines;
use lookalike_engine::scan::scan;
use lookalike_engine::threads::in_pool;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Writes the sketch of every document.
#[derive(Clone, Debug)]
pub struct Sketches {
    /// The inputs, and how to sketch them.
    pub job: Job,
    /// The file of the table.
    pub output: PathBuf,
}

/// The sketches of a chunk's documents.
struct Part {
    id: ChunkId,
    lines: u32,
    /// The id of each document, if it has one, its place in its file, and its offset.
    documents: Vec<(Option<String>, u32, u32)>,
    /// Signatures, one after the other.
    signatures: Vec<u32>,
    fingerprints: Vec<u128>,
    /// Documents without features, by their indexes in `documents`.
    empty: Vec<u32>,
    bad: Vec<BadRecord>,
}

/// The table, which is written in input order, and counts.
struct Written {
    table: TableWriter,
    queue: Queue<Part>,
    file: Option<u32>,
    /// Lines of the file before the next chunk.
    line: u64,
    chunks: Vec<Lines>,
    documents: u64,
    /// Documents without features.
    empty: u64,
}

impl Sketches {
    /// Runs the job.
    ///
    /// # Errors
    /// [`Error`]; the job then leaves no output.
    pub fn run(&self, monitor: &Monitor) -> Result<Unpublished<SketchSummary>, Error> {
        in_pool(self.job.threads, || self.run_here(monitor))
    }

    fn run_here(&self, monitor: &Monitor) -> Result<Unpublished<SketchSummary>, Error> {
        let (job, mut clock) = (&self.job, Clock::start());
        let inputs = job.resolve(monitor)?;
        check_places(job, &inputs, Vec::new(), &[&Some(self.output.clone()), &job.summary])?;
        let column = match job.request.plan.simhash() {
            None => ("signature", ColumnKind::Numbers),
            Some(simhash) => ("fingerprint", ColumnKind::Bytes(simhash.bits.count() as usize / 8)),
        };
        let table =
            TableWriter::create(&self.output, &[("id", ColumnKind::Text), column], &monitor.waiting())?;
        let summary_files = job.start_summary(monitor)?;
        let weights = weights(&job.request, &inputs, &mut clock, monitor)?;
        let written = Mutex::new(Written {
            table,
            queue: Queue::default(),
            file: None,
            line: 0,
            chunks: Vec::new(),
            documents: 0,
            empty: 0,
        });
        self.sketch(&inputs, &weights, &written, monitor)?;
        let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (_, skips) = Starts::new(job, &inputs, written.chunks, written.documents)?;
        let outputs = written.table.complete()?;
        clock.lap("sketch");
        let summary = SketchSummary {
            read: ReadSummary::new(&inputs, written.documents, skips),
            empty: written.empty,
            no_figures: NoFigures::OF_PAIRS,
            effort: EffortSummary::finish(clock),
            plan: weighted_plan(&job.request.plan, &weights),
        };
        Unpublished::of_summary(summary, outputs, summary_files)
    }

    fn sketch(
        &self,
        inputs: &Inputs,
        weights: &Weights,
        written: &Mutex<Written>,
        monitor: &Monitor,
    ) -> Result<(), Error> {
        let job = &self.job;
        let fields = job.fields();
        let bar = monitor.stage("sketch", Unit::Documents, None);
        let reader = Reader::new(inputs, &fields, Scan::RecordsInOrder);
        let (simhash, stop) = (job.request.plan.simhash(), AtomicBool::new(false));
        let state =
            || (SketchBuilder::new(&job.request.plan, weights, job.request.level), Scratch::default());
        let work = |(builder, scratch): &mut (SketchBuilder, Scratch), chunk: Chunk<'_>| {
            let mut loaded = chunk.load(scratch)?;
            let (mut documents, mut bad) = (Vec::new(), Vec::new());
            let (mut signatures, mut fingerprints, mut empty) = (Vec::new(), Vec::new(), Vec::new());
            loaded.for_each(|record| match record {
                Ok(record) => {
                    let is_empty = match simhash {
                        None => {
                            let sketch = builder.sketch(record.text);
                            signatures.extend_from_slice(sketch.signature);
                            sketch.content.is_empty()
                        }
                        Some(_) => {
                            let fingerprint = builder.fingerprint(record.text);
                            fingerprints.push(fingerprint.value());
                            fingerprint.is_empty()
                        }
                    };
                    empty.extend(is_empty.then_some(documents.len() as u32));
                    documents.push((record.id.map(str::to_owned), record.place.line, record.place.offset));
                }
                Err(record) => bad.push(record),
            });
            let (id, lines) = (loaded.id(), loaded.lines());
            let part = Part { id, lines, documents, signatures, fingerprints, empty, bad };
            if job.request.strict && !part.bad.is_empty() {
                stop.store(true, Ordering::Relaxed);
            }
            bar.inc(part.documents.len() as u64);
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            written.queue.push(loaded.turn(), part);
            while let Some(part) = written.queue.pop() {
                written.write(job, inputs, part)?;
            }
            Ok(None::<()>)
        };
        let done = scan::<_, _, Error>(&reader, &monitor.interrupt, &stop, state, work);
        drop(bar);
        done.map(|_| ())
    }
}

impl Written {
    fn write(&mut self, job: &Job, inputs: &Inputs, part: Part) -> Result<(), Error> {
        if self.file != Some(part.id.file) {
            (self.file, self.line) = (Some(part.id.file), 0);
        }
        let num_perm = job.request.plan.num_perm();
        for (index, (id, line, offset)) in part.documents.iter().enumerate() {
            let place = || place_name(inputs, part.id.file, *offset, self.line + u64::from(*line));
            let id = id.clone().filter(|id| !id.is_empty()).unwrap_or_else(place);
            let bytes;
            let sketch = match job.request.plan.simhash() {
                // Documents without features would all have the same sketch.
                _ if part.empty.binary_search(&(index as u32)).is_ok() => Cell::Absent,
                None => Cell::Numbers(&part.signatures[index * num_perm..][..num_perm]),
                Some(simhash) => {
                    bytes = part.fingerprints[index].to_be_bytes();
                    let from = if simhash.bits == Bits::B64 { 8 } else { 0 };
                    Cell::Bytes(&bytes[from..])
                }
            };
            self.table.row(&[Cell::Text(&id), sketch])?;
        }
        self.documents += part.documents.len() as u64;
        self.empty += part.empty.len() as u64;
        self.line += u64::from(part.lines);
        self.chunks.push(Lines { id: part.id, lines: part.lines, bad: part.bad });
        Ok(())
    }
}
