//! The outputs of jobs: the lists, and the third scan, which copies or annotates documents.
//!
//! `create` refuses all that can be refused, before any document is read. A complete output has no name yet: see
//! [`Unpublished`](crate::Unpublished).

pub(crate) mod places;
pub(crate) mod summary_files;
pub(crate) mod unpublished;

use crate::error::Error;
use crate::outputs::places::check_places;
use crate::request;
use lookalike::{Match, Measure, Plan, Score};
use lookalike_corpus::{
    Annotation, Cell, Chunk, ColumnKind, Completed, Fields, Inputs, KeptRows, KeptWriter, Mode, Place,
    Reader, Scratch, TableWriter,
};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::reasons::Reasons;
use lookalike_engine::decisions::uncovered_text::UncoveredText;
use lookalike_engine::documents::names::Names;
use lookalike_engine::progress::Stage;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::scan;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{
    OnceLock,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

/// The outputs of `dedup`.
pub(crate) struct Dedup<'a> {
    kept: Option<KeptWriter<'a>>,
    annotate: bool,
    /// Does the list of removed documents have the column of containment in either direction?
    tells_contained: bool,
    removed: Option<TableWriter>,
    clusters: Option<TableWriter>,
}

/// The decisions that rows and annotations are made from.
pub(crate) struct OutputContext<'a> {
    pub(crate) names: &'a Names<'a>,
    pub(crate) decisions: &'a Decisions,
    pub(crate) reasons: &'a Reasons,
    pub(crate) uncovered_text: &'a UncoveredText,
}

impl<'a> Dedup<'a> {
    pub(crate) fn create(
        job: &request::Dedup,
        inputs: &'a Inputs,
        fields: &'a Fields,
    ) -> Result<Self, Error> {
        let outputs = [&job.output, &job.removed, &job.clusters];
        let standard = Path::new("-");
        if outputs.iter().filter(|path| path.as_deref() == Some(standard)).count() > 1 {
            return Err(Error::SameOutput { path: standard.to_owned() });
        }
        let mode = if job.annotate {
            Mode::Annotate { score: column_of_removed(&job.job.request.plan).0 }
        } else {
            Mode::Copy
        };
        let kept = job.output.as_deref().map(|out| KeptWriter::create(inputs, fields, out, mode));
        let table = |path: &Option<PathBuf>, columns: &[(&str, ColumnKind)]| {
            path.as_deref().map(|path| TableWriter::create(path, columns, inputs.waiting())).transpose()
        };
        let kept = kept.transpose()?;
        let lists = [&job.removed, &job.clusters, &job.job.summary, &job.report];
        let mut places = kept.as_ref().map(KeptWriter::places).unwrap_or_default();
        // The output itself too, as it may be a folder.
        places.extend(job.output.clone());
        check_places(&job.job, inputs, places, &lists)?;
        let tells_contained = job.against.containment.is_some();
        let mut columns_of_removed = vec![
            ("id", ColumnKind::Text),
            ("kept_id", ColumnKind::Text),
            ("cluster", ColumnKind::Integer),
            column_of_removed(&job.job.request.plan),
            ("containment", ColumnKind::Number6),
            ("uncovered_words", ColumnKind::Integer),
            ("uncovered", ColumnKind::Text),
        ];
        columns_of_removed.extend(tells_contained.then_some(("against_containment", ColumnKind::Number6)));
        Ok(Dedup {
            kept,
            annotate: job.annotate,
            tells_contained,
            removed: table(&job.removed, &columns_of_removed)?,
            clusters: table(
                &job.clusters,
                &[("id", ColumnKind::Text), ("cluster", ColumnKind::Integer), ("kept", ColumnKind::Bool)],
            )?,
        })
    }

    /// Do the outputs have the similarities of removed and kept documents?
    pub(crate) fn need_reasons(&self) -> bool {
        self.annotate || self.removed.is_some()
    }

    /// Do they have the words that are lost with each removed document?
    pub(crate) fn lists_removed(&self) -> bool {
        self.removed.is_some()
    }

