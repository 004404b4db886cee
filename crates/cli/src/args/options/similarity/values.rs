//! The values of options that take a name. Their doc comments are the help.

use clap::ValueEnum;
use lookalike::text::Fold;
use lookalike::{FeatureHash, Measure, Method, Scheme, Tie, Tokens, Verification, Weighting};

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum MethodArg {
    /// Exact where it costs little, otherwise minhash. --num-perm, --bands, --rows and --scheme choose minhash. The summary has
    /// the choice and the reason
    Auto,
    /// Find pairs with known recall, and compare them exactly
    Minhash,
    /// Find all pairs. The shingles of all documents are held in memory, 8 bytes each
    Exact,
    /// Find documents with nearly the same fingerprint, with little memory and low accuracy (docs/how-similar-is-distance-3.md)
    Simhash,
}

/// How much an index takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SizeArg {
    /// 128 values for a signature: 21 bands of 6 at threshold 0.8
    Normal,
    /// 80 values for a signature: 16 bands of 5 at threshold 0.8. An index takes a third less without its texts, and has the same recall.
    /// More documents of low similarity are compared
    Small,
}

impl SizeArg {
    pub(crate) const ALL: [SizeArg; 2] = [SizeArg::Normal, SizeArg::Small];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            SizeArg::Normal => "normal",
            SizeArg::Small => "small",
        }
    }

    /// The values of a signature.
    pub(crate) fn num_perm(self) -> usize {
        match self {
            SizeArg::Normal => 128,
            SizeArg::Small => 80,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum MeasureArg {
    /// Shared shingles, divided by all shingles of both texts
    Jaccard,
    /// Shared words, divided by all words of both texts
    WordJaccard,
    /// The cosine of the angle between the two vectors of weights
    Cosine,
    /// Shared shingles, divided by all shingles of the smaller text
    Containment,
}

/// What decides about candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum VerifyArg {
    /// The similarity by --measure, counted in both texts
    Exact,
    /// The similarity that two MinHash signatures estimate: with 128 values, 0.8 give or take 0.07. No text is compared. For an
    /// index without texts
    Estimate,
}

impl From<VerifyArg> for Verification {
    fn from(verify: VerifyArg) -> Self {
        match verify {
            VerifyArg::Exact => Verification::Exact,
            VerifyArg::Estimate => Verification::Estimate,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::args) enum FoldArg {
    /// Numbers: every run of digits is the same word. For log lines, prices and dates
    Digits,
    /// Accents and other diacritical marks, the strokes of đ ħ ł ø ŧ, and the dot of i
    Accents,
    /// Spellings of one Arabic letter: ی ى ي, ک ك, ه ة ہ ە, ا ٱ, and hamza and madda above or below a letter
    ArabicLetters,
    /// A hyphen between two letters, and the line end behind it: words that are cut at the ends of lines
    Hyphens,
    /// The difference of traditional and simplified Chinese characters
    Chinese,
}

impl From<FoldArg> for Fold {
    fn from(fold: FoldArg) -> Self {
        match fold {
            FoldArg::Digits => Fold::Digits,
            FoldArg::Accents => Fold::Accents,
            FoldArg::ArabicLetters => Fold::ArabicLetters,
            FoldArg::Hyphens => Fold::Hyphens,
            FoldArg::Chinese => Fold::Chinese,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::args) enum TokensArg {
    /// Words of letters, digits, and the marks that stand in them. Case and compatibility forms do not count (Unicode's
    /// NFKC_Casefold), and neither do invisible characters, Arabic harakat and Hebrew points. Punctuation and emoji separate words,
    /// but a text of nothing else is one word. In Chinese, Japanese, Thai, Lao, Khmer and Burmese each character with its marks is a
    /// word
    Words,
    /// The text between white space, with case and invisible characters
    Whitespace,
    /// Every character of what words are cut from, with one space for a run of white space
    Chars,
    /// Like words, but the dictionary of jieba cuts Chinese into words
    #[cfg(feature = "jieba")]
    Jieba,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SchemeArg {
    /// Bucketed MinHash: faster and more accurate
    Bucketed,
    /// One hash function per value
    Classic,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum WeightsArg {
    /// Each different feature counts once
    Set,
    /// Term frequency: a feature counts as often as it occurs
    Tf,
    /// 1 + log2 of the term frequency
    LogTf,
    /// Term frequency times ln(N / (df + 1)), for a feature in df of N documents. Counting takes 16 to 48 bytes for each
    /// different feature, so count a sample of a large corpus
    TfIdf,
    /// The level of --levels times the term frequency
    Levels,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FeatureHashArg {
    /// XXH3 of tokens, combined
    Xxh3,
    /// MurmurHash3 of the shingle, its tokens joined by spaces
    Murmur3,
    /// FNV-1a of the shingle, its tokens joined by spaces
    Fnv1a64,
    /// The last 8 bytes of the MD5 of the shingle, as the Python library simhash takes them
    Md5,
    /// The last 8 bytes of the SHA-1 of the shingle
    Sha1,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum TieArg {
    /// The bit is 0
    Zero,
    /// The bit is 1
    One,
}

impl From<MethodArg> for Method {
    fn from(method: MethodArg) -> Self {
        match method {
            MethodArg::Auto | MethodArg::Minhash => Method::MinHash,
            MethodArg::Exact => Method::Exact,
            MethodArg::Simhash => Method::SimHash,
        }
    }
}

impl From<MeasureArg> for Measure {
    fn from(measure: MeasureArg) -> Self {
        match measure {
            MeasureArg::Jaccard => Measure::Jaccard,
            MeasureArg::WordJaccard => Measure::WordJaccard,
            MeasureArg::Cosine => Measure::Cosine,
            MeasureArg::Containment => Measure::Containment,
        }
    }
}

impl From<TokensArg> for Tokens {
    fn from(tokens: TokensArg) -> Self {
        match tokens {
            TokensArg::Words => Tokens::Words,
            TokensArg::Whitespace => Tokens::Whitespace,
            TokensArg::Chars => Tokens::Chars,
            #[cfg(feature = "jieba")]
            TokensArg::Jieba => Tokens::Jieba,
        }
    }
}

impl From<SchemeArg> for Scheme {
    fn from(scheme: SchemeArg) -> Self {
        match scheme {
            SchemeArg::Bucketed => Scheme::Bucketed,
            SchemeArg::Classic => Scheme::Classic,
        }
    }
}

impl From<WeightsArg> for Weighting {
    fn from(weights: WeightsArg) -> Self {
        match weights {
            WeightsArg::Set => Weighting::Set,
            WeightsArg::Tf => Weighting::Tf,
            WeightsArg::LogTf => Weighting::LogTf,
            WeightsArg::TfIdf => Weighting::TfIdf,
            WeightsArg::Levels => Weighting::Levels,
        }
    }
}

impl From<FeatureHashArg> for FeatureHash {
    fn from(hash: FeatureHashArg) -> Self {
        match hash {
            FeatureHashArg::Xxh3 => FeatureHash::Xxh3,
            FeatureHashArg::Murmur3 => FeatureHash::Murmur3,
            FeatureHashArg::Fnv1a64 => FeatureHash::Fnv1a64,
            FeatureHashArg::Md5 => FeatureHash::Md5,
            FeatureHashArg::Sha1 => FeatureHash::Sha1,
        }
    }
}

impl From<TieArg> for Tie {
    fn from(tie: TieArg) -> Self {
        match tie {
            TieArg::Zero => Tie::Zero,
            TieArg::One => Tie::One,
        }
    }
}
