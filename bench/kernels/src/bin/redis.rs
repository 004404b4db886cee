//! Adds and checks the documents of a file in an index in Redis: documents a second, by several clients at once.
//!
//!     redis ADDRESS INPUT.jsonl CLIENTS add|check [HAMMING]
//!
//! With HAMMING the index compares fingerprints alone, up to this distance. Otherwise it has the default plan.
//! Each line has an `id` and a `text`. Each client has a connection of its own, and sends a document when it has the answer to the one before.
//! All clients are tasks of this process, on two threads. `bench/redis_index.py` calls it. Prints figures in JSON.

use lookalike::{Method, Options};
use lookalike_seen::redis::RedisSeen;
use lookalike_seen::{Added, NewText};
use serde::Deserialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Deserialize)]
struct Line {
    id: String,
    text: String,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, input, clients, verb, hamming @ ..] = &arguments[..] else {
        return Err("redis ADDRESS INPUT.jsonl CLIENTS add|check [HAMMING]".into());
    };
    let mut options = Options::default();
    if let Some(hamming) = hamming.first() {
        (options.method, options.hamming) = (Some(Method::SimHash), Some(hamming.parse()?));
    }
    let plan = options.plan()?;
    let text = std::fs::read_to_string(input)?;
    let lines: Vec<Line> = text.lines().map(sonic_rs::from_str).collect::<Result<_, _>>()?;
    let (lines, next, is_add) = (Arc::new(lines), Arc::new(AtomicUsize::new(0)), verb == "add");
    let mut working = tokio::task::JoinSet::new();
    let start = Instant::now();
    for _ in 0..clients.parse()? {
        let seen = RedisSeen::connect(&address.parse()?, Some(&(&plan).into())).await?;
        let (lines, next) = (Arc::clone(&lines), Arc::clone(&next));
        working.spawn(async move { work(&seen, &lines, &next, is_add).await });
    }
    let (mut times, mut new) = (Vec::new(), 0);
    while let Some(done) = working.join_next().await {
        let (client_times, client_new) = done??;
        times.extend(client_times);
        new += client_new;
    }
    let seconds = start.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: usize| times[times.len() * share / 100].as_secs_f64() * 1e3;
    println!(
        r#"{{"documents": {}, "new": {new}, "rate": {:.0}, "p50_ms": {:.2}, "p99_ms": {:.2}}}"#,
        times.len(),
        times.len() as f64 / seconds,
        at(50),
        at(99)
    );
    Ok(())
}

/// The work of one client: the time of each request, and the number of texts that were new.
async fn work(
    seen: &RedisSeen,
    lines: &[Line],
    next: &AtomicUsize,
    is_add: bool,
) -> Result<(Vec<Duration>, usize), Failure> {
    let (mut times, mut new) = (Vec::new(), 0);
    while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
        let start = Instant::now();
        let is_new = if is_add {
            let added = seen.add(NewText::new(line.id.clone(), line.text.clone()), 0).await?;
            matches!(added.answer, Added::New { .. })
        } else {
            seen.check(&line.text, 0.0, 0).await?.found.is_empty()
        };
        times.push(start.elapsed());
        new += usize::from(is_new);
    }
    Ok((times, new))
}
