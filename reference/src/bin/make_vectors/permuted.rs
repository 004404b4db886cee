//! Writes `datasketch.json`: MinHash values of the Python library datasketch.

use lookalike_reference::permuted::{Scheme, values};
use serde::Serialize;

use crate::{hex, json, json_file};

const COMMENT: &str = "\
MinHash values as the Python library datasketch 2.0 makes them, by reference/src/bin/make_vectors. Do not edit.
Numbers of 64 bits are strings of 16 hexadecimal digits. The definition: reference/src/permuted.rs.

'sketches': a set of 'count' hashes. Hash i, from 0, is i times 9e3779b97f4a7c15 modulo 2^64. For affine32 and legacy it
is that modulo 2^32. 'values' has one value for each of 'num_perm' permutations of 'seed'.

To check all of it without Rust: reference/check_vectors.py.";

#[derive(Serialize)]
struct Sketch {
    scheme: &'static str,
    num_perm: usize,
    seed: u32,
    count: u64,
    values: Vec<String>,
}

/// The content of the file.
pub(crate) fn file() -> String {
    let mut sketches = Vec::new();
    let schemes =
        [("affine32", Scheme::Affine32), ("affine64", Scheme::Affine64), ("legacy", Scheme::Legacy)];
    for (name, scheme) in schemes {
        for (num_perm, seed, count) in
            [(1, 0, 0), (4, 1, 1), (33, 7, 20), (128, 1, 100), (700, u32::MAX, 1000)]
        {
            let mask = if scheme == Scheme::Affine64 { u64::MAX } else { u64::from(u32::MAX) };
            let hash = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
            let hashes: Vec<u64> = (0..count).map(hash).collect();
            let values = values(scheme, num_perm, seed, &hashes).into_iter().map(hex).collect();
            sketches.push(json(Sketch { scheme: name, num_perm, seed, count, values }));
        }
    }
    json_file(COMMENT, &[("sketches", sketches)])
}
