//! `lookalike sketch`

use crate::args::options::{InputArgs, RunArgs, SimilarityArgs};
use clap::Args;
use std::path::PathBuf;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike sketch crawl.jsonl -o signatures.parquet
  lookalike sketch crawl.jsonl -o fingerprints.jsonl --method simhash --weights tf --shingle 1
  lookalike sketch fox.txt --explain --method simhash --weights tf --shingle 1 --feature-hash md5";

#[derive(Args, Debug)]
pub(crate) struct SketchArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Write the sketches to FILE: id, signature or fingerprint [formats: .jsonl .parquet .csv .tsv]
    #[arg(short, long, value_name = "FILE", required_unless_present = "explain", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write no sketches, but explain how the SimHash fingerprint of each text is made
    ///
    /// The explanation is text, for the first ten documents. It has the features of each document with count, weight,
    /// hash and bits, the sum of each bit, and the fingerprint. Features are shingles: see --shingle. Of more than 1,000
    /// features the first are listed. The explanation goes to standard output, or to --output FILE [format: .txt].
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    /// The table of hashes in place of --feature-hash: each line has a word or a shingle, a tab, and 16 hexadecimal digits
    ///
    /// It continues the codes of a program whose hash function is not here. A shingle is its tokens, joined by spaces. A
    /// shingle that the table lacks is an error.
    #[arg(long, value_name = "FILE", help_heading = "SimHash and weights")]
    pub(crate) feature_hash_table: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}
