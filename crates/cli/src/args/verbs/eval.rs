//! `lookalike eval`

use crate::args::options::number::whole;
use crate::args::options::{ReportFormat, RunArgs};
use clap::Args;
use std::path::PathBuf;

pub(in crate::args) const ABOUT: &str = "\
Score pairs or clusters against ground truth: precision, recall, F1, adjusted Rand index

FOUND and the truth are lists of pairs or clusters. A list has the columns of `pairs` (a, b and a similarity), of \
`dedup --clusters` (id, cluster) or of `dedup --removed` (id, kept_id), in upper or lower case. CSV and TSV without a header \
have two ids a line, and optionally a similarity. A folder or a quoted glob gives a list in several files.

Pairs have no direction and count once. A cluster stands for all pairs of its members, and pairs stand for the clusters that \
they connect. If one list has pairs and the other clusters, the report scores both: the pairs as listed, and the clusters.";

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike eval pairs.jsonl --truth truth.tsv
  lookalike eval clusters.csv --truth truth.parquet --documents 1000000 --missing missing.csv

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct EvalArgs {
    /// The list to score, or - for standard input
    #[arg(value_name = "FOUND")]
    pub(crate) found: String,

    /// The ground truth
    #[arg(long, value_name = "LIST", help_heading = "Input")]
    pub(crate) truth: String,

    /// The number of documents in the corpus [default: the documents that the lists name]
    ///
    /// Only the adjusted Rand index depends on it. The index subtracts the agreement that chance alone would give, and among more documents
    /// chance gives less.
    #[arg(long, value_name = "N", value_parser = whole::<u32>, help_heading = "Input")]
    pub(crate) documents: Option<u32>,

    /// Stop at the first bad record instead of skipping it
    #[arg(long, help_heading = "Input")]
    pub(crate) strict: bool,

    /// List the wrong pairs, found but not true [formats: .jsonl .csv .tsv .parquet]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) wrong: Option<PathBuf>,

    /// List the missing pairs, true but not found [formats: .jsonl .csv .tsv .parquet]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) missing: Option<PathBuf>,

    /// Format of the report on standard output
    #[arg(long, default_value = "text", help_heading = "Output")]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}
