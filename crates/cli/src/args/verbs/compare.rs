//! `lookalike compare`

use crate::args::options::{FieldArgs, RunArgs, SimilarityArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

pub(in crate::args) const EXAMPLES: &str = "\
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

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// The first text: a file, - for standard input, or with --in the id of a document
    ///
    /// HTML is compared by its visible text.
    #[arg(value_name = "A")]
    pub(crate) a: String,

    /// The second text: a file, - for standard input, or with --in the id of a document
    #[arg(value_name = "B")]
    pub(crate) b: String,

    /// Read the documents with the ids A and B from INPUT: a file, a folder or a quoted glob; repeat it for several
    #[arg(long = "in", value_name = "INPUT", help_heading = "Input")]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) fields: FieldArgs,

    /// Format of the result [default: by the extension of FILE, otherwise text]
    #[arg(long, help_heading = "Output")]
    pub(crate) format: Option<ComparisonFormat>,

    /// Write the result to FILE [formats: .txt .json .html .htm; default: standard output]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// The time limit for the sequence ratio, which may take longer than all other results
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds, help_heading = "Output")]
    pub(crate) time_limit: Duration,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ComparisonFormat {
    /// Text: [-only in A-] {+only in B+}
    Text,
    /// JSON, with the positions of passages
    Json,
    /// An HTML page with both texts side by side
    Html,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "use a number of seconds, such as 2 or 0.5".to_owned())
}
