//! Times the exact join of a corpus, pass by pass.
//!
//! ```text
//! exact CORPUS.jsonl [--measure MEASURE] [--threads N] [--links] [--truth TRUTH.tsv] [THRESHOLD]...
//! ```
//! Tokens are cut at white space, shingles are word 5-grams. Copies are left out, as the program does, and cost
//! nothing. TRUTH has every pair with a Jaccard similarity of at least 0.8: two ids, and the similarity with six
//! decimals. The run fails if the join at 0.8 finds anything else. With `--links`, only pairs of documents that are not
//! connected yet are compared.
//!
//! Seconds are from the fastest of five runs. `seen`, `dropped`, `counts` and `prefixes` are the passes that order
//! the features. `visits` are the visited postings. `index` is the memory of the index, without the sets.

use lookalike::cluster::UnionFind;
use lookalike::compare::Comparer;
use lookalike::search::{ExactJoin, GroupedSets, Tally, with_copies};
use lookalike::{Executor, Match, Measure, Options, Score, Similarity, Sketcher, Tokens};
use lookalike_kernels::{Threads, documents};
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The number of runs. The fastest one is reported.
const RUNS: usize = 5;

/// Blocks in a round. After each round, the clusters are updated for the search of links.
const ROUND: usize = 16;

struct Arguments {
    corpus: String,
    truth: Option<String>,
    measure: Measure,
    links: bool,
    threads: usize,
    thresholds: Vec<f64>,
}

impl Arguments {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Self> {
        let mut parsed = Arguments {
            corpus: arguments.next()?,
            truth: None,
            measure: Measure::Jaccard,
            links: false,
            threads: 1,
            thresholds: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--truth" => parsed.truth = Some(arguments.next()?),
                "--measure" => {
                    let name = arguments.next()?;
                    parsed.measure = Measure::ALL.iter().find(|(known, _)| *known == name)?.1;
                }
                "--threads" => parsed.threads = arguments.next()?.parse().ok()?,
                "--links" => parsed.links = true,
                threshold => parsed.thresholds.push(threshold.parse().ok()?),
            }
        }
        if parsed.thresholds.is_empty() {
            parsed.thresholds = vec![0.9, 0.8, 0.7, 0.5];
        }
        Some(parsed)
    }
}

/// The sets of a corpus.
struct Corpus {
    ids: Vec<String>,
    /// The features of each document. Empty for copies.
    sets: Vec<Vec<u64>>,
    originals: Vec<u32>,
}

impl Corpus {
    fn read(path: &str) -> io::Result<Self> {
        let options = Options { tokens: Some(Tokens::Whitespace), ..Options::default() };
        let plan = options.plan().map_err(io::Error::other)?;
        let mut sketcher = Sketcher::new(&plan);
        let mut comparer = Comparer::default();
        let mut first = HashMap::new();
        let mut corpus = Corpus { ids: Vec::new(), sets: Vec::new(), originals: Vec::new() };
        for (number, document) in (0..).zip(documents(path)?) {
            let (features, content) = sketcher.features_and_content(&document.text);
            let original = if content.is_empty() { number } else { *first.entry(content).or_insert(number) };
            let mut set = if original == number { features.to_vec() } else { Vec::new() };
            let distinct = comparer.distinct(&mut set);
            set.truncate(distinct);
            set.shrink_to_fit();
            corpus.sets.push(set);
            corpus.originals.push(original);
            corpus.ids.push(document.id);
        }
        Ok(corpus)
    }
}

/// An executor that records the time from the end of one piece of work to the end of the next.
struct Clock {
    threads: Threads,
    last: Mutex<Instant>,
    laps: Mutex<Vec<f64>>,
}

impl Clock {
    fn start(threads: usize) -> Self {
        Clock { threads: Threads(threads), last: Mutex::new(Instant::now()), laps: Mutex::default() }
    }

    fn lap(&self) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = std::mem::replace(&mut *last, Instant::now()).elapsed().as_secs_f64();
        self.laps.lock().unwrap_or_else(PoisonError::into_inner).push(seconds);
    }
}

impl Executor for Clock {
    type Stopped = Infallible;

    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }

    fn width(&self) -> usize {
        self.threads.width()
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let done = self.threads.map(parts, work);
        self.lap();
        done
    }
}

/// The times and results of one run.
struct Run {
    /// The seconds of these passes: features seen, sets dropped, features counted, prefixes, index, join.
    seconds: Vec<f64>,
    visits: u64,
    bytes: usize,
    tally: Tally,
    found: Vec<Match>,
}

