//! Times the Hamming join and index over a file of codes: little-endian `u64`, one after the other.
//!
//! ```text
//! hamming codes COUNT random|skewed OUT
//! hamming join CODES DISTANCE THREADS [BLOCKS] < LINES
//! hamming index CODES DISTANCE [PARTS]
//! ```
//! `codes` writes random codes. A tenth of them differ from another code in 0 to 4 bits. With `skewed`, each bit is set
//! with its own probability, which makes 4 × 16 blocks some forty times as full as with random codes.
//!
//! `join` runs one round for each line of standard input, so that another program can take turns. It prints seconds of
//! wall time and pairs.
//!
//! `index` makes an index, with the layout PARTS or the one that it chooses. (`24:1,20:0,20:0` gives the bits of each
//! part, and how many of them may differ.) It times queries, each a code with 0 to `distance` bits flipped. It compares
//! them with a scan of all codes by the plainest loop that counts differing bits, compiled with POPCNT.

use lookalike::search::{CodePart, HammingJoin, HammingLayout, HammingPair};
use lookalike::{Executor, HammingIndex};
use lookalike_kernels::Threads;
use std::hint::black_box;
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
        ["join", codes, distance, threads] => {
            join(&read(codes)?, number(distance)?, Threads(number(threads)?), None)
        }
        ["join", codes, distance, threads, blocks] => {
            join(&read(codes)?, number(distance)?, Threads(number(threads)?), Some(number(blocks)?))
        }
        ["index", codes, distance] => index(&read(codes)?, number(distance)?, ""),
        ["index", codes, distance, parts] => index(&read(codes)?, number(distance)?, parts),
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

/// Random codes. Every tenth is another code with 0 to 4 bits flipped.
fn planted(count: usize, skewed: bool) -> Vec<u64> {
    let mut generator = Generator(7);
    // The odds of each bit to be set, out of 256: a fair bit has 128.
    let odds: Vec<u64> = (0..64).map(|_| if skewed { 26 + generator.next() % 204 } else { 128 }).collect();
    let code = |generator: &mut Generator| {
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

fn join(codes: &[u64], distance: u32, threads: Threads, blocks: Option<usize>) -> io::Result<()> {
    for line in io::stdin().lines() {
        line?;
        let start = Instant::now();
        let join = match blocks {
            None => HammingJoin::with_executor(codes, distance, &threads).map_err(io::Error::other),
            Some(blocks) => HammingJoin::with_blocks(codes, distance, blocks).map_err(io::Error::other),
        };
        let join = join?;
        let copied = start.elapsed().as_secs_f64();
        let pairs = spread(&join, threads);
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds:.4} {} pairs, {} copies in {copied:.4}", pairs.len(), join.copies().len());
        io::stdout().flush()?;
    }
    Ok(())
}

/// The pairs of all tasks, task by task.
fn spread(join: &HammingJoin<'_, u64>, threads: Threads) -> Vec<HammingPair> {
    let tasks = join.tasks();
    let next = AtomicUsize::new(0);
    let parts = threads.map(threads.width(), |_| {
        let (mut workspace, mut parts) = (join.workspace(), Vec::new());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&task) = tasks.get(number) else { break parts };
            let mut found = Vec::new();
            join.run(task, &mut workspace, &mut found);
            parts.push((number, found));
        }
    });
    let mut parts: Vec<(usize, Vec<HammingPair>)> = parts.into_iter().flatten().collect();
    parts.sort_unstable_by_key(|&(number, _)| number);
    parts.iter().flat_map(|(_, found)| found).copied().collect()
}

const QUERIES: usize = 20_000;
const ROUNDS: usize = 7;

fn index(codes: &[u64], distance: u32, parts: &str) -> io::Result<()> {
    let ids: Vec<u32> = (0..codes.len() as u32).collect();
    let start = Instant::now();
    let mut index = HammingIndex::build(distance, codes, &ids).map_err(io::Error::other)?;
    let built = start.elapsed().as_secs_f64();
    if !parts.is_empty() {
        let parts = parts.split(',').map(part).collect::<io::Result<Vec<_>>>()?;
        let layout =
            HammingLayout::of_parts(64, distance, &parts).filter(|layout| index.lay_out(layout.clone()));
        layout.ok_or_else(|| io::Error::other("these parts do not find all codes"))?;
    }
    let mut generator = Generator(99);
    let queries: Vec<u64> = (0..QUERIES)
        .map(|number| {
            let code = codes[(generator.next() % codes.len() as u64) as usize];
            (0..number as u32 % (distance + 1)).fold(code, |code, _| code ^ 1 << (generator.next() % 64))
        })
        .collect();
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    let mut hits = [0; 3];
    let scanned = (200_000_000 / codes.len()).clamp(1, QUERIES);
    for _ in 0..ROUNDS {
        let mut time = |candidate: usize, queries: usize, work: &mut dyn FnMut() -> usize| {
            let start = Instant::now();
            hits[candidate] = black_box(work());
            times[candidate].push(start.elapsed().as_secs_f64() * 1e6 / queries as f64);
        };
        time(0, scanned, &mut || queries[..scanned].iter().map(|&query| scan(codes, query, distance)).sum());
        time(1, QUERIES, &mut || {
            queries.iter().map(|&query| index.query(query, distance).map_or(0, |near| near.len())).sum()
        });
        time(2, QUERIES, &mut || {
            index.query_many(&queries, distance).map_or(0, |near| near.iter().map(Vec::len).sum())
        });
    }
    let [scan, query, many] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    let bytes = index.bytes() as f64 / index.len() as f64;
    let layout: Vec<String> =
        index.layouts()[0].parts().iter().map(|p| format!("{}:{}", p.bits, p.tau)).collect();
    println!(
        "| codes | distance | layout | bytes a code | build s | scan µs | query µs | many µs | scan : query | scan : many | hits |"
    );
    println!(
        "| {} | {distance} | {} | {bytes:.1} | {built:.2} | {scan:.0} | {query:.2} | {many:.2} | {:.0} | {:.0} | {} |",
        codes.len(),
        layout.join(","),
        scan / query,
        scan / many,
        hits[1]
    );
    Ok(())
}

fn part(text: &str) -> io::Result<CodePart> {
    let (bits, tau) = text.split_once(':').ok_or_else(|| io::Error::other("a part is BITS:TAU"))?;
    Ok(CodePart { bits: number(bits)?, tau: number(tau)? })
}

/// The number of codes within `distance` of `query`, by the plainest loop.
#[inline(always)]
fn count_close(codes: &[u64], query: u64, distance: u32) -> usize {
    codes.iter().filter(|&&code| (code ^ query).count_ones() <= distance).count()
}

#[cfg(target_arch = "x86_64")]
fn scan(codes: &[u64], query: u64, distance: u32) -> usize {
    #[target_feature(enable = "popcnt")]
    fn with_popcnt(codes: &[u64], query: u64, distance: u32) -> usize {
        count_close(codes, query, distance)
    }
    assert!(is_x86_feature_detected!("popcnt"), "a scan without POPCNT would be no measure");
    // SAFETY: the machine has the instruction.
    #[allow(unsafe_code)]
    unsafe {
        with_popcnt(codes, query, distance)
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn scan(codes: &[u64], query: u64, distance: u32) -> usize {
    count_close(codes, query, distance)
}
