//! The command line, as it is typed; its doc comments are the help.

use clap::{Args, Parser, Subcommand, ValueEnum};
use lookalike::{Level, Options, Plan, Scheme, Tokens};
use lookalike_batch::{Job, Keep};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Find near-duplicate text, and say how sure it is.
///
/// Every pair that is reported was compared exactly, and every run says which share of all pairs it expects to have
/// found.
#[derive(Debug, Parser)]
#[command(
    name = "lookalike",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Keep one document of each cluster of near-duplicates
    #[command(after_help = DEDUP_EXAMPLES)]
    Dedup(DedupArgs),
    /// List every pair of near-duplicates, with its exact similarity
    #[command(after_help = PAIRS_EXAMPLES)]
    Pairs(PairsArgs),
    /// Print a completion script for your shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

const DEDUP_EXAMPLES: &str = "\
Examples:
  lookalike dedup crawl.jsonl -o clean.jsonl
  lookalike dedup shards/ -o clean/ --removed removed.csv
  lookalike dedup 'news-*.parquet' -o clean/ --keep max:score --threshold 0.7
  zcat pages.jsonl.gz | lookalike dedup - -o - > clean.jsonl

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

const PAIRS_EXAMPLES: &str = "\
Examples:
  lookalike pairs essays/ --threshold 0.5 --shingle 3
  lookalike pairs crawl.jsonl.zst -o pairs.parquet

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Where the kept documents go: a file if the name ends like a format, otherwise a folder; - is standard output
    ///
    /// The format is that of the input, and kept JSONL lines are copied byte for byte. The name decides the
    /// compression: .gz .zst .bz2 .xz.
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write only the summary, whatever other outputs are named
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Keep every document, and add the fields cluster, kept, kept_id, jaccard and containment
    #[arg(long, help_heading = "Output")]
    pub(crate) annotate: bool,

    /// List the removed documents: id, kept_id, cluster, jaccard with the kept one, containment in it
    ///
    /// Format by the name: .jsonl .csv .tsv .parquet.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) removed: Option<PathBuf>,

    /// List the members of all clusters of two or more: id, cluster, kept
    ///
    /// Format by the name: .jsonl .csv .tsv .parquet.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) clusters: Option<PathBuf>,

    /// Which document of a cluster to keep: first, last, longest, max:FIELD or min:FIELD
    #[arg(long, value_name = "POLICY", default_value = "first", value_parser = keep, help_heading = "Output")]
    pub(crate) keep: Keep,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PairsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Where the pairs go: a, b, jaccard; format by the name: .jsonl .csv .tsv .parquet
    ///
    /// Without it they go to standard output as JSONL.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Files, folders, quoted globs, or - for standard input
    ///
    /// .jsonl .ndjson .json (an object a line), .parquet, .csv .tsv, .txt .md (a file is a document); .gz .zst .bz2 .xz
    /// around any of them but Parquet.
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<String>,

    /// The field or column that holds the text
    #[arg(long, value_name = "FIELD", default_value = "text", help_heading = "Input")]
    pub(crate) text_field: String,

    /// The field or column that holds the id; documents without it are called path:line
    #[arg(long, value_name = "FIELD", default_value = "id", help_heading = "Input")]
    pub(crate) id_field: String,

    /// Stop at the first bad record instead of skipping it
    #[arg(long, help_heading = "Input")]
    pub(crate) strict: bool,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "What is alike")]
pub(crate) struct LikenessArgs {
    /// Jaccard similarity of the shingles from which two documents are alike [default: 0.8]
    #[arg(short, long, value_name = "0..1")]
    threshold: Option<f64>,

    /// Tokens per shingle [default: 5]
    #[arg(long, value_name = "N")]
    shingle: Option<usize>,

    /// How texts are cut into tokens [default: words]
    #[arg(long)]
    tokens: Option<TokensArg>,

    /// Probability that a pair at the threshold is found; decides the rows [default: 0.995]
    #[arg(long, value_name = "0..1")]
    recall: Option<f64>,

