//! Parses a JSONL corpus with sonic-rs, which bounds what reads it.
//!
//! ```text
//! parse CORPUS.jsonl THREADS < LINES
//! ```
//! One round for each line of standard input, so that another program can take turns; prints seconds. The file is in
//! memory before the first round, and the text of a document is copied only where it has escapes.

use lookalike::Spread;
use lookalike_kernels::{Borrowed, Threads};
use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

/// The system's allocator lets threads wait for each other at texts that grow, which says nothing of the parser.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Lines that a thread takes at a time.
const SHARE: usize = 512;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, threads] = &arguments[..] else {
        return Err(io::Error::other("usage: parse CORPUS.jsonl THREADS"));
    };
    let threads = Threads(threads.parse().map_err(io::Error::other)?);
    let data = std::fs::read(path)?;
    let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    let shares: Vec<&[&[u8]]> = lines.chunks(SHARE).collect();
    for line in io::stdin().lines() {
        line?;
        let start = Instant::now();
        threads.spread(shares.len(), |share| {
            for line in shares[share] {
                let _ = black_box(sonic_rs::from_slice::<Borrowed<'_>>(line));
            }
        });
        println!("{:.4}", start.elapsed().as_secs_f64());
        io::stdout().flush()?;
    }
    Ok(())
}
