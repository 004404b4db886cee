//! Fingerprints in a real Redis, beside a comparison of each with each.

use super::super::functions::Repeat;
use super::super::*;
use super::server::RedisServer;
use crate::log::record::NewDocument;
use lookalike::hash::SplitMix64;
use lookalike::sketch::ContentHash;
use lookalike::{Bits, Method, Options, Verification};
use std::collections::BTreeMap;

async fn connect(server: &RedisServer, name: &str, bits: Bits, hamming: u32) -> RedisIndex {
    let options = Options { method: Some(Method::SimHash), bits: Some(bits), ..Options::default() };
    let options = Options { hamming: Some(hamming), verify: Some(Verification::Exact), ..options };
    let address = server.address(name).parse().unwrap();
    RedisIndex::connect(&address, Some(&(&options.plan().unwrap()).into())).await.unwrap()
}

/// A fingerprint that differs in a few bits from one of 40.
fn fingerprint(random: &mut SplitMix64, bits: u32) -> u128 {
    let mut family = SplitMix64(random.next() % 40);
    let center = u128::from(family.next()) << 64 | u128::from(family.next());
    let flips = random.next() % 9;
    let flipped = (0..flips).fold(center, |code, _| code ^ 1 << (random.next() % u64::from(bits)));
    if bits == 64 { flipped & u128::from(u64::MAX) } else { flipped }
}

fn signature(fingerprint: u128, index: &RedisIndex) -> Vec<u8> {
    fingerprint.to_le_bytes()[..index.tables.signature_bytes()].to_vec()
}

async fn encode(index: &RedisIndex, number: u64, fingerprint: u128) -> RedisEncodedDocument {
    let (id, text) = (format!("d{number}"), format!("the text of {number}"));
    let (signature, content) = (signature(fingerprint, index), ContentHash::of_parts([number, 2, 3]));
    let document =
        NewDocument { signature: &signature, content, id: &id, text: &text, ..NewDocument::default() };
    index.encode(&document).await.unwrap()
}

/// Adds, removes and looks up documents, and compares every answer with all documents of a model.
async fn check_against_all(bits: Bits, hamming: u32, rounds: u64) {
    let server = RedisServer::start();
    let index = connect(&server, "near", bits, hamming).await;
    let (mut random, count) = (SplitMix64(u64::from(hamming)), bits.count());
    let mut model: BTreeMap<u64, u128> = BTreeMap::new();
    for round in 0..rounds {
        let mut documents = Vec::new();
        for number in round * 300..(round + 1) * 300 {
            let fingerprint = fingerprint(&mut random, count);
            documents.push(encode(&index, number, fingerprint).await);
            model.insert(number, fingerprint);
        }
        index.put_all(&documents, 0).await.unwrap();
        for _ in 0..40 {
            let number = random.next() % ((round + 1) * 300);
            let removal = index.remove(&format!("d{number}")).await.unwrap();
            assert_eq!(removal.number.is_some(), model.remove(&number).is_some());
        }
        for _ in 0..20 {
            let asked = fingerprint(&mut random, count);
            let none = ComparedDocuments::default();
            let found =
                index.candidates(&index.plan, &[], &signature(asked, &index), &none, 0).await.unwrap();
            let near = model.iter().filter(|&(_, other)| (other ^ asked).count_ones() <= hamming);
            let expected: Vec<u64> = near.map(|(&number, _)| number).collect();
            let mut numbers: Vec<u64> = found.documents.iter().map(|document| document.number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, expected, "{bits:?}, distance {hamming}");
            assert!(!found.is_capped && found.compared == expected.len() as u64);
            if count == 64 {
                assert_eq!(found.candidates, found.compared, "a table has all bits");
            }
        }
    }
    let mut read = ::redis::cmd("HGET");
    read.arg("{near}:n").arg("splits");
    let splits: i64 = index.connection.send(&read, Repeat::Safe).await.unwrap();
    assert!(rounds < 10 || splits > 100, "{splits} buckets were split");
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn near_fingerprints_are_found_at_every_size() {
    check_against_all(Bits::B64, 3, 12).await;
    check_against_all(Bits::B128, 3, 12).await;
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn fingerprints_are_found_at_every_distance() {
    for hamming in [0, 1, 2, 5, 9] {
        check_against_all(Bits::B64, hamming, 2).await;
        check_against_all(Bits::B128, hamming, 2).await;
    }
}

/// An index without texts has 32 bits of each content hash, and its signature stands in for the others.
#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn without_texts_a_text_is_another_if_its_signature_differs() {
    let server = RedisServer::start();
    let options = Options { verify: Some(Verification::Estimate), ..Options::default() };
    let new = crate::NewIndex { stores_texts: false, ..(&options.plan().unwrap()).into() };
    let address = server.address("signed").parse().unwrap();
    let index = RedisIndex::connect(&address, Some(&new)).await.unwrap();
    let keys = vec![7_u64 << 32; index.tables.keys()];
    let none = ComparedDocuments::default();
    for (last, step) in [
        (1, AddStep::Added(0)),
        (1, AddStep::Unchanged(0)),
        (2, AddStep::OtherText(0)),
        (1, AddStep::Unchanged(0)),
    ] {
        let mut signature = vec![3; index.tables.signature_bytes()];
        signature[127] = last;
        let content = ContentHash::of_parts([9, u64::from(last), 5]);
        let document =
            NewDocument { keys: &keys, signature: &signature, content, id: "a", ..NewDocument::default() };
        let encoded = index.encode(&document).await.unwrap();
        assert_eq!(index.try_add(&encoded, AddMode::Ignore, &none, 0).await.unwrap().step, step);
    }
}
