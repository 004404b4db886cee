//! What bulk requests may take while they are under way: processors, and memory.
//!
//! A check is answered in a fraction of a millisecond. It must not wait until thousands of lines that came before it are prepared. So lines are
//! prepared on threads of their own, a few at the same time, and the system shares the processors between these and the threads that answer.
//! Clients that do not read their answers hold the memory of a few lines, and no more.

use std::sync::Arc;
use std::thread;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of the lines of a request that are under way at the same time. A line may be longer if it is alone. A line takes several times its
/// length while it is sketched.
const BYTES_UNDER_WAY: usize = 32 << 20;

/// The turns of all bulk requests: each prepares some lines.
#[derive(Clone, Debug)]
pub(crate) struct Turns(Arc<Semaphore>);

impl Turns {
    /// As many turns at the same time as there are processors.
    pub(crate) fn new() -> Self {
        Turns(Arc::new(Semaphore::new(thread::available_parallelism().map_or(1, usize::from))))
    }

    /// Waits for a turn, in the order of the calls, and does `work` on a thread for it. `None` if `work` panics.
    pub(crate) async fn take<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        // It is never closed.
        let _turn = self.0.acquire().await.ok()?;
        tokio::task::spawn_blocking(work).await.ok()
    }
}

/// The room for the lines of one request.
#[derive(Debug)]
pub(crate) struct Room(Arc<Semaphore>);

/// Room that is taken until this is dropped.
pub(crate) type TakenRoom = OwnedSemaphorePermit;

impl Room {
    pub(crate) fn new() -> Self {
        Room(Arc::new(Semaphore::new(BYTES_UNDER_WAY)))
    }

    /// Waits until there is room for lines of so many bytes.
    pub(crate) async fn take(&self, bytes: usize) -> Option<TakenRoom> {
        let bytes = u32::try_from(bytes.min(BYTES_UNDER_WAY)).unwrap_or(u32::MAX);
        // It is never closed.
        Arc::clone(&self.0).acquire_many_owned(bytes).await.ok()
    }
}
