//! Times the Hamming join and index over a file of codes: little-endian `u64`, one after the other.
//!
//! ```text
//! hamming codes COUNT random|skewed OUT
//! hamming join CODES DISTANCE THREADS [BLOCKS] < LINES
//! hamming index CODES DISTANCE LINE
//! ```
//! `codes` writes random codes, a tenth of which differ from another in 0 to 4 bits; where `skewed`, each bit is set with
//! a probability of its own, which makes 4 × 16 blocks some forty times as full as random ones. `join` does one round for
//! each line of standard input, so that another program can take turns, and prints seconds of wall time and pairs.

use lookalike::{HammingJoin, HammingPair};
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["codes", count, kind, out] => {
            let codes = planted(number(count)?, kind == "skewed");
            std::fs::write(out, codes.iter().flat_map(|code| code.to_le_bytes()).collect::<Vec<u8>>())
        }
        ["join", codes, distance, threads] => join(&read(codes)?, number(distance)?, number(threads)?, None),
        ["join", codes, distance, threads, blocks] => {
            join(&read(codes)?, number(distance)?, number(threads)?, Some(number(blocks)?))
        }
        _ => Err(io::Error::other("usage: see the head of hamming.rs")),
    }
}

fn number<N: TryFrom<u64>>(text: &str) -> io::Result<N> {
    let number: u64 = text.parse().map_err(io::Error::other)?;
    N::try_from(number).map_err(|_| io::Error::other(format!("{text} is too large")))
}

fn read(path: &str) -> io::Result<Vec<u64>> {
    let bytes = std::fs::read(path)?;
    let (codes, _) = bytes.as_chunks::<8>();
    Ok(codes.iter().map(|code| u64::from_le_bytes(*code)).collect())
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Generator(u64);

impl Generator {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Random codes, of which every tenth is another one with 0 to 4 bits flipped.
fn planted(count: usize, skewed: bool) -> Vec<u64> {
    let mut generator = Generator(7);
    // Per bit how many of eight throws must fail: 4 is a fair bit.
    let odds: Vec<u64> = (0..64).map(|_| if skewed { 26 + generator.next() % 204 } else { 128 }).collect();
    let mut code = |generator: &mut Generator| {
        if !skewed {
            return generator.next();
        }
        odds.chunks_exact(8).fold(0, |code, odds| {
            let throws = generator.next().to_le_bytes();
            let bits = throws.iter().zip(odds);
            bits.fold(code, |code, (&throw, &odds)| code << 1 | u64::from(u64::from(throw) < odds))
        })
    };
    let mut codes: Vec<u64> = (0..count).map(|_| code(&mut generator)).collect();
    for at in (0..count).step_by(10) {
        let from = codes[(generator.next() % count as u64) as usize];
        let flips = generator.next() % 5;
        codes[at] = (0..flips).fold(from, |code, _| code ^ 1 << (generator.next() % 64));
    }
    codes
}

fn join(codes: &[u64], distance: u32, threads: usize, blocks: Option<usize>) -> io::Result<()> {
    for line in io::stdin().lines() {
        line?;
        let start = Instant::now();
        let join = match blocks {
            None => HammingJoin::new(codes, distance),
            Some(blocks) => HammingJoin::with_blocks(codes, distance, blocks),
        };
        let join = join.map_err(io::Error::other)?;
        let copied = start.elapsed().as_secs_f64();
        let pairs = spread(&join, threads);
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds:.4} {} pairs, {} copies in {copied:.4}", pairs.len(), join.copies().len());
        io::stdout().flush()?;
    }
    Ok(())
}

/// The pairs of all tasks, in order, found by as many threads.
fn spread(join: &HammingJoin<'_, u64>, threads: usize) -> Vec<HammingPair> {
    let tasks = join.tasks();
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut workspace, mut found) = (join.workspace(), Vec::new());
        while let Some(&task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            join.run(task, &mut workspace, &mut found);
        }
        found
    };
    let mut pairs = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut pairs = work();
        for thread in threads {
            match thread.join() {
                Ok(found) => pairs.extend(found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        pairs
    });
    pairs.sort_unstable();
    pairs
}
