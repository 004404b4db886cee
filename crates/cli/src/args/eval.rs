use super::RunArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const ABOUT: &str = "\
Say how good a list of pairs or clusters is, beside a true one: precision, recall, F1, adjusted Rand index

FOUND and the truth are each what `pairs` writes (a, b and a similarity), what `dedup --clusters` writes (id, cluster), or \
what `dedup --removed` writes (id, kept_id); or CSV or TSV without a header, two ids a line and perhaps a similarity. The \
columns decide, in capitals or not. A list may be several files, by a folder or a quoted glob.

Pairs have no direction and count once. The pairs of a cluster are all pairs of its members; the clusters of pairs are what \
hangs together by them. Where one list has pairs and the other one clusters, both are counted: as listed, and closed to clusters.";

pub(super) const EXAMPLES: &str = "\
Examples:
  lookalike eval pairs.jsonl --truth truth.tsv
  lookalike eval clusters.csv --truth truth.parquet --documents 1000000 --missing missing.csv

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct EvalArgs {
    /// The list to score; - is standard input
    #[arg(value_name = "FOUND")]
    pub(crate) found: String,

    /// The true list
    #[arg(long, value_name = "LIST", help_heading = "Input")]
    pub(crate) truth: String,

    /// The number of all documents, with those that no list names [default: the documents of the lists]
    ///
    /// Only the adjusted Rand index depends on it: documents that are alone in both lists make agreement by chance rarer.
    #[arg(long, value_name = "N", help_heading = "Input")]
    pub(crate) documents: Option<u32>,

    /// Stop at the first bad record instead of skipping it
    #[arg(long, help_heading = "Input")]
    pub(crate) strict: bool,

    /// List the wrong pairs, found but not true; format by the name: .jsonl .csv .tsv .parquet
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) wrong: Option<PathBuf>,

    /// List the missing pairs, true but not found; format by the name: .jsonl .csv .tsv .parquet
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) missing: Option<PathBuf>,

    /// Format of the report on standard output
    #[arg(long, default_value = "text", help_heading = "Output")]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text
    Text,
    /// JSON
    Json,
}
