//! Copies an index from Redis into a folder.

use super::Copied;
use crate::check::has_expired;
use crate::clusters::CopiedLinks;
use crate::copy_writer::CopyWriter;
use crate::error::SeenError;
use crate::sketched::{SketchedText, Sketchers};
use crate::stored::IndexedDocument;
use lookalike_index::About;
use lookalike_index::redis::{CHUNK_DOCUMENTS, RedisDocument, RedisIndex};
use lookalike_index::{EncodedDocuments, Index, NewDocument, SAMPLE_BYTES, UpdateWriter};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes that a document counts as, at least, when the first ones are collected: an index without texts has no others.
const LEAST_BYTES: usize = 64;

/// A document that is copied.
struct CopiedDocument {
    document: RedisDocument,
    sketch: SketchedText,
    text: String,
}

impl CopiedDocument {
    fn in_folder<'d>(&'d self, about: &'d About) -> NewDocument<'d> {
        let CopiedDocument { document, sketch, text } = self;
        let (time, expires) = (document.time(), document.expires());
        NewDocument { time, expires, ..sketch.document(document.id(), text, about) }
    }
}

/// Copies all documents of `redis` that have not expired at second `now` since 1970 into `index`, which is new and was [made with](Index::made_with) the same. Changes
/// that others make meanwhile may be copied or not. It writes files on the thread that calls it.
///
/// # Errors
/// [`SeenError`] if the index cannot be written, or if Redis does not answer.
pub async fn copy_from_redis(redis: &RedisIndex, index: Index, now: u32) -> Result<Copied, SeenError> {
    let (sketchers, folder) = (
        Sketchers::new(redis.plan(), Arc::new(index.tables().clone()), index.weights().clone()),
        index.folder().to_owned(),
    );
    let chunks = redis.counts().await?.documents.div_ceil(CHUNK_DOCUMENTS);
    let (mut chunk, mut first, mut bytes) = (0, Vec::new(), 0);
    // The first texts train the dictionary of the new index.
    while chunk < chunks && bytes < SAMPLE_BYTES {
        for document in living(redis, chunk, now).await? {
            let (sketch, text) = sketchers.sketch_again(&document)?;
            bytes += text.len().max(LEAST_BYTES);
            first.push(CopiedDocument { document, sketch, text });
        }
        chunk += 1;
    }
    write_first(index, &first)?;
    let mut writer = CopyWriter::new(Index::open_to_add(&folder)?)?;
    let mut numbers: BTreeMap<u64, u64> =
        (0..).zip(&first).map(|(new, old)| (old.document.number, new)).collect();
    let linked = linked(redis, chunks).await?;
    numbers.retain(|number, _| linked.contains_key(number));
    drop(first);
    while chunk < chunks {
        for document in living(redis, chunk, now).await? {
            let (sketch, text) = sketchers.sketch_again(&document)?;
            let copied = CopiedDocument { document, sketch, text };
            let about = copied.document.about();
            let (old, new) = (copied.document.number, writer.add(&copied.in_folder(&about))?);
            if linked.contains_key(&old) {
                numbers.insert(old, new);
            }
        }
        chunk += 1;
    }
    let mut links = CopiedLinks::default();
    numbers.iter().for_each(|(old, &new)| links.add(linked[old], new));
    let documents = writer.finish(&links.links)?;
    Ok(Copied { documents, ..Copied::default() })
}

async fn living(redis: &RedisIndex, chunk: u64, now: u32) -> Result<Vec<RedisDocument>, SeenError> {
    let mut documents = redis.chunk(chunk).await?;
    documents.retain(|document| !has_expired(document.expires(), now));
    Ok(documents)
}

/// The first document of the cluster of each document that is in one. It may have been removed.
async fn linked(redis: &RedisIndex, chunks: u64) -> Result<BTreeMap<u64, u64>, SeenError> {
    let mut firsts = BTreeMap::new();
    for chunk in 0..chunks {
        for [parent, member] in redis.links_of_chunk(chunk).await? {
            // The parent is older, so its own first document is known.
            let first = *firsts.entry(parent).or_insert(parent);
            firsts.insert(member, first);
        }
    }
    Ok(firsts)
}

/// Publishes the new index with its first documents.
fn write_first(index: Index, documents: &[CopiedDocument]) -> Result<(), SeenError> {
    let keys: Vec<u64> = documents.iter().flat_map(|copied| copied.sketch.keys.iter().copied()).collect();
    let sample: Vec<&str> = documents.iter().map(|copied| &copied.text[..]).collect();
    let mut writer = UpdateWriter::create(Arc::new(index), &keys, &sample)?;
    let mut encoded = EncodedDocuments::new(writer.first_number());
    for copied in documents {
        let about = copied.document.about();
        encoded.push(&copied.in_folder(&about), &writer.encoder());
    }
    writer.push(&encoded)?;
    writer.finish(&[], None, &())?.publish()?;
    Ok(())
}
