//! Messages of a file, one a line.

use super::Batches;
use crate::batch::{Batch, Message, Partition};
use crate::error::Error;
use crate::health::Part;
use crate::run::Shared;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const BUFFER_BYTES: usize = 1 << 20;

/// A file, or standard input. Lines of a file that have arrived before are passed over.
pub(super) struct LineSource {
    lines: Box<dyn BufRead + Send>,
    /// The name of the file, for the ids of messages that have none.
    name: String,
    partition: Partition,
    /// Whether the lines of an earlier run are the same.
    is_again: bool,
    shared: Arc<Shared>,
}

impl LineSource {
    pub(super) fn open(path: &Path, shared: Arc<Shared>) -> Result<Self, Error> {
        let error = |source| Error::File { path: path.to_owned(), source };
        let file = File::open(path).map_err(error)?;
        let is_again = file.metadata().map_err(error)?.is_file();
        let topic = path.canonicalize().map_err(error)?.to_string_lossy().as_ref().into();
        let mut lines = BufReader::with_capacity(BUFFER_BYTES, file);
        // Another file of this name is another partition, as far as its first line tells.
        let head = lines.fill_buf().map_err(error)?;
        let first_line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let number = (xxh3_64(first_line) >> 33) as i32;
        let partition = Partition { topic, number };
        Ok(LineSource {
            lines: Box::new(lines),
            name: path.display().to_string(),
            partition,
            is_again,
            shared,
        })
    }

    pub(super) fn stdin(shared: Arc<Shared>) -> Self {
        let partition = Partition { topic: "-".into(), number: 0 };
        let lines = Box::new(BufReader::with_capacity(BUFFER_BYTES, io::stdin()));
        LineSource { lines, name: "-".to_owned(), partition, is_again: false, shared }
    }

    pub(super) fn read(mut self, batches: &Batches) {
        if !self.is_again {
            self.shared.progress().begin(&self.partition, 0);
        }
        let (mut batch, mut line, mut offset) = (Batch::default(), Vec::new(), 0);
        while !self.shared.is_stopping() {
            line.clear();
            match self.lines.read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    self.shared.health.failed(Part::Source, &format!("{}: {error}", self.partition.topic));
                    return;
                }
            }
            let value = line.trim_ascii_end();
            if !value.is_empty() && !self.shared.progress().has_arrived(&self.partition, offset) {
                let key = format!("{}:{}", self.name, offset + 1);
                let (partition, key) = (&self.partition, Some(key.as_bytes()));
                batch.push(Message { partition, offset, key, value: Some(value) });
            }
            offset += 1;
            if batch.is_full_for(true) {
                self.shared.departs();
                if batches.blocking_send(std::mem::take(&mut batch)).is_err() {
                    return;
                }
            }
        }
        if !batch.is_empty() {
            self.shared.departs();
            let _ = batches.blocking_send(batch);
        }
    }
}
