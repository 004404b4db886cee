//! Any records in a checked file, damaged at one place. Reading gives the written records, or reports the damage. Recovering a
//! journal of any bytes does not panic.
#![no_main]

use std::fs;

use libfuzzer_sys::{arbitrary, fuzz_target};
use lookalike_store::{
    ColumnWriter, ContainerKind, Error, Journal, JournalEnd, JournalWriter, Log, LogWriter, MappedColumn,
    PagedFile, PagedWriter,
};

const KIND: ContainerKind = ContainerKind { tag: *b"fuzz", name: "a fuzzed file" };
const OWNER: u64 = 7;

fuzz_target!(|input: (Vec<Vec<Vec<u8>>>, Damage, u32, u8)| {
    let (records, damage, at, mask) = input;
    // The writer refuses more parts than a record can have.
    let records: Vec<_> =
        records.into_iter().map(|parts| parts.into_iter().take(64).collect::<Vec<_>>()).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("log");
    let mut writer = LogWriter::create(&path, KIND, OWNER).expect("a place for it");
    for parts in &records {
        writer.append(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()).expect("room for it");
    }
    drop(writer);
    assert_eq!(
        Log::open(&path, KIND, Some(OWNER)).and_then(|log| content(&log)).expect("a whole file"),
        records
    );

    let mut bytes = fs::read(&path).expect("a file that is there");
    let is_damaged = damage.apply(&mut bytes, at, mask);
    fs::write(&path, &bytes).expect("room for it");
    match Log::open(&path, KIND, Some(OWNER)).and_then(|log| content(&log)) {
        // A cut between two records leaves a shorter valid file. Its owner detects this by the digest.
        Ok(read) => assert!(records.starts_with(&read) && (!is_damaged || read.len() < records.len())),
        Err(_) => assert!(is_damaged),
    }
    if let Ok((log, _)) = Log::open_torn(&path, KIND, OWNER) {
        assert!(records.starts_with(&content(&log).expect("records that were looked at")));
    }
    // Whole records stay, and the file can be continued.
    if let Ok((mut writer, log, _)) = LogWriter::resume(&path, KIND, OWNER) {
        let before = content(&log).expect("records that were looked at");
        assert!(records.starts_with(&before));
        writer.append(&[b"more"]).expect("room for it");
        drop((writer, log));
        let after = Log::open(&path, KIND, Some(OWNER))
            .and_then(|log| content(&log))
            .expect("a file that was mended");
        assert!(after.starts_with(&before) && after.len() == before.len() + 1);
    }
    column(&folder.path().join("column"), &records.concat().concat(), damage, at, mask);
    paged(&folder.path().join("paged"), &records.concat().concat(), damage, at, mask);
    journal(&folder.path().join("journal"), &records.concat(), damage, at, mask);
});

/// Damage to a file.
#[derive(Debug, Clone, Copy, arbitrary::Arbitrary)]
enum Damage {
    None,
    Flip,
    Cut,
    Append,
    Zero,
}

impl Damage {
    /// Are the bytes changed?
    fn apply(self, bytes: &mut Vec<u8>, at: u32, mask: u8) -> bool {
        let before = bytes.clone();
        let at = at as usize % bytes.len();
        match self {
            Damage::None => {}
            Damage::Flip => bytes[at] ^= mask,
            Damage::Cut => bytes.truncate(at),
            Damage::Append => bytes.extend_from_slice(&before[at..]),
            Damage::Zero => bytes[at..].fill(0),
        }
        *bytes != before
    }
}

fn content(log: &Log) -> Result<Vec<Vec<Vec<u8>>>, Error> {
    log.records()
        .map(|record| (0..record.parts()).map(|part| record.bytes(part).map(<[u8]>::to_vec)).collect())
        .collect()
}

