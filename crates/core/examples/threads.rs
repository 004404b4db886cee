//! Runs a corpus on all processors, by an executor over the threads of the standard library.

use lookalike::{Corpus, Executor, Plan};
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

struct Threads(usize);

impl Executor for Threads {
    /// Nothing stops this program.
    type Stopped = Infallible;

    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }

    fn width(&self) -> usize {
        self.0
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(parts)));
        thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| {
                    loop {
                        let part = next.fetch_add(1, Ordering::Relaxed);
                        if part >= parts {
                            return;
                        }
                        let result = work(part);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((part, result));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(part, _)| *part);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

pub(crate) fn main() {
    let threads = Threads(thread::available_parallelism().map_or(1, usize::from));
    let texts: Vec<String> =
        (0..1000).map(|text| format!("document {} of a large corpus", text / 2)).collect();
    let mut corpus = Corpus::new(&Plan::default());
    let Ok(_) = corpus.extend(&texts, &threads);
    let Ok(clusters) = corpus.clusters_on(&threads);
    println!("{} clusters", clusters.len());
    assert_eq!(clusters.len(), 500);
    assert_eq!(clusters, corpus.clusters());
}
