//! Data that is damaged, cut off, or of another kind is never returned.

use lookalike_store::{Column, ColumnWriter, ContainerKind, Error, Log, LogWriter, MappedColumn, bytes_of};
use proptest::prelude::*;
use std::{fs, path::Path};

const KIND: ContainerKind = ContainerKind { tag: *b"test", name: "a test" };
const OTHER: ContainerKind = ContainerKind { tag: *b"othr", name: "another test" };
const OWNER: u64 = 7;

type Parts = Vec<Vec<u8>>;

fn write(path: &Path, records: &[Parts]) {
    let mut log = LogWriter::create(path, KIND, OWNER).unwrap();
    append(&mut log, records);
}

fn append(log: &mut LogWriter, records: &[Parts]) {
    for record in records {
        log.append(&record.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
    }
}

fn read(path: &Path) -> Result<Vec<Parts>, Error> {
    contents(&Log::open(path, KIND, Some(OWNER))?)
}

fn contents(log: &Log) -> Result<Vec<Parts>, Error> {
    let parts = |record: lookalike_store::StoredRecord<'_>| {
        (0..record.parts()).map(|part| record.bytes(part).map(<[u8]>::to_vec)).collect()
    };
    log.records().map(parts).collect()
}

fn records() -> impl Strategy<Value = Vec<Parts>> {
    let part = prop::collection::vec(any::<u8>(), 0..40);
    prop::collection::vec(prop::collection::vec(part, 0..4), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn records_are_read_as_they_were_written(records in records()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        write(&path, &records);
        prop_assert_eq!(read(&path).unwrap(), records);
    }

    #[test]
    fn a_flipped_bit_anywhere_is_found(records in records(), bit in 0_u8..8) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        write(&path, &records);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << bit;
            fs::write(&path, &flipped).unwrap();
            prop_assert!(read(&path).is_err(), "byte {} of {}", at, whole.len());
        }
    }

    #[test]
    fn a_file_cut_off_anywhere_is_continued_behind_its_last_whole_record(records in records(), more in records()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut ends = Vec::new();
        let mut log = LogWriter::create(&path, KIND, OWNER).unwrap();
        for record in &records {
            append(&mut log, std::slice::from_ref(record));
            ends.push(log.length() as usize);
        }
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let kept = ends.iter().filter(|&&end| end <= length).count();
            let is_cut = length != whole.len() && !ends.contains(&length) && length != 32;
            prop_assert_eq!(read(&path).is_err(), is_cut, "cut at {}", length);
            let (mut log, before, damage) = LogWriter::resume(&path, KIND, OWNER).unwrap();
            prop_assert_eq!(contents(&before).unwrap(), &records[..kept]);
            prop_assert!(damage.is_none(), "a record that is cut off is not reported as damage");
            append(&mut log, &more);
            let expected: Vec<Parts> = records[..kept].iter().chain(&more).cloned().collect();
            prop_assert_eq!(read(&path).unwrap(), expected);
        }
    }

    #[test]
    fn a_digest_is_that_of_the_records_and_of_no_others(records in records()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = LogWriter::create(&path, KIND, OWNER).unwrap();
        append(&mut log, &records);
        let whole = Log::open(&path, KIND, Some(OWNER)).unwrap();
        prop_assert_eq!((whole.digest(), whole.length()), (log.digest(), log.length()));
        let mut changed = records.clone();
        if let Some(byte) = changed.iter_mut().flatten().flatten().last() {
            *byte ^= 1;
            write(&path, &changed);
            prop_assert_ne!(Log::open(&path, KIND, Some(OWNER)).unwrap().digest(), log.digest());
            let (resumed, read, _) = LogWriter::resume(&path, KIND, OWNER).unwrap();
            prop_assert_eq!((resumed.length(), resumed.digest()), (log.length(), read.digest()));
        }
    }

    #[test]
    fn a_column_holds_the_values_written_or_opens_with_an_error(values in prop::collection::vec(any::<u32>(), 0..50)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("column");
        let mut column = ColumnWriter::create(&path, KIND, OWNER).unwrap();
        values.chunks(7).for_each(|values| column.extend(values).unwrap());
        prop_assert!(MappedColumn::<u32>::open(&path, KIND, OWNER).is_err(), "not finished");
        let held = Column::Disk(column.finish().unwrap());
        prop_assert_eq!(&*held, &values[..]);
        let again = MappedColumn::<u32>::open(&path, KIND, OWNER).unwrap();
        prop_assert_eq!(&*again, &values[..]);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 16;
            fs::write(&path, &flipped).unwrap();
            prop_assert!(MappedColumn::<u32>::open(&path, KIND, OWNER).is_err(), "byte {}", at);
        }
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            prop_assert!(MappedColumn::<u32>::open(&path, KIND, OWNER).is_err(), "cut at {}", length);
        }
    }
}

#[test]
fn a_resumed_file_loses_all_records_from_a_flipped_bit_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let records: Vec<Parts> = (0..5).map(|record| vec![vec![record; 100]]).collect();
    write(&path, &records);
    let mut bytes = fs::read(&path).unwrap();
    let record = (bytes.len() - 32) / 5;
    bytes[32 + 3 * record + 60] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (_, before, damage) = LogWriter::resume(&path, KIND, OWNER).unwrap();
    assert_eq!(before.len(), 3);
    assert!(damage.unwrap().to_string().contains("damaged at byte"));
    assert!(Log::open_torn(&path, KIND, OWNER).unwrap().1.is_none());
    assert_eq!(read(&path).unwrap(), records[..3]);
}

#[test]
fn other_kinds_and_owners_are_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    write(&path, &[vec![bytes_of(&[1_u64]).to_vec()]]);
    let message = |result: Result<Log, Error>| result.unwrap_err().to_string();
    assert!(message(Log::open(&path, OTHER, Some(OWNER))).ends_with("log: not another test of Lookalike"));
    let other_owner = message(Log::open(&path, KIND, Some(8)));
    assert!(other_owner.ends_with("belongs to 0000000000000007, not to 0000000000000008"), "{other_owner}");
    assert!(LogWriter::resume(&path, KIND, 8).is_err());
    assert_eq!(Log::open(&path, KIND, None).unwrap().owner(), OWNER);
    fs::write(&path, "{\"text\": \"something else\"}").unwrap();
    assert!(Log::open(&path, KIND, None).unwrap_err().is_damage());
}
