//! A journal never loses a frame that was synced, and ends before a frame whose write was not finished.

use lookalike_store::{ContainerKind, Error, Journal, JournalEnd, JournalWriter, Recovered};
use proptest::prelude::*;
use std::{
    fs::{self, File},
    io::Write,
    ops::Range,
    path::PathBuf,
    sync::mpsc,
    thread,
};
use tempfile::TempDir;

const KIND: ContainerKind = ContainerKind { tag: *b"jrnl", name: "a journal" };
const OWNER: u64 = 7;
const START: usize = 48;
const HEAD: usize = 52;
const SECTOR: usize = 512;

/// A file in a folder of its own.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("journal")
    }

    fn create(&self) -> JournalWriter {
        JournalWriter::create(&self.path(), KIND, OWNER, 0).unwrap()
    }

    fn open(&self) -> Journal {
        Journal::open(&self.path(), KIND, OWNER).unwrap()
    }

    /// Makes `bytes` the file. It is not truncated first, because ext4 writes such a file to the disk when it is closed.
    fn write(&self, bytes: &[u8]) {
        let mut file = File::options().create(true).truncate(false).write(true).open(self.path()).unwrap();
        file.write_all(bytes).unwrap();
        file.set_len(bytes.len() as u64).unwrap();
    }

    /// Recovers `bytes` as a file, of which the caller knows that `durable` bytes are on the disk.
    fn recover(&self, bytes: &[u8], durable: u64) -> Result<Recovered, Error> {
        self.write(bytes);
        let journal = Journal::open(&self.path(), KIND, OWNER)?;
        let recovered = journal.recover(journal.start(), durable);
        let growing = Journal::open_growing(&self.path(), KIND, OWNER, 0)?;
        let again = growing.recover(growing.start(), durable);
        assert_eq!(
            format!("{recovered:?}"),
            format!("{again:?}"),
            "a growing journal recovers in another way"
        );
        recovered
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Syncs {
    EachFrame,
    Never,
}

/// Makes a file of these payloads. Returns its bytes, and the range of each frame.
fn file_of(payloads: &[Vec<u8>], syncs: Syncs) -> (Vec<u8>, Vec<Range<usize>>) {
    let place = Place::new();
    let mut writer = place.create();
    let mut ranges = Vec::new();
    for (payload, sequence) in payloads.iter().zip(10..) {
        let at = writer.append(sequence, payload).unwrap() as usize;
        ranges.push(at - HEAD..at + payload.len());
        if syncs == Syncs::EachFrame {
            writer.sync().unwrap();
            assert_eq!(writer.durable(), writer.end().at);
        }
    }
    (fs::read(place.path()).unwrap(), ranges)
}

/// A payload without zeros.
fn dense(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at % 255) as u8 + 1).collect()
}

/// Payloads of several kinds: short, empty, long, all zeros, and almost all zeros.
fn mixed() -> Vec<Vec<u8>> {
    let mut lonely = vec![0; 1100];
    lonely[600] = 1;
    vec![dense(10), vec![], dense(700), vec![0; 1200], dense(30), lonely]
}

fn damaged_at(result: Result<Recovered, Error>) -> Option<u64> {
    match result {
        Err(Error::Damaged { at, .. }) => Some(at),
        _ => None,
    }
}

fn payloads(journal: &Journal, to: u64) -> Vec<Vec<u8>> {
    journal.frames(journal.start(), to).map(|frame| frame.unwrap().payload.into_owned()).collect()
}