    pub(crate) fn write(
        self,
        fields: &Fields,
        context: &OutputContext<'_>,
        monitor: &Monitor,
    ) -> Result<Completed, Error> {
        let mut completed = Completed::default();
        if let Some(table) = self.removed {
            completed.join(write_removed(table, self.tells_contained, context, monitor)?.complete()?);
        }
        if let Some(table) = self.clusters {
            completed.join(write_clusters(table, context, monitor)?.complete()?);
        }
        if let Some(kept) = self.kept {
            let documents = context.names.documents;
            let count = documents.len() as u64 - u64::from(documents.first_new);
            let bar = monitor.stage("write", Unit::Documents, Some(count));
            let done = write_kept(&kept, count, self.annotate, fields, context, monitor, &bar);
            drop(bar);
            done?;
            completed.join(kept.complete()?);
        }
        Ok(completed)
    }
}

/// Writes the kept ones of `count` documents. Documents of `--against` are not among them.
fn write_kept(
    kept: &KeptWriter<'_>,
    count: u64,
    annotate: bool,
    fields: &Fields,
    context: &OutputContext<'_>,
    monitor: &Monitor,
    bar: &Stage,
) -> Result<(), Error> {
    let documents = context.names.documents;
    let reader = Reader::new(context.names.inputs, fields, kept.scan());
    let (seen, broken) = (AtomicU64::new(0), OnceLock::new());
    let work = |scratch: &mut Scratch, chunk: Chunk<'_>| {
        let here = documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
        bar.inc(here.len() as u64);
        seen.fetch_add(here.len() as u64, Ordering::Relaxed);
        if let Some(problem) = chunk.broken() {
            broken.get_or_init(|| (chunk.id().file, problem.clone()));
        }
        let place = |document: u32| documents.places[document as usize];
        if annotate {
            let kept_ids: Vec<Option<Cow<'_, str>>> =
                here.clone().map(|document| context.kept_id(document)).collect();
            let rows: Vec<(Place, Annotation<'_>)> = here
                .zip(&kept_ids)
                .map(|(document, kept_id)| {
                    (place(document), context.annotation(document, kept_id.as_deref()))
                })
                .collect();
            kept.write(&chunk.load(scratch)?, KeptRows::Annotated(&rows))?;
        } else {
            let rows: Vec<Place> =
                here.filter(|&document| context.decisions.keeps(document)).map(place).collect();
            match rows.is_empty() && !chunk.holds_other_records() {
                true => kept.skip(&chunk)?,
                false => kept.write(&chunk.load(scratch)?, KeptRows::Copied(&rows))?,
            }
        }
        Ok(None::<()>)
    };
    scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), Scratch::default, work)?;
    // A column that only this scan reads may end before the texts, and none of the rows behind its end may be kept.
    if seen.into_inner() < count
        && let Some((file, problem)) = broken.into_inner()
    {
        let path = context.names.inputs.files()[file as usize].path.clone();
        return Err(lookalike_corpus::Error::BadText { path, problem }.into());
    }
    Ok(())
}

/// Writes the list of removed documents. Clusters are numbered from 1 in the order of their first members.
fn write_removed(
    mut table: TableWriter,
    tells_contained: bool,
    context: &OutputContext<'_>,
    monitor: &Monitor,
) -> Result<TableWriter, Error> {
    for (index, cluster) in context.decisions.clusters().enumerate() {
        monitor.interrupt.check()?;
        let reasons = context.reasons.of_cluster(context.decisions, index);
        for ((member, kept), reason) in
            cluster.decisions().zip(reasons).filter(|((member, kept), _)| member != kept)
        {
            let (words, excerpt) = context.uncovered_text.with(member).unwrap_or_default();
            // Without comparison containment and uncovered words are unknown.
            let containment = reason.containment;
            let share = reason.contained.map_or(Cell::Absent, |contained| Cell::Number(contained.value()));
            let kept_id = context.id_of_kept(kept);
            let row = [
                Cell::Text(&context.names.id(member)),
                kept_id.as_deref().map_or(Cell::Absent, Cell::Text),
                Cell::Integer(index as u64 + 1),
                cell(reason.score),
                containment.map_or(Cell::Absent, |containment| Cell::Number(containment.value())),
                containment.map_or(Cell::Absent, |_| Cell::Integer(words)),
                containment.map_or(Cell::Absent, |_| Cell::Text(excerpt)),
                share,
            ];
            table.row(if tells_contained { &row } else { &row[..row.len() - 1] })?;
        }
    }
    Ok(table)
}

