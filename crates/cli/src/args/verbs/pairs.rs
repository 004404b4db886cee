//! `lookalike pairs`

use crate::args::options::{
    AuditArgs, FrequentArgs, InputArgs, PageArgs, RunArgs, SimilarityArgs, SpaceArgs, WithinArgs,
};
use clap::Args;
use std::path::PathBuf;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike pairs essays/ --threshold 0.5 --shingle 3
  lookalike pairs crawl.jsonl.zst -o pairs.parquet

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct PairsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) within: WithinArgs,

    /// Write the pairs to FILE: a, b, jaccard [formats: .jsonl .csv .tsv .parquet; default: standard output, as JSONL]
    ///
    /// With another measure, the column jaccard is called word_jaccard, cosine, containment or hamming. With
    /// --verify=estimate it is jaccard_estimate, and estimate_low and estimate_high follow.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) frequent: FrequentArgs,

    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}
