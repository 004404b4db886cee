//! Writes documents to a file, one a line.

use super::{DecidedBatch, DuplicateRecord, document, own_place};
use crate::backoff::Backoff;
use crate::error::Error;
use crate::fields::MessageFormat;
use crate::health::{Health, HealthPart};
use crate::progress::{FileLengths, StreamProgress};
use crate::settings::StreamSettings;
use crate::verdict::MessageVerdict;
use serde_json::json;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// After so many writes all messages that were under way have come again. A line that is still known belongs to somebody else.
const WRITES_WITH_KNOWN_LINES: u32 = 64;

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
    /// The last line, if it has no end. A killed process may have written it.
    half: Vec<u8>,
    /// How often lines were written since it was opened.
    writes: u32,
    part: HealthPart,
    health: Arc<Health>,
}

impl LineWriter {
    /// Opens a file, of which `progress` may know the length with all that has arrived.
    pub(crate) fn open(
        path: &Path,
        part: HealthPart,
        health: Arc<Health>,
        progress: &StreamProgress,
    ) -> Result<Self, Error> {
        let name = std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        let arrived = progress.file_length(&name);
        let open = || {
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            let behind = match file.metadata()?.is_file() {
                true => Behind::read(path, &mut file, arrived)?,
                false => Behind::default(),
            };
            Ok((file, behind))
        };
        let error = |source| Error::File { path: path.to_owned(), source };
        let (file, Behind { length, lines: already, half }) = open().map_err(error)?;
        Ok(LineWriter { path: path.to_owned(), name, file, length, already, half, writes: 0, part, health })
    }

    /// Its absolute path and its length, if it is a regular file. `None` while it has lines whose messages have not come again: after another kill they must still
    /// be behind the length that is known.
    pub(crate) fn name_and_length(&self) -> Option<(String, u64)> {
        let is_known = self.already.is_empty() && self.half.is_empty() && self.is_regular();
        is_known.then(|| (self.name.clone(), self.length))
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
        if !self.half.is_empty() && line.starts_with(&self.half) {
            // The rest of it comes first.
            let rest = [&line[self.half.len()..], b"\n"].concat();
            self.half.clear();
            lines.splice(..0, rest);
            return;
        }
        lines.extend_from_slice(line);
        lines.push(b'\n');
    }

    /// Writes lines. Returns when they are on the disk.
    pub(crate) async fn write(&mut self, lines: &[u8]) {
        // A last line that is not one of these is somebody else's.
        let ended = (!self.half.is_empty() && !lines.is_empty()).then(|| [b"\n", lines].concat());
        let lines = ended.as_deref().unwrap_or(lines);
        if !lines.is_empty() {
            self.half.clear();
        }
        let mut backoff = Backoff::default();
        while let Err(error) = tokio::task::block_in_place(|| self.try_write(lines)) {
            self.health.failed(self.part, &format!("{}: {error}", self.path.display()));
            backoff.wait(None).await;
        }
        self.health.works(self.part);
        self.writes = self.writes.saturating_add(1);
        if self.writes >= WRITES_WITH_KNOWN_LINES {
            self.already.clear();
        }
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

/// What is in a file behind the length with which all had arrived.
#[derive(Default)]
struct Behind {
    /// The length of the file.
    length: u64,
    /// The lines, and how often each is there.
    lines: HashMap<u128, u32>,
    /// The last line, if it has no end.
    half: Vec<u8>,
}

impl Behind {
    /// Reads it. If the length with which all had arrived is not known, nothing is behind it, and a last line gets its end.
    fn read(path: &Path, file: &mut File, arrived: Option<u64>) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let mut behind = Behind { length, ..Behind::default() };
        let Some(arrived) = arrived.filter(|&arrived| arrived <= length) else {
            if length > 0 && !ends_line(path)? {
                file.write_all(b"\n")?;
                behind.length += 1;
            }
            return Ok(behind);
        };
        let mut reader = File::open(path)?;
        reader.seek(SeekFrom::Start(arrived))?;
        let (mut reader, mut line) = (BufReader::new(reader), Vec::new());
        while reader.read_until(b'\n', &mut line)? > 0 {
            match line.strip_suffix(b"\n") {
                Some(line) => *behind.lines.entry(xxh3_128(line)).or_insert(0) += 1,
                None => behind.half = line.clone(),
            }
            line.clear();
        }
        Ok(behind)
    }
}

/// Whether a file that is not empty ends with a whole line.
fn ends_line(path: &Path) -> io::Result<bool> {
    let (mut file, mut last) = (File::open(path)?, [0]);
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Documents go to a file.
pub(crate) struct LineSink {
    documents: LineWriter,
    duplicates: Option<LineWriter>,
    format: MessageFormat,
}

impl LineSink {
    pub(crate) fn new(
        path: &Path,
        settings: &StreamSettings,
        health: &Arc<Health>,
        progress: &StreamProgress,
    ) -> Result<Self, Error> {
        let open = |path: &Path| LineWriter::open(path, HealthPart::Sink, Arc::clone(health), progress);
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
                    MessageVerdict::Unique => {
                        let document = document(batch.message(number), &item.facts, self.format);
                        self.documents.push(&document, &mut documents);
                    }
                    MessageVerdict::Removed { .. } => {
                        let removal = json!({ "id": item.facts.id, "removed": true }).to_string();
                        self.documents.push(removal.as_bytes(), &mut documents);
                    }
                    MessageVerdict::Duplicate { .. } => {
                        if let (Some(writer), Some(record)) =
                            (&mut self.duplicates, DuplicateRecord::of(item))
                        {
                            writer.push(&record.json(), &mut duplicates);
                        }
                    }
                    MessageVerdict::Dead { .. } | MessageVerdict::Expired => {}
                }
            }
        }
        self.documents.write(&documents).await;
        if let Some(writer) = &mut self.duplicates {
            writer.write(&duplicates).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_not_told_before_all_known_lines_have_come_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        std::fs::write(&path, "a\nb\nc").unwrap();
        let mut progress = StreamProgress::default();
        let name = std::path::absolute(&path).unwrap().display().to_string();
        progress.set_file_lengths([(name.clone(), 0)].into());
        let health = Arc::new(Health::new(|_| {}));
        let mut writer = LineWriter::open(&path, HealthPart::Sink, health, &progress).unwrap();
        let mut lines = Vec::new();
        for line in ["b", "a", "cd"] {
            assert_eq!(writer.name_and_length(), None, "{line}");
            writer.push(line.as_bytes(), &mut lines);
        }
        assert_eq!(lines, b"d\n");
        writer.try_write(&lines).unwrap();
        assert_eq!(writer.name_and_length(), Some((name, 7)));
        assert_eq!(std::fs::read(&path).unwrap(), b"a\nb\ncd\n");
    }
}
