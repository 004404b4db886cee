//! `lookalike index`

use crate::args::options::{
    AboutArgs, InputArgs, NewIndexArgs, ReportFormat, RunArgs, SimilarityArgs, SpaceArgs,
};
use clap::{Arg, Args, Subcommand};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  lookalike index build archive/ -o archive.index --threshold 0.7
  lookalike index add archive.index today.jsonl
  lookalike index info archive.index --verify
  lookalike dedup today.jsonl -o new.jsonl --against archive.index --update

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Debug, Subcommand)]
pub(crate) enum IndexCommand {
    /// Make an index of documents
    ///
    /// The index has all documents, including near-duplicates, because a later document may be similar to any of them. It has their
    /// texts, compressed. It takes some 400 bytes for each document (100 with --method simhash), and two fifths of the size of its text. URLs,
    /// titles and metadata come on top.
    #[command(after_help = EXAMPLES, mut_args(for_index))]
    Build(BuildArgs),
    /// Add documents to an index, as dedup --against INDEX --update does, without outputs
    ///
    /// If the run is stopped or killed, the index stays as it was.
    #[command(after_help = EXAMPLES, mut_args(for_index))]
    Add(AddArgs),
    /// Show what is in an index
    #[command(after_help = EXAMPLES)]
    Info(InfoArgs),
    /// Copy an index from a folder into Redis, or from Redis into a folder
    ///
    /// Documents keep their order, texts, times, metadata and clusters. Removed and expired ones are left out. The plan is kept too. A
    /// copy into Redis that was stopped can be made again: what is there stays as it is.
    #[command(after_help = COPY_EXAMPLES)]
    Copy(CopyArgs),
    /// Make another index of the stored texts of an index: with another plan, or with frequencies that are counted anew
    ///
    /// Documents keep their order, texts, times, metadata and clusters. Removed and expired ones are left out. The options are those of a new
    /// index, whatever the other one was made with. With --weights tf-idf and without --frequencies, the texts are counted first.
    #[command(after_help = RESKETCH_EXAMPLES, mut_args(for_index))]
    Resketch(ResketchArgs),
}

const RESKETCH_EXAMPLES: &str = "\
Examples:
  lookalike index resketch seen.index -o newer.index --method simhash --weights tf-idf
  lookalike index resketch seen.index -o small.index --plan small

Exit codes: 0 done, 1 failed, 2 wrong usage.";

const COPY_EXAMPLES: &str = "\
Examples:
  lookalike index copy seen.index redis://localhost:6379
  lookalike index copy redis://localhost:6379 seen.index

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some documents were left out, whose id the other index has with another text.";

/// Says what options do to an index.
pub(in crate::args) fn for_index(arg: Arg) -> Arg {
    const SIMHASH: &str = "SimHash";
    match arg.get_id().as_str() {
        "method" => {
            let help = "How the index is searched: minhash, or simhash (a quarter of the disk without texts; by distance alone, or with --verify and low recall) [default: minhash]";
            arg.help(help).hide_possible_values(true)
        }
        "verify" => {
            let help = "exact: compare texts by --measure. estimate: by MinHash signatures alone [default: exact, or with --method simhash the distance alone]";
            arg.help(help).hide_possible_values(true)
        }
        "hamming" => {
            let help = "Bits in which fingerprints of similar documents may differ, up to 12 [default: 3, or 10 with --verify; 6 and 12 for 128 bits]";
            arg.help(help).help_heading(SIMHASH)
        }
        "frequencies" => {
            let help = "The table of a new index with --weights tf-idf or --drop-frequent, made by lookalike frequencies. The index keeps it";
            arg.help(help).help_heading(SIMHASH)
        }
        "weights" => {
            let help = "Weights of features in fingerprints without --verify: set, tf, log-tf, tf-idf with --frequencies, or levels with --levels [default: set]";
            arg.help(help).hide_possible_values(true).help_heading(SIMHASH)
        }
        "levels" => {
            let help = "The table of a new index with --weights levels: each line has a word or a shingle, a tab, and a level from 1 to 5. The index keeps it";
            arg.help(help).long_help(None::<&str>).help_heading(SIMHASH)
        }
        "bits" | "feature_hash" | "tie" => arg.help_heading(SIMHASH),
        _ => arg,
    }
}

#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    /// The folder for the index, which must be new or empty
    #[arg(short, long, value_name = "INDEX", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) new: NewIndexArgs,

    #[command(flatten)]
    pub(crate) added: AddedArgs,
}

#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// The folder of the index
    #[arg(value_name = "INDEX")]
    pub(crate) index: PathBuf,

    #[command(flatten)]
    pub(crate) added: AddedArgs,
}

/// The documents to add, and how the run reads them.
#[derive(Args, Debug)]
pub(crate) struct AddedArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) about: AboutArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct CopyArgs {
    /// The folder of the index, or its address in Redis: redis://[USER:PASSWORD@]HOST[:PORT][/DB][?name=NAME]
    #[arg(value_name = "FROM")]
    pub(crate) from: PathBuf,

    /// The address in Redis, or a folder that is new or empty
    #[arg(value_name = "TO")]
    pub(crate) to: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct ResketchArgs {
    /// The folder of the index, which must store texts
    #[arg(value_name = "INDEX")]
    pub(crate) index: PathBuf,

    /// The folder for the new index, which must be new or empty
    #[arg(short, long, value_name = "INDEX", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) new: NewIndexArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
}

#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    /// The folder of the index
    #[arg(value_name = "INDEX")]
    pub(crate) index: PathBuf,

    /// Read every byte and check it against the checksums
    #[arg(long)]
    pub(crate) verify: bool,

    /// Format of the report on standard output
    #[arg(long, default_value = "text")]
    pub(crate) format: ReportFormat,
}
