//! Copies an index from a folder into Redis.

use super::Copied;
use crate::clusters::CopiedLinks;
use crate::error::SeenError;
use crate::sketched::Sketchers;
use crate::stored::{IndexedDocument, living};
use lookalike_index::redis::{AddStep, RedisEncodedDocument, RedisIndex};
use lookalike_index::{Index, NewDocument};

/// Documents that are sent to Redis together: a megabyte of texts.
const DOCUMENTS_AT_ONCE: usize = 256;

/// Links that one function makes. It takes a few milliseconds, in which Redis answers nobody else.
const LINKS_AT_ONCE: usize = 1000;

/// Copies all documents of `index` that have not expired at second `now` since 1970 into `redis`, behind those that it has. Both must have been
/// [made with](Index::made_with) the same. A copy that was interrupted can be made again.
///
/// # Errors
/// [`SeenError`] if they were made with something else, if Redis does not answer, or if an index is damaged.
pub async fn copy_to_redis(index: &Index, redis: &RedisIndex, now: u32) -> Result<Copied, SeenError> {
    if index.made_with() != redis.made_with() {
        let reason =
            "the index in the folder and the one in Redis were not made with the same plan, document frequencies and --store-texts"
                .to_owned();
        return Err(SeenError::Index { reason });
    }
    let (snapshot, mut linked) = (index.snapshot(), index.linked()?);
    let sketchers = Sketchers::new(redis.plan(), redis.tables(), redis.weights().clone());
    let (mut copied, mut links) = (Copied::default(), CopiedLinks::default());
    let (mut waiting, mut clusters) = (Vec::new(), Vec::new());
    for document in living(&snapshot, now) {
        let document = document?;
        let (sketch, text) = sketchers.sketch_again(&document)?;
        let about = document.about();
        let (time, expires) = (document.time(), document.expires());
        let new = NewDocument { time, expires, ..sketch.document(document.id(), &text, &about) };
        waiting.push(redis.encode(&new).await?);
        clusters.push(linked.cluster(document.number));
        if waiting.len() == DOCUMENTS_AT_ONCE {
            put(redis, &mut waiting, &mut clusters, now, &mut copied, &mut links).await?;
        }
    }
    put(redis, &mut waiting, &mut clusters, now, &mut copied, &mut links).await?;
    for links in links.links.chunks(LINKS_AT_ONCE) {
        redis.link(links).await?;
    }
    Ok(copied)
}

/// Sends documents, and takes note of what became of each.
async fn put(
    redis: &RedisIndex,
    waiting: &mut Vec<RedisEncodedDocument>,
    clusters: &mut Vec<Option<u64>>,
    now: u32,
    copied: &mut Copied,
    links: &mut CopiedLinks,
) -> Result<(), SeenError> {
    let steps = redis.put_all(waiting, now).await?;
    waiting.clear();
    for (step, cluster) in steps.into_iter().zip(clusters.drain(..)) {
        let (count, number) = match step {
            AddStep::Added(number) => (&mut copied.documents, Some(number)),
            AddStep::Unchanged(number) => (&mut copied.unchanged, Some(number)),
            _ => (&mut copied.conflicts, None),
        };
        *count += 1;
        if let Some((cluster, number)) = cluster.zip(number) {
            links.add(cluster, number);
        }
    }
    Ok(())
}
