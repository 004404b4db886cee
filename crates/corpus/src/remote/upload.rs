//! Uploads: objects that are written in parts, and exist only when they are complete.

use std::{
    io::{self, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread::sleep,
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{MultipartId, PutPayload, multipart::PartId, path::Path as Key};

use super::{
    failure::RequestFailure,
    runtime::{RunningRequest, ask, runtime},
    stores::{Bucket, Store, key_of, locate},
};
use crate::{Error, Waiting};

/// The bytes of a part. One part is collected while another is sent. Servers accept 10,000 parts. The first 9,000 have room for
/// 144 GB, and the last thousand, which are longer, for 256 GB more. (Most servers want parts of equal length.)
const PART_BYTES: usize = 16 << 20;
const LONG_PART_BYTES: usize = 256 << 20;
const LONG_FROM: usize = 9_000;

/// The maximum number of outputs that get their names at once.
const AT_ONCE: usize = 16;

/// The longest time that the end of the program waits for servers to drop unfinished uploads.
const SETTLE: Duration = Duration::from_secs(5);

static LEAVING: AtomicUsize = AtomicUsize::new(0);

/// An upload. If it is dropped before [`Upload::publish`], it is aborted.
#[derive(Debug)]
pub(crate) struct Upload {
    target: Arc<UploadTarget>,
    gathered: Vec<u8>,
    /// The part that is sent now.
    sending: Option<RunningRequest<PartId>>,
    sent: Vec<PartId>,
    length: u64,
    is_published: bool,
    waiting: Waiting,
}

#[derive(Debug)]
struct UploadTarget {
    store: Arc<Store>,
    key: Key,
    name: String,
    id: MultipartId,
}

impl UploadTarget {
    fn bucket(&self) -> Result<&Bucket, RequestFailure> {
        self.store.bucket.as_ref().ok_or(RequestFailure::Missing)
    }
}

impl Upload {
    /// Starts an upload to this name.
    ///
    /// # Errors
    /// [`Error::Write`] if the server refuses it, or [`Error::RemoteName`] if there can be no such object.
    pub(crate) fn create(path: &Path, waiting: &Waiting) -> Result<Upload, Error> {
        let name = path.to_string_lossy().into_owned();
        let bad = |problem: &str| Error::RemoteName { name: name.clone(), problem: problem.to_owned() };
        let (store, key) = locate(&name)?;
        if store.bucket.is_none() {
            return Err(bad("outputs go to s3:// or gs://, or to a file of this machine"));
        }
        if key.is_empty() || key.ends_with('/') {
            return Err(bad("this names a folder; give a file"));
        }
        let key = key_of(&name, &key)?;
        let (of, at) = (Arc::clone(&store), key.clone());
        let started = ask(&name, waiting, async move {
            let bucket = of.bucket.as_ref().ok_or(RequestFailure::Missing)?;
            Ok(bucket.uploads.create_multipart(&at).await?)
        });
        let id = started.map_err(|failure| write_error(path, failure))?;
        let target = Arc::new(UploadTarget { store, key, name, id });
        Ok(Upload {
            target,
            gathered: Vec::new(),
            sending: None,
            sent: Vec::new(),
            length: 0,
            is_published: false,
            waiting: waiting.clone(),
        })
    }

    /// The number of bytes written.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Sends the remaining bytes, and waits until all parts are sent.
    pub(crate) fn complete(&mut self) -> io::Result<()> {
        if !self.gathered.is_empty() {
            self.send()?;
        }
        self.gathered = Vec::new();
        self.wait()
    }

    /// Publishes complete uploads under their names.
    pub(crate) fn publish(mut uploads: Vec<Upload>) -> Result<(), Error> {
        let Some(first) = uploads.first() else { return Ok(()) };
        let (name, waiting) = (first.target.name.clone(), first.waiting.clone());
        let wanted: Vec<_> = uploads
            .iter_mut()
            .map(|upload| (Arc::clone(&upload.target), std::mem::take(&mut upload.sent)))
            .collect();
        let named = stream::iter(wanted).map(|(target, parts)| async move {
            let of = Arc::clone(&target);
            let done = async move {
                let uploads = &of.bucket()?.uploads;
                uploads.complete_multipart(&of.key, &of.id, parts).await?;
                Ok::<_, RequestFailure>(())
            };
            Ok::<_, RequestFailure>(done.await.map_err(|failure| (target.name.clone(), failure)))
        });
        let answers = ask(&name, &waiting, named.buffered(AT_ONCE).try_collect::<Vec<_>>())
            .map_err(|failure| write_error(Path::new(&name), failure))?;
        let mut failed = None;
        for (upload, answer) in uploads.iter_mut().zip(answers) {
            upload.is_published = answer.is_ok();
            failed = failed.or(answer.err());
        }
        match failed {
            Some((name, failure)) => Err(write_error(Path::new(&name), failure)),
            None => Ok(()),
        }
    }

    /// Starts to send the collected bytes.
    fn send(&mut self) -> io::Result<()> {
        self.wait()?;
        let (target, number) = (Arc::clone(&self.target), self.sent.len());
        let payload = PutPayload::from(std::mem::take(&mut self.gathered));
        self.sending = Some(RunningRequest::start(async move {
            let uploads = &target.bucket()?.uploads;
            Ok(uploads.put_part(&target.key, &target.id, number, payload).await?)
        })?);
        Ok(())
    }

    /// Waits for the part that is sent now.
    fn wait(&mut self) -> io::Result<()> {
        if let Some(sending) = self.sending.take() {
            self.sent.push(sending.wait(&self.target.name, &self.waiting)?);
        }
        Ok(())
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = if self.sent.len() < LONG_FROM { PART_BYTES } else { LONG_PART_BYTES };
        let length = bytes.len().min(part - self.gathered.len().min(part));
        self.gathered.extend_from_slice(&bytes[..length]);
        self.length += length as u64;
        if self.gathered.len() >= part {
            self.send()?;
        }
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        // The sent parts are not visible before the upload is published.
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.sending = None;
        if self.is_published {
            return;
        }
        let Ok(runtime) = runtime() else { return };
        LEAVING.fetch_add(1, Ordering::SeqCst);
        let target = Arc::clone(&self.target);
        runtime.spawn(async move {
            if let Ok(bucket) = target.bucket() {
                // If this fails, the rules of the bucket must remove the upload.
                let _ = bucket.uploads.abort_multipart(&target.key, &target.id).await;
            }
            LEAVING.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// Waits until dropped uploads are aborted.
pub(super) fn settle() {
    let started = Instant::now();
    while LEAVING.load(Ordering::SeqCst) > 0 && started.elapsed() < SETTLE {
        sleep(Duration::from_millis(5));
    }
}

fn write_error(path: &Path, failure: RequestFailure) -> Error {
    Error::Write { path: path.to_owned(), source: failure.into() }
}