#[test]
fn frames_are_read_as_they_were_written() {
    let place = Place::new();
    let mut writer = place.create();
    let ends: Vec<JournalEnd> = mixed()
        .iter()
        .zip(100..)
        .map(|(payload, sequence)| {
            writer.append(sequence, payload).unwrap();
            writer.end()
        })
        .collect();
    let end = writer.end();
    for journal in [place.open(), Journal::open_growing(&place.path(), KIND, OWNER, 0).unwrap()] {
        assert_eq!(payloads(&journal, end.at), mixed());
        let frames: Vec<_> = journal.frames(journal.start(), end.at).map(Result::unwrap).collect();
        assert_eq!(frames.iter().map(|frame| frame.end()).collect::<Vec<_>>(), ends);
        assert_eq!(
            frames.iter().map(|frame| frame.sequence).collect::<Vec<_>>(),
            (100..106).collect::<Vec<_>>()
        );
        for frame in &frames {
            let range = frame.at..frame.at + frame.payload.len() as u64;
            assert_eq!(journal.bytes(range).unwrap(), frame.payload);
        }
        assert_eq!(journal.frames(ends[2], end.at).count(), 3, "reading starts at any end");
        let start = journal.start();
        let sought = |sequence| journal.seek(start, end.at, sequence).unwrap();
        assert_eq!([99, 100, 101, 103].map(sought), [start, start, ends[0], ends[2]]);
        assert_eq!([105, 106, u64::MAX].map(sought), [ends[4]; 3]);
        assert_eq!(journal.frames(end, end.at).count(), 0);
        assert_eq!(journal.recover(ends[1], 0).unwrap(), Recovered { end, cut: 0 });
        assert_eq!(journal.length().unwrap(), end.at);
        assert!(journal.frames(journal.start(), end.at + 1).last().unwrap().is_err(), "more than there is");
        assert!(journal.frames(journal.start(), end.at - 1).last().unwrap().is_err(), "a part of a frame");
    }
}

#[test]
fn a_journal_is_continued_behind_its_end_and_in_the_next_file() {
    let place = Place::new();
    let mut writer = place.create();
    writer.append(1, b"first").unwrap();
    let end = writer.end();
    writer.append(2, b"to be cut off").unwrap();
    drop(writer);
    let mut writer = JournalWriter::resume(&place.path(), KIND, OWNER, end).unwrap();
    assert_eq!((writer.end(), writer.durable()), (end, end.at));
    writer.append(2, b"second").unwrap();
    assert_eq!(payloads(&place.open(), writer.end().at), [&b"first"[..], b"second"]);

    let next = Place::new();
    let chain = writer.end().chain;
    JournalWriter::create(&next.path(), KIND, OWNER, chain).unwrap().append(3, b"third").unwrap();
    let journal = next.open();
    assert_eq!(journal.start(), JournalEnd { at: START as u64, chain });
    assert_eq!(journal.recover(journal.start(), 0).unwrap().cut, 0);
    let other = JournalEnd { chain: chain ^ 1, ..journal.start() };
    assert_eq!(damaged_at(journal.recover(other, 0)), Some(START as u64), "it continues another file");
}

#[test]
fn a_file_of_another_kind_or_owner_or_that_ends_too_early_is_not_resumed() {
    let place = Place::new();
    let mut writer = place.create();
    writer.append(1, b"payload").unwrap();
    let end = writer.end();
    let before = fs::read(place.path()).unwrap();
    let other = ContainerKind { tag: *b"othr", name: "another" };
    assert!(JournalWriter::resume(&place.path(), other, OWNER, end).is_err());
    assert!(JournalWriter::resume(&place.path(), KIND, 8, end).is_err());
    for at in [0, START as u64 - 1, end.at + 1, u64::MAX] {
        assert!(JournalWriter::resume(&place.path(), KIND, OWNER, JournalEnd { at, ..end }).is_err());
    }
    assert_eq!(fs::read(place.path()).unwrap(), before);
    assert!(Journal::open(&place.path(), other, OWNER).is_err());
    assert!(Journal::open_growing(&place.path(), KIND, 8, 0).is_err());
    for length in 0..START {
        fs::write(place.path(), &before[..length]).unwrap();
        assert!(Journal::open(&place.path(), KIND, OWNER).is_err(), "{length} bytes");
        assert!(Journal::open_growing(&place.path(), KIND, OWNER, 0).is_err(), "{length} bytes");
    }
}