fn write_clusters(
    mut table: TableWriter,
    context: &OutputContext<'_>,
    monitor: &Monitor,
) -> Result<TableWriter, Error> {
    for (number, cluster) in (1..).zip(context.decisions.clusters()) {
        monitor.interrupt.check()?;
        for (member, kept) in cluster.decisions() {
            let id = context.names.id(member);
            table.row(&[Cell::Text(&id), Cell::Integer(number), Cell::Bool(member == kept)])?;
        }
    }
    Ok(table)
}

impl OutputContext<'_> {
    /// The id of `kept`, which another document was removed for. `None` if it is removed itself, as no document of its cluster
    /// is kept.
    fn id_of_kept(&self, kept: u32) -> Option<Cow<'_, str>> {
        self.decisions.keeps(kept).then(|| self.names.id(kept))
    }

    /// The id of the document that is kept instead of `document`. `None` if it is kept itself, or if none is kept.
    fn kept_id(&self, document: u32) -> Option<Cow<'_, str>> {
        let kept = self.decisions.kept_for(document);
        if kept == document { None } else { self.id_of_kept(kept) }
    }

    fn annotation<'b>(&self, document: u32, kept_id: Option<&'b str>) -> Annotation<'b> {
        let place = self.decisions.find(document);
        let kept = self.decisions.keeps(document);
        let removed = place.filter(|_| !kept);
        let reason =
            removed.and_then(|(cluster, member)| self.reasons.of_member(self.decisions, cluster, member));
        Annotation {
            cluster: place.map(|(cluster, _)| cluster as u64 + 1),
            kept,
            kept_id,
            score: reason.map_or(Cell::Absent, |reason| cell(reason.score)),
            containment: reason
                .and_then(|reason| reason.containment)
                .map_or(Cell::Absent, |containment| Cell::Number(containment.value())),
            duplicates: place
                .map_or(0, |(cluster, _)| self.decisions.cluster(cluster).members.len() as u64 - 1),
        }
    }
}

/// The output of `pairs`.
pub(crate) struct Pairs(TableWriter);

impl Pairs {
    pub(crate) fn create(pairs: &request::Pairs, inputs: &Inputs) -> Result<Self, Error> {
        let (job, path) = (&pairs.job, pairs.output.as_deref().unwrap_or(Path::new("-")));
        check_places(job, inputs, Vec::new(), &[&pairs.output, &job.summary, &pairs.report])?;
        let columns = [("a", ColumnKind::Text), ("b", ColumnKind::Text), column(&job.request.plan)];
        Ok(Pairs(TableWriter::create(path, &columns, inputs.waiting())?))
    }

    pub(crate) fn write(
        mut self,
        names: &Names<'_>,
        pairs: &[Match],
        monitor: &Monitor,
    ) -> Result<Completed, Error> {
        for pair in pairs {
            monitor.interrupt.check()?;
            let (a, b) = (names.id(pair.a), names.id(pair.b));
            self.0.row(&[Cell::Text(&a), Cell::Text(&b), cell(pair.score)])?;
        }
        Ok(self.0.complete()?)
    }
}

/// The column of the similarity of two documents.
pub(crate) fn column(plan: &Plan) -> (&'static str, ColumnKind) {
    if !plan.verifies() {
        return ("hamming", ColumnKind::Integer);
    }
    let name = match plan.measure() {
        Measure::Jaccard => "jaccard",
        Measure::WordJaccard => "word_jaccard",
        Measure::Cosine => "cosine",
        Measure::Containment => "containment",
    };
    (name, ColumnKind::Number6)
}

/// The same column beside the column `containment`, which must have another name.
fn column_of_removed(plan: &Plan) -> (&'static str, ColumnKind) {
    match column(plan) {
        ("containment", kind) => ("overlap", kind),
        other => other,
    }
}

pub(crate) fn cell(score: Score) -> Cell<'static> {
    match score {
        Score::Similarity(similarity) => Cell::Number(similarity.value()),
        Score::Hamming(distance) => Cell::Integer(u64::from(distance)),
    }
}
