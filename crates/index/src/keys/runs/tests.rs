//! Runs beside a list of keys that is searched from start to end.

use super::*;
use crate::keys::key::{KEY_BITS, held};
use crate::life::Lives;
use crate::life::extended::Extended;
use crate::life::removed::RemovedDocuments;
use lookalike::hash::SplitMix64;
use proptest::prelude::*;
use std::sync::Arc;

const OWNER: u64 = 9;

/// A run of documents with these keys, one for each table, from number `first` on.
fn run(path: &Path, first: u64, keys: &[[u64; 3]]) -> Arc<KeyRun> {
    let mut writer = RunWriter::create(path, OWNER, &[KEY_BITS; 3], first, keys.len() as u64).unwrap();
    for table in 0..3 {
        write_table(&mut writer, (first..).zip(keys).map(|(number, keys)| (keys[table], number)).collect())
            .unwrap();
    }
    let expiries: Vec<u32> = (first..first + keys.len() as u64).map(expiry_of).collect();
    let places = (first..first + keys.len() as u64).map(|number| Ok(place_of(number)));
    let summary = writer.finish(places, &expiries).unwrap();
    let run = KeyRun::open(path, OWNER, &Tables::of_bands(1, 0)).unwrap();
    assert_eq!((summary.bytes, summary.digest), (run.file().length(), run.file().digest()));
    Arc::new(run)
}

/// Some documents never expire.
fn expiry_of(number: u64) -> u32 {
    if number.is_multiple_of(5) { NEVER } else { 1000 + number as u32 % 100 }
}

/// Which documents of `runs` are alive.
fn lives(runs: &[Arc<KeyRun>], removed: &[u64], dropped: u32) -> Lives {
    let own = runs.iter().flat_map(|run| run.expiries());
    Lives::new(runs[0].range().start, own, &RemovedDocuments::of(removed), &Extended::default(), dropped)
        .unwrap()
}

fn place_of(number: u64) -> u64 {
    number * 1000 + number % 7
}

fn look_up(run: &KeyRun, keys: &[u64; 3]) -> Vec<u64> {
    let mut found = Vec::new();
    run.look_up(0, keys, &mut found).unwrap();
    found
}

/// The documents that share a key with `wanted`, once for each, by comparing all keys.
fn brute_force(first: u64, keys: &[[u64; 3]], wanted: &[u64; 3]) -> Vec<u64> {
    let shares = |table: usize| {
        let documents = (first..).zip(keys);
        documents.filter(move |(_, keys)| keys[table] == wanted[table]).map(|(number, _)| number)
    };
    (0..3).flat_map(shares).collect()
}

/// Keys of documents, some of which are shared.
fn keys(count: usize, seed: u64) -> Vec<[u64; 3]> {
    let mut generator = SplitMix64(seed);
    let distinct = count as u64 * 2 / 3 + 1;
    let mut key = |_| held(SplitMix64(generator.next() % distinct).next());
    (0..count).map(|_| [0, 1, 2].map(&mut key)).collect()
}

#[test]
fn a_run_finds_the_documents_that_share_a_key_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    for (count, first) in [(1, 0), (2, 9), (63, 7), (64, 1 << 40), (5000, 100), (70_000, 3)] {
        let keys = keys(count, count as u64);
        let run = run(&folder.path().join("run"), first, &keys);
        assert_eq!(run.range(), first..first + count as u64);
        for wanted in keys.iter().step_by(count / 50 + 1) {
            assert_eq!(look_up(&run, wanted), brute_force(first, &keys, wanted));
            let others = wanted.map(|key| key ^ 1 << 41);
            assert_eq!(look_up(&run, &others), brute_force(first, &keys, &others));
        }
        assert!(run.range().zip(run.places()).all(|(number, place)| place.unwrap() == place_of(number)));
    }
}

#[test]
fn a_merged_run_equals_a_run_of_all_documents_without_the_dead_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let keys = keys(20_000, 5);
    let parts = [0..12_000, 12_000..12_001, 12_001..20_000];
    let runs: Vec<Arc<KeyRun>> = parts
        .iter()
        .map(|range| {
            run(&path(&format!("run {}", range.start)), 50 + range.start as u64, &keys[range.clone()])
        })
        .collect();
    merge(&path("merged"), OWNER, &runs, &lives(&runs, &[], 0), &()).unwrap();
    run(&path("whole"), 50, &keys);
    assert!(std::fs::read(path("merged")).unwrap() == std::fs::read(path("whole")).unwrap());

    let removed: Vec<u64> = (50..20_050).filter(|number| number % 3 == 0).collect();
    merge(&path("without"), OWNER, &runs, &lives(&runs, &removed, 1009), &()).unwrap();
    let without = KeyRun::open(&path("without"), OWNER, &Tables::of_bands(1, 0)).unwrap();
    for wanted in keys.iter().step_by(400) {
        let mut expected = brute_force(50, &keys, wanted);
        expected.retain(|&number| number % 3 != 0 && expiry_of(number) > 1009);
        assert_eq!(look_up(&without, wanted), expected);
    }
    assert!(without.range().all(|number| without.expiry(number).unwrap() == expiry_of(number)));
    assert!(without.range().zip(without.places()).all(|(number, place)| place.unwrap() == place_of(number)));
}

#[test]
fn a_flipped_byte_is_reported_or_changes_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (path, damaged) = (folder.path().join("run"), folder.path().join("damaged"));
    let keys = keys(100, 8);
    run(&path, 0, &keys);
    let whole = std::fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 16;
        std::fs::write(&damaged, &bytes).unwrap();
        let Ok(run) = KeyRun::open(&damaged, OWNER, &Tables::of_bands(1, 0)) else { continue };
        for wanted in &keys {
            let mut found = Vec::new();
            let is_refused = run.look_up(0, wanted, &mut found).is_err();
            assert!(is_refused || found == brute_force(0, &keys, wanted), "byte {at}");
        }
        assert!(run.file().verify().is_err(), "byte {at}");
    }
}

proptest! {
    /// However documents arrive, a handful of runs is left, and each is at least three times as large as all that follow it.
    #[test]
    fn merging_leaves_few_runs(added in prop::collection::vec(1..1000_u64, 1..200)) {
        let mut runs = Vec::new();
        for documents in added {
            runs.push(documents);
            while let Some(range) = next_merge(&runs) {
                let sum = runs.drain(range).sum();
                runs.push(sum);
            }
            let behind = |first: usize| runs[first + 1..].iter().sum::<u64>();
            prop_assert!((0..runs.len()).all(|first| runs[first] >= 3 * behind(first)));
            prop_assert!(runs.len() <= 10);
        }
    }
}