#[test]
fn a_changed_byte_in_any_frame_is_damage_and_cuts_nothing() {
    for syncs in [Syncs::EachFrame, Syncs::Never] {
        let (whole, frames) = file_of(&mixed(), syncs);
        let place = Place::new();
        for at in 0..whole.len() {
            for changed in [whole[at] ^ 1, whole[at] ^ 0x80, !whole[at], 0] {
                if changed == whole[at] {
                    continue;
                }
                let mut bytes = whole.clone();
                bytes[at] = changed;
                let result = place.recover(&bytes, 0);
                let frame = frames.iter().find(|frame| frame.contains(&at));
                match frame {
                    Some(frame) => assert_eq!(damaged_at(result), Some(frame.start as u64), "byte {at}"),
                    None => assert!(result.is_err(), "byte {at} of the start"),
                }
            }
        }
    }
}

#[test]
fn a_frame_cut_off_after_the_last_sync_is_torn_at_every_length() {
    let payloads = [dense(100), dense(600), dense(900)];
    let (whole, frames) = file_of(&payloads, Syncs::EachFrame);
    let place = Place::new();
    let last = frames[2].clone();
    for length in last.clone() {
        let durable = last.start as u64;
        let recovered = place.recover(&whole[..length], durable).unwrap();
        assert_eq!((recovered.end.at, recovered.cut), (durable, (length - last.start) as u64));
        assert_eq!(self::payloads(&place.open(), durable), payloads[..2]);
    }
    for length in frames[1].start..last.start {
        assert!(place.recover(&whole[..length], last.start as u64).is_err(), "synced, {length} bytes");
    }
    let mut writer = {
        let recovered = place.recover(&whole[..last.end - 1], 0).unwrap();
        JournalWriter::resume(&place.path(), KIND, OWNER, recovered.end).unwrap()
    };
    writer.append(12, &payloads[2]).unwrap();
    assert_eq!(self::payloads(&place.open(), writer.end().at), payloads);
}

#[test]
fn a_frame_with_sectors_of_zeros_is_torn_if_no_later_head_was_written_after_a_sync() {
    let (whole, frames) = file_of(&[dense(300), dense(3000)], Syncs::EachFrame);
    let place = Place::new();
    let last = frames[1].clone();
    let sectors = last.start / SECTOR..last.end.div_ceil(SECTOR);
    for first in sectors.clone() {
        for end in first + 1..=sectors.end {
            let zeroed = (first * SECTOR).max(last.start)..(end * SECTOR).min(last.end);
            let mut bytes = whole.clone();
            bytes[zeroed].fill(0);
            let recovered = place.recover(&bytes, last.start as u64).unwrap();
            assert_eq!(recovered.end.at, last.start as u64);
            assert_eq!(recovered.cut, last.len() as u64);
            // The caller knows that it was synced.
            assert_eq!(damaged_at(place.recover(&bytes, last.end as u64)), Some(last.start as u64));
        }
    }
    // A frame that follows it was made after the sync.
    let (mut bytes, frames) = file_of(&[dense(300), dense(3000), dense(5)], Syncs::EachFrame);
    bytes[frames[1].start..frames[1].start + 2000].fill(0);
    assert_eq!(damaged_at(place.recover(&bytes, 0)), Some(frames[1].start as u64));
    // Its payload need not be whole.
    bytes[frames[2].end - 1] ^= 1;
    assert_eq!(damaged_at(place.recover(&bytes, 0)), Some(frames[1].start as u64));
}

#[test]
fn zeros_in_a_payload_are_no_sign_of_a_torn_frame() {
    let mut payload = dense(4096);
    payload[600..2400].fill(0);
    let (mut bytes, frames) = file_of(&[payload], Syncs::Never);
    let place = Place::new();
    bytes[frames[0].start + 3500] ^= 1;
    assert_eq!(damaged_at(place.recover(&bytes, 0)), Some(START as u64));
    bytes[3 * SECTOR + 2048..4 * SECTOR + 2048].fill(0);
    assert_eq!(place.recover(&bytes, 0).unwrap().cut, frames[0].len() as u64);
}

