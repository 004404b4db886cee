//! Times the computation of SimHash fingerprints from features, on one thread, against a plain loop and another
//! program.
//!
//! ```text
//! fingerprint FLAT ROUNDS [PROGRAM ARGUMENT...]
//! ```
//! FLAT holds features (see `features`). All candidates take turns, for ROUNDS rounds. The fingerprints of a round are
//! xored, and the results of all candidates that count every occurrence must be equal.
//!
//! The other program reads lines. For each line it processes all documents once. It answers with a line of the seconds
//! that this took, and its xored fingerprints in hexadecimal.
//!
//! The output is a Markdown table with millions of features per second in the best round. It also has the speed
//! relative to the loop and to the other program: the median over rounds, each compared with the runs next to it in
//! time.

use lookalike::compare::Comparer;
use lookalike::{
    Bits, DocumentFrequencies, FeatureLevels, Fingerprinter, Level, Method, Options, Plan, Weighting, Weights,
};
use lookalike_kernels::Flat;
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let usage = || io::Error::other("usage: fingerprint FLAT ROUNDS [PROGRAM ARGUMENT...]");
    let (Some(path), Some(rounds)) = (arguments.get(1), arguments.get(2)) else { return Err(usage()) };
    let rounds: usize = rounds.parse().map_err(io::Error::other)?;
    let flat = Flat::read(path)?;
    let mut peer = arguments.get(3..).filter(|rest| !rest.is_empty()).map(Peer::start).transpose()?;
    let (frequencies, levels) = (frequencies(&flat), levels(&flat)?);
    let mut rows = rows(frequencies, levels);
    let mut given = Given::new(&flat);
    let (mut loops, mut peers) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (seconds, expected) = time(|| flat.iter().fold(0, |all, features| all ^ plain_loop(features)));
        loops.push(seconds);
        if let Some(peer) = &mut peer {
            let (seconds, all) = peer.round()?;
            assert_eq!(all, expected, "the other program has other fingerprints");
            peers.push(seconds);
        }
        given.round(&flat);
        for row in &mut rows {
            let (seconds, all) = time(|| {
                flat.iter().fold(0, |all, features| all ^ row.fingerprinter.fingerprint(features).value())
            });
            row.seconds.push(seconds);
            if row.weighting == Weighting::Tf {
                assert_eq!(all as u64, expected, "{} on {}", row.weighting.name(), row.level.name());
            }
        }
    }
    let speed = |seconds: &[f64]| {
        flat.features().len() as f64 / seconds.iter().copied().fold(f64::INFINITY, f64::min) / 1e6
    };
    println!("{} documents, {} features, {rounds} rounds\n", flat.len(), flat.features().len());
    println!(
        "| weights | bits | level | M features/s | × loop | × other program |\n|---|---|---|---|---|---|"
    );
    println!(
        "| every occurrence, plain loop | 64 | | {:.1} | 1 | {} |",
        speed(&loops),
        ratio(&peers, &loops)
    );
    if !peers.is_empty() {
        println!(
            "| every occurrence, other program | 64 | | {:.1} | {} | 1 |",
            speed(&peers),
            ratio(&loops, &peers)
        );
    }
    for row in &rows {
        let (name, level) = (row.weighting.name(), row.level.name());
        let (bits, speed) = (row.bits.count(), speed(&row.seconds));
        let (of_loop, of_peer) = (ratio(&loops, &row.seconds), ratio(&peers, &row.seconds));
        println!("| {name} | {bits} | {level} | {speed:.0} | {of_loop} | {of_peer} |");
    }
    println!("\n| given weights, 64 bits | M features/s | × weighted loop |\n|---|---|---|");
    println!("| plain loop | {:.1} | 1 |", speed(&given.loops));
    for (level, _, seconds) in &given.levels {
        println!("| {} | {:.0} | {} |", level.name(), speed(seconds), ratio(&given.loops, seconds));
    }
    Ok(())
}

/// A measured fingerprinter.
struct Row {
    weighting: Weighting,
    bits: Bits,
    level: Level,
    fingerprinter: Fingerprinter,
    seconds: Vec<f64>,
}

fn rows(frequencies: DocumentFrequencies, levels: FeatureLevels) -> Vec<Row> {
    let all = [
        Weights::Tf,
        Weights::Set,
        Weights::LogTf,
        Weights::TfIdf(Arc::new(frequencies)),
        Weights::Levels(Arc::new(levels)),
    ];
    let mut rows = Vec::new();
    for weights in all {
        for bits in [Bits::B64, Bits::B128] {
            for level in Level::available() {
                let fingerprinter = Fingerprinter::with_level(&plan(bits, &weights), &weights, level);
                rows.push(Row {
                    weighting: weights.weighting(),
                    bits,
                    level,
                    fingerprinter,
                    seconds: Vec::new(),
                });
            }
        }
    }
    rows
}

