//! Threads for work in parts.

use lookalike::Executor;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{iter, thread};

/// An executor with this number of threads, including the calling one. They are started for each piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

impl Executor for Threads {
    type Stopped = Infallible;

    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }

    fn width(&self) -> usize {
        self.0
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let take = || {
            let part = next.fetch_add(1, Ordering::Relaxed);
            (part < parts).then(|| (part, work(part)))
        };
        let mut done: Vec<(usize, T)> = thread::scope(|scope| {
            let others: Vec<_> =
                (1..self.0).map(|_| scope.spawn(|| iter::from_fn(take).collect::<Vec<_>>())).collect();
            let mut done: Vec<(usize, T)> = iter::from_fn(take).collect();
            for other in others {
                done.extend(other.join().expect("a part that does not panic"));
            }
            done
        });
        done.sort_by_key(|&(part, _)| part);
        done.into_iter().map(|(_, result)| result).collect()
    }
}
