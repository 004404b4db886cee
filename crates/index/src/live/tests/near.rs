//! Documents that are found by near fingerprints, beside a list of fingerprints that is searched from start to end.

use super::*;
use crate::keys::tables::Tables;
use crate::new_index::NewIndex;
use lookalike::Bits;
use std::collections::BTreeSet;

fn plan(bits: Bits, hamming: u32) -> Plan {
    let options = Options { method: Some(Method::SimHash), ..Options::default() };
    Options { bits: Some(bits), hamming: Some(hamming), ..options }.plan().unwrap()
}

/// The fingerprint of the document with this number. Those of twenty documents each are near each other.
fn fingerprint(number: u64) -> u128 {
    let mut generator = SplitMix64(number / 20);
    let start = u128::from(generator.next()) << 64 | u128::from(generator.next());
    let mut flips = SplitMix64(number);
    (0..flips.next() % 12).fold(start, |value, _| value ^ 1 << (flips.next() % 128))
}

/// The bytes of a fingerprint that are stored.
fn signature(value: u128, bits: Bits) -> Vec<u8> {
    value.to_le_bytes()[..bits.count() as usize / 8].to_vec()
}

/// Adds the document with this number.
fn add(writer: &mut IndexWriter, tables: &Tables, bits: Bits, number: u64) {
    let signature = signature(fingerprint(number), bits);
    let keys = tables.part_keys(&signature);
    let new = NewDocument {
        keys: &keys,
        signature: &signature,
        content: content(number),
        id: &format!("id{number}"),
        text: "a text",
        ..NewDocument::default()
    };
    assert_eq!(writer.add(&writer.encoder().encode(&new), &keys), number);
}

/// Checks that the documents of `snapshot` that are near those of some numbers are found, and few others.
fn check(snapshot: &Snapshot, tables: &Tables, plan: &Plan, documents: u64, removed: &[u64]) {
    let simhash = plan.simhash().unwrap();
    let near = |a: u64, b: u64| {
        let differing = signature(fingerprint(a) ^ fingerprint(b), simhash.bits);
        differing.iter().map(|byte| byte.count_ones()).sum::<u32>() <= simhash.hamming
    };
    let is_there = |number: &u64| !content(*number).is_empty() && !removed.contains(number);
    let mut others = 0;
    for wanted in 0..documents {
        let keys = tables.part_keys(&signature(fingerprint(wanted), simhash.bits));
        for first in [0, documents / 2] {
            let found = snapshot.candidates(&keys, first).unwrap();
            let found: BTreeSet<u64> = found.into_iter().map(|candidate| candidate.number).collect();
            let expected: BTreeSet<u64> =
                (first..documents).filter(|&other| near(wanted, other)).filter(is_there).collect();
            assert!(found.is_superset(&expected));
            others += found.difference(&expected).count();
        }
    }
    // A key has all 64 bits of a fingerprint, or half of 128.
    assert!(others == 0 || simhash.bits == Bits::B128);
}

#[test]
fn near_fingerprints_are_found_in_memtables_runs_and_an_index_that_was_opened_again() {
    let documents = 300;
    let distances =
        [(Bits::B64, 0), (Bits::B64, 2), (Bits::B64, 3), (Bits::B64, 10), (Bits::B128, 5), (Bits::B128, 12)];
    for ((bits, hamming), stores_texts) in
        distances.into_iter().flat_map(|case| [(case, true), (case, false)])
    {
        let (folder, plan) = (tempfile::tempdir().unwrap(), plan(bits, hamming));
        let (path, tables) = (folder.path().join("index"), Tables::in_folder(&plan, stores_texts));
        let index = Index::create(&path, NewIndex { stores_texts, ..NewIndex::from(&plan) }).unwrap();
        let (mut writer, reader) =
            IndexWriter::open_with(index, IndexSizes { memtable: 50, ..SIZES }).unwrap();
        for number in 0..documents {
            add(&mut writer, &tables, bits, number);
            if number % 10 == 9 {
                writer.commit(None).unwrap().finish().unwrap();
            }
        }
        check(&reader.snapshot(), &tables, &plan, documents, &[]);
        let removed: Vec<u64> = (0..documents).filter(|number| number % 7 == 0).collect();
        removed.iter().for_each(|&number| writer.remove(number));
        writer.commit(None).unwrap().finish().unwrap();
        check(&reader.snapshot(), &tables, &plan, documents, &removed);
        writer.close().unwrap();
        let index = Index::open(&path).unwrap();
        assert!(index.snapshot().parts() > 0);
        check(&index.snapshot(), &tables, &plan, documents, &removed);
        index.info(crate::Verify::Everything, &()).unwrap();
        let snapshot = index.snapshot();
        let text = snapshot.document(1).unwrap().text();
        assert!(if stores_texts { text.unwrap() == "a text" } else { matches!(text, Err(Error::NoTexts)) });
    }
}
