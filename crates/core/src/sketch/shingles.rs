//! Shingles as strings, for reading and for hashing as other programs do.

use crate::hash::digest::{md5_end, sha1_end};
use crate::hash::fnv::fnv1a64;
use crate::hash::murmur3::murmur3_x64_128;

/// The tokens of a text joined by single spaces. Every shingle is a substring.
#[derive(Default)]
pub(super) struct Shingles {
    joined: String,
    /// Start and end of each shingle in `joined`.
    stretches: Vec<(usize, usize)>,
}

impl Shingles {
    pub(super) fn clear(&mut self) {
        self.joined.clear();
        self.stretches.clear();
    }

    /// Appends the shingles of `length` tokens of a section. If it has fewer tokens, all of them are one shingle.
    pub(super) fn append<'a>(&mut self, tokens: impl Iterator<Item = &'a str>, length: usize) {
        let Shingles { joined, stretches } = self;
        let before = stretches.len();
        for token in tokens {
            if !joined.is_empty() {
                joined.push(' ');
            }
            let start = joined.len();
            joined.push_str(token);
            stretches.push((start, joined.len()));
        }
        let tokens = stretches.len() - before;
        let length = length.min(tokens).max(1);
        let end = before + (tokens + 1).saturating_sub(length);
        for first in before..end {
            stretches[first].1 = stretches[first + length - 1].1;
        }
        stretches.truncate(end);
    }

    /// Leaves out the shingles at the places that `keeps` refuses.
    pub(super) fn retain(&mut self, keeps: impl Fn(usize) -> bool) {
        let mut place = 0;
        self.stretches.retain(|_| {
            place += 1;
            keeps(place - 1)
        });
    }

    /// The shingles, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.stretches.iter().map(|&(start, end)| &self.joined[start..end])
    }

    /// Fills `features` with the hashes of the shingles.
    pub(super) fn hash(&self, feature_hash: WholeHash, seed: u64, features: &mut Vec<u64>) {
        features.clear();
        let bytes = self.iter().map(str::as_bytes);
        match feature_hash {
            WholeHash::Murmur3 => features.extend(bytes.map(|bytes| murmur3_x64_128(bytes, seed)[0])),
            WholeHash::Fnv1a64 => features.extend(bytes.map(|bytes| fnv1a64(bytes, seed))),
            WholeHash::Md5 => features.extend(bytes.map(|bytes| md5_end(bytes, seed))),
            WholeHash::Sha1 => features.extend(bytes.map(|bytes| sha1_end(bytes, seed))),
        }
    }
}

/// A function that hashes whole strings.
#[derive(Clone, Copy)]
pub(super) enum WholeHash {
    Murmur3,
    Fnv1a64,
    Md5,
    Sha1,
}
