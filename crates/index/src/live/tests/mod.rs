//! A live index beside a list of documents that is searched from start to end.

mod backup;
mod damage;
mod expired;
mod following;
mod histories;
mod model;
mod near;
mod packed;
mod tail;

use super::sizes::IndexSizes;
use super::*;
use crate::log::record::{NewDocument, NewUrl};
use lookalike::hash::SplitMix64;
use lookalike::sketch::ContentHash;
use lookalike::{Method, Options, Plan};
use std::path::Path;

fn plan() -> Plan {
    Options {
        method: Some(Method::MinHash),
        num_perm: Some(16),
        bands: Some(4),
        rows: Some(4),
        ..Options::default()
    }
    .plan()
    .unwrap()
}

/// The keys of the document with this seed. Some are shared by many.
fn keys(seed: u64) -> Vec<u64> {
    let mut generator = SplitMix64(seed);
    (0..4).map(|_| SplitMix64(generator.next() % 60).next()).collect()
}

fn text(seed: u64) -> String {
    format!("the text of {seed}")
}

/// Even seeds have a URL.
fn url(seed: u64) -> Option<String> {
    seed.is_multiple_of(2).then(|| format!("https://example.org/{seed}"))
}

/// Seeds that are divisible by 11 have no features.
fn content(seed: u64) -> ContentHash {
    ContentHash::of_parts(if seed.is_multiple_of(11) { [0; 3] } else { [seed, seed + 1, 7] })
}

/// The second at which the document with this seed expires that is added at second `now`.
fn expires(seed: u64, now: u32) -> Option<u32> {
    seed.is_multiple_of(5).then_some(now.saturating_add(40 * seed as u32))
}

/// Adds the document with this seed at second `now`.
fn add(writer: &mut IndexWriter, seed: u64, now: u32) -> u64 {
    let (keys, signature) = (keys(seed), [seed as u8; 16]);
    let encoded = writer.encoder().encode(&NewDocument {
        keys: &keys,
        signature: &signature,
        content: content(seed),
        id: &format!("id{seed}"),
        text: &text(seed),
        time: Some(now),
        expires: expires(seed, now),
        meta: seed.is_multiple_of(3).then_some("{}"),
        url: url(seed).as_deref().map(NewUrl::new),
        ..NewDocument::default()
    });
    writer.add(&encoded, &keys)
}

const SIZES: IndexSizes = IndexSizes { memtable: 16, log_file: 1500, compaction: 1 };

fn open(path: &Path) -> (IndexWriter, IndexReader) {
    let index = match Index::is_at(path) {
        true => Index::open_to_add(path).unwrap(),
        false => Index::create(path, &plan()).unwrap(),
    };
    IndexWriter::open_with(index, SIZES).unwrap()
}
