//! The outputs of `dedup`.

use super::columns::column_of_removed;
use super::context::OutputContext;
use super::kept::write_kept;
use super::lists::{write_clusters, write_removed};
use super::places::check_places;
use crate::error::Error;
use crate::request;
use lookalike_corpus::{ColumnKind, Completed, Fields, Inputs, KeptWriter, RecordMode, TableWriter};
use lookalike_engine::progress::{Monitor, Unit};
use std::path::{Path, PathBuf};

/// The outputs of `dedup`.
pub(crate) struct DedupOutputs<'a> {
    kept: Option<KeptWriter<'a>>,
    annotate: bool,
    /// Does the list of removed documents have the column of containment in either direction?
    tells_contained: bool,
    removed: Option<TableWriter>,
    clusters: Option<TableWriter>,
}

impl<'a> DedupOutputs<'a> {
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
            RecordMode::Annotate { score: column_of_removed(&job.job.request.plan).0 }
        } else {
            RecordMode::Copy
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
        Ok(DedupOutputs {
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
