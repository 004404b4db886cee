//! Objects of a store, which are read in parts.

use std::{
    fmt,
    future::Future,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    ops::Range,
    path::Path,
    sync::Arc,
    time::SystemTime,
};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStoreExt, path::Path as Key};

use super::{failure::RequestFailure, read_error, runtime::ask, stores::Store};
use crate::{Error, Waiting, formats::COMPRESSION_BYTES};

/// The maximum number of small requests at once. Far more would slow a server down, and would be refused.
const AT_ONCE: usize = 32;

/// An object that was found. All reads return bytes of this version, or an error.
#[derive(Clone)]
pub(crate) struct Object(Arc<ObjectVersion>);

struct ObjectVersion {
    store: Arc<Store>,
    key: Key,
    name: String,
    stamp: ObjectStamp,
    waiting: Waiting,
}

/// The length, tag and time of an object. They show whether it has changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ObjectStamp {
    length: u64,
    /// A tag that changes with the content. Few servers have none.
    tag: Option<String>,
    modified: SystemTime,
}

impl Object {
    pub(super) fn new(store: &Arc<Store>, meta: ObjectMeta, waiting: &Waiting) -> Object {
        let name = store.name_of(&meta.location);
        let stamp = ObjectStamp::of(&meta);
        Object(Arc::new(ObjectVersion {
            store: Arc::clone(store),
            key: meta.location,
            name,
            stamp,
            waiting: waiting.clone(),
        }))
    }

    /// Requests the object of this name, with its first bytes.
    pub(super) async fn find(
        store: Arc<Store>,
        key: Key,
        waiting: Waiting,
    ) -> Result<(Object, Vec<u8>), RequestFailure> {
        let range = Some(GetRange::Bounded(0..COMPRESSION_BYTES as u64));
        match store.objects.get_opts(&key, GetOptions { range, ..GetOptions::default() }).await {
            Ok(found) => {
                let object =
                    Object::new(&store, ObjectMeta { location: key, ..found.meta.clone() }, &waiting);
                Ok((object, found.bytes().await?.to_vec()))
            }
            Err(error) => {
                let failure = RequestFailure::from(error);
                if !matches!(failure, RequestFailure::Changed | RequestFailure::NoParts) {
                    return Err(failure);
                }
                // An empty object has no parts. Servers report this in several ways.
                match store.objects.head(&key).await {
                    Ok(meta) if meta.size == 0 => {
                        Ok((Object::new(&store, ObjectMeta { location: key, ..meta }, &waiting), Vec::new()))
                    }
                    _ => Err(failure),
                }
            }
        }
    }

    /// The name, such as `s3://bucket/key`.
    pub(crate) fn name(&self) -> &str {
        &self.0.name
    }

    pub(super) fn waiting(&self) -> &Waiting {
        &self.0.waiting
    }

    pub(crate) fn length(&self) -> u64 {
        self.0.stamp.length
    }

    /// A number that very likely changes when the object changes.
    pub(crate) fn version(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.stamp.hash(&mut hasher);
        hasher.finish()
    }

    /// Whether the object is in a bucket, rather than on a plain server.
    pub(crate) fn is_in_bucket(&self) -> bool {
        self.0.store.bucket.is_some()
    }

    /// Requests a part.
    pub(super) fn part(
        &self,
        range: Range<u64>,
    ) -> impl Future<Output = Result<Bytes, RequestFailure>> + Send + use<> {
        let found = Arc::clone(&self.0);
        async move {
            if range.is_empty() {
                return Ok(Bytes::new());
            }
            // By the rules of HTTP, a weak tag never matches. A change then shows only in the answer.
            let if_match = found.stamp.tag.clone().filter(|tag| !tag.starts_with("W/"));
            let wanted = range.end - range.start;
            let range = Some(GetRange::Bounded(range));
            let options = GetOptions { if_match, range, ..GetOptions::default() };
            let part = found.store.objects.get_opts(&found.key, options).await?;
            if ObjectStamp::of(&part.meta) != found.stamp {
                return Err(RequestFailure::Changed);
            }
            let bytes = part.bytes().await?;
            match bytes.len() as u64 == wanted {
                true => Ok(bytes),
                false => Err(RequestFailure::Other {
                    message: "the server sent fewer bytes than it announced".to_owned(),
                }),
            }
        }
    }

    /// Requests a part, and waits for it.
    pub(super) fn read_part(&self, range: Range<u64>) -> Result<Bytes, RequestFailure> {
        ask(self.name(), self.waiting(), self.part(range))
    }

    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], position: u64) -> io::Result<()> {
        let end = position + buffer.len() as u64;
        if end > self.length() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer.copy_from_slice(&self.read_part(position..end)?);
        Ok(())
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Object").field(&self.0.name).finish()
    }
}

impl ObjectStamp {
    fn of(meta: &ObjectMeta) -> ObjectStamp {
        // If there is a tag, the time is ignored: the servers behind one name may have different times.
        let modified = match meta.e_tag {
            Some(_) => SystemTime::UNIX_EPOCH,
            None => meta.last_modified.into(),
        };
        ObjectStamp { length: meta.size, tag: meta.e_tag.clone(), modified }
    }
}

/// The first bytes of each object.
pub(crate) fn heads(objects: &[Object]) -> Result<Vec<Vec<u8>>, Error> {
    parts(
        objects
            .iter()
            .map(|object| (object.clone(), object.length().min(COMPRESSION_BYTES as u64)))
            .collect(),
    )
}

/// The whole contents of each object. The objects must be few or small.
pub(crate) fn texts(objects: &[&Object]) -> Result<Vec<Vec<u8>>, Error> {
    parts(objects.iter().map(|&object| (object.clone(), object.length())).collect())
}

/// The first bytes of each object, of the given length, requested concurrently.
fn parts(wanted: Vec<(Object, u64)>) -> Result<Vec<Vec<u8>>, Error> {
    let Some((first, _)) = wanted.first() else { return Ok(Vec::new()) };
    let (name, waiting) = (first.name().to_owned(), first.waiting().clone());
    let answers = stream::iter(wanted).map(|(object, length)| async move {
        let part = object.part(0..length).await;
        Ok::<_, RequestFailure>(part.map(|bytes| bytes.to_vec()).map_err(|failure| (object, failure)))
    });
    let answers = ask(&name, &waiting, answers.buffered(AT_ONCE).try_collect::<Vec<_>>());
    let answers = answers.map_err(|failure| read_error(Path::new(&name), failure.into()))?;
    answers
        .into_iter()
        .map(|answer| {
            answer.map_err(|(object, failure)| read_error(Path::new(object.name()), failure.into()))
        })
        .collect()
}
