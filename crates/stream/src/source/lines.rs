//! Messages of a file, one a line.

use super::BatchSender;
use crate::batch::{LineHash, Message, MessageBatch, TopicPartition};
use crate::error::Error;
use crate::run::StreamShared;
use serde::Deserialize;
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
    partition: TopicPartition,
    /// The lines that were passed over.
    first: i64,
    hash: LineHash,
    shared: Arc<StreamShared>,
}

impl LineSource {
    pub(super) fn open(path: &Path, shared: Arc<StreamShared>, tell: fn(&str)) -> Result<Self, Error> {
        let error = |source| Error::File { path: path.to_owned(), source };
        let open = || File::open(path).map(|file| BufReader::with_capacity(BUFFER_BYTES, file));
        let mut lines = open().map_err(error)?;
        let topic = path.canonicalize().map_err(error)?.to_string_lossy().as_ref().into();
        // A file with another first line is another partition: what is decided and has not arrived is not about its lines.
        let head = lines.fill_buf().map_err(error)?;
        let first_line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let partition = TopicPartition { topic, number: (xxh3_64(first_line) >> 33) as i32 };
        let (arrived, known) = shared.progress().arrived_lines(&partition);
        let is_again = lines.get_ref().metadata().map_err(error)?.is_file();
        let (mut first, mut hash) = (0, LineHash::default());
        if is_again && arrived > 0 {
            (first, hash) = pass_over(&mut lines, arrived).map_err(error)?;
        }
        if !is_again {
            shared.progress().begin(&partition, 0);
        } else if first < arrived || known.is_some_and(|known| known != hash) {
            tell(&format!(
                "{} is not the file that was read before; it is read from its start",
                path.display()
            ));
            shared.progress().begin(&partition, 0);
            lines = open().map_err(error)?;
            (first, hash) = (0, LineHash::default());
        }
        let (lines, name) = (Box::new(lines), path.display().to_string());
        Ok(LineSource { lines, name, partition, first, hash, shared })
    }

    pub(super) fn stdin(shared: Arc<StreamShared>) -> Self {
        let partition = TopicPartition { topic: "-".into(), number: 0 };
        shared.progress().begin(&partition, 0);
        let lines = Box::new(BufReader::with_capacity(BUFFER_BYTES, io::stdin()));
        LineSource { lines, name: "-".to_owned(), partition, first: 0, hash: LineHash::default(), shared }
    }

    pub(super) fn read(self, batches: &BatchSender) {
        let LineSource { lines, name, partition, first, mut hash, shared } = self;
        let Some(lines) = lines_of(lines) else {
            shared.fail(Error::Threads(io::ErrorKind::WouldBlock.into()));
            return;
        };
        let (mut batch, mut offset) = (MessageBatch::default(), first);
        let send = |batch: &mut MessageBatch| {
            shared.departs();
            batches.blocking_send(std::mem::take(batch)).is_ok()
        };
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
                hash = hash.with(line);
                let line =
                    if offset == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
                let value = line.trim_ascii_end();
                if !value.is_empty() {
                    let (key, value) = match removed_id(value) {
                        Some(id) => (id, None),
                        None => (id_of_line(&name, offset + 1, value), Some(value)),
                    };
                    if batch.is_full_for(value.is_some()) && !send(&mut batch) {
                        return;
                    }
                    batch.push(Message { partition: &partition, offset, key: Some(key.as_bytes()), value });
                    batch.lines = Some(hash);
                }
                offset += 1;
            }
            if line.is_none() && !batch.is_empty() && !send(&mut batch) {
                return;
            }
        }
        if !batch.is_empty() {
            send(&mut batch);
        }
    }
}

/// The id that a line removes, if it is one of those that the stream writes to a file for a removal. Other lines are read up to their first other field.
fn removed_id(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct RemovalLine {
        id: String,
        removed: bool,
    }
    serde_json::from_slice::<RemovalLine>(line).ok().filter(|line| line.removed).map(|line| line.id)
}

/// The id of a line that does not say it. The same line of another file, such as a later one of the same name, has another one: an id stands for one text.
fn id_of_line(name: &str, number: i64, line: &[u8]) -> String {
    format!("{name}:{number}:{:016x}", xxh3_64(line))
}

/// Reads so many lines, if there are so many. Returns their number and their hash.
fn pass_over(lines: &mut impl BufRead, arrived: i64) -> io::Result<(i64, LineHash)> {
    let (mut line, mut hash) = (Vec::new(), LineHash::default());
    for number in 0..arrived {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            return Ok((number, hash));
        }
        hash = hash.with(&line);
    }
    Ok((arrived, hash))
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
