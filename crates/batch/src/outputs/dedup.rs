//! The outputs of `dedup`.

use super::id_type::type_ids;
use super::kept::write_kept;
use super::places::check_places;
use crate::error::Error;
use crate::request;
use lookalike_corpus::{ColumnKind, Completed, Fields, Inputs, KeptWriter, RecordMode, TableWriter};
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_report::{
    COLUMNS_OF_CLUSTERS, OutputContext, columns_of_removed, score_column_of_removed, write_clusters,
    write_removed,
};
use std::path::{Path, PathBuf};

/// The outputs of `dedup`.
pub(crate) struct DedupOutputs<'a> {
    kept: Option<KeptWriter<'a>>,
    annotate: bool,
    /// Does the list of removed documents have the column of containment in either direction?
    tells_contained: bool,
    /// Whether documents of an index are compared.
    is_beside_index: bool,
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
            RecordMode::Annotate { score: score_column_of_removed(&job.job.request.plan) }
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
        Ok(DedupOutputs {
            kept,
            annotate: job.annotate,
            tells_contained,
            is_beside_index: job.against.index.is_some(),
            removed: table(&job.removed, &columns_of_removed(&job.job.request.plan, tells_contained))?,
            clusters: table(&job.clusters, &COLUMNS_OF_CLUSTERS)?,
        })
    }

    pub(crate) fn write(
        mut self,
        fields: &Fields,
        context: &OutputContext<'_>,
        monitor: &Monitor,
    ) -> Result<Completed, Error> {
        let mut completed = Completed::default();
        // Ids of an index are texts.
        if !self.is_beside_index {
            type_ids(self.removed.iter_mut().chain(&mut self.clusters), fields, context.names)?;
        }
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
