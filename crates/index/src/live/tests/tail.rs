//! What a killed process leaves behind its last run.

use super::super::open_log::Fails;
use super::*;

/// A process that is killed while a run is made leaves more documents than a memtable takes beside another frame.
#[test]
fn a_long_tail_is_found_and_leaves_room_for_the_next_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let sizes = IndexSizes { memtable: usize::MAX, log_file: u64::MAX, ..IndexSizes::default() };
    let (mut writer, _) = IndexWriter::open_with(Index::create(&path, &plan()).unwrap(), sizes).unwrap();
    let frames = crate::keys::memtable::MEMTABLE_DOCUMENTS / crate::keys::memtable::FRAME_DOCUMENTS;
    for frame in 0..frames as u64 {
        (0..4096).for_each(|document| {
            add(&mut writer, frame * 4096 + document, 0);
        });
        writer.commit(None).unwrap().finish().unwrap();
    }
    drop(writer);
    let (mut writer, reader) = IndexWriter::open(Index::open_to_add(&path).unwrap()).unwrap();
    let documents = reader.snapshot().documents();
    assert_eq!(documents, frames as u64 * 4096);
    (0..4096).for_each(|document| {
        add(&mut writer, documents + document, 0);
    });
    writer.commit(None).unwrap().finish().unwrap();
    for seed in [0, 200_000, documents - 1, documents + 4000] {
        assert_eq!(reader.snapshot().find(&format!("id{seed}")).unwrap().unwrap().number, seed);
    }
    writer.close().unwrap();
    assert_eq!(Index::open(&path).unwrap().documents(), documents + 4096);
}

#[test]
fn a_reader_of_what_is_cut_off_gets_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (mut writer, reader) = open(&path);
    (0..3).for_each(|seed| _ = add(&mut writer, seed, 0));
    writer.commit(None).unwrap().finish().unwrap();
    // It takes several pages, so that none of them is left after the cut.
    (3..200).for_each(|seed| _ = add(&mut writer, seed, 0));
    writer.log().fails = Fails { sync: true, cut: true };
    assert!(writer.commit(None).unwrap().finish().is_err());
    // As another process sees it.
    let other = Index::open(&path).unwrap();
    assert_eq!((other.documents(), reader.snapshot().documents()), (200, 3));
    writer.log().fails = Fails::default();
    writer.roll_back();
    assert!(other.state.document(2).is_ok());
    assert!(matches!(other.state.document(150), Err(Error::Store(StoreError::Damaged { .. }))));
    add(&mut writer, 7, 0);
    writer.commit(None).unwrap().finish().unwrap();
    writer.close().unwrap();
    assert_eq!(Index::open(&path).unwrap().documents(), 4);
}

/// With a smaller size than at the last time, the last memtable may be full when an index is opened, without being on its way to a run. If a
/// commit without documents replaced it, and failed, the next run would not follow the one before.
#[test]
fn a_commit_without_documents_that_fails_after_a_kill_leaves_the_memtable_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let sizes = IndexSizes { memtable: usize::MAX, ..SIZES };
    let (mut writer, _) = IndexWriter::open_with(Index::create(&path, &plan()).unwrap(), sizes).unwrap();
    (0..20).for_each(|seed| _ = add(&mut writer, seed, 0));
    writer.commit(None).unwrap().finish().unwrap();
    drop(writer);
    let (mut writer, _) = open(&path);
    drop(writer.commit(Some(b"lost")));
    writer.roll_back();
    (20..40).for_each(|seed| _ = add(&mut writer, seed, 0));
    writer.commit(None).unwrap().finish().unwrap();
    writer.close().unwrap();
    assert_eq!(Index::open(&path).unwrap().documents(), 40);
}
