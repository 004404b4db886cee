//! The errors of sketches and indexes, with the messages that Python shows.

/// Why something cannot be done with sketches, or with the bytes of an index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Error {
    /// A sketch has another number of values than the index.
    #[error("expecting a MinHash of {needed} values, and this one has {length}")]
    OtherLength { needed: usize, length: usize },
    /// A sketch has fewer values than a forest uses.
    #[error("the MinHash has {length} values, and {needed} are needed")]
    TooShort { needed: usize, length: usize },
    /// A sketch has another scheme than those that are there.
    #[error("the MinHash has scheme {other:?}, and those of this {holder} have {own:?}")]
    OtherScheme { holder: &'static str, own: &'static str, other: &'static str },
    /// A sketch has another seed than those that are there.
    #[error("the MinHash has seed {other}, and those of this index have {own}")]
    OtherSeed { own: i64, other: i64 },
    /// Two sketches were made in different ways.
    #[error("cannot {verb} MinHash with different {differing}")]
    Differing { verb: &'static str, differing: &'static str },
    /// Other values cannot replace those of a sketch.
    #[error("{needed} hash values are needed, and {given} given")]
    OtherCount { needed: usize, given: usize },
    /// A value has more bits than the scheme.
    #[error("hash values out of range for scheme {scheme:?}")]
    ValueOutOfRange { scheme: &'static str },
    /// numpy does not take the seed.
    #[error("seed must be between 0 and 2**32 - 1")]
    SeedOutOfRange,
    /// Bytes are no stored index.
    #[error("these bytes are no tables of MinHashLSH, or they are damaged")]
    DamagedLsh,
    /// Bytes are no stored forest.
    #[error("these bytes are no tables of MinHashLSHForest")]
    DamagedForest,
}

impl Error {
    /// Whether two things were made in different ways. The others are wrong by themselves.
    pub fn is_incompatible(&self) -> bool {
        match self {
            Error::OtherLength { .. }
            | Error::TooShort { .. }
            | Error::OtherScheme { .. }
            | Error::OtherSeed { .. }
            | Error::Differing { .. } => true,
            Error::OtherCount { .. }
            | Error::ValueOutOfRange { .. }
            | Error::SeedOutOfRange
            | Error::DamagedLsh
            | Error::DamagedForest => false,
        }
    }
}
