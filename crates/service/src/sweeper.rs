//! Removes expired documents from Redis. In a folder, merging and packing do this.

use crate::app::now;
use crate::backend::Backend;
use std::time::Duration;
use tokio::task::JoinHandle;

/// The pause after all expired documents are removed. Documents are removed up to 1,024 seconds late in any case.
const PAUSE: Duration = Duration::from_secs(60);

/// Documents that Redis removes at once: some ten milliseconds, in which it answers nobody else.
const MOST: u32 = 100;

/// The pause between two calls, so that others are answered.
const SHORT_PAUSE: Duration = Duration::from_millis(20);

/// Starts to remove expired documents, if the index is in Redis. Several services may do so at the same time.
pub(crate) fn start(backend: &Backend) -> Option<JoinHandle<()>> {
    let Backend::Redis(redis, runtime) = backend else { return None };
    let index = redis.index().clone();
    Some(runtime.spawn(async move {
        loop {
            // A server that does not answer now is asked again later.
            let has_more = index.sweep(now(), MOST).await.is_ok_and(|swept| swept.has_more);
            tokio::time::sleep(if has_more { SHORT_PAUSE } else { PAUSE }).await;
        }
    }))
}
