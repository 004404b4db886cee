//! `lookalike tune`

use crate::args::options::number::positive;
use crate::args::options::{InputArgs, ReportFormat, RunArgs, SimilarityArgs};
use clap::Args;
use std::num::NonZeroUsize;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike tune crawl.jsonl --threshold 0.7
  lookalike tune news.jsonl --tolerate 5%
  lookalike tune essays/ --table --tokens chars --shingle 3 --threshold 0.5

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Draw N documents as the sample, by --seed, and compare them with all others
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, default_value = "1000", help_heading = "Question")]
    pub(crate) sample: NonZeroUsize,

    /// Recommend the shingle and the threshold that find documents with this share of changed words, such as 5% or 0.05
    #[arg(
        long,
        value_name = "SHARE",
        value_parser = changed_words,
        conflicts_with_all = ["threshold", "table"],
        help_heading = "Question"
    )]
    pub(crate) tolerate: Option<f64>,

    /// Print precision, recall, F1 and candidates for several bands and rows, of 100 values or of --num-perm
    #[arg(long, help_heading = "Question")]
    pub(crate) table: bool,

    /// Format of the answer
    #[arg(long, default_value = "text", help_heading = "Output")]
    pub(crate) format: ReportFormat,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// A share of changed words, such as `5%` or `0.05`.
fn changed_words(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    match number {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("use a share above 0% and below 100%, such as 5% or 0.05".to_owned()),
    }
}