/// A plan for fingerprints with this number of bits, by the weighting of `weights`.
fn plan(bits: Bits, weights: &Weights) -> Plan {
    let (method, weighting) = (Some(Method::SimHash), Some(weights.weighting()));
    Options { method, bits: Some(bits), weighting, ..Options::default() }
        .plan()
        .expect("options in their ranges")
}

/// Features with given weights. Nothing is counted or looked up.
struct Given {
    weights: Vec<u32>,
    loops: Vec<f64>,
    levels: Vec<(Level, Fingerprinter, Vec<f64>)>,
}

impl Given {
    fn new(flat: &Flat) -> Self {
        let of = |level| Fingerprinter::with_level(&plan(Bits::B64, &Weights::Tf), &Weights::Tf, level);
        Given {
            // Weights of ten binary digits, like the tf-idf of these documents.
            weights: flat.features().iter().map(|&feature| (feature % 1024) as u32).collect(),
            loops: Vec::new(),
            levels: Level::available().into_iter().map(|level| (level, of(level), Vec::new())).collect(),
        }
    }

    fn round(&mut self, flat: &Flat) {
        let (seconds, expected) = time(|| self.all(flat, weighted_loop));
        self.loops.push(seconds);
        let mut levels = std::mem::take(&mut self.levels);
        for (level, fingerprinter, all_seconds) in &mut levels {
            let of =
                |features: &[u64], weights: &[u32]| fingerprinter.weighted(features, weights).value() as u64;
            let (seconds, all) = time(|| self.all(flat, of));
            assert_eq!(all, expected, "given weights on {}", level.name());
            all_seconds.push(seconds);
        }
        self.levels = levels;
    }

    fn all(&self, flat: &Flat, mut fingerprint: impl FnMut(&[u64], &[u32]) -> u64) -> u64 {
        let mut rest = &self.weights[..];
        flat.iter().fold(0, |all, features| {
            let (weights, after) = rest.split_at(features.len());
            rest = after;
            all ^ fingerprint(features, weights)
        })
    }
}

/// The weighted fingerprint, by the most direct loop.
fn weighted_loop(features: &[u64], weights: &[u32]) -> u64 {
    let mut sums = [0_i64; 64];
    for (&feature, &weight) in features.iter().zip(weights) {
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if feature >> bit & 1 == 1 { i64::from(weight) } else { -i64::from(weight) };
        }
    }
    sums.iter().enumerate().map(|(bit, &sum)| u64::from(sum > 0) << bit).sum()
}

/// The unweighted fingerprint, by the most direct loop.
fn plain_loop(features: &[u64]) -> u64 {
    let mut sums = [0_i32; 64];
    for &feature in features {
        for (bit, sum) in sums.iter_mut().enumerate() {
            *sum += if feature >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    sums.iter().enumerate().map(|(bit, &sum)| u64::from(sum > 0) << bit).sum()
}

/// The document frequencies of the measured documents.
fn frequencies(flat: &Flat) -> DocumentFrequencies {
    let mut comparer = Comparer::default();
    let mut frequencies = DocumentFrequencies::new(0);
    for features in flat.iter() {
        let mut set = features.to_vec();
        let distinct = comparer.distinct(&mut set);
        frequencies.push(&set[..distinct]);
    }
    frequencies.pruned(2)
}

/// Given levels for one feature in a hundred, and level 1 for the others.
fn levels(flat: &Flat) -> io::Result<FeatureLevels> {
    let mut levels = FeatureLevels::new(1).map_err(io::Error::other)?;
    for (index, &feature) in flat.features().iter().enumerate().step_by(100) {
        levels.insert(feature, (index % 5) as u8 + 1).map_err(io::Error::other)?;
    }
    Ok(levels)
}

/// The seconds of wall time that `work` takes, and its result.
fn time<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = black_box(work());
    (start.elapsed().as_secs_f64(), result)
}

/// The median factor by which `seconds` are faster than `others`, in the same rounds.
fn ratio(others: &[f64], seconds: &[f64]) -> String {
    let mut ratios: Vec<f64> = others.iter().zip(seconds).map(|(other, seconds)| other / seconds).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).map_or("–".to_owned(), |ratio| format!("{ratio:.1}"))
}

/// Another program that takes its turns.
struct Peer {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    fn start(command: &[String]) -> io::Result<Self> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or_else(|| io::Error::other("the program has no output"))?;
        Ok(Peer { child, answers: BufReader::new(output) })
    }

    fn round(&mut self) -> io::Result<(f64, u64)> {
        let input =
            self.child.stdin.as_mut().ok_or_else(|| io::Error::other("the program takes no input"))?;
        writeln!(input)?;
        input.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let wrong = || io::Error::other(format!("the program answered {answer:?}"));
        let (seconds, all) = answer.trim().split_once(' ').ok_or_else(wrong)?;
        Ok((
            seconds.parse().map_err(io::Error::other)?,
            u64::from_str_radix(all, 16).map_err(io::Error::other)?,
        ))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The program ends when its input ends.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
