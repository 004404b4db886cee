//! `lookalike frequencies`

use crate::args::options::{InputArgs, RunArgs, SimilarityArgs};
use clap::Args;
use std::path::PathBuf;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike frequencies crawl.jsonl -o words.df --shingle 1
  lookalike dedup news.jsonl -o kept.jsonl --method simhash --weights tf-idf --frequencies words.df --shingle 1";

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
