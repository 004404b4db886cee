//! `sketch`: the signature or the fingerprint of every document, for other programs.

use crate::error::Error;
use crate::lines::Starts;
use crate::outputs::places::check_places;
use crate::outputs::unpublished::Unpublished;
use crate::request::{Job, ListOutput};
use lookalike::search::SketchBuilder;
use lookalike::{Bits, FeatureHashes, MissingHash, Weights};
use lookalike_corpus::{
    BadRecord, Cell, Chunk, ChunkId, ColumnKind, Completed, Inputs, Queue, Reader, Scan, Scratch,
    SuspectQuotes, TableWriter,
};
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::place_name;
use lookalike_engine::features::weights;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::ReadChunk;
use lookalike_engine::scan::scan;
use lookalike_engine::threads::in_pool;
use lookalike_report::ReturnedSketches;
use lookalike_report::{EffortSummary, NoFigures, ReadSummary, SketchSummary, hashed_plan};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Writes the sketch of every document.
#[derive(Clone, Debug)]
pub struct WriteSketches {
    /// The inputs, and how to sketch them.
    pub job: Job,
    /// The table.
    pub output: ListOutput,
    /// The hashes by which features vote in fingerprints, in place of their own bits.
    pub hashes: Option<Arc<FeatureHashes>>,
}

/// The sketches of a chunk's documents.
struct ChunkSketches {
    id: ChunkId,
    lines: u32,
    /// The id of each document, if it has one, its place in its file, and its offset.
    documents: Vec<(Option<String>, u32, u32)>,
    /// Signatures, one after the other.
    signatures: Vec<u32>,
    fingerprints: Vec<u128>,
    /// Documents without features, by their indexes in `documents`.
    empty: Vec<u32>,
    /// What the table of hashes lacks of the last one of `documents`. The others of the chunk were left out.
    missing: Option<MissingHash>,
    bad: Vec<BadRecord>,
    suspect: SuspectQuotes,
}

/// The table, which is written in input order, and counts.
struct SketchOutput {
    /// The table. Without one, the sketches are `returned`.
    table: Option<TableWriter>,
    returned: ReturnedSketches,
    with_ids: bool,
    queue: Queue<ChunkSketches>,
    file: Option<u32>,
    /// Lines of the file before the next chunk.
    line: u64,
    chunks: Vec<ReadChunk>,
    documents: u64,
    /// Documents without features.
    empty: u64,
}

