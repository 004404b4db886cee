//! How a plan makes features of shingles, and signatures of features.
//!
//! Not for: making them; that is `sketch`.

/// Which function makes features of shingles.
///
/// `Xxh3` hashes tokens, and combines their hashes. The others are for fingerprints that must agree with those of other
/// programs: they hash the UTF-8 bytes of the shingle's tokens, joined by one space.
///
/// Different shingles have different strings, so no two are mixed up before they are hashed: words and white-space tokens
/// hold no space, but for the one token that a text without any word is; and among characters, each of which is one
/// token, every second character of the string is a separator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum FeatureHash {
    /// XXH3 of tokens, a polynomial over them, and a finaliser. By far the fastest.
    #[default]
    Xxh3,
    /// MurmurHash3, the first 64 bits of its version for 64-bit machines with 128.
    Murmur3,
    /// FNV-1a with 64 bits. Over bytes: programs that hash UTF-16 units agree on ASCII only. Bits of short strings are
    /// far from independent.
    Fnv1a64,
}

impl FeatureHash {
    /// Every function, by the name that people give it.
    pub const ALL: [(&'static str, FeatureHash); 3] =
        [("xxh3", FeatureHash::Xxh3), ("murmur3", FeatureHash::Murmur3), ("fnv1a64", FeatureHash::Fnv1a64)];

    /// The name people give it.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// How signatures are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Scheme {
    /// Bucketed MinHash: truncated Fast Similarity Sketching.
    #[default]
    Bucketed,
    /// One hash function per position.
    Classic,
}

impl Scheme {
    /// Every scheme, by the name that people give it.
    pub const ALL: [(&'static str, Scheme); 2] =
        [("bucketed", Scheme::Bucketed), ("classic", Scheme::Classic)];

    /// The name people give it.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Bucketed => "bucketed",
            Scheme::Classic => "classic",
        }
    }
}
