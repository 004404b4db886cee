//! Writes documents to a file, one a line.

use super::{DecidedBatch, DuplicateRecord, document, own_place};
use crate::backoff::Backoff;
use crate::error::Error;
use crate::fields::Format;
use crate::health::{Health, Part};
use crate::progress::{FileLengths, Progress};
use crate::settings::Settings;
use crate::verdict::Verdict;
use serde_json::json;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// A file that grows by whole lines.
#[derive(Debug)]
pub(crate) struct LineWriter {
    path: PathBuf,
    /// Its absolute path.
    name: String,
    file: File,
    /// Its length with all lines that are on the disk.
    length: u64,
    /// Lines that a killed process has written, whose messages come again, and how often each is there.
    already: HashMap<u128, u32>,
    part: Part,
    health: Arc<Health>,
}

impl LineWriter {
    /// Opens a file, of which `progress` may know the length with all that has arrived.
    pub(crate) fn open(
        path: &Path,
        part: Part,
        health: Arc<Health>,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let name = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        let arrived = progress.file_length(&name);
        let open = || {
            let mut file = OpenOptions::new().append(true).create(true).read(true).open(path)?;
            let (length, already) = match file.metadata()?.is_file() {
                true => lines_behind(&mut file, arrived)?,
                false => (0, HashMap::new()),
            };
            Ok((file, length, already))
        };
        let error = |source| Error::File { path: path.to_owned(), source };
        let (file, length, already) = open().map_err(error)?;
        Ok(LineWriter { path: path.to_owned(), name, file, length, already, part, health })
    }

    /// Its absolute path and its length, if it is a regular file.
    pub(crate) fn name_and_length(&self) -> Option<(String, u64)> {
        self.is_regular().then(|| (self.name.clone(), self.length))
    }

    /// Appends a line to those that are to be written, unless it was written before.
    pub(crate) fn push(&mut self, line: &[u8], lines: &mut Vec<u8>) {
        if !self.already.is_empty()
            && let Entry::Occupied(mut known) = self.already.entry(xxh3_128(line))
        {
            *known.get_mut() -= 1;
            if *known.get() == 0 {
                known.remove();
            }
            return;
        }
        lines.extend_from_slice(line);
        lines.push(b'\n');
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

/// The length of a file with whole lines, and those behind the length with which all had arrived. Half a line at its end is removed if a killed process can
/// have written it, and is ended otherwise.
fn lines_behind(file: &mut File, arrived: Option<u64>) -> io::Result<(u64, HashMap<u128, u32>)> {
    let (mut length, mut already) = (file.metadata()?.len(), HashMap::new());
    match arrived.filter(|&arrived| arrived <= length) {
        Some(arrived) => {
            file.seek(SeekFrom::Start(arrived))?;
            let (mut behind, mut line) = (BufReader::new(&mut *file), Vec::new());
            length = arrived;
            while behind.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
                length += line.len() as u64;
                *already.entry(xxh3_128(line.trim_ascii_end())).or_insert(0) += 1;
                line.clear();
            }
            file.set_len(length)?;
        }
        None if length > 0 => {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                file.write_all(b"\n")?;
                length += 1;
            }
        }
        None => {}
    }
    Ok((length, already))
}

/// Documents go to a file.
pub(crate) struct LineSink {
    documents: LineWriter,
    duplicates: Option<LineWriter>,
    format: Format,
}

impl LineSink {
    pub(crate) fn new(
        path: &Path,
        settings: &Settings,
        health: &Arc<Health>,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let open = |path: &Path| LineWriter::open(path, Part::Sink, Arc::clone(health), progress);
        let duplicates = own_place(&settings.duplicates).map(|path| open(Path::new(path))).transpose()?;
        Ok(LineSink { documents: open(path)?, duplicates, format: settings.format })
    }

    /// The lengths of its files.
    pub(crate) fn lengths(&self) -> FileLengths {
        [Some(&self.documents), self.duplicates.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(LineWriter::name_and_length)
            .collect()
    }

    pub(crate) async fn write(&mut self, group: &[DecidedBatch]) {
        let (mut documents, mut duplicates) = (Vec::new(), Vec::new());
        for DecidedBatch { batch, items } in group {
            for (number, item) in items.iter().enumerate() {
                match &item.verdict {
                    Verdict::Unique => {
                        let document = document(batch.message(number), item, self.format);
                        self.documents.push(&document, &mut documents);
                    }
                    Verdict::Removed { .. } => {
                        let removal = json!({ "id": item.id, "removed": true }).to_string();
                        self.documents.push(removal.as_bytes(), &mut documents);
                    }
                    Verdict::Duplicate { .. } => {
                        if let (Some(writer), Some(record)) =
                            (&mut self.duplicates, DuplicateRecord::of(item))
                        {
                            writer.push(&record.json(), &mut duplicates);
                        }
                    }
                    Verdict::Dead { .. } => {}
                }
            }
        }
        self.documents.write(&documents).await;
        if let Some(writer) = &mut self.duplicates {
            writer.write(&duplicates).await;
        }
    }
}
