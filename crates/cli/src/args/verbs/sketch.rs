//! `lookalike sketch`

use crate::args::options::{InputArgs, RunArgs, SimilarityArgs};
use clap::Args;
use std::path::PathBuf;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike sketch crawl.jsonl -o signatures.parquet
  lookalike sketch crawl.jsonl -o fingerprints.jsonl --method simhash --weights tf --shingle 1";

#[derive(Args, Debug)]
pub(crate) struct SketchArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Write the sketches to FILE: id, signature or fingerprint [formats: .jsonl .parquet .csv .tsv]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}
