//! Parses a JSONL corpus with sonic-rs, whose speed is the limit for any program that uses it.
//!
//! ```text
//! parse CORPUS.jsonl THREADS < LINES
//! ```
//! The program runs one round for each line of standard input, so that another program can take turns. It prints the
//! seconds of two cases. In the first, the file and the places of its lines are in memory. In the second, the file is
//! read and cut into lines, as real programs have to do. The text of a document is copied only if it has escapes.

use lookalike::Executor;
use lookalike_kernels::{Borrowed, Threads};
use memchr::memchr;
use std::cell::RefCell;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::time::Instant;

thread_local! {
    /// The buffer that a thread reads into.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// With the system's allocator, threads wait for each other when texts grow, which says nothing about the parser.
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
    let file = File::open(path)?;
    let data = std::fs::read(path)?;
    let lines: Vec<&[u8]> = data.split_inclusive(|&byte| byte == b'\n').collect();
    let shares: Vec<&[&[u8]]> = lines.chunks(SHARE).collect();
    // The start of each share in the file, and its length.
    let ranges: Vec<(u64, usize)> = shares
        .iter()
        .scan(0, |next, share| {
            let length = share.iter().map(|line| line.len()).sum();
            let start = std::mem::replace(next, *next + length as u64);
            Some((start, length))
        })
        .collect();
    let in_memory = |share: usize| {
        shares[share].iter().for_each(|line| parse(line));
        Ok(())
    };
    let read = |share: usize| {
        let (start, length) = ranges[share];
        BUFFER.with_borrow_mut(|buffer| {
            buffer.resize(length.max(buffer.len()), 0);
            file.read_exact_at(&mut buffer[..length], start)?;
            let mut lines = &buffer[..length];
            while let Some(end) = memchr(b'\n', lines) {
                parse(&lines[..end]);
                lines = &lines[end + 1..];
            }
            parse(lines);
            Ok(())
        })
    };
    for line in io::stdin().lines() {
        line?;
        let seconds = |parse_share: &(dyn Fn(usize) -> io::Result<()> + Sync)| {
            let start = Instant::now();
            threads.map(shares.len(), parse_share).into_iter().collect::<io::Result<()>>()?;
            Ok::<f64, io::Error>(start.elapsed().as_secs_f64())
        };
        println!("{:.4} {:.4}", seconds(&in_memory)?, seconds(&read)?);
        io::stdout().flush()?;
    }
    Ok(())
}

fn parse(line: &[u8]) {
    let _ = black_box(sonic_rs::from_slice::<Borrowed<'_>>(line));
}
