//! Times every kernel of Lookalike on one thread, on the texts of a JSONL file, together with limits for comparison.
//!
//! `lookalike-kernels CORPUS.jsonl [words|whitespace|chars]` prints a Markdown table with a row for each kernel and a
//! column for each instruction set. It shows the best of five rounds, in which all kernels take turns. Texts are in
//! memory. Units are MB/s of text (1 MB = 10⁶ bytes), and millions per second (M/s) of shingles, band keys or compared
//! features.

use lookalike::compare::Comparer;
use lookalike::search::Buckets;
use lookalike::{Level, Options, Plan, Sketcher, Tokens};
use lookalike_kernels::{Borrowed, documents};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 5;

/// A measured kernel: the work of one round in its unit, and the least time of a round on each level.
struct Row {
    name: &'static str,
    unit: &'static str,
    work: f64,
    seconds: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: lookalike-kernels CORPUS.jsonl [words|whitespace|chars]")?;
    let name = arguments.next().unwrap_or_else(|| "words".to_owned());
    let (_, tokens) =
        Tokens::ALL.into_iter().find(|(known, _)| *known == name).ok_or("unknown kind of tokens")?;
    let plan = Options { tokens: Some(tokens), ..Options::default() }.plan()?;
    let texts: Vec<String> = documents(&path)?.into_iter().map(|document| document.text).collect();
    let levels = Level::available();
    let mut rows = Vec::new();
    for &level in &levels {
        let of_level = kernels(&plan, level, &texts);
        if rows.is_empty() {
            rows = of_level;
        } else {
            rows.iter_mut().zip(of_level).for_each(|(row, more)| row.seconds.extend(more.seconds));
        }
    }
    println!("Limits, for the same file and one thread:\n");
    limits(&path, &texts)?;
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("\n{} documents, {:.1} MB of text, tokens: {name}\n", texts.len(), bytes as f64 / 1e6);
    println!("| kernel | unit |{}", levels.iter().map(|l| format!(" {} |", l.name())).collect::<String>());
    println!("|---|---|{}", "---|".repeat(levels.len()));
    for row in rows {
        let speeds: String =
            row.seconds.iter().map(|seconds| format!(" {:.0} |", row.work / seconds / 1e6)).collect();
        println!("| {} | {} |{speeds}", row.name, row.unit);
    }
    Ok(())
}

/// Measures the kernels on one level, in the order of the path.
fn kernels(plan: &Plan, level: Level, texts: &[String]) -> Vec<Row> {
    let mut sketcher = Sketcher::with_level(plan, level);
    let mut comparer = Comparer::with_level(level);
    let bytes = texts.iter().map(String::len).sum::<usize>() as f64;
    let features: Vec<Vec<u64>> = texts.iter().map(|text| sketcher.features(text).to_vec()).collect();
    let shingles = features.iter().map(Vec::len).sum::<usize>() as f64;
    let distinct: Vec<Vec<u64>> = features
        .iter()
        .map(|features| {
            let mut set = features.clone();
            let count = comparer.distinct(&mut set);
            set.truncate(count);
            set
        })
        .collect();
    let compared = distinct.iter().skip(1).map(Vec::len).sum::<usize>() as f64;
    let bands = plan.banding().bands;
    let mut keys: Vec<Vec<(u64, u32)>> = vec![Vec::new(); bands];
    for (document, text) in (0_u32..).zip(texts) {
        for (band, &key) in keys.iter_mut().zip(sketcher.sketch(text).keys) {
            band.push((key, document));
        }
    }
    let mut least = [f64::INFINITY; 6];
    for _ in 0..ROUNDS {
        let mut time = |index: usize, work: &mut dyn FnMut()| {
            let started = Instant::now();
            work();
            least[index] = least[index].min(started.elapsed().as_secs_f64());
        };
        time(0, &mut || each(texts, |text| sketcher.token_hashes(text).len()));
        time(1, &mut || each(texts, |text| sketcher.features(text).len()));
        time(2, &mut || each(&features, |features| sketcher.signature(features).len()));
        time(3, &mut || each(texts, |text| sketcher.sketch(text).keys.len()));
        time(4, &mut || each(&keys, |band| Buckets::group(band).len()));
        time(5, &mut || {
            for pair in distinct.windows(2) {
                comparer.hold(&pair[0]);
                black_box(comparer.overlap(&pair[1]));
            }
        });
    }
    let row = |name, unit, work, seconds: f64| Row { name, unit, work, seconds: vec![seconds] };
    vec![
        row("tokens: split, normalise, hash", "MB/s", bytes, least[0]),
        row("shingles from token hashes", "M/s", shingles, (least[1] - least[0]).max(1e-9)),
        row("sketch: signature of 128", "M/s", shingles, least[2]),
        row("text to sketch and band keys", "MB/s", bytes, least[3]),
        row("band: group by key", "M keys/s", (texts.len() * bands) as f64, least[4]),
        row("verify: hold one set, count another", "M features/s", compared, least[5]),
    ]
}

/// Does `work` for each item. The compiler cannot leave out its result.
fn each<T>(items: &[T], mut work: impl FnMut(&T) -> usize) {
    for item in items {
        black_box(work(item));
    }
}

/// Prints the limits: the speed of copying memory, and the time of the parser alone.
fn limits(path: &str, texts: &[String]) -> Result<(), Box<dyn Error>> {
    let data = std::fs::read(path)?;
    let mut copy = vec![0; data.len()];
    let least = |work: &mut dyn FnMut()| {
        (0..ROUNDS).fold(f64::INFINITY, |least, _| {
            let started = Instant::now();
            work();
            least.min(started.elapsed().as_secs_f64())
        })
    };
    let speed = |bytes: usize, seconds: f64| bytes as f64 / seconds / 1e6;
    let memory = least(&mut || {
        copy.copy_from_slice(&data);
        black_box(&copy);
    });
    println!("- copy memory: {:.0} MB/s", speed(data.len(), memory));
    let lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    let parse = least(&mut || {
        for line in &lines {
            let _ = black_box(sonic_rs::from_slice::<Borrowed<'_>>(line));
        }
    });
    println!("- sonic-rs parses every line to its id and text: {:.0} MB/s of file", speed(data.len(), parse));
    let bytes = texts.iter().map(String::len).sum();
    let split = least(&mut || each(texts, |text| text.split_whitespace().count()));
    println!(
        "- the standard library splits at white space and counts: {:.0} MB/s of text",
        speed(bytes, split)
    );
    Ok(())
}
