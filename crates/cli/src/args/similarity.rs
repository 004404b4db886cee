//! What is similar: the options that make a plan, and the tables that it needs.

use super::Usage;
use anyhow::Context;
use clap::{Args, ValueEnum};
use lookalike::text::{stop_word_languages, stop_words};
use lookalike::{
    Bits, DocumentFrequencies, FeatureHash, FeatureLevels, Measure, Method, Options, Plan, SKETCH_VERSION,
    Scheme, Sketcher, Tie, Tokens, Weighting,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Debug)]
#[command(next_help_heading = "What is similar")]
pub(crate) struct SimilarityArgs {
    /// The least similarity of a pair [default: 0.8]
    #[arg(short, long, value_name = "0..1")]
    threshold: Option<f64>,

    /// The measure of similarity [default: jaccard]
    #[arg(long)]
    measure: Option<MeasureArg>,

    /// Tokens per shingle [default: 5]
    #[arg(long, value_name = "N")]
    shingle: Option<usize>,

    /// How texts are cut into tokens [default: words]
    #[arg(long)]
    tokens: Option<TokensArg>,

    /// Stop words, which do not count: languages (de en es fr it ja nl pl pt ru sv zh), or files of words separated by white space;
    /// several with commas
    #[arg(long, value_name = "LANG|FILE", value_delimiter = ',')]
    stop_words: Vec<String>,

    /// How pairs are searched [default: auto]
    #[arg(long)]
    method: Option<MethodArg>,

    /// Seed of all hash functions [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Probability that a pair at the threshold is found, which decides the rows [default: 0.995]
    #[arg(long, value_name = "0..1", help_heading = MINHASH)]
    recall: Option<f64>,

    /// Values per MinHash signature [default: 128]
    #[arg(long, value_name = "N", help_heading = MINHASH)]
    num_perm: Option<usize>,

    /// Bands of the signature [default: as many as fit]
    #[arg(long, value_name = "N", help_heading = MINHASH)]
    bands: Option<usize>,

    /// Values per band [default: as many as the recall allows]
    #[arg(long, value_name = "N", help_heading = MINHASH)]
    rows: Option<usize>,

    /// How signatures are made [default: bucketed]
    #[arg(long, help_heading = MINHASH)]
    scheme: Option<SchemeArg>,

    /// Bits in which fingerprints may differ, up to 12 [default: 3, or 10 with --verify; 6 and 12 for 128 bits]
    #[arg(long, value_name = "N", help_heading = SIMHASH)]
    hamming: Option<u32>,

    /// Compare the pairs that SimHash finds exactly, by --measure and --threshold; otherwise the distance decides alone
    #[arg(long, help_heading = SIMHASH)]
    verify: bool,

    /// Bits of a fingerprint [default: 64]
    #[arg(long, value_name = "64|128", value_parser = bits, help_heading = SIMHASH)]
    bits: Option<Bits>,

    /// Weights of features, in fingerprints and for the cosine [default: set]
    #[arg(long, help_heading = SIMHASH)]
    weights: Option<WeightsArg>,

    /// The table for weights by TF-IDF, made by lookalike frequencies [default: the inputs are counted first]
    #[arg(long, value_name = "FILE", help_heading = SIMHASH)]
    frequencies: Option<PathBuf>,

    /// The levels for weights by levels: lines of a word or a shingle, a tab, and a level from 1 to 5; all others have level 1
    #[arg(long, value_name = "FILE", help_heading = SIMHASH)]
    levels: Option<PathBuf>,

    /// The hash function that makes features of shingles [default: xxh3]
    #[arg(long, help_heading = SIMHASH)]
    feature_hash: Option<FeatureHashArg>,

    /// The value of a bit with equal weight for and against it [default: zero]
    #[arg(long, help_heading = SIMHASH)]
    tie: Option<TieArg>,

    /// Is everything shown, whatever the method and the measure?
    #[arg(skip)]
    shows_all: bool,
}