fn column(path: &std::path::Path, values: &[u8], damage: Damage, at: u32, mask: u8) {
    let mut writer = ColumnWriter::<u8>::create(path, KIND, OWNER).expect("a place for it");
    writer.extend(values).expect("room for it");
    assert_eq!(&*writer.finish().expect("room for it"), values);
    let mut bytes = fs::read(path).expect("a file that is there");
    let is_damaged = damage.apply(&mut bytes, at, mask);
    fs::write(path, &bytes).expect("room for it");
    match MappedColumn::<u8>::open(path, KIND, OWNER) {
        Ok(column) => assert!(!is_damaged && *column == *values),
        Err(_) => assert!(is_damaged),
    }
}

fn paged(path: &std::path::Path, data: &[u8], damage: Damage, at: u32, mask: u8) {
    let mut writer = PagedWriter::create(path, KIND, OWNER).expect("a place for it");
    let start = writer.position() as usize;
    writer.write(data).expect("room for it");
    let summary = writer.finish().expect("room for it");
    let mut bytes = fs::read(path).expect("a file that is there");
    assert_eq!(bytes.len() as u64, summary.bytes);
    let is_damaged = damage.apply(&mut bytes, at, mask);
    fs::write(path, &bytes).expect("room for it");
    let read = PagedFile::open(path, KIND, OWNER).and_then(|file| {
        let read = file.bytes(start..file.data_end())?.to_vec();
        file.verify()?;
        Ok((read, file.digest()))
    });
    match read {
        Ok((read, digest)) => assert!(!is_damaged && read == data && digest == summary.digest),
        Err(_) => assert!(is_damaged),
    }
}

fn journal(path: &std::path::Path, payloads: &[Vec<u8>], damage: Damage, at: u32, mask: u8) {
    let mut writer = JournalWriter::create(path, KIND, OWNER, 0).expect("a place for it");
    let start = writer.end().at as usize;
    for (payload, sequence) in payloads.iter().zip(1..) {
        writer.append(sequence, payload).expect("room for it");
        // Later heads then say that the first frame was on the disk.
        writer.sync().expect("a disk");
    }
    let end = writer.end();
    drop(writer);
    let mut bytes = fs::read(path).expect("a file that is there");
    let any = [&bytes[..start], &payloads.concat()].concat();
    let is_damaged = damage.apply(&mut bytes, at, mask);
    fs::write(path, &bytes).expect("room for it");
    let recovered = Journal::open(path, KIND, OWNER).and_then(|journal| {
        let recovered = journal.recover(journal.start(), 0)?;
        let frames = journal.frames(journal.start(), recovered.end.at);
        let read = frames.map(|frame| Ok(frame?.payload.into_owned())).collect::<Result<Vec<_>, Error>>();
        Ok((recovered, read.expect("frames that were looked at")))
    });
    match &recovered {
        Ok((recovered, read)) => {
            assert!(payloads.starts_with(read));
            assert_eq!(recovered.end.at + recovered.cut, bytes.len() as u64);
            assert!(is_damaged || (recovered.end, recovered.cut) == (end, 0));
            assert!(!(is_damaged && matches!(damage, Damage::Flip)), "a changed byte is damage");
            let journal = Journal::open(path, KIND, OWNER).expect("a file that was recovered");
            assert!(journal.ends_with(recovered.end).expect("its end"));
            drop(journal);
            let mut writer = JournalWriter::resume(path, KIND, OWNER, recovered.end).expect("its end");
            writer.append(0, b"more").expect("room for it");
            let journal = Journal::open(path, KIND, OWNER).expect("a file that was resumed");
            assert_eq!(journal.frames(journal.start(), writer.end().at).flatten().count(), read.len() + 1);
        }
        Err(_) => assert!(is_damaged),
    }
    // Any bytes behind an undamaged start.
    fs::write(path, &any).expect("room for it");
    let journal = Journal::open(path, KIND, OWNER).expect("an undamaged start");
    let _ = journal.recover(journal.start(), u64::from(at));
    let _ = journal.frames(journal.start(), u64::from(at)).count();
    assert!(!journal.ends_with(JournalEnd { at: any.len() as u64, chain: 1 }).unwrap_or(false));
}
