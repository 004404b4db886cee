//! The command line, as it is typed; its doc comments are the help.

mod eval;
mod likeness;

pub(crate) use eval::{EvalArgs, ReportFormat};
pub(crate) use likeness::LikenessArgs;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lookalike::{Level, Plan};
use lookalike_batch::{Affordable, Job, Keep};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Find near-duplicate text, and say how sure it is.
///
/// What is reported was compared exactly (unless you ask for SimHash alone), and a run says which share of all pairs it
/// expects to have found.
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
    /// List every pair of near-duplicates, and how alike they are
    #[command(after_help = PAIRS_EXAMPLES)]
    Pairs(PairsArgs),
    /// Show how alike two texts are, by every measure, and which passages they share
    ///
    /// A run of tokens is a passage if it is as long as the shingle, and no shorter than three. All tokens count there and in the
    /// sequence ratio, stop words too. What is in one passage is in no other: what A has twice and B once is shared once. Where A
    /// repeats itself, 16 places are tried beside each place in B, so that a passage may be missed that begins like many others.
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(CompareArgs),
    /// List the documents of a corpus that are most like a text
    ///
    /// Every document is compared, exactly, in one reading of the corpus; by single words, if --shingle says nothing else.
    /// Without --threshold whatever has anything in common with the text may be listed.
    #[command(after_help = SIMILAR_EXAMPLES)]
    Similar(SimilarArgs),
    /// Write the MinHash signature or the SimHash fingerprint of every document
    #[command(after_help = SKETCH_EXAMPLES)]
    Sketch(SketchArgs),
    /// Tell which settings a corpus needs: from a sample of its documents, compared with all others
    ///
    /// Prints how alike the documents are, what each setting would find and cost, the one to take and why, and the command
    /// line that takes it.
    #[command(after_help = TUNE_EXAMPLES)]
    Tune(TuneArgs),
    /// Count in how many documents each feature is, for weights by TF-IDF
    #[command(after_help = FREQUENCIES_EXAMPLES)]
    Frequencies(FrequenciesArgs),
    /// Say how good a list of pairs or clusters is, beside a true one: precision, recall, F1, adjusted Rand index
    #[command(after_help = eval::EXAMPLES, long_about = eval::ABOUT)]
    Eval(EvalArgs),
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
  lookalike dedup 'news-*.parquet' -o clean/ --keep max:score --threshold 0.7 --cluster star
  lookalike dedup notes/ -o kept/ --keep longest --min-containment 0.95
  lookalike dedup crawl.jsonl --dry-run --report report.html
  zcat pages.jsonl.gz | lookalike dedup - -o - > clean.jsonl

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

const PAIRS_EXAMPLES: &str = "\
Examples:
  lookalike pairs essays/ --threshold 0.5 --shingle 3
  lookalike pairs crawl.jsonl.zst -o pairs.parquet

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

const COMPARE_EXAMPLES: &str = "\
Examples:
  lookalike compare essay.txt source.txt
  lookalike compare a1 a3 --in news.jsonl --shingle 2 -o difference.html
  lookalike compare a1 news.jsonl:4 --in news.jsonl --format json

JSON: an object with
  a, b       name, characters, tokens, fingerprint; shingles and words, the
             different ones
  measures   jaccard, word_jaccard, cosine; containment_of_a (in B) and
             containment_of_b (in A); sequence_ratio (null if time ran out),
             sequence_ratio_at_least, sequence_ratio_at_most; shared_of_a and
             shared_of_b: how much of the tokens is equal in a passage
  simhash    bits; distance (null if a text has no features of any weight)
  minhash    estimate, equal_values, num_perm, bands, rows; shared_bands,
             counted from 1; probability (that one or more are shared)
  verdict    found; found_by and missed_by: methods; similarity, measure,
             threshold, sentence. By auto a pair is found that exact finds
  passages   for each tokens, a, b, equal. a and b are [start, end] in
             characters (Unicode scalar values) of the text, end excluded;
             equal lists tokens, a, b of each part that is equal after
             normalisation
  plan       as in the summary of other commands; its method may be auto

A byte order mark at the start of a file is no part of the text.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

const SIMILAR_EXAMPLES: &str = "\
Examples:
  lookalike similar essay.txt --in archive/ -k 5 --shingle 3
  lookalike similar 'to be or not to be' --in quotes.jsonl --tokens chars --measure cosine --weights tf";

