//! Every pair of documents whose word-5-gram sets have Jaccard similarity of at least the threshold: the truth that
//! `bench/score.py` measures against.
//!
//! ```text
//! truth INPUT.jsonl -o OUT.tsv [--tokens whitespace|alnum] [--threshold 0.8] [--documents N] [--brute]
//! ```
//! Writes `a TAB b TAB jaccard` (6 decimals), `a` before `b` in input order, rows sorted by input order.
//! `--brute` compares all pairs of shingles kept as strings: the check of the join, for a few thousand documents.
//! Independent of the product: no code, no crate of it is used here.

mod join;
mod shingles;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

use join::{Pair, Threshold};
use shingles::Tokens;

struct Arguments {
    input: String,
    output: String,
    tokens: Tokens,
    threshold: Threshold,
    documents: usize,
    brute: bool,
}

fn arguments() -> Result<Arguments, String> {
    let (mut input, mut output) = (None, None);
    let (mut tokens, mut threshold) = (Tokens::Whitespace, Threshold::parse("0.8")?);
    let (mut documents, mut brute) = (usize::MAX, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "-o" => output = Some(value()?),
            "--tokens" => {
                tokens = match value()?.as_str() {
                    "whitespace" => Tokens::Whitespace,
                    "alnum" => Tokens::Alnum,
                    other => return Err(format!("--tokens is whitespace or alnum, not {other}")),
                }
            }
            "--threshold" => threshold = Threshold::parse(&value()?)?,
            "--documents" => documents = value()?.parse().map_err(|e| format!("--documents: {e}"))?,
            "--brute" => brute = true,
            _ if !word.starts_with('-') && input.is_none() => input = Some(word),
            _ => return Err(format!("unknown argument {word}")),
        }
    }
    Ok(Arguments {
        input: input.ok_or("no INPUT.jsonl given")?,
        output: output.ok_or("no -o OUT.tsv given")?,
        tokens,
        threshold,
        documents,
        brute,
    })
}

/// Reads the corpus; `each` gets every text once, in order. Returns the ids.
fn read(arguments: &Arguments, mut each: impl FnMut(&str)) -> Result<Vec<String>, String> {
    let file = File::open(&arguments.input).map_err(|e| format!("{}: {e}", arguments.input))?;
    let mut ids = Vec::new();
    for line in BufReader::with_capacity(1 << 20, file).lines().take(arguments.documents) {
        let line = line.map_err(|e| format!("{}:{}: {e}", arguments.input, ids.len() + 1))?;
        let record: serde_json::Value =
            serde_json::from_str(&line).map_err(|e| format!("{}:{}: {e}", arguments.input, ids.len() + 1))?;
        let (Some(id), Some(text)) = (record["id"].as_str(), record["text"].as_str()) else {
            return Err(format!("{}:{}: needs the strings id and text", arguments.input, ids.len() + 1));
        };
        each(text);
        ids.push(id.to_owned());
    }
    Ok(ids)
}

fn run() -> Result<(), String> {
    let arguments = arguments()?;
    let (ids, pairs): (Vec<String>, Vec<Pair>) = if arguments.brute {
        let mut interner = shingles::Interner::default();
        let mut sets = Vec::new();
        let ids = read(&arguments, |text| sets.push(interner.set(text, arguments.tokens)))?;
        (ids, join::brute(&sets, arguments.threshold))
    } else {
        let mut sets = join::Sets::default();
        let ids = read(&arguments, |text| sets.push(shingles::hashed(text, arguments.tokens)))?;
        (ids, join::join(sets, arguments.threshold))
    };
    let file = File::create(&arguments.output).map_err(|e| format!("{}: {e}", arguments.output))?;
    let mut out = BufWriter::new(file);
    for pair in &pairs {
        let jaccard = f64::from(pair.shared) / f64::from(pair.union);
        writeln!(out, "{}\t{}\t{jaccard:.6}", ids[pair.a as usize], ids[pair.b as usize])
            .map_err(|e| format!("{}: {e}", arguments.output))?;
    }
    out.flush().map_err(|e| format!("{}: {e}", arguments.output))?;
    eprintln!("{} documents, {} pairs", ids.len(), pairs.len());
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("truth: {message}");
            ExitCode::FAILURE
        }
    }
}