#[test]
fn a_head_that_crosses_sectors_is_torn_if_either_part_is_zero() {
    let place = Place::new();
    for before in 4 * SECTOR - START - 2 * HEAD - 60..4 * SECTOR - START - 2 * HEAD + 60 {
        let (whole, frames) = file_of(&[dense(before), dense(20)], Syncs::EachFrame);
        let last = frames[1].clone();
        let middle = last.start.next_multiple_of(SECTOR);
        if !last.contains(&middle) {
            continue;
        }
        for part in [last.start..middle, middle..last.end] {
            let mut bytes = whole.clone();
            bytes[part.clone()].fill(0);
            let in_head = part.start.max(last.start)..part.end.min(last.start + HEAD);
            let result = place.recover(&bytes, 0);
            // Fewer than eight bytes could be damage.
            let is_telling = in_head.len() >= 8 || (in_head.is_empty() && part.len() >= 8);
            if is_telling {
                assert_eq!(result.unwrap().cut, last.len() as u64, "{part:?} of {last:?}");
            } else if !part.is_empty() {
                assert_eq!(damaged_at(result), Some(last.start as u64), "{part:?} of {last:?}");
            }
        }
    }
}

#[test]
fn zeros_behind_the_last_frame_are_cut_off_and_other_bytes_are_damage() {
    let (whole, frames) = file_of(&[dense(300), dense(40)], Syncs::EachFrame);
    let place = Place::new();
    let end = frames[1].end;
    for zeros in [1, 51, 52, 53, 5000] {
        let recovered = place.recover(&[&whole[..], &vec![0; zeros]].concat(), end as u64).unwrap();
        assert_eq!((recovered.end.at, recovered.cut), (end as u64, zeros as u64));
    }
    let other = [&whole[..], &dense(52)].concat();
    assert_eq!(damaged_at(place.recover(&other, 0)), Some(end as u64));
}

#[test]
fn frames_that_are_missing_swapped_or_of_another_file_are_damage() {
    for syncs in [Syncs::EachFrame, Syncs::Never] {
        let (whole, frames) = file_of(&[dense(100), dense(200), vec![5; 200], dense(300)], syncs);
        let place = Place::new();
        let second = Some(frames[1].start as u64);
        let with = |parts: &[&[u8]]| damaged_at(place.recover(&parts.concat(), 0));
        let part = |frame: usize| &whole[frames[frame].clone()];
        let before = &whole[..frames[1].start];
        assert_eq!(with(&[before, part(2), part(3)]), second, "one is missing");
        assert_eq!(with(&[before, part(3)]), second, "two are missing");
        assert_eq!(with(&[before, part(2), part(1), part(3)]), second, "two are swapped");
        assert_eq!(
            with(&[before, part(1), part(1), part(2)]),
            Some(frames[2].start as u64),
            "one is twice there"
        );

        // Of the same owner and place, but with another frame before it.
        let (other, _) = file_of(&[vec![3; 100], dense(200), vec![5; 200], dense(300)], syncs);
        assert_eq!(with(&[before, &other[frames[1].start..]]), second, "the rest is of another file");
        assert_eq!(with(&[before, &other[frames[1].clone()], part(2), part(3)]), second);
    }
}

#[test]
fn a_batch_that_was_not_synced_ends_before_its_torn_frame_although_a_whole_one_follows() {
    let place = Place::new();
    let mut writer = place.create();
    writer.append(1, &dense(100)).unwrap();
    writer.sync().unwrap();
    let durable = writer.durable();
    writer.append(2, &dense(400)).unwrap();
    let first = writer.end();
    writer.append(3, &dense(2000)).unwrap();
    writer.append(4, &dense(400)).unwrap();
    let end = writer.end();
    drop(writer);
    let mut bytes = fs::read(place.path()).unwrap();
    bytes[2 * SECTOR..3 * SECTOR].fill(0);
    let recovered = place.recover(&bytes, durable).unwrap();
    assert_eq!(recovered, Recovered { end: first, cut: end.at - first.at });

    // The rest is gone for good, even if the same frame is written again.
    let mut writer = JournalWriter::resume(&place.path(), KIND, OWNER, recovered.end).unwrap();
    writer.append(3, &dense(2000)).unwrap();
    let journal = place.open();
    assert_eq!(journal.recover(journal.start(), durable).unwrap(), Recovered { end: writer.end(), cut: 0 });
    assert_eq!(payloads(&journal, writer.end().at).len(), 3);
}