const SKETCH_EXAMPLES: &str = "\
Examples:
  lookalike sketch crawl.jsonl -o signatures.parquet
  lookalike sketch crawl.jsonl -o fingerprints.jsonl --method simhash --weights tf --shingle 1";

const TUNE_EXAMPLES: &str = "\
Examples:
  lookalike tune crawl.jsonl --threshold 0.7
  lookalike tune news.jsonl --tolerate 5%
  lookalike tune essays/ --table --tokens chars --shingle 3 --threshold 0.5

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

const FREQUENCIES_EXAMPLES: &str = "\
Examples:
  lookalike frequencies crawl.jsonl -o words.df --shingle 1
  lookalike dedup news.jsonl -o kept.jsonl --method simhash --weights tf-idf --frequencies words.df --shingle 1";

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// A file, whatever its name, whose content is the first text; - is standard input; with --in, the id of a document
    #[arg(value_name = "A")]
    pub(crate) a: String,

    /// The second text, likewise
    #[arg(value_name = "B")]
    pub(crate) b: String,

    /// Where the documents are whose ids A and B are: a file, a folder or a quoted glob; several as --in X --in Y
    #[arg(long = "in", value_name = "INPUT", help_heading = "Input")]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) fields: FieldArgs,

    /// How the result is written [default: by the name of the output, otherwise text]
    #[arg(long, help_heading = "Output")]
    pub(crate) format: Option<ComparisonFormat>,

    /// Where the result goes: .txt .json .html .htm; without it, and with -, to standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// How long to go on with the sequence ratio, which alone takes more time than in proportion to the texts
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds, help_heading = "Output")]
    pub(crate) time_limit: Duration,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ComparisonFormat {
    /// For people; [-only in A-] {+only in B+}
    Text,
    /// For programs, with the places of passages
    Json,
    /// A page with both texts side by side
    Html,
}

#[derive(Args, Debug)]
pub(crate) struct SimilarArgs {
    /// The text, or the name of a file that holds it; - is standard input
    #[arg(value_name = "TEXT|FILE")]
    pub(crate) query: String,

    /// Where to search: a file, a folder or a quoted glob; several as --in X --in Y
    #[arg(long = "in", value_name = "INPUT", required = true, help_heading = "Input")]
    pub(crate) inputs: Vec<String>,

    /// How many documents to list
    #[arg(short = 'k', long, value_name = "N", default_value = "10", help_heading = "Output")]
    pub(crate) count: NonZeroUsize,

    #[command(flatten)]
    pub(crate) fields: FieldArgs,

    /// Where the list goes: id and similarity; format by the name: .jsonl .csv .tsv .parquet
    ///
    /// Without it it goes to standard output as JSONL.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct SketchArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Where the sketches go: id and signature, or id and fingerprint; format by the name: .jsonl .parquet .csv .tsv
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// How many documents to compare with all others; drawn by --seed
    #[arg(long, value_name = "N", default_value = "1000", help_heading = "Question")]
    pub(crate) sample: NonZeroUsize,

    /// Tell the shingle and the threshold by which documents are alike of which this share of the words was changed: 5% or
    /// 0.05
    #[arg(
        long,
        value_name = "SHARE",
        value_parser = changed_words,
        conflicts_with_all = ["threshold", "table"],
        help_heading = "Question"
    )]
    pub(crate) tolerate: Option<f64>,

    /// Try several bands and rows, of 100 values or of --num-perm: precision, recall, F1 and candidates of each
    #[arg(long, help_heading = "Question")]
    pub(crate) table: bool,

    /// How the answer is printed
    #[arg(long, default_value = "text", help_heading = "Output")]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct FrequenciesArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Where the table goes
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

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

    /// Write only the summary and the report, whatever other outputs are named
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Keep every document, and add the fields cluster, kept, kept_id, jaccard and containment
    ///
    /// With another measure the field is called like it: word_jaccard, cosine, overlap; or hamming.
    #[arg(long, help_heading = "Output")]
    pub(crate) annotate: bool,

    /// List the removed documents: id, kept_id, cluster, jaccard with the kept one, containment in it, and the words that are
    /// lost: uncovered_words, uncovered
    ///
    /// Uncovered are the words that no shingle shared with the kept document covers: how many, and the first 50 of them, with
    /// … between those that do not follow one another, and (+12) for twelve more.
    ///
    /// Format by the name: .jsonl .csv .tsv .parquet.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) removed: Option<PathBuf>,

    /// List the members of all clusters of two or more: id, cluster, kept
    ///
    /// Format by the name: .jsonl .csv .tsv .parquet.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) clusters: Option<PathBuf>,

    /// Write a page to look at: numbers, charts, and examples with both texts side by side
    ///
    /// One HTML file, which needs no network and no script. It holds parts of documents.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Which document of a cluster to keep: first, last, longest, max:FIELD or min:FIELD
    #[arg(long, value_name = "POLICY", default_value = "first", value_parser = keep, help_heading = "Output")]
    pub(crate) keep: Keep,

    /// Remove a document only if this share of its shingles is in the kept one
    ///
    /// What the kept document of a cluster does not contain stays: the preferred one of the others is kept too, and so on.
    #[arg(long, value_name = "0..1", value_parser = share, help_heading = "Output")]
    pub(crate) min_containment: Option<f64>,

    /// What makes a cluster of pairs
    #[arg(long, default_value = "union", help_heading = "What is alike")]
    pub(crate) cluster: ClusterArg,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClusterArg {
    /// Whatever hangs together by pairs: a removed document may be less like the kept one than the threshold
    Union,
    /// A kept document and what makes a pair with it: nothing else is removed
    Star,
}