impl WriteSketches {
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
        check_places(job, &inputs, Vec::new(), &[&self.output.file(), &job.summary])?;
        let column = match job.request.plan.simhash() {
            None => ("signature", ColumnKind::Numbers),
            Some(simhash) => ("fingerprint", ColumnKind::Bytes(simhash.bits.count() as usize / 8)),
        };
        let columns = [("id", ColumnKind::Text), column];
        let table = self.output.path().map(|path| TableWriter::create(path, &columns, &monitor.waiting()));
        let table = table.transpose()?;
        let summary_files = job.start_summary(monitor)?;
        let weights = weights(&job.request, &inputs, &mut clock, monitor)?;
        let written = Mutex::new(SketchOutput {
            table,
            returned: ReturnedSketches::default(),
            with_ids: self.output.returns_ids(),
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
        let is_returned = written.table.is_none();
        let outputs = written.table.map_or(Ok(Completed::default()), TableWriter::complete)?;
        clock.lap("sketch");
        let summary = SketchSummary {
            read: ReadSummary::new(&inputs, written.documents, skips),
            empty: written.empty,
            no_figures: NoFigures::OF_PAIRS,
            effort: EffortSummary::finish(clock),
            plan: hashed_plan(&job.request.plan, &weights, self.hashes.as_deref()),
            returned: is_returned.then(|| Arc::new(written.returned)),
        };
        Unpublished::of_summary(summary, outputs, summary_files)
    }

    fn sketch(
        &self,
        inputs: &Inputs,
        weights: &Weights,
        written: &Mutex<SketchOutput>,
        monitor: &Monitor,
    ) -> Result<(), Error> {
        let job = &self.job;
        let fields = job.fields();
        let bar = monitor.stage("sketch", Unit::Documents, None);
        let reader = Reader::new(inputs, &fields, Scan::DocumentsInOrder);
        let (simhash, stop) = (job.request.plan.simhash(), AtomicBool::new(false));
        let state =
            || (SketchBuilder::new(&job.request.plan, weights, job.request.level), Scratch::default());
        let work = |(builder, scratch): &mut (SketchBuilder, Scratch), chunk: Chunk<'_>| {
            let mut loaded = chunk.load(scratch)?;
            let (mut documents, mut bad) = (Vec::new(), Vec::new());
            let (mut signatures, mut fingerprints, mut empty) = (Vec::new(), Vec::new(), Vec::new());
            let mut missing = None;
            loaded.for_each(|record| match record {
                _ if missing.is_some() => {}
                Ok(record) => {
                    let is_empty = match simhash {
                        None => {
                            let sketch = builder.sketch(record.text);
                            signatures.extend_from_slice(sketch.signature);
                            sketch.content.is_empty()
                        }
                        Some(_) => {
                            let made = builder.fingerprint_by(record.text, self.hashes.as_deref());
                            fingerprints.extend(made.as_ref().map(|fingerprint| fingerprint.value()));
                            let is_empty = made.as_ref().is_ok_and(|fingerprint| fingerprint.is_empty());
                            missing = made.err();
                            is_empty
                        }
                    };
                    empty.extend(is_empty.then_some(documents.len() as u32));
                    documents.push((record.id.map(str::to_owned), record.place.line, record.place.offset));
                }
                Err(record) => bad.push(record),
            });
            let (id, lines, suspect) = (loaded.id(), loaded.lines(), loaded.suspect_quotes());
            let part = ChunkSketches {
                id,
                lines,
                documents,
                signatures,
                fingerprints,
                empty,
                missing,
                bad,
                suspect,
            };
            if part.missing.is_some() || job.request.strict && !part.bad.is_empty() {
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

impl SketchOutput {
    fn write(&mut self, job: &Job, inputs: &Inputs, part: ChunkSketches) -> Result<(), Error> {
        if self.file != Some(part.id.file) {
            (self.file, self.line) = (Some(part.id.file), 0);
        }
        if let Some(missing) = part.missing.clone() {
            let document = part.id(inputs, part.documents.len() - 1, self.line);
            return Err(Error::MissingHash { document, missing });
        }
        if self.table.is_none() {
            self.keep(inputs, &part);
        }
        if let Some(table) = &mut self.table {
            write(table, job, inputs, &part, self.line)?;
        }
        self.documents += part.documents.len() as u64;
        self.empty += part.empty.len() as u64;
        self.line += u64::from(part.lines);
        self.chunks.push(ReadChunk { id: part.id, lines: part.lines, bad: part.bad, suspect: part.suspect });
        Ok(())
    }

    /// Keeps the sketches, to return them.
    fn keep(&mut self, inputs: &Inputs, part: &ChunkSketches) {
        let SketchOutput { returned, line, with_ids, .. } = self;
        returned.signatures.extend_from_slice(&part.signatures);
        returned.fingerprints.extend_from_slice(&part.fingerprints);
        let documents = 0..part.documents.len();
        returned
            .has_features
            .extend(documents.clone().map(|index| part.empty.binary_search(&(index as u32)).is_err()));
        if *with_ids {
            returned.ids.extend(documents.map(|index| part.id(inputs, index, *line)));
        }
    }
}

impl ChunkSketches {
    /// The id of a document, or else its place. `before` are the lines of the file before this chunk.
    fn id(&self, inputs: &Inputs, index: usize, before: u64) -> String {
        let (id, line, offset) = &self.documents[index];
        let place = || place_name(inputs, self.id.file, *offset, before + u64::from(*line));
        id.clone().filter(|id| !id.is_empty()).unwrap_or_else(place)
    }
}

/// Writes the sketches of a chunk.
fn write(
    table: &mut TableWriter,
    job: &Job,
    inputs: &Inputs,
    part: &ChunkSketches,
    before: u64,
) -> Result<(), Error> {
    let num_perm = job.request.plan.num_perm();
    for index in 0..part.documents.len() {
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
        table.row(&[Cell::Text(&part.id(inputs, index, before)), sketch])?;
    }
    Ok(())
}
