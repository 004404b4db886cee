//! Messages of a file, one a line.

use super::Batches;
use crate::batch::{Batch, Message, Partition};
use crate::error::Error;
use crate::run::Shared;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

const BUFFER_BYTES: usize = 1 << 20;

/// How long a batch waits for more lines.
const LINGER: Duration = Duration::from_millis(5);

/// Lines that are read ahead, at most.
const WAITING_LINES: usize = 1024;

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

    pub(super) fn read(self, batches: &Batches) {
        let LineSource { lines, name, partition, is_again, shared } = self;
        if !is_again {
            shared.progress().begin(&partition, 0);
        }
        let Some(lines) = lines_of(lines) else {
            shared.fail(Error::Threads(io::ErrorKind::WouldBlock.into()));
            return;
        };
        let (mut batch, mut offset) = (Batch::default(), 0);
        while !shared.is_stopping() {
            let line = match lines.recv_timeout(LINGER) {
                Ok(Ok(line)) => Some(line),
                Ok(Err(source)) => {
                    shared.fail(Error::File { path: partition.topic.to_string().into(), source });
                    break;
                }
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Some(line) = &line {
                let line =
                    if offset == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
                let value = line.trim_ascii_end();
                if !value.is_empty() && !shared.progress().has_arrived(&partition, offset) {
                    let key = format!("{name}:{}", offset + 1);
                    let (partition, key) = (&partition, Some(key.as_bytes()));
                    batch.push(Message { partition, offset, key, value: Some(value) });
                }
                offset += 1;
            }
            if batch.is_full_for(true) || (line.is_none() && !batch.is_empty()) {
                shared.departs();
                if batches.blocking_send(std::mem::take(&mut batch)).is_err() {
                    return;
                }
            }
        }
        if !batch.is_empty() {
            shared.departs();
            let _ = batches.blocking_send(batch);
        }
    }
}

/// Reads lines on a thread of its own, which may wait for standard input when the stream has ended.
fn lines_of(mut lines: Box<dyn BufRead + Send>) -> Option<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = sync_channel(WAITING_LINES);
    let read = move || {
        loop {
            let mut line = Vec::new();
            let read = lines.read_until(b'\n', &mut line);
            let is_last = !matches!(read, Ok(bytes) if bytes > 0);
            if let Ok(0) = read {
                break;
            }
            if sender.send(read.map(|_| line)).is_err() || is_last {
                break;
            }
        }
    };
    thread::Builder::new().name("lookalike lines".to_owned()).spawn(read).ok()?;
    Some(receiver)
}
