//! The command line, as it is typed; its doc comments are the help.

mod compare;
mod dedup;
mod eval;
mod index;
mod limits;
mod run;
mod similarity;
mod space;
mod tune;

pub(crate) use compare::{CompareArgs, ComparisonFormat};
pub(crate) use dedup::{ClusterArg, DedupArgs};
pub(crate) use eval::{EvalArgs, ReportFormat};
pub(crate) use index::{AddedArgs, IndexCommand, InfoArgs};
pub(crate) use run::{RunArgs, check_file};
pub(crate) use similarity::SimilarityArgs;
pub(crate) use space::SpaceArgs;
pub(crate) use tune::TuneArgs;

use clap::{Args, Parser, Subcommand};
use lookalike::{Level, Plan};
use lookalike_batch::Job;
use lookalike_corpus::Delimiter;
use lookalike_engine::index::Index;
use lookalike_engine::request::{Affordable, Request};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Find near-duplicate text, and report how much of it was found.
///
/// Every reported pair was compared exactly, unless you ask for SimHash alone. A run reports the share of all pairs that it
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
    #[command(after_help = dedup::EXAMPLES)]
    Dedup(DedupArgs),
    /// List every pair of near-duplicates, and how similar they are
    #[command(after_help = PAIRS_EXAMPLES)]
    Pairs(PairsArgs),
    /// Show how similar two texts are, by every measure, and which passages they share
    ///
    /// A passage is a run of at least as many tokens as a shingle has, and at least three. Passages and the sequence ratio count stop words
    /// too. Passages do not overlap: text that A has twice and B once is shared once. Where A repeats itself, 16 positions are tried
    /// for each position in B, so a passage that begins as many others do may be missed.
    #[command(after_help = compare::EXAMPLES)]
    Compare(CompareArgs),
    /// List the documents of a corpus that are most similar to a text
    ///
    /// Every document is compared exactly, in one reading of the corpus, by single words unless --shingle is given.
    /// Without --threshold, any document that shares something with the text may be listed.
    #[command(after_help = SIMILAR_EXAMPLES)]
    Similar(SimilarArgs),
    /// Write the MinHash signature or the SimHash fingerprint of every document
    #[command(after_help = SKETCH_EXAMPLES)]
    Sketch(SketchArgs),
    /// Keep an index of documents, to compare new ones with them without reading them again
    ///
    /// An index is a folder with the sketches, the ids and the hashed shingles of documents.
    /// lookalike dedup NEW --against INDEX removes near-duplicates of its documents, as if all of them were read again; --update adds the new documents.
    #[command(subcommand)]
    Index(IndexCommand),
    /// Recommend settings for a corpus, from a sample of its documents that is compared with all others
    ///
    /// Prints how similar the documents are, what each setting would find and cost, the recommended one with the reason, and its command
    /// line.
    #[command(after_help = tune::EXAMPLES)]
    Tune(TuneArgs),
    /// Count the documents that have each feature, for weights by TF-IDF
    #[command(after_help = FREQUENCIES_EXAMPLES)]
    Frequencies(FrequenciesArgs),
    /// Score pairs or clusters against ground truth: precision, recall, F1, adjusted Rand index
    #[command(after_help = eval::EXAMPLES, long_about = eval::ABOUT)]
    Eval(EvalArgs),
    /// Print a completion script for your shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

const PAIRS_EXAMPLES: &str = "\
Examples:
  lookalike pairs essays/ --threshold 0.5 --shingle 3
  lookalike pairs crawl.jsonl.zst -o pairs.parquet

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

const SIMILAR_EXAMPLES: &str = "\
Examples:
  lookalike similar essay.txt --in archive/ -k 5 --shingle 3
  lookalike similar 'to be or not to be' --in quotes.jsonl --tokens chars --measure cosine --weights tf";

const SKETCH_EXAMPLES: &str = "\
Examples:
  lookalike sketch crawl.jsonl -o signatures.parquet
  lookalike sketch crawl.jsonl -o fingerprints.jsonl --method simhash --weights tf --shingle 1";

const FREQUENCIES_EXAMPLES: &str = "\
Examples:
  lookalike frequencies crawl.jsonl -o words.df --shingle 1
  lookalike dedup news.jsonl -o kept.jsonl --method simhash --weights tf-idf --frequencies words.df --shingle 1";

#[derive(Args, Debug)]
pub(crate) struct SimilarArgs {
    /// The text, or a file with it, possibly HTML; - is standard input
    #[arg(value_name = "TEXT|FILE")]
    pub(crate) query: String,

    /// Where to search: a file, a folder or a quoted glob, local or at s3:// gs:// https://; repeat it for several
    #[arg(long = "in", value_name = "INPUT", required = true, help_heading = "Input")]
    pub(crate) inputs: Vec<String>,

    /// How many documents to list
    #[arg(short = 'k', long, value_name = "N", default_value = "10", help_heading = "Output")]
    pub(crate) count: NonZeroUsize,

    #[command(flatten)]
    pub(crate) fields: FieldArgs,