    /// Values per MinHash signature [default: 128]
    #[arg(long, value_name = "N")]
    num_perm: Option<usize>,

    /// Bands of the signature, instead of as many as fit
    #[arg(long, value_name = "N")]
    bands: Option<usize>,

    /// Values per band, instead of as many as the recall allows
    #[arg(long, value_name = "N")]
    rows: Option<usize>,

    /// How signatures are made [default: bucketed]
    #[arg(long)]
    scheme: Option<SchemeArg>,

    /// Seed of all hash functions [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunArgs {
    /// Worker threads, up to 1024 [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Write the summary, as JSON, to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,

    /// No progress bars and no summary; only errors and skipped records
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TokensArg {
    /// Letters and digits, lower-case, after Unicode NFKC; punctuation only divides. In Chinese, Japanese, Thai, Lao,
    /// Khmer and Burmese each character by itself
    Words,
    /// What stands between white space, case kept
    Whitespace,
    /// Every character, lower-case, after Unicode NFKC
    Chars,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemeArg {
    /// Bucketed MinHash: faster and more accurate
    Bucketed,
    /// One hash function per value
    Classic,
}

/// The command line says something that cannot be done.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

impl LikenessArgs {
    fn plan(&self) -> Result<Plan, lookalike::PlanError> {
        let options = Options {
            threshold: self.threshold,
            tokens: self.tokens.map(|tokens| match tokens {
                TokensArg::Words => Tokens::Words,
                TokensArg::Whitespace => Tokens::Whitespace,
                TokensArg::Chars => Tokens::Chars,
            }),
            shingle: self.shingle,
            num_perm: self.num_perm,
            scheme: self.scheme.map(|scheme| match scheme {
                SchemeArg::Bucketed => Scheme::Bucketed,
                SchemeArg::Classic => Scheme::Classic,
            }),
            bands: self.bands,
            rows: self.rows,
            recall: self.recall,
            seed: self.seed,
        };
        options.plan()
    }
}

/// Features kept from the first reading: enough for 750 MB of English text, which are then not read again, and little
/// enough for a laptop.
const FEATURES_BYTES: u64 = 1 << 30;

/// The job that these arguments describe.
pub(crate) fn job(input: InputArgs, likeness: &LikenessArgs, run: &RunArgs) -> anyhow::Result<Job> {
    if let Some(path) = &run.summary {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if path.as_os_str() == "-" || folder.is_some_and(|folder| !folder.is_dir()) {
            let message = format!("--summary {}: give a file in a folder that exists", path.display());
            return Err(Usage(message).into());
        }
    }
    Ok(Job {
        inputs: input.inputs,
        plan: likeness.plan()?,
        text_field: input.text_field,
        id_field: input.id_field,
        threads: match run.threads {
            Some(threads) => usize::from(threads),
            None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        },
        level: level()?,
        strict: input.strict,
        summary: run.summary.clone(),
        features_bytes: FEATURES_BYTES,
    })
}

/// The instruction set: the best one, or the one that `LOOKALIKE_SIMD` names, so that tests can compare them.
fn level() -> Result<Level, Usage> {
    let Ok(name) = std::env::var("LOOKALIKE_SIMD") else { return Ok(Level::detect()) };
    Level::named(&name).ok_or_else(|| {
        let names: Vec<&str> = Level::available().into_iter().map(Level::name).collect();
        Usage(format!("LOOKALIKE_SIMD is {name:?}; this machine has {}", names.join(", ")))
    })
}

fn keep(text: &str) -> Result<Keep, String> {
    match text.split_once(':') {
        Some(("max", field)) if !field.is_empty() => Ok(Keep::Max(field.to_owned())),
        Some(("min", field)) if !field.is_empty() => Ok(Keep::Min(field.to_owned())),
        None if text == "first" => Ok(Keep::First),
        None if text == "last" => Ok(Keep::Last),
        None if text == "longest" => Ok(Keep::Longest),
        _ => Err("use first, last, longest, max:FIELD or min:FIELD".to_owned()),
    }
}
