//! `lookalike similar`

use crate::args::options::number::positive;
use crate::args::options::{FieldArgs, RunArgs, SimilarityArgs};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike similar essay.txt --in archive/ -k 5 --shingle 3
  lookalike similar 'to be or not to be' --in quotes.jsonl --tokens chars --measure cosine --weights tf";

#[derive(Args, Debug)]
pub(crate) struct SimilarArgs {
    /// The text, a file with it, or - for standard input
    ///
    /// HTML is compared by its visible text.
    #[arg(value_name = "TEXT|FILE")]
    pub(crate) query: String,

    /// Search in INPUT: a file, a folder, a quoted glob, or a name that starts with s3:// gs:// https://; repeat it for several
    #[arg(long = "in", value_name = "INPUT", required = true, help_heading = "Input")]
    pub(crate) inputs: Vec<String>,

    /// List N documents
    #[arg(short = 'k', long, value_name = "N", value_parser = positive::<NonZeroUsize>, default_value = "10", help_heading = "Output")]
    pub(crate) count: NonZeroUsize,

    #[command(flatten)]
    pub(crate) fields: FieldArgs,

    /// Write the list to FILE: id, similarity [formats: .jsonl .csv .tsv .parquet; default: standard output, as JSONL]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}
