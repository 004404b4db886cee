//! Memtables beside lists that are searched from start to end, and the runs that are made of them.

use super::*;
use crate::keys::runs::KeyRun;
use crate::life::NEVER;
use crate::life::extended::Extended;
use crate::life::removed::RemovedDocuments;
use lookalike::hash::SplitMix64;
use std::convert::Infallible;

/// The keys of a document in three bands, some of which are shared, or none.
fn keys(document: u64) -> Vec<u64> {
    let mut generator = SplitMix64(document);
    let count = if document % 10 == 3 { 0 } else { 3 };
    (0..count).map(|_| SplitMix64(generator.next() % 500).next()).collect()
}

fn tables() -> Arc<Tables> {
    Arc::new(Tables::of_bands(3, 0))
}

fn id(document: u64) -> u64 {
    SplitMix64(document / 2).next()
}

fn push(memtable: &Memtable, document: u64, place: u64) {
    let url = document.is_multiple_of(3).then_some(id(document));
    memtable.push(DocumentKeys { sketch: &keys(document), id: id(document), url }, place, NEVER);
}

fn filled(first: u64, documents: u64) -> Memtable {
    let memtable = Memtable::new(first, tables(), documents as usize);
    (0..documents).for_each(|document| push(&memtable, document, document * 100));
    memtable
}

fn sorted(mut found: Vec<u64>) -> Vec<u64> {
    found.sort_unstable();
    found
}

#[test]
fn a_document_is_found_by_each_of_its_keys_and_by_its_id() {
    let (first, documents) = (1 << 33, 2000);
    let memtable = filled(first, documents);
    assert_eq!(memtable.range(), first..first + documents);
    for wanted in 0..50 {
        let shares = |band: usize| {
            (0..documents).filter(move |&other| keys(other).get(band) == Some(&keys(wanted)[band]))
        };
        let mut found = Vec::new();
        memtable.look_up(0, &keys(wanted), 0, &mut found);
        let expected = (0..keys(wanted).len()).flat_map(shares).map(|other| first + other);
        assert_eq!(sorted(found), sorted(expected.collect()));
        let mut found = Vec::new();
        memtable.look_up(3, &[id(wanted)], 0, &mut found);
        assert_eq!(sorted(found), [first + wanted / 2 * 2, first + wanted / 2 * 2 + 1]);
        assert_eq!(memtable.place(first + wanted), wanted * 100);
        let (mut newer, mut found) = (Vec::new(), Vec::new());
        memtable.look_up(0, &keys(wanted), first + 1500, &mut newer);
        memtable.look_up(0, &keys(wanted), 0, &mut found);
        found.retain(|&number| number >= first + 1500);
        assert_eq!(newer, found);
    }
}

#[test]
fn a_run_that_is_written_of_it_finds_the_same_without_removed_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let memtable = filled(70, 2000);
    let removed: Vec<u64> = memtable.range().filter(|number| number % 4 == 0).collect();
    let own = memtable.range().map(|number| Ok::<_, Infallible>(memtable.expiry(number)));
    let lives = Lives::new(70, own, &RemovedDocuments::of(&removed), &Extended::default(), 0).unwrap();
    memtable.write_run(&path, 1, &lives).unwrap();
    let run = KeyRun::open(&path, 1, &tables()).unwrap();
    assert_eq!(run.range(), memtable.range());
    for wanted in 0..200 {
        for (table, keys) in [(0, keys(wanted)), (3, vec![id(wanted)]), (4, vec![id(wanted)])] {
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            memtable.look_up(table, &keys, 0, &mut expected);
            run.look_up(table, &keys, &mut found).unwrap();
            expected.retain(|number| number % 4 != 0);
            assert_eq!(sorted(found), sorted(expected));
        }
        assert_eq!(run.place(70 + wanted).unwrap(), wanted * 100);
    }
}

#[test]
fn a_copy_of_the_first_documents_equals_a_memtable_of_these() {
    let (whole, first) = (filled(7, 500), filled(7, 300));
    let copy = whole.up_to(307);
    assert_eq!(copy.range(), first.range());
    for wanted in 0..500 {
        for (table, keys) in [(0, keys(wanted)), (3, vec![id(wanted)]), (4, vec![id(wanted)])] {
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            first.look_up(table, &keys, 0, &mut expected);
            copy.look_up(table, &keys, 0, &mut found);
            assert_eq!(found, expected);
        }
    }
    assert_eq!(copy.place(200), first.place(200));
}

#[test]
fn readers_beside_the_writer_find_whole_documents_only() {
    let memtable = Memtable::new(0, tables(), 20_000);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for document in 0..20_000 {
                push(&memtable, document, document * 100 + 1);
            }
        });
        loop {
            let seen = memtable.range().end;
            for document in (0..seen).rev().take(100) {
                let mut found = Vec::new();
                memtable.look_up(0, &keys(document), 0, &mut found);
                let bands = keys(document).len();
                assert!(found.iter().filter(|&&other| other == document).count() == bands);
                assert!(found.iter().all(|&other| memtable.place(other) == other * 100 + 1));
            }
            if seen == 20_000 {
                break;
            }
        }
    });
}
