//! What a killed process leaves behind its last run.

use super::*;

/// A process that is killed while a run is made leaves more documents than a memtable takes beside another frame.
#[test]
fn a_long_tail_is_found_and_leaves_room_for_the_next_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let sizes = Sizes { memtable: usize::MAX, log_file: u64::MAX };
    let (mut writer, _) = Writer::open_with(Index::create(&path, &plan()).unwrap(), sizes).unwrap();
    let frames = crate::keys::memtable::MEMTABLE_DOCUMENTS / crate::keys::memtable::FRAME_DOCUMENTS;
    for frame in 0..frames as u64 {
        (0..4096).for_each(|document| {
            add(&mut writer, frame * 4096 + document, 0);
        });
        writer.commit(None).unwrap().finish().unwrap();
    }
    drop(writer);
    let (mut writer, reader) = Writer::open(Index::open_to_add(&path).unwrap()).unwrap();
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
