//! Files of an index that were changed.

use super::*;
use std::fs;

#[test]
fn a_flipped_byte_in_a_small_file_is_refused_with_its_file_and_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (mut writer, reader) = open(&path);
    for number in 0..20 {
        // All of them expire.
        add(&mut writer, 5 * number + 5, 0);
        if number > 0 {
            writer.link(number - 1, number);
        }
    }
    writer.remove(3);
    writer.remove(17);
    writer.commit(None).unwrap().finish().unwrap();
    while reader.0.manifest().runs.is_empty() {
        std::thread::yield_now();
    }
    // Later than the run says.
    writer.extend_expiry(1, 9000).unwrap();
    add(&mut writer, 7, 0);
    writer.commit(None).unwrap().finish().unwrap();
    writer.close().unwrap();
    for extension in ["removed", "links", "extended"] {
        let named = |entry: fs::DirEntry| entry.path().extension().is_some_and(|found| found == extension);
        let mut entries = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap());
        let file = entries.find_map(|entry| Some(entry.path()).filter(|_| named(entry))).expect(extension);
        let whole = fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&file, &bytes).unwrap();
            let read = Index::open(&path).and_then(|index| index.linked().map_err(Error::of_index).map(drop));
            match read.unwrap_err() {
                Error::Damaged(StoreError::Damaged { path, at: said, .. }) => {
                    assert!(path == file && said <= at as u64, "byte {at}: {path:?}, byte {said}");
                }
                Error::OtherVersion(_) if (8..12).contains(&at) => {}
                other => panic!("byte {at} of {extension}: {other:?}"),
            }
        }
        fs::write(&file, &whole).unwrap();
    }
    Index::open(&path).unwrap().info(crate::Verify::Everything, &()).unwrap();
}
