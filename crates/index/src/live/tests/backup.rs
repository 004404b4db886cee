//! Backups that are made while the index is written.

use super::model::{Model, ModelDocument};
use super::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Checks that the index in `folder` has what `model` says, and can be written.
fn check(folder: &Path, model: &Model) {
    Index::open(folder).unwrap().info(crate::Verify::Everything, &()).unwrap();
    let (mut writer, reader) = open(folder);
    model.check(&reader.snapshot());
    add(&mut writer, 3, 0);
    writer.commit(None).unwrap().finish().unwrap();
    writer.close().unwrap();
}

#[test]
fn a_backup_has_exactly_what_a_snapshot_has() {
    let folder = tempfile::tempdir().unwrap();
    let (mut writer, reader) = open(&folder.path().join("seen.index"));
    let (is_done, mut models, mut model) = (AtomicBool::new(false), BTreeMap::new(), Model::default());
    models.insert(0, model.clone());
    let backups: Vec<(PathBuf, IndexBackup)> = std::thread::scope(|scope| {
        let backups = scope.spawn(|| {
            let make = |number: usize| {
                let path = folder.path().join(format!("backup {number}"));
                let backup = reader.backup_with(&path, !number.is_multiple_of(3)).unwrap();
                reader.verify(&()).unwrap();
                reader.merge_all(0, &()).unwrap();
                reader.pack(0, &()).unwrap();
                (path, backup)
            };
            // Files that do not grow any more are linked. The writer may start the second one late.
            let mut made: Vec<(PathBuf, IndexBackup)> = Vec::new();
            while made.len() < 12 || made.len() < 1000 && made.iter().all(|(_, backup)| backup.linked == 0) {
                made.push(make(made.len()));
            }
            is_done.store(true, Ordering::Relaxed);
            made
        });
        let mut random = SplitMix64(1);
        while !is_done.load(Ordering::Relaxed) {
            for _ in 0..random.next() % 20 {
                let (seed, time) = (random.next() % 200, 0);
                add(&mut writer, seed, time);
                let expires = expires(seed, time);
                model.documents.push(ModelDocument { seed, time, expires, is_removed: false });
                if random.next().is_multiple_of(2) {
                    let number = random.next() % model.documents.len() as u64;
                    model.documents[number as usize].is_removed = true;
                    if random.next().is_multiple_of(8) { writer.purge(number) } else { writer.remove(number) }
                }
            }
            let sequence = writer.sequence();
            models.insert(sequence, model.clone());
            if let Some(commit) = writer.commit(None) {
                commit.finish().unwrap();
            }
            writer.roll_log().unwrap();
        }
        backups.join().unwrap()
    });
    drop(writer);
    assert!(backups.iter().any(|(_, backup)| backup.linked > 0));
    for (path, backup) in &backups {
        assert_eq!(backup.documents, models[&backup.sequence].documents.len() as u64);
        check(path, &models[&backup.sequence]);
    }
    // They were written to, and the index is as it was.
    check(&folder.path().join("seen.index"), &model);
    assert!(matches!(reader.backup(&folder.path().join("late")), Err(Error::Closed)));
}

#[test]
fn a_backup_needs_an_empty_folder_and_a_failed_one_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (mut writer, reader) = open(&path);
    add(&mut writer, 1, 0);
    writer.commit(None).unwrap().finish().unwrap();
    assert!(matches!(reader.backup(&path), Err(Error::IndexExists { .. })));
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("a.txt"), "a").unwrap();
    assert!(matches!(reader.backup(&other), Err(Error::FolderNotEmpty { .. })));
    let lost = folder.path().join("backup");
    std::fs::remove_file(path.join("000001.log")).unwrap();
    assert!(matches!(reader.backup(&lost), Err(Error::Store(StoreError::Read { .. }))));
    assert!(!lost.exists());
}