#[test]
fn a_copy_of_a_frame_in_a_payload_is_not_taken_for_a_frame() {
    let (inner, frames) = file_of(&[dense(10), dense(10), dense(10)], Syncs::EachFrame);
    let (whole, frames) = file_of(&[dense(10), inner[frames[2].clone()].repeat(30)], Syncs::EachFrame);
    let place = Place::new();
    let last = frames[1].clone();
    for length in last.clone() {
        assert_eq!(place.recover(&whole[..length], 0).unwrap().end.at, last.start as u64);
    }
}

#[test]
fn an_old_frame_of_another_file_behind_a_torn_one_is_no_sign_of_a_sync() {
    let place = Place::new();
    let file_with = |chain| {
        let mut writer = JournalWriter::create(&place.path(), KIND, OWNER, chain).unwrap();
        for sequence in 0..2 {
            writer.append(sequence, &dense(2000)).unwrap();
            writer.sync().unwrap();
        }
        fs::read(place.path()).unwrap()
    };
    let (old, mut bytes) = (file_with(1), file_with(2));
    bytes[SECTOR..3 * SECTOR].fill(0);
    assert!(place.recover(&bytes, 0).is_err(), "the second frame was made after a sync");
    let second = START + HEAD + 2000;
    bytes[second..].copy_from_slice(&old[second..]);
    assert_eq!(place.recover(&bytes, 0).unwrap().end.at, START as u64);
}

#[test]
fn a_file_that_ends_before_known_bytes_is_damaged() {
    let (whole, frames) = file_of(&[dense(100), dense(50)], Syncs::EachFrame);
    let place = Place::new();
    let end = place.recover(&whole, 0).unwrap().end;
    let shorter = &whole[..frames[1].start];
    assert_eq!(place.recover(shorter, 0).unwrap().cut, 0, "a cut between frames shows in `durable` only");
    assert_eq!(damaged_at(place.recover(shorter, end.at)), Some(shorter.len() as u64));
    assert_eq!(damaged_at(place.open().recover(end, 0)), Some(shorter.len() as u64));
    for at in [0, 47, u64::MAX] {
        assert!(place.open().recover(JournalEnd { at, chain: 0 }, 0).is_err());
    }
}

#[test]
fn a_journal_ends_with_the_end_of_each_of_its_frames_and_with_no_other() {
    let place = Place::new();
    let mut writer = place.create();
    let mut ends = vec![writer.end()];
    // A frame within a frame, an empty one, and one that is longer than what is searched at a time.
    for payload in [dense(600), vec![], dense(3 << 20), mixed().concat(), dense(5)] {
        let payload = if payload.len() == 600 { [&payload[..], b"\xf5frm"].concat() } else { payload };
        writer.append(1, &payload).unwrap();
        ends.push(writer.end());
    }
    for journal in [place.open(), Journal::open_growing(&place.path(), KIND, OWNER, 0).unwrap()] {
        for &end in &ends {
            assert!(journal.ends_with(end).unwrap());
            assert!(!journal.ends_with(JournalEnd { chain: end.chain ^ 1, ..end }).unwrap());
            if end != ends[5] {
                assert!(!journal.ends_with(JournalEnd { at: end.at + 1, ..end }).unwrap());
            }
        }
        let beyond = JournalEnd { at: ends[5].at + 1, ..ends[5] };
        assert!(matches!(journal.ends_with(beyond), Err(Error::Damaged { .. })));
    }
}

#[test]
fn bytes_beyond_the_end_are_an_error() {
    let place = Place::new();
    let mut writer = place.create();
    writer.append(1, b"payload").unwrap();
    let end = writer.end().at;
    for journal in [place.open(), Journal::open_growing(&place.path(), KIND, OWNER, 0).unwrap()] {
        assert_eq!(journal.bytes(end - 7..end).unwrap(), &b"payload"[..]);
        assert_eq!(journal.bytes(end..end).unwrap().len(), 0);
        #[expect(clippy::reversed_empty_ranges, reason = "no caller's mistake may panic")]
        for range in
            [end - 7..end + 1, end..end + 1, end + 1..end + 1, 0..u64::MAX, u64::MAX..u64::MAX, 60..50]
        {
            let error = journal.bytes(range.clone()).unwrap_err();
            assert!(error.is_damage(), "{range:?}: {error}");
            journal.expect(range);
        }
    }
}