const MINHASH: &str = "MinHash";
const SIMHASH: &str = "SimHash and weights";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MethodArg {
    /// Exact where it costs little, otherwise minhash, as with --num-perm, --bands, --rows and --scheme. The summary has the choice and the
    /// reason
    Auto,
    /// Find pairs with known recall, and compare them exactly
    Minhash,
    /// Find all pairs; holds the shingles of all documents in memory, 8 bytes each
    Exact,
    /// Find documents with nearly the same fingerprint: little memory, low accuracy (docs/how-similar-is-distance-3.md)
    Simhash,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MeasureArg {
    /// Shared shingles, divided by all shingles of the two
    Jaccard,
    /// Shared words, divided by all words of the two
    WordJaccard,
    /// The cosine of the angle between the two vectors of weights
    Cosine,
    /// Shared shingles, divided by those of the smaller one
    Containment,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TokensArg {
    /// Words of letters and digits, in lower case, after Unicode NFKC. Punctuation and emoji only separate words, but a text of nothing else
    /// is one word. Invisible characters do not count. In Chinese, Japanese, Thai, Lao, Khmer and Burmese each character is a word
    Words,
    /// The text between white space, with case and invisible characters
    Whitespace,
    /// Every visible character, in lower case, after Unicode NFKC
    Chars,
    /// As words, but Chinese words by the dictionary of jieba
    #[cfg(feature = "jieba")]
    Jieba,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemeArg {
    /// Bucketed MinHash: faster and more accurate
    Bucketed,
    /// One hash function per value
    Classic,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum WeightsArg {
    /// Each different feature counts once
    Set,
    /// Term frequency: a feature counts as often as it occurs
    Tf,
    /// 1 + log2 of the term frequency
    LogTf,
    /// Term frequency times ln(N / (df + 1)), for a feature in df of N documents. Counting takes 16 to 48 bytes for each
    /// different feature; for a large corpus, count a sample
    TfIdf,
    /// The level of --levels, as often as the feature occurs
    Levels,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FeatureHashArg {
    /// XXH3 of tokens, combined
    Xxh3,
    /// MurmurHash3 of the shingle, its tokens joined by spaces
    Murmur3,
    /// FNV-1a of the same
    Fnv1a64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TieArg {
    /// The bit is 0
    Zero,
    /// The bit is 1
    One,
}

fn bits(text: &str) -> Result<Bits, String> {
    match text {
        "64" => Ok(Bits::B64),
        "128" => Ok(Bits::B128),
        _ => Err("use 64 or 128".to_owned()),
    }
}

impl SimilarityArgs {
    /// The plan.
    pub(super) fn plan(&self) -> anyhow::Result<Plan> {
        Ok(self.options()?.plan()?)
    }

    /// What was asked for.
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        self.refuse_what_has_no_effect()?;
        let stop_words =
            self.stop_words.iter().map(|list| words_of(list)).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Options {
            method: self.method.map(|method| match method {
                MethodArg::Auto | MethodArg::Minhash => Method::MinHash,
                MethodArg::Exact => Method::Exact,
                MethodArg::Simhash => Method::SimHash,
            }),
            threshold: self.threshold,
            measure: self.measure.map(|measure| match measure {
                MeasureArg::Jaccard => Measure::Jaccard,
                MeasureArg::WordJaccard => Measure::WordJaccard,
                MeasureArg::Cosine => Measure::Cosine,
                MeasureArg::Containment => Measure::Containment,
            }),
            tokens: self.tokens.map(|tokens| match tokens {
                TokensArg::Words => Tokens::Words,
                TokensArg::Whitespace => Tokens::Whitespace,
                TokensArg::Chars => Tokens::Chars,
                #[cfg(feature = "jieba")]
                TokensArg::Jieba => Tokens::Jieba,
            }),
            shingle: self.shingle,
            num_perm: self.num_perm,
            scheme: self.scheme.map(|scheme| match scheme {
                SchemeArg::Bucketed => Scheme::Bucketed,
                SchemeArg::Classic => Scheme::Classic,
            }),
            bands: self.bands,
            rows: self.rows,
            recall: self.recall,
            seed: self.seed,
            stop_words: (!stop_words.is_empty()).then(|| stop_words.concat()),
            weighting: self.weights.map(|weights| match weights {
                WeightsArg::Set => Weighting::Set,
                WeightsArg::Tf => Weighting::Tf,
                WeightsArg::LogTf => Weighting::LogTf,
                WeightsArg::TfIdf => Weighting::TfIdf,
                WeightsArg::Levels => Weighting::Levels,
            }),
            feature_hash: self.feature_hash.map(|hash| match hash {
                FeatureHashArg::Xxh3 => FeatureHash::Xxh3,
                FeatureHashArg::Murmur3 => FeatureHash::Murmur3,
                FeatureHashArg::Fnv1a64 => FeatureHash::Fnv1a64,
            }),
            bits: self.bits,
            tie: self.tie.map(|tie| match tie {
                TieArg::Zero => Tie::Zero,
                TieArg::One => Tie::One,
            }),
            hamming: self.hamming,
            verify: Some(self.verify),
        })
    }

    /// Is the method left to the program?
    pub(super) fn is_auto(&self) -> bool {
        let banded =
            [self.num_perm, self.bands, self.rows].iter().any(Option::is_some) || self.scheme.is_some();
        matches!(self.method, None | Some(MethodArg::Auto)) && !banded
    }

    /// Lists whatever has anything in common, if no threshold is given, by single words if no shingle is.
    pub(crate) fn list_all(&mut self) {
        if self.verify || !matches!(self.method, Some(MethodArg::Simhash)) {
            self.threshold.get_or_insert(f64::MIN_POSITIVE);
        }
        // A sentence has few shingles in common with a page.
        self.shingle.get_or_insert(1);
    }

    /// `tune` tries the methods itself, and knows sets only.
    pub(crate) fn refuse_untunable(&self) -> Result<(), Usage> {
        match (self.method, self.weights) {
            (None | Some(MethodArg::Auto), None) => Ok(()),
            (None | Some(MethodArg::Auto), Some(_)) => {
                Err(Usage("--weights: tune compares sets; leave it out".to_owned()))
            }
            _ => Err(Usage("--method: tune compares all methods; leave it out".to_owned())),
        }
    }

    /// Is similarity that of Jaccard, of shingles?
    pub(crate) fn is_by_jaccard(&self) -> bool {
        matches!(self.measure, None | Some(MeasureArg::Jaccard))
    }

    /// Signatures of 100 values, if nothing else is asked for: they can be cut into bands in many ways.
    pub(crate) fn sign_with_a_hundred(&mut self) {
        self.num_perm.get_or_insert(100);
    }

    /// What was said of tokens and measure, as it was typed.
    pub(crate) fn typed(&self) -> Vec<String> {
        let name =
            |value: Option<clap::builder::PossibleValue>| value.map(|value| value.get_name().to_owned());
        let lists = (!self.stop_words.is_empty()).then(|| self.stop_words.join(","));
        let given = [
            ("--measure", name(self.measure.and_then(|measure| measure.to_possible_value()))),
            ("--tokens", name(self.tokens.and_then(|tokens| tokens.to_possible_value()))),
            ("--stop-words", lists),
            ("--seed", self.seed.map(|seed| seed.to_string())),
        ];
        let given = given.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?]));
        given.flatten().collect()
    }

    /// Shows MinHash and weights also where the method and the measure do not go by them, so that their options take effect.
    pub(crate) fn show_all(&mut self) {
        self.shows_all = true;
    }

    /// Are weights by TF-IDF asked for, but no table given?
    pub(crate) fn counts_frequencies(&self) -> bool {
        matches!(self.weights, Some(WeightsArg::TfIdf)) && self.frequencies.is_none()
    }

    /// The distance that was asked for.
    pub(crate) fn hamming(&self) -> Option<u32> {
        self.hamming
    }

    /// An option that changes nothing is a mistake, or a misunderstanding.
    fn refuse_what_has_no_effect(&self) -> Result<(), Usage> {
        let simhash = matches!(self.method, Some(MethodArg::Simhash));
        let minhash = !simhash && !matches!(self.method, Some(MethodArg::Exact));
        let cosine = matches!(self.measure, Some(MeasureArg::Cosine));
        let (bands, weighs) = (minhash || self.shows_all, simhash || cosine || self.shows_all);
        let weights = |kind: fn(&WeightsArg) -> bool| self.weights.as_ref().is_some_and(kind);
        let told = [
            ("--hamming", self.hamming.is_some(), simhash, "--method simhash"),
            ("--verify", self.verify, simhash, "--method simhash"),
            ("--bits", self.bits.is_some(), simhash, "--method simhash"),
            ("--tie", self.tie.is_some(), simhash, "--method simhash"),
            ("--feature-hash", self.feature_hash.is_some(), simhash, "--method simhash"),
            ("--weights", self.weights.is_some(), weighs, "--method simhash or --measure cosine"),
            ("--threshold", self.threshold.is_some(), !simhash || self.verify, VERIFY),
            ("--measure", self.measure.is_some(), !simhash || self.verify, VERIFY),
            (
                "--stop-words",
                !self.stop_words.is_empty(),
                !matches!(self.tokens, Some(TokensArg::Chars)),
                "tokens that are words",
            ),
            ("--recall", self.recall.is_some(), bands, "--method minhash"),
            ("--num-perm", self.num_perm.is_some(), bands, "--method minhash"),
            ("--bands", self.bands.is_some(), bands, "--method minhash"),
            ("--rows", self.rows.is_some(), bands, "--method minhash"),
            ("--scheme", self.scheme.is_some(), bands, "--method minhash"),
            (
                "--frequencies",
                self.frequencies.is_some(),
                weights(|weights| matches!(weights, WeightsArg::TfIdf)),
                "--weights tf-idf",
            ),
            (
                "--levels",
                self.levels.is_some(),
                weights(|weights| matches!(weights, WeightsArg::Levels)),
                "--weights levels",
            ),
        ];
        match told.into_iter().find(|&(_, given, takes_effect, _)| given && !takes_effect) {
            Some((option, _, _, with)) => Err(Usage(format!("{option} goes with {with}"))),
            None if weights(|weights| matches!(weights, WeightsArg::Levels)) && self.levels.is_none() => {
                Err(Usage("--weights levels needs --levels FILE".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// The files that are named.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let lists = self.stop_words.iter().filter(|list| stop_words(list).is_none()).map(PathBuf::from);
        lists.chain(self.frequencies.clone()).chain(self.levels.clone()).collect()
    }

    /// The table of document frequencies, if one is named.
    pub(super) fn frequencies(&self, plan: &Plan) -> anyhow::Result<Option<Arc<DocumentFrequencies>>> {
        let Some(path) = &self.frequencies else { return Ok(None) };
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let table = DocumentFrequencies::from_bytes(&bytes).with_context(|| path.display().to_string())?;
        if let Some(version) = plan.older_version(table.plan()) {
            let message = format!(
                "{}: its features are of version {version}, and this program makes version {SKETCH_VERSION}, by which the same texts \
                 have other tokens; make it again with lookalike frequencies",
                path.display()
            );
            return Err(Usage(message).into());
        }
        if table.plan() != plan.feature_id() {
            let message = format!(
                "{}: made with other --tokens, --shingle, --stop-words, --feature-hash or --seed; give the same ones, or \
                 make it again",
                path.display()
            );
            return Err(Usage(message).into());
        }
        Ok(Some(Arc::new(table)))
    }

    /// The table of levels, if one is named.
    pub(super) fn levels(&self, plan: &Plan) -> anyhow::Result<Option<Arc<FeatureLevels>>> {
        let Some(path) = &self.levels else { return Ok(None) };
        let content =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut levels = FeatureLevels::new(1)?;
        let mut sketcher = Sketcher::new(plan);
        for (index, line) in content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let at = || format!("{}:{}", path.display(), index + 1);
            let level =
                line.rsplit_once('\t').and_then(|(word, level)| Some((word, level.trim().parse().ok()?)));
            let Some((word, level)) = level else {
                let message = format!("{}: write a word, a tab and a level from 1 to 5", at());
                return Err(Usage(message).into());
            };
            let tokens = sketcher.token_hashes(word).len();
            let (true, &[feature]) = (tokens == plan.shingle(), sketcher.features(word)) else {
                let message =
                    format!("{}: {word:?} is not one shingle with these --tokens and --shingle", at());
                return Err(Usage(message).into());
            };
            levels.insert(feature, level).with_context(at)?;
        }
        Ok(Some(Arc::new(levels)))
    }
}

const VERIFY: &str = "--verify; without it the distance of fingerprints decides alone";

/// The words of a language, or those of a file.
fn words_of(list: &str) -> anyhow::Result<Vec<String>> {
    if let Some(words) = stop_words(list) {
        return Ok(words.map(str::to_owned).collect());
    }
    if !Path::new(list).is_file() {
        let languages = stop_word_languages().collect::<Vec<_>>().join(" ");
        let message = format!("--stop-words {list}: neither a language ({languages}) nor a file of words");
        return Err(Usage(message).into());
    }
    let content = std::fs::read_to_string(list).with_context(|| format!("cannot read {list}"))?;
    Ok(content.split_whitespace().map(str::to_owned).collect())
}
