//! What is left on the disk of documents that are dead.

use super::*;
use std::fs;

/// The names of all files with this extension.
fn names(path: &Path, extension: &str) -> Vec<String> {
    let names = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(extension)).collect();
    names.sort();
    names
}

/// Whether a file of the index has this text.
fn has_text(path: &Path, text: &str) -> bool {
    let has = |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    fs::read_dir(path).unwrap().any(|entry| has(&fs::read(entry.unwrap().path()).unwrap()))
}

/// Waits until the keeper has made runs of all memtables.
fn wait(writer: &IndexWriter) {
    while writer.shared.progressed.waiting.load(Ordering::Relaxed) > 0 {
        std::thread::yield_now();
    }
}

#[test]
fn a_purged_text_is_gone_from_the_disk_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let sizes = IndexSizes { memtable: 100, log_file: u64::MAX, ..IndexSizes::default() };
    let (mut writer, reader) = IndexWriter::open_with(Index::create(&path, &plan()).unwrap(), sizes).unwrap();
    (0..50).for_each(|seed| _ = add(&mut writer, 1000 + seed, 0));
    writer.commit(None).unwrap().finish().unwrap();
    let before = reader.snapshot();
    assert!(has_text(&path, &text(1007)));
    writer.purge(7);
    writer.commit(None).unwrap().finish().unwrap();
    // It is in no run yet, and in the file that grows.
    reader.pack(0, &()).unwrap();
    assert!(has_text(&path, &text(1007)) && reader.purging() == 1 && writer.is_log_long());
    writer.roll_log().unwrap();
    wait(&writer);
    reader.pack(0, &()).unwrap();
    assert!(!has_text(&path, &text(1007)) && reader.purging() == 0);
    assert_eq!((names(&path, ".packed").len(), names(&path, ".log").len()), (1, 1));
    let after = reader.snapshot();
    assert!(matches!(after.document(7), Err(Error::Gone { number: 7 })));
    assert_eq!(after.document(8).unwrap().text().unwrap(), text(1008));
    // An older snapshot has the old file open.
    assert_eq!(before.document(7).unwrap().text().unwrap(), text(1007));
    assert_eq!(reader.verify(&()).unwrap().documents, 50);
    drop((before, after));
    drop(writer);
    let (writer, reader) = open(&path);
    assert_eq!(reader.snapshot().document(49).unwrap().text().unwrap(), text(1049));
    drop(writer);
    assert!(matches!(reader.pack(0, &()), Err(Error::Closed)));
}

#[test]
fn a_purge_that_a_killed_process_was_asked_for_is_done_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (mut writer, _) = open(&path);
    (0..10).for_each(|seed| _ = add(&mut writer, 1000 + seed, 0));
    writer.purge(3);
    writer.commit(None).unwrap().finish().unwrap();
    drop(writer);
    let (writer, reader) = open(&path);
    wait(&writer);
    reader.pack(0, &()).unwrap();
    assert!(!has_text(&path, &text(1003)) && has_text(&path, &text(1004)));
}

#[test]
fn files_with_few_living_documents_are_rewritten_and_those_without_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let sizes = IndexSizes { memtable: 20, log_file: 1, ..IndexSizes::default() };
    let (mut writer, reader) = IndexWriter::open_with(Index::create(&path, &plan()).unwrap(), sizes).unwrap();
    for file in 0..4 {
        (0..20).for_each(|seed| _ = add(&mut writer, 1001 + 5 * seed + 200 * file, 0));
        writer.commit(None).unwrap().finish().unwrap();
        writer.roll_log().unwrap();
    }
    wait(&writer);
    // Of the files, the first loses all documents, the second eleven of twenty, and the third ten.
    (0..20).chain(20..31).chain(40..50).for_each(|number| writer.remove(number));
    writer.commit(None).unwrap().finish().unwrap();
    reader.pack(0, &()).unwrap();
    assert_eq!((names(&path, ".packed").len(), names(&path, ".log").len()), (1, 3));
    for number in (31..40).chain(40..80) {
        assert_eq!(reader.snapshot().document(number).unwrap().number, number);
    }
    assert!((0..31).all(|number| matches!(reader.snapshot().document(number), Err(Error::Gone { .. }))));
    // Another file is written when again half of it is dead.
    (31..36).for_each(|number| writer.remove(number));
    writer.commit(None).unwrap().finish().unwrap();
    let before = names(&path, ".packed");
    reader.pack(0, &()).unwrap();
    assert!(names(&path, ".packed") != before && names(&path, ".packed").len() == 1);
    reader.verify(&()).unwrap();
    drop(writer);
    let (_, reader) = open(&path);
    assert_eq!(reader.snapshot().document(39).unwrap().number, 39);
    assert!(matches!(reader.snapshot().document(35), Err(Error::Gone { .. })));
}

#[test]
fn a_day_of_documents_that_expire_is_a_file_that_is_removed_as_a_whole() {
    const DAY: u32 = 86_400;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let sizes = IndexSizes { memtable: 5, log_file: u64::MAX, ..IndexSizes::default() };
    let (mut writer, reader) = IndexWriter::open_with(Index::create(&path, &plan()).unwrap(), sizes).unwrap();
    // They expire after 2000 seconds.
    for (day, seeds) in [(1, 0..6), (1, 6..9), (2, 9..12), (2, 12..15), (3, 15..20)] {
        seeds.for_each(|second| _ = add(&mut writer, 50, day * DAY + second));
        writer.commit(None).unwrap().finish().unwrap();
        writer.roll_log().unwrap();
    }
    // The first documents of a day still go into the file of the day before, with their frame.
    wait(&writer);
    // It is day 3, by the documents.
    reader.pack(0, &()).unwrap();
    let is_gone = |number| matches!(reader.snapshot().document(number), Err(Error::Gone { .. }));
    assert_eq!((0..20).filter(|&number| is_gone(number)).collect::<Vec<u64>>(), (0..12).collect::<Vec<_>>());
    assert_eq!((names(&path, ".log").len(), names(&path, ".packed").len()), (2, 0));
    reader.pack(3 * DAY + 2018 + 3600, &()).unwrap();
    assert_eq!((names(&path, ".log").len(), names(&path, ".packed").len()), (1, 1));
    reader.pack(3 * DAY + 2019 + 3600, &()).unwrap();
    assert_eq!((names(&path, ".log").len(), names(&path, ".packed").len()), (1, 0));
    reader.verify(&()).unwrap();
    drop(writer);
}