#[test]
fn frames_are_read_by_several_threads_while_one_appends() {
    let place = Place::new();
    let mut writer = place.create();
    let journal = Journal::open_growing(&place.path(), KIND, OWNER, 0).unwrap();
    let payload = |sequence: u64| vec![sequence as u8; (sequence as usize * 37) % 3000];
    thread::scope(|scope| {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..3).map(|_| mpsc::channel::<(u64, u64)>()).unzip();
        for receiver in receivers {
            let journal = &journal;
            scope.spawn(move || {
                for (sequence, at) in receiver {
                    let expected = payload(sequence);
                    let read = journal.bytes(at..at + expected.len() as u64).unwrap();
                    assert_eq!(read, expected, "frame {sequence}");
                }
            });
        }
        for sequence in 0..500 {
            let at = writer.append(sequence, &payload(sequence)).unwrap();
            senders.iter().for_each(|sender| sender.send((sequence, at)).unwrap());
        }
    });
    assert_eq!(payloads(&journal, writer.end().at).len(), 500);
}

/// A limit on the length of files stands for a full disk. It holds for a process, so the test runs itself in a child.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_the_failed_frame_only() {
    const CHILD: &str = "LOOKALIKE_TEST_JOURNAL";
    if let Some(path) = std::env::var_os(CHILD) {
        let path = PathBuf::from(path);
        let mut writer = JournalWriter::create(&path, KIND, OWNER, 0).unwrap();
        writer.append(1, &dense(2000)).unwrap();
        let end = writer.end();
        for _ in 0..2 {
            let error = writer.append(2, &dense(100_000)).unwrap_err();
            assert!(error.to_string().contains("cannot write"), "{error}");
            assert_eq!(writer.end(), end);
            assert_eq!(fs::metadata(&path).unwrap().len(), end.at);
        }
        writer.append(2, &dense(300)).unwrap();
        writer.sync().unwrap();
        return;
    }
    let place = Place::new();
    // Eight blocks of 512 or 1024 bytes, as the shell counts. Without the trap a signal ends the process.
    let status = std::process::Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 8 && exec \"$0\" --exact journal::a_full_disk_loses_the_failed_frame_only",
        ])
        .arg(std::env::current_exe().unwrap())
        .env(CHILD, place.path())
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let journal = place.open();
    let recovered = journal.recover(journal.start(), 0).unwrap();
    assert_eq!(recovered.cut, 0);
    assert_eq!(payloads(&journal, recovered.end.at), [dense(2000), dense(300)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_make_a_recovery_panic(
        payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..700), 0..4),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cut in any::<prop::sample::Index>(),
        behind in prop::collection::vec(any::<u8>(), 0..200),
        from in (any::<u64>(), any::<u64>()),
        durable in any::<u64>(),
    ) {
        let (mut bytes, _) = file_of(&payloads, Syncs::EachFrame);
        bytes.truncate(START + cut.index(bytes.len() - START + 1));
        bytes.extend(behind);
        if bytes.len() > START {
            for (at, byte) in changes {
                let at = START + at.index(bytes.len() - START);
                bytes[at] = byte;
            }
        }
        let place = Place::new();
        if let Ok(recovered) = place.recover(&bytes, durable % 2000) {
            prop_assert_eq!(recovered.end.at + recovered.cut, bytes.len() as u64);
            let journal = place.open();
            prop_assert!(journal.frames(journal.start(), recovered.end.at).all(|frame| frame.is_ok()));
        }
        let journal = place.open();
        for at in [from.0, from.0 % 3000] {
            let from = JournalEnd { at, chain: from.1 };
            let _ = journal.recover(from, durable);
            let _ = journal.frames(from, durable).count();
        }
    }
}
