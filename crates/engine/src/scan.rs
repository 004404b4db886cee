//! One scan of the inputs on all threads.

use crate::error::Error;
use crate::progress::Interrupt;
use lookalike_corpus::{BadRecord, Chunk, ChunkId, Reader, SuspectQuotes};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A chunk that was read.
pub struct ReadChunk {
    /// The id of the chunk.
    pub id: ChunkId,
    /// The number of its lines.
    pub lines: u32,
    /// Its bad records.
    pub bad: Vec<BadRecord>,
    /// Signs that quotes of a table are text.
    pub suspect: SuspectQuotes,
}

/// Calls `work` for every chunk, on all threads of the current pool. Each thread has a state of its own. Returns the results of `work` and the
/// states, in no order.
///
/// All threads stop at their next chunk after an error, or if `work` sets `stop`. Threads get the chunks of a file in input order. So when the
/// scan ends, all chunks before a finished one are finished too.
pub fn scan<'a, State: Send, Out: Send, E: From<Error> + Send>(
    reader: &'a Reader<'_>,
    interrupt: &Interrupt,
    stop: &AtomicBool,
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, Chunk<'a>) -> Result<Option<Out>, E> + Sync,
) -> Result<(Vec<Out>, Vec<State>), E> {
    let failure = Mutex::new(None);
    let results = Mutex::new((Vec::new(), Vec::new()));
    rayon::broadcast(|_| {
        let mut state = state();
        let mut mine = Vec::new();
        let mut run = || {
            while !stop.load(Ordering::Relaxed) {
                interrupt.check().map_err(Error::from)?;
                let Some(chunk) = reader.next().map_err(Error::from)? else { break };
                mine.extend(work(&mut state, chunk)?);
            }
            Ok(())
        };
        if let Err(error) = run() {
            stop.store(true, Ordering::Relaxed);
            lock(&failure).get_or_insert(error);
        }
        let mut results = lock(&results);
        results.0.append(&mut mine);
        results.1.push(state);
    });
    match lock(&failure).take() {
        Some(error) => Err(error),
        None => Ok(std::mem::take(&mut lock(&results))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
