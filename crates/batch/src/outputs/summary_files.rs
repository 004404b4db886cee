//! The files of the summary, and of the settings that repeat the run.
//!
//! Both are started before a document is read, and get their names with the outputs. Not for: their content.

use crate::error::Error;
use crate::request::SettingsFile;
use lookalike_corpus::{Completed, Waiting, WholeFile};
use serde::Serialize;
use std::path::PathBuf;

/// The files of summary and settings, if they were asked for. They are started and empty.
#[derive(Default)]
pub(crate) struct SummaryFiles {
    summary: Option<WholeFile>,
    /// The file with its content, which is known from the start.
    settings: Option<(WholeFile, String)>,
}

impl SummaryFiles {
    pub(crate) fn start(
        summary: Option<&PathBuf>,
        settings: Option<&SettingsFile>,
        waiting: &Waiting,
    ) -> Result<Self, Error> {
        let summary = summary.map(|path| WholeFile::create(path, waiting)).transpose()?;
        let settings = settings.map(|settings| {
            Ok::<_, Error>((WholeFile::create(&settings.path, waiting)?, settings.content.clone()))
        });
        Ok(SummaryFiles { summary, settings: settings.transpose()? })
    }

    /// Completes both files.
    pub(crate) fn write(self, summary: &impl Serialize) -> Result<Completed, Error> {
        let mut completed = Completed::default();
        if let Some(file) = self.summary {
            let json = serde_json::to_string_pretty(summary).unwrap_or_default() + "\n";
            completed.join(file.write(json.as_bytes())?);
        }
        if let Some((file, content)) = self.settings {
            completed.join(file.write(content.as_bytes())?);
        }
        Ok(completed)
    }
}
