//! The options of similarity. Their doc comments are the help.

use super::values::{
    FeatureHashArg, FoldArg, MeasureArg, MethodArg, SchemeArg, TieArg, TokensArg, VerifyArg, WeightsArg,
};
use crate::args::options::number::{number, whole};
use clap::Args;
use lookalike::{Bits, DocumentFrequencies, FeatureLevels};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

const MINHASH: &str = "MinHash";
const SIMHASH: &str = "SimHash and weights";

/// The contents of files that options name.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadTables {
    pub(super) jieba_dict: OnceLock<Vec<String>>,
    pub(super) frequencies: OnceLock<Arc<DocumentFrequencies>>,
    /// With the id of the features that they are for.
    pub(super) levels: OnceLock<(u64, FeatureLevels)>,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Similarity")]
pub(crate) struct SimilarityArgs {
    /// The lowest similarity of a pair [default: 0.8]
    #[arg(short, long, value_name = "0..1", value_parser = number)]
    pub(super) threshold: Option<f64>,

    /// The measure of similarity [default: jaccard]
    #[arg(long)]
    pub(super) measure: Option<MeasureArg>,

    /// Tokens per shingle [default: 5]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(super) shingle: Option<usize>,

    /// How to cut texts into tokens [default: words]
    #[arg(long)]
    pub(super) tokens: Option<TokensArg>,

    /// What else does not count in texts, separated by commas [default: nothing]
    #[arg(long, value_delimiter = ',')]
    pub(super) fold: Vec<FoldArg>,

    /// Stop words, which do not count: languages (de en es fr it ja nl pl pt ru sv zh) or files of words, separated by commas
    ///
    /// White space separates the words of a file.
    #[arg(long, value_name = "LANG|FILE", value_delimiter = ',')]
    pub(super) stop_words: Vec<String>,

    /// Words of your own for --tokens jieba: a file with a word a line, and perhaps how often it occurs, as jieba reads it
    #[arg(long, value_name = "FILE")]
    pub(super) jieba_dict: Option<PathBuf>,

    /// How to search for pairs [default: auto]
    #[arg(long)]
    pub(super) method: Option<MethodArg>,

    /// Seed of all hash functions [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub(super) seed: Option<u64>,

    /// Probability of finding a pair at the threshold, which decides the rows [default: 0.995]
    #[arg(long, value_name = "0..1", value_parser = number, help_heading = MINHASH)]
    pub(super) recall: Option<f64>,

    /// Values per MinHash signature [default: 128]
    #[arg(long, value_name = "N", value_parser = whole::<usize>, help_heading = MINHASH)]
    pub(super) num_perm: Option<usize>,

    /// Bands of the signature [default: as many as fit]
    #[arg(long, value_name = "N", value_parser = whole::<usize>, help_heading = MINHASH)]
    pub(super) bands: Option<usize>,

    /// Values per band [default: as many as the recall allows]
    #[arg(long, value_name = "N", value_parser = whole::<usize>, help_heading = MINHASH)]
    pub(super) rows: Option<usize>,

    /// The kind of MinHash [default: bucketed]
    #[arg(long, help_heading = MINHASH)]
    pub(super) scheme: Option<SchemeArg>,

    /// Bits in which the fingerprints of a pair may differ, up to 12 [default: 3, or 10 with --verify; 6 and 12 for 128 bits]
    #[arg(long, value_name = "N", value_parser = whole::<u32>, help_heading = SIMHASH)]
    pub(super) hamming: Option<u32>,

    /// What decides about candidates [default: exact, or the distance of fingerprints with --method simhash]. --verify is --verify=exact
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "exact")]
    pub(super) verify: Option<VerifyArg>,

    /// Bits of a fingerprint [default: 64]
    #[arg(long, value_name = "64|128", value_parser = bits, help_heading = SIMHASH)]
    pub(super) bits: Option<Bits>,

    /// Weights of features, in fingerprints and for the cosine [default: set]
    #[arg(long, help_heading = SIMHASH)]
    pub(super) weights: Option<WeightsArg>,

    /// The table for --weights tf-idf or --drop-frequent, made by lookalike frequencies [default: counted in the inputs first]
    #[arg(long, value_name = "FILE", help_heading = SIMHASH)]
    pub(super) frequencies: Option<PathBuf>,

    /// The table for --weights levels: each line has a word or a shingle, a tab, and a level from 1 to 5
    ///
    /// All other words and shingles have level 1. So do words that the tokens cut, and a note names them.
    #[arg(long, value_name = "FILE", help_heading = SIMHASH)]
    pub(super) levels: Option<PathBuf>,

    /// The hash function that makes features of shingles [default: xxh3]
    #[arg(long, help_heading = SIMHASH)]
    pub(super) feature_hash: Option<FeatureHashArg>,

    /// The value of a bit with equal weights for 0 and 1 [default: zero]
    #[arg(long, help_heading = SIMHASH)]
    pub(super) tie: Option<TieArg>,

    /// The share of `--drop-frequent`, which is an option of some verbs.
    #[arg(skip)]
    pub(super) drop_frequent: Option<f64>,

    /// What was read of the files of options that are asked for more than once.
    #[arg(skip)]
    pub(super) read: ReadTables,

    /// Does the output show MinHash and weights with every method and measure?
    #[arg(skip)]
    pub(super) shows_all: bool,
}

impl SimilarityArgs {
    /// The usual options, with these tokens.
    pub(in crate::args) fn of_tokens(
        tokens: Option<TokensArg>,
        fold: Vec<FoldArg>,
        jieba_dict: Option<PathBuf>,
    ) -> Self {
        SimilarityArgs { tokens, fold, jieba_dict, ..SimilarityArgs::default() }
    }
}

fn bits(text: &str) -> Result<Bits, String> {
    match text {
        "64" => Ok(Bits::B64),
        "128" => Ok(Bits::B128),
        _ => Err("use 64 or 128".to_owned()),
    }
}
