//! Writes documents to a file, one a line.

use super::{DecidedBatch, DuplicateRecord, document, own_place};
use crate::backoff::Backoff;
use crate::error::Error;
use crate::fields::Format;
use crate::health::{Health, Part};
use crate::settings::Settings;
use crate::verdict::Verdict;
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that grows by whole lines.
#[derive(Debug)]
pub(crate) struct LineWriter {
    path: PathBuf,
    file: File,
    /// Its length with all lines that are on the disk.
    length: u64,
    part: Part,
    health: Arc<Health>,
}

impl LineWriter {
    pub(crate) fn open(path: &Path, part: Part, health: Arc<Health>) -> Result<Self, Error> {
        let open = || {
            let file = OpenOptions::new().append(true).create(true).open(path)?;
            let length = file.metadata()?.len();
            Ok((file, length))
        };
        let (file, length) = open().map_err(|source| Error::File { path: path.to_owned(), source })?;
        Ok(LineWriter { path: path.to_owned(), file, length, part, health })
    }

    /// Writes lines. Returns when they are on the disk.
    pub(crate) async fn write(&mut self, lines: &[u8]) {
        let mut backoff = Backoff::default();
        while let Err(error) = tokio::task::block_in_place(|| self.try_write(lines)) {
            self.health.failed(self.part, &format!("{}: {error}", self.path.display()));
            backoff.wait(None).await;
        }
        self.health.works(self.part);
    }

    fn try_write(&mut self, lines: &[u8]) -> io::Result<()> {
        let written = self
            .file
            .write_all(lines)
            .and_then(|()| if self.is_regular() { self.file.sync_data() } else { Ok(()) });
        match written {
            Ok(()) => self.length += lines.len() as u64,
            // So that the next try does not follow half a line.
            Err(_) if self.is_regular() => self.file.set_len(self.length)?,
            Err(_) => {}
        }
        written
    }

    fn is_regular(&self) -> bool {
        self.file.metadata().is_ok_and(|metadata| metadata.is_file())
    }
}

/// Documents go to a file.
pub(crate) struct LineSink {
    documents: LineWriter,
    duplicates: Option<LineWriter>,
    format: Format,
}

impl LineSink {
    pub(crate) fn new(path: &Path, settings: &Settings, health: Arc<Health>) -> Result<Self, Error> {
        let open = |path: &Path| LineWriter::open(path, Part::Sink, Arc::clone(&health));
        let duplicates = own_place(&settings.duplicates).map(|path| open(Path::new(path))).transpose()?;
        Ok(LineSink { documents: open(path)?, duplicates, format: settings.format })
    }

    pub(crate) async fn write(&mut self, group: &[DecidedBatch]) {
        let (mut documents, mut duplicates) = (Vec::new(), Vec::new());
        for DecidedBatch { batch, items } in group {
            for (number, item) in items.iter().enumerate() {
                match &item.verdict {
                    Verdict::Unique => {
                        documents.extend_from_slice(&document(batch.message(number), item, self.format));
                        documents.push(b'\n');
                    }
                    Verdict::Removed { .. } => {
                        documents.extend_from_slice(
                            json!({ "id": item.id, "removed": true }).to_string().as_bytes(),
                        );
                        documents.push(b'\n');
                    }
                    Verdict::Duplicate { .. } if self.duplicates.is_some() => {
                        duplicates.extend(
                            DuplicateRecord::of(item).map(|record| record.json()).unwrap_or_default(),
                        );
                        duplicates.push(b'\n');
                    }
                    Verdict::Duplicate { .. } | Verdict::Dead { .. } => {}
                }
            }
        }
        self.documents.write(&documents).await;
        if let Some(writer) = &mut self.duplicates {
            writer.write(&duplicates).await;
        }
    }
}