    /// Write the list, id and similarity, to FILE [default: standard output, as JSONL]
    ///
    /// Format by the name: .jsonl .csv .tsv .parquet.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct SketchArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Write the sketches to FILE, id and signature or fingerprint; format by the name: .jsonl .parquet .csv .tsv
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct FrequenciesArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Write the table to FILE
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct AuditArgs {
    /// Compare N random documents with all others exactly, and report the share of their pairs that was found
    ///
    /// The inputs are read twice more. If N is the number of documents, the recall is known, not estimated.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Run")]
    audit: Option<u64>,
}

impl AuditArgs {
    /// How many documents; an error if nothing says which documents are similar.
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
pub(crate) struct WithinArgs {
    /// Compare only documents with the same value in a field, or in each of several, such as dump,language
    ///
    /// Documents without the field are compared with each other; empty values and null count as missing. Values are compared as they are written: 1 is not 1.0.
    /// In a WARC file a field is a header. With --against, too, only documents with the same values are compared.
    #[arg(
        long,
        value_name = "FIELD",
        value_delimiter = ',',
        value_parser = clap::builder::NonEmptyStringValueParser::new(),
        help_heading = "What is similar"
    )]
    pub(crate) within: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct PairsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) within: WithinArgs,

    /// Write the pairs, a, b and the measure or hamming, to FILE [default: standard output, as JSONL]
    ///
    /// Format by the name: .jsonl .csv .tsv .parquet.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write an HTML report: numbers, charts, and examples with both texts side by side
    ///
    /// It is one file that needs no network and no script. It quotes parts of documents.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Files, folders, quoted globs, or - for standard input; also s3://BUCKET/KEY, gs://BUCKET/KEY, https://HOST/FILE
    ///
    /// A prefix in a bucket is a folder. Credentials and endpoints come from the usual variables: AWS_ACCESS_KEY_ID,
    /// AWS_REGION, AWS_ENDPOINT_URL, GOOGLE_APPLICATION_CREDENTIALS and so on.
    ///
    /// Formats: .jsonl .ndjson (an object a line), .json (the same, or an array of objects), .parquet, .csv .tsv, .warc .wet (documents are successful responses,
    /// resources and conversions of HTML or plain text), .html .htm .txt .md (a file is a document). All but Parquet may be compressed: .gz .zst .bz2 .xz.
    /// HTML is compared by its visible text.
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) fields: FieldArgs,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct FieldArgs {
    /// The field or column of the text; in JSON and Parquet also a nested one, such as meta.text
    #[arg(long, value_name = "FIELD", default_value = "text", help_heading = "Input")]
    pub(crate) text_field: String,

    /// The field or column of the id; documents without it are named path:line, text files and pages by their path
    ///
    /// In a WARC file this is a header, and id stands for WARC-Target-URI. Documents without it are named path:N, where N is the number of
    /// the record.
    #[arg(long, value_name = "FIELD", default_value = "id", help_heading = "Input")]
    pub(crate) id_field: String,

    /// The delimiter of CSV and TSV: one ASCII character, or tab [default: a comma in .csv, a tab in .tsv]
    ///
    /// Kept records are written with the same delimiter.
    #[arg(long, value_name = "CHARACTER", help_heading = "Input")]
    pub(crate) delimiter: Option<Delimiter>,

    /// Skip records of more bytes, such as 500MiB, up to 2GiB [default: 240MiB, or 1/32 of --memory if that is less]
    ///
    /// A record is a line, a row, the file of one document, or the content of a WARC record. Longer ones are skipped without being held in memory, and
    /// reported. No text of more than 240 MiB is compared.
    #[arg(long, value_name = "SIZE", value_parser = space::record_size, help_heading = "Input")]
    pub(crate) max_record: Option<u64>,

    /// Stop at the first bad record instead of skipping it
    #[arg(long, help_heading = "Input")]
    pub(crate) strict: bool,
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

/// The job that these arguments describe.
pub(crate) fn job(
    inputs: Vec<String>,
    fields: FieldArgs,
    similarity: &SimilarityArgs,
    run: &RunArgs,
) -> anyhow::Result<Job> {
    let auto = similarity.is_auto().then(Affordable::default);
    job_by(similarity.plan()?, auto, inputs, fields, similarity, run)
}

/// The same by the plan of an index, which the arguments need not say again, and must not contradict.
pub(crate) fn job_beside(
    index: &Index,
    inputs: Vec<String>,
    fields: FieldArgs,
    similarity: &SimilarityArgs,
    run: &RunArgs,
) -> anyhow::Result<Job> {
    index::check_options(&similarity.options()?, index)?;
    let mut job = job_by(index.plan().clone(), None, inputs, fields, similarity, run)?;
    job.read.extend(index.files());
    job.read.push(index.folder().to_owned());
    Ok(job)
}

fn job_by(
    plan: Plan,
    auto: Option<Affordable>,
    inputs: Vec<String>,
    fields: FieldArgs,
    similarity: &SimilarityArgs,
    run: &RunArgs,
) -> anyhow::Result<Job> {
    run.check_summary()?;
    let request = Request {
        frequencies: similarity.frequencies(&plan)?,
        levels: similarity.levels(&plan)?,
        auto,
        text_field: fields.text_field,
        level: level()?,
        strict: fields.strict,
        ..Request::new(plan.clone())
    };
    Ok(Job {
        request,
        id_field: fields.id_field,
        delimiter: fields.delimiter,
        threads: run.threads(),
        max_record: fields.max_record,
        summary: run.summary.clone(),
        settings: run.settings.clone(),
        read: similarity.files().into_iter().chain(run.config.clone()).collect(),
        ..Job::new(inputs, plan)
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
