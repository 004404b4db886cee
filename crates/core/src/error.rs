//! What can be wrong with what the library is asked for.

use std::fmt::Display;

/// Why [`Options`](crate::Options) make no [`Plan`](crate::Plan).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A single option is out of its range.
    #[error("{option} is {value}; it must be {range}")]
    OutOfRange {
        /// The option's name.
        option: &'static str,
        /// What it was set to.
        value: String,
        /// What it may be.
        range: &'static str,
    },
    /// The bands take more values than the signature has.
    #[error("{bands} bands of {rows} rows do not fit a signature of {num_perm} values; raise num_perm")]
    Banding {
        /// Bands asked for.
        bands: usize,
        /// Rows asked for.
        rows: usize,
        /// Values per signature.
        num_perm: usize,
    },
    /// Another feature hash than XXH3 without SimHash.
    #[error("feature hashes other than xxh3 go with method simhash only")]
    FeatureHash,
    /// The exact join of a measure that needs weights.
    #[error("method exact compares sets; use method minhash or simhash for a cosine of weights")]
    ExactWeights,
}

impl PlanError {
    pub(crate) fn out_of_range(option: &'static str, value: impl Display, range: &'static str) -> Self {
        PlanError::OutOfRange { option, value: value.to_string(), range }
    }
}

/// Why two sketches, or two tables, cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("made in different ways: {field} {left} and {field} {right}")]
pub struct Incompatible {
    /// In what they differ.
    pub field: &'static str,
    /// What it is on the left.
    pub left: String,
    /// What it is on the right.
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

/// Why bytes are no table of document frequencies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FrequenciesError {
    /// They do not start as such a table does.
    #[error("these are no document frequencies of lookalike")]
    Magic,
    /// They are of a version that this program does not know.
    #[error("document frequencies have format version {found}; this program reads {known}")]
    Version {
        /// The version they have.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// There are fewer or more of them than the table takes.
    #[error("document frequencies take {expected} bytes, but there are {found}")]
    Length {
        /// How many the header asks for.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// They are not what was written.
    #[error("document frequencies are damaged: their checksum is {computed:016x}, not {stored:016x}")]
    Checksum {
        /// The checksum in the table.
        stored: u64,
        /// The checksum of its content.
        computed: u64,
    },
    /// The checksum is right, but this is no table that was ever written.
    #[error("entry {entry} of the document frequencies cannot be")]
    Entry {
        /// Which one, from 0.
        entry: u64,
    },
}

/// A Hamming distance that cannot be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("distance is {distance}; it must be at most {most}")]
pub struct TooFar {
    /// The distance asked for.
    pub distance: u32,
    /// The largest that can be searched for here.
    pub most: u32,
}
