//! `lookalike spans`

use crate::args::options::number::positive;
use crate::args::options::{InputArgs, RunArgs, SpaceArgs, TokenArgs, WithinArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike spans crawl.jsonl -o clean.jsonl
  lookalike spans shards/ -o clean/ --removed passages.csv --min-left 20
  lookalike spans news.parquet -o clean.parquet --length 30 --at lines
  lookalike spans train.jsonl -o clean.jsonl --against tests.jsonl --length 13
  lookalike spans crawl.jsonl --dry-run

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct SpansArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Remove passages that INPUT has, in place of those that the inputs repeat; repeat it for several
    ///
    /// INPUT is a file, a folder or a quoted glob in any format. Nothing of it is written or removed. A passage that the inputs repeat and
    /// INPUT does not have stays.
    #[arg(long, value_name = "INPUT", conflicts_with_all = ["keep", "whole"], help_heading = "Input")]
    pub(crate) against: Vec<String>,

    /// The field or column of the text in --against [default: the value of --text-field]
    #[arg(long, value_name = "FIELD", value_delimiter = ',', requires = "against", help_heading = "Input")]
    pub(crate) against_text_field: Vec<String>,

    /// The field or column of the id in --against [default: the value of --id-field]
    #[arg(long, value_name = "FIELD", requires = "against", help_heading = "Input")]
    pub(crate) against_id_field: Option<String>,

    /// The least length of a passage, in tokens
    ///
    /// A passage is removed if all of its runs of N tokens occur earlier: in a document before it, or in its own at least N tokens before. Case,
    /// punctuation and line ends do not count.
    #[arg(long, value_name = "N", default_value = "50", value_parser = length, help_heading = "Passages")]
    pub(crate) length: usize,

    /// Which occurrence of a passage stays
    #[arg(long, default_value = "first", help_heading = "Passages")]
    pub(crate) keep: KeptOccurrenceArg,

    /// Keep the first occurrence of each run of --length tokens whole, even if a part of it occurs earlier
    ///
    /// Without it, each token of a passage stays somewhere, and about one run in seven is nowhere whole.
    #[arg(long, help_heading = "Passages")]
    pub(crate) whole: bool,

    /// Where a passage may begin and end
    #[arg(long, default_value = "words", help_heading = "Passages")]
    pub(crate) at: BoundaryArg,

    #[command(flatten)]
    pub(crate) within: WithinArgs,

    /// Write the documents without their repeated passages to OUT: a file if it has the extension of a format, a folder if it has none or
    /// ends in /; - is standard output
    ///
    /// The output has the format of the input, and other fields stay as they are. A document that loses nothing is copied byte for byte. Marks
    /// go with the words that they touch. Of the white space before a passage and behind it, the stronger stays: a blank line, the end of a line, or
    /// a space. Formats: JSONL, JSON arrays, Parquet, Arrow, CSV, TSV, and text files.
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["dry_run", "removed"], help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write only the summary
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Put TEXT in the place of each passage, such as '[…]'
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub(crate) mask: Option<String>,

    /// Remove a document that lost a passage and has fewer than N tokens left
    #[arg(long, value_name = "N", value_parser = positive::<u64>, help_heading = "Output")]
    pub(crate) min_left: Option<u64>,

    /// Remove a document of which nothing is left, as --min-left 1 does
    #[arg(long, conflicts_with = "min_left", help_heading = "Output")]
    pub(crate) drop_empty: bool,

    /// List the removed passages, each with the place where it occurs earlier [formats: .jsonl .csv .tsv .parquet]
    ///
    /// The columns are id, start, end (in characters, from 0, without the end), start_byte, end_byte, words, source_id, source_start (the
    /// character at which it begins in the source) and text. A passage that comes from several sources has a row for each, and these may
    /// overlap. Each row was compared with its source, token by token.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run", help_heading = "Output")]
    pub(crate) removed: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) tokens: TokenArgs,

    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum KeptOccurrenceArg {
    /// The first in input order
    First,
    /// None: a passage that occurs twice is removed in all places
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoundaryArg {
    /// Between two words
    Words,
    /// Between two lines: a passage shrinks to the lines of which nothing else is left
    Lines,
}

/// Sequences of 2,048 tokens are known whose hashes are equal with every seed (Thue–Morse words, modulo a power of two). Runs that are hashed
/// are shorter.
const LONGEST: usize = 2_000;

fn length(text: &str) -> Result<usize, String> {
    match positive::<usize>(text)? {
        length if length > LONGEST => Err(format!("use at most {LONGEST}")),
        length => Ok(length),
    }
}
