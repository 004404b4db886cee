//! The threads of a run.

use crate::error::Error;
use crate::progress::{Interrupt, Monitor, Unit};
use lookalike::Executor;
use lookalike_corpus::Interrupted;
use rayon::prelude::*;
use std::num::NonZero;

/// The number of worker threads by default: one for each processor that the process may use.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs the work of `core` on the current pool, until the run is interrupted.
#[derive(Clone, Copy, Debug)]
pub struct Threads<'a>(pub &'a Interrupt);

impl Executor for Threads<'_> {
    type Stopped = Interrupted;

    fn check(&self) -> Result<(), Interrupted> {
        self.0.check()
    }

    fn width(&self) -> usize {
        rayon::current_num_threads()
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        (0..parts).into_par_iter().map(&work).collect()
    }
}

/// The same, with a stage of the run for each task, whose parts it counts.
#[derive(Clone, Copy, Debug)]
pub struct StagedThreads<'a> {
    /// The name of the stages.
    pub name: &'static str,
    /// Observes the run, and may stop it.
    pub monitor: &'a Monitor,
}

impl Executor for StagedThreads<'_> {
    type Stopped = Interrupted;

    fn check(&self) -> Result<(), Interrupted> {
        self.monitor.interrupt.check()
    }

    fn width(&self) -> usize {
        rayon::current_num_threads()
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let stage = self.monitor.stage(self.name, Unit::Parts, Some(parts as u64));
        let part = |part| {
            let done = work(part);
            stage.inc(1);
            done
        };
        (0..parts).into_par_iter().map(part).collect()
    }
}

/// The memory that a thread takes when it starts: a stack of 2 MiB, and some for its structures.
const THREAD_BYTES: usize = (2 << 20) + (1 << 18);

/// Calls `run` on a new pool of so many threads.
pub fn in_pool<T: Send, E: From<Error> + Send>(
    threads: usize,
    run: impl FnOnce() -> Result<T, E> + Send,
) -> Result<T, E> {
    // A thread that starts when memory is used up dies without a message. The memory is requested first for that reason. The program's allocator ends the
    // process here with its own message. Other callers get the error.
    let mut room = Vec::<u8>::new();
    let tried = room.try_reserve_exact(threads * THREAD_BYTES);
    tried.map_err(|error| Error::Threads { threads, message: error.to_string() })?;
    drop(std::hint::black_box(room));
    let failed = |error: rayon::ThreadPoolBuildError| Error::Threads { threads, message: error.to_string() };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(failed)?.install(run)
}