#[derive(Args, Debug)]
pub(crate) struct AuditArgs {
    /// Compare N random documents with all others, exactly, and say how much of what they are alike to was found
    ///
    /// The inputs are read twice more. With as many as there are documents the recall is known, not estimated.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Run")]
    audit: Option<u64>,
}

impl AuditArgs {
    /// How many documents; an error if nothing says which documents are alike.
    pub(crate) fn documents(&self, plan: &Plan) -> Result<u64, Usage> {
        match self.audit {
            Some(_) if !plan.verifies() => {
                Err(Usage("--audit compares by --measure; give --verify, too".to_owned()))
            }
            audit => Ok(audit.unwrap_or(0)),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct PairsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Where the pairs go: a, b and the measure, or hamming; format by the name: .jsonl .csv .tsv .parquet
    ///
    /// Without it they go to standard output as JSONL.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,

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

    #[command(flatten)]
    pub(crate) fields: FieldArgs,
}

#[derive(Args, Debug)]
pub(crate) struct FieldArgs {
    /// The field or column that holds the text
    #[arg(long, value_name = "FIELD", default_value = "text", help_heading = "Input")]
    pub(crate) text_field: String,

    /// The field or column that holds the id; documents without it are called path:line, text files by their path
    #[arg(long, value_name = "FIELD", default_value = "id", help_heading = "Input")]
    pub(crate) id_field: String,

    /// Stop at the first bad record instead of skipping it
    #[arg(long, help_heading = "Input")]
    pub(crate) strict: bool,
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

impl RunArgs {
    /// How many threads are to work.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => usize::from(threads),
            None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        }
    }

    /// Refuses a place where no summary can be written.
    pub(crate) fn check_summary(&self) -> Result<(), Usage> {
        self.summary.as_ref().map_or(Ok(()), |path| check_file("--summary", path))
    }
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

/// Features kept from the first reading of inputs that must be decoded: enough for 750 MB of English text, which are then
/// not read again, and little enough for a laptop.
const FEATURES_BYTES: u64 = 1 << 30;

/// Refuses a place where no file can be written when the work is done.
pub(crate) fn check_file(option: &str, path: &Path) -> Result<(), Usage> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.as_os_str() == "-" || path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Usage(format!("{option} {}: give a file in a folder that exists", path.display())));
    }
    Ok(())
}

/// The job that these arguments describe.
pub(crate) fn job(
    inputs: Vec<String>,
    fields: FieldArgs,
    likeness: &LikenessArgs,
    run: &RunArgs,
) -> anyhow::Result<Job> {
    run.check_summary()?;
    let plan = likeness.plan()?;
    Ok(Job {
        inputs,
        frequencies: likeness.frequencies(&plan)?,
        levels: likeness.levels(&plan)?,
        plan,
        auto: likeness.is_auto().then(Affordable::default),
        audit: 0,
        text_field: fields.text_field,
        id_field: fields.id_field,
        threads: run.threads(),
        level: level()?,
        strict: fields.strict,
        summary: run.summary.clone(),
        read: likeness.files(),
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

/// "5%" or "0.05".
fn changed_words(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    match number {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("write a share above 0% and below 100%, such as 5% or 0.05".to_owned()),
    }
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

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "use a number of seconds, such as 2 or 0.5".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "use a number from 0 to 1".to_owned())
}