fn run(sets: &[&[u64]], arguments: &Arguments, threshold: f64) -> Run {
    let clock = Clock::start(arguments.threads);
    let grouped = GroupedSets::from(sets.to_vec());
    let Ok(partners) = ExactJoin::may_have_partners(&grouped, arguments.measure, threshold, &clock);
    let Ok(join) = ExactJoin::among(partners, grouped, arguments.measure, threshold, &clock);
    clock.lap();
    let mut sets_of = UnionFind::new(sets.len());
    let (mut found, mut tally) = (Vec::new(), Tally::default());
    for start in (0..join.blocks()).step_by(ROUND) {
        let blocks = start..(start + ROUND).min(join.blocks());
        let roots = if arguments.links { sets_of.roots() } else { Vec::new() };
        let results = clock.map(arguments.threads, |part| {
            let (mut prober, mut found, mut tally) = (join.prober(), Vec::new(), Tally::default());
            for block in blocks.clone().skip(part).step_by(arguments.threads) {
                tally += if arguments.links {
                    join.links(block, &roots, &mut prober, &mut found)
                } else {
                    join.matches(block, &mut prober, usize::MAX, &mut found)
                };
            }
            (found, tally)
        });
        for (more, other) in results {
            more.iter().for_each(|pair| sets_of.unite(pair.a, pair.b));
            found.extend(more);
            tally += other;
        }
    }
    clock.lap();
    let laps = clock.laps.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The index is arranged after its last piece of work. The rest of the time is the join.
    let mut seconds = laps[..4].to_vec();
    seconds.extend([laps[4..6].iter().sum(), laps[6..].iter().sum::<f64>()]);
    Run { seconds, visits: join.visits(), bytes: join.bytes(), tally, found }
}

/// The pairs as lines of a truth file, sorted.
fn lines(pairs: &[Match], ids: &[String]) -> Vec<String> {
    let line = |pair: &Match| {
        let (a, b) = (&ids[pair.a as usize], &ids[pair.b as usize]);
        format!("{}\t{}\t{}", a.min(b), a.max(b), pair.score)
    };
    let mut lines: Vec<String> = pairs.iter().map(line).collect();
    lines.sort_unstable();
    lines
}

fn check(path: &str, pairs: &[Match], ids: &[String]) -> io::Result<()> {
    let text = std::fs::read_to_string(path)?;
    let mut expected: Vec<&str> = text.lines().collect();
    expected.sort_unstable();
    let found = lines(pairs, ids);
    let differ = expected.iter().zip(&found).find(|(expected, found)| *expected != found);
    if differ.is_some() || expected.len() != found.len() {
        let counts = format!("{} pairs are true, {} were found", expected.len(), found.len());
        return Err(io::Error::other(format!("{path}: {counts}; first difference: {differ:?}")));
    }
    println!("{path}: all {} pairs and no others", found.len());
    Ok(())
}

fn main() -> io::Result<()> {
    let arguments = Arguments::parse(std::env::args().skip(1)).ok_or_else(|| {
        io::Error::other(
            "usage: exact CORPUS.jsonl [--measure MEASURE] [--truth TRUTH.tsv] [--links] [THRESHOLD]...",
        )
    })?;
    let corpus = Corpus::read(&arguments.corpus)?;
    let sets: Vec<&[u64]> = corpus.sets.iter().map(Vec::as_slice).collect();
    let features: usize = sets.iter().map(|set| set.len()).sum();
    println!("{} documents, {features} features of those that are no copies", sets.len());
    println!(
        "| threshold | seen s | dropped s | counts s | prefixes s | index s | join s | all s | visits | candidates \
         | compared | found | with copies | index MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for &threshold in &arguments.thresholds {
        let runs = (0..RUNS).map(|_| run(&sets, &arguments, threshold));
        let total = |run: &Run| run.seconds.iter().sum::<f64>();
        let Some(run) = runs.min_by(|a, b| total(a).total_cmp(&total(b))) else { continue };
        let seconds: Vec<String> = run.seconds.iter().map(|seconds| format!("{seconds:.3}")).collect();
        let found = run.found.len();
        let pairs = with_copies(run.found.clone(), &corpus.originals, Score::Similarity(Similarity::SAME));
        println!(
            "| {threshold} | {} | {:.3} | {} | {} | {} | {found} | {} | {:.1} |",
            seconds.join(" | "),
            total(&run),
            run.visits,
            run.tally.candidates,
            run.tally.compared,
            pairs.len(),
            run.bytes as f64 / 1e6,
        );
        if let (Some(truth), true) = (&arguments.truth, threshold == 0.8 && !arguments.links) {
            check(truth, &pairs, &corpus.ids)?;
        }
    }
    Ok(())
}
