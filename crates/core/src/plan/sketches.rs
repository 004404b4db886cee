//! How a plan makes features of shingles, and signatures of features.
//!
//! Not for: making them, which is done in `sketch`.

/// The function that makes features of shingles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum FeatureHash {
    /// XXH3 of tokens, a polynomial over them, and a finaliser. By far the fastest.
    #[default]
    Xxh3,
    /// MurmurHash3: the first 64 bits of the 128-bit version for 64-bit machines.
    Murmur3,
    /// FNV-1a with 64 bits, over UTF-8 bytes. Programs that hash UTF-16 units agree on ASCII only. Bits of short
    /// strings are far from independent.
    Fnv1a64,
    /// MD5: the last 8 of its 16 bytes, the first of them the most significant, as the Python library simhash takes them.
    Md5,
    /// SHA-1: the last 8 of its 20 bytes, in the same way.
    Sha1,
}

impl FeatureHash {
    /// Every function, with its name in options and files.
    pub const ALL: [(&'static str, FeatureHash); 5] = [
        ("xxh3", FeatureHash::Xxh3),
        ("murmur3", FeatureHash::Murmur3),
        ("fnv1a64", FeatureHash::Fnv1a64),
        ("md5", FeatureHash::Md5),
        ("sha1", FeatureHash::Sha1),
    ];

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// The scheme by which signatures are made.
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
    /// Every scheme, with its name in options and files.
    pub const ALL: [(&'static str, Scheme); 2] =
        [("bucketed", Scheme::Bucketed), ("classic", Scheme::Classic)];

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Bucketed => "bucketed",
            Scheme::Classic => "classic",
        }
    }
}
