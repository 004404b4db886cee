//! The errors of the library: invalid options, sketches made in different ways, damaged tables.

use std::fmt::Display;

/// Why [`Options`](crate::Options) give no [`Plan`](crate::Plan).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A single option is out of its range.
    #[error("{option} is {value}; it must be {range}")]
    OutOfRange {
        /// The option's name.
        option: &'static str,
        /// The rejected value.
        value: String,
        /// The values that are allowed.
        range: &'static str,
    },
    /// The bands take more values than the signature has.
    #[error(
        "{} of {} need {} values, and a signature has {num_perm}",
        several(*bands, "band"),
        several(*rows, "row"),
        bands * rows
    )]
    Banding {
        /// The requested number of bands.
        bands: usize,
        /// The requested number of rows.
        rows: usize,
        /// Values per signature.
        num_perm: usize,
    },
    /// A feature hash other than XXH3, without SimHash.
    #[error("feature hashes other than xxh3 need method simhash")]
    FeatureHash,
    /// Folds were requested for tokens that are not of the normal form.
    #[error("tokens whitespace leave a text as it is, so that fold has no effect; use tokens words or chars")]
    FoldedWhitespace,
    /// Stop words whose characters are tokens of their own.
    #[error(
        "the stop word {word}{} is several tokens, as its script has no spaces; leave it out, or use tokens jieba if it is a Chinese word of \
         that dictionary",
        if *others == 0 { String::new() } else { format!(", like {},", several(*others, "other")) }
    )]
    StopWords {
        /// The first of them.
        word: String,
        /// How many more there are.
        others: usize,
    },
    /// Words were given for the dictionary of jieba, and the tokens are others.
    #[error("words for the dictionary of jieba have an effect with tokens jieba only")]
    JiebaWords,
    /// A line is none of a user dictionary of jieba.
    #[error(
        "{line:?} is no line of a dictionary of jieba, which has a word, perhaps its frequency, and perhaps a tag of letters"
    )]
    JiebaLine {
        /// The line.
        line: String,
    },
    /// Stop words were given for tokens that are characters.
    #[error("tokens chars are no words, so that stop words have no effect; use tokens words or whitespace")]
    StopCharacters,
    /// Frequent features were to be left out, and single tokens are compared.
    #[error(
        "drop_frequent has no effect on measure word-jaccard, which compares words: name them by stop_words"
    )]
    FrequentWords,
    /// A table of frequencies leaves out features that may be frequent.
    #[error(
        "the table of frequencies counted {}, and leaves out shingles of fewer than {minimum}, which may have the share of drop_frequent; \
         count more documents, or take a greater share",
        several(*documents as usize, "document")
    )]
    PrunedFrequencies {
        /// Features of fewer documents are left out.
        minimum: u32,
        /// The documents that were counted.
        documents: u64,
    },
    /// Estimates were requested of sketches that are no signatures.
    #[error("estimates are those of MinHash signatures; use method minhash")]
    EstimatedMethod,
    /// Estimates were requested of a measure that signatures do not estimate.
    #[error("estimates are of the Jaccard similarity of shingles, not of {measure}; leave the measure out")]
    EstimatedMeasure {
        /// The name of the measure.
        measure: &'static str,
    },
    /// The exact join was requested for a measure that needs weights.
    #[error("method exact compares sets; use method minhash or simhash for a cosine of weights")]
    ExactWeights,
}

/// "1 band", "2 bands".
fn several(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

impl PlanError {
    pub(crate) fn out_of_range(option: &'static str, value: impl Display, range: &'static str) -> Self {
        PlanError::OutOfRange { option, value: value.to_string(), range }
    }
}

/// Why a table of feature hashes gives no fingerprint of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the shingle {shingle:?} has no hash in the table")]
pub struct MissingHash {
    /// The first shingle that the table lacks: its tokens, joined by spaces.
    pub shingle: String,
}

/// Why two sketches, or two tables, cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("made in different ways: {field} {left} and {field} {right}")]
pub struct Incompatible {
    /// The field that differs.
    pub field: &'static str,
    /// Its value on the left.
    pub left: String,
    /// Its value on the right.
    pub right: String,
}

impl Incompatible {
    pub(crate) fn new(field: &'static str, left: impl Display, right: impl Display) -> Self {
        Incompatible { field, left: left.to_string(), right: right.to_string() }
    }

    pub(crate) fn unless_equal<T: Display + PartialEq>(
        field: &'static str,
        left: T,
        right: T,
    ) -> Result<(), Self> {
        if left == right { Ok(()) } else { Err(Self::new(field, left, right)) }
    }
}

/// Why bytes cannot be read as a table of document frequencies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrequenciesError {
    /// The bytes do not start with the table's magic bytes.
    #[error("this is no table of document frequencies")]
    Magic,
    /// This program does not know the format version.
    #[error("document frequencies have format version {found}; this program reads {known}")]
    Version {
        /// The version in the header.
        found: u32,
        /// The version that this program reads.
        known: u32,
    },
    /// The table is shorter or longer than its header says.
    #[error("document frequencies take {expected} bytes, but there are {found}")]
    Length {
        /// The length that follows from the header.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// The content does not match its checksum.
    #[error("document frequencies are damaged: their checksum is {computed:016x}, not {stored:016x}")]
    Checksum {
        /// The checksum stored in the table.
        stored: u64,
        /// The checksum computed from the content.
        computed: u64,
    },
    /// The checksum is right, but no program writes such an entry.
    #[error("entry {entry} of the document frequencies is invalid")]
    Entry {
        /// The position of the entry, from 0.
        entry: u64,
    },
}

/// A Hamming distance that cannot be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("distance is {distance}; it must be at most {most}")]
pub struct TooFar {
    /// The requested distance.
    pub distance: u32,
    /// The largest distance that can be searched for here.
    pub most: u32,
}
