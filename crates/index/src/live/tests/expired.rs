//! What is left of documents that have expired.

use super::*;
use crate::disk::checkpoint::Checkpoint;
use crate::disk::new_files::NewFiles;

/// The documents that the runs have by the id of this seed, whether they are alive or not.
fn in_runs(reader: &IndexReader, seed: u64) -> Vec<u64> {
    let (state, mut found) = (reader.0.state(), Vec::new());
    let id = crate::encode::id_hash(&format!("id{seed}"));
    state.runs.iter().for_each(|run| run.look_up(4, &[id], &mut found).unwrap());
    found
}

#[test]
fn keys_of_documents_that_expired_an_hour_ago_are_in_no_new_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (mut writer, reader) = open(&path);
    // It expires at second 200.
    add(&mut writer, 5, 0);
    (1..5).for_each(|seed| _ = add(&mut writer, seed, 3799));
    writer.commit(None).unwrap().finish().unwrap();
    writer.close().unwrap();
    assert_eq!(in_runs(&reader, 5), [0]);
    let (mut writer, reader) = open(&path);
    (1..5).for_each(|seed| _ = add(&mut writer, seed, 3800));
    writer.commit(None).unwrap().finish().unwrap();
    writer.close().unwrap();
    let index = Index::open_to_add(&path).unwrap();
    assert_eq!((index.state.runs.len(), index.state.dropped), (2, 0));
    let (writer, reader_after) = IndexWriter::open_with(index, SIZES).unwrap();
    reader_after.merge_all(3800, &()).unwrap();
    assert_eq!(reader_after.0.state().runs.len(), 1);
    assert_eq!((in_runs(&reader_after, 5), in_runs(&reader_after, 3)), (vec![], vec![3, 7]));
    assert_eq!(reader_after.0.state().dropped, 200);
    assert!(reader_after.snapshot().find("id5").unwrap().is_none());
    drop((reader, writer));
    assert_eq!(Index::open(&path).unwrap().state.dropped, 200);
}

#[test]
fn alive_are_the_documents_that_were_not_removed_and_have_not_expired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (mut writer, _) = open(&path);
    // They expire at seconds 200 and 400.
    (1..11).for_each(|seed| _ = add(&mut writer, seed, 0));
    // The first of those that expire, and another one.
    [0, 4].into_iter().for_each(|number| writer.remove(number));
    writer.commit(None).unwrap().finish().unwrap();
    let alive = || [0, 199, 200, 400].map(|now| Index::open(&path).unwrap().alive(now).unwrap());
    let expected = [8, 8, 8, 7];
    // In a memtable, and in a run.
    assert_eq!(alive(), expected);
    writer.close().unwrap();
    assert_eq!(alive(), expected);
    let (mut writer, _) = open(&path);
    writer.extend_expiry(9, 600).unwrap();
    writer.commit(None).unwrap().finish().unwrap();
    assert_eq!(alive(), [8; 4]);
    writer.close().unwrap();
    assert_eq!(alive(), [8; 4]);
}

#[test]
fn a_run_is_made_while_documents_behind_it_expire_later() {
    let folder = tempfile::tempdir().unwrap();
    let (mut writer, _reader) = open(&folder.path().join("index"));
    let before = writer.shared.state();
    for seed in 0..=40 {
        add(&mut writer, seed, 5);
        writer.commit(None).unwrap().finish().unwrap();
    }
    // It is in a memtable that came after the state.
    writer.extend_expiry(40, u32::MAX - 1).unwrap();
    writer.commit(None).unwrap().finish().unwrap();
    assert!(matches!(before.own_expiry(40), Err(Error::NoDocument { number: 40 })));
    let (mut manifest, mut files) = (writer.shared.reserve(1), NewFiles::default());
    let (folder, owner) = (&writer.shared.folder, writer.shared.owner);
    let mut checkpoint = Checkpoint { folder, owner, manifest: &mut manifest, files: &mut files };
    checkpoint.set_extended(&before).unwrap();
    assert_eq!(manifest.extended, None);
}
