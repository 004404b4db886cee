//! A copy that follows another index.

use super::*;
use lookalike::hash::SplitMix64;
use proptest::prelude::*;

/// Adds, removes, links and extends documents at random.
fn change(writer: &mut IndexWriter, generator: &mut SplitMix64, steps: u64) {
    for _ in 0..steps {
        let documents = writer.documents();
        let number = if documents == 0 { 0 } else { generator.next() % documents };
        match generator.next() % 100 {
            0 if documents > 0 => writer.remove(number),
            1 if documents > 0 => writer.purge(number),
            2..15 if documents > 0 => writer.link(number, documents - 1),
            15..25 if documents > 0 => writer.extend_expiry(number, generator.next() as u32).unwrap(),
            _ => _ = add(writer, generator.next() % 1_000_000, 5),
        }
        if generator.next().is_multiple_of(6) {
            let payload = generator.next().is_multiple_of(3).then(|| generator.next().to_le_bytes());
            if let Some(commit) = writer.commit(payload.as_ref().map(|payload| &payload[..])) {
                commit.finish().unwrap();
            }
            writer.roll_log().unwrap();
        }
    }
    if let Some(commit) = writer.commit(None) {
        commit.finish().unwrap();
    }
}

/// Everything that is sent from change `sequence` on, as bytes.
fn sent(reader: &IndexReader, sequence: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    CopyItem::Plan(Box::new(reader.made_with())).push(&mut bytes);
    reader.dictionaries_from(1).iter().for_each(|item| item.push(&mut bytes));
    let mut changes = reader.changes_from(sequence)?;
    while let Some(changes) = changes.next_changes()? {
        CopyItem::Changes(changes).push(&mut bytes);
    }
    CopyItem::End(reader.snapshot().sequence()).push(&mut bytes);
    Ok(bytes)
}

/// Makes what was sent in the copy. Returns its links, and the number of changes that the other index has.
fn receive(bytes: &[u8], piece: usize, writer: &mut IndexWriter, reader: &IndexReader) -> Result<u64, Error> {
    let (mut items, mut end) = (Items::default(), 0);
    for piece in bytes.chunks(piece) {
        items.push(piece);
        while let Some(item) = items.next_item()? {
            match item {
                CopyItem::Plan(new) => assert_eq!(*new, reader.made_with()),
                CopyItem::Dictionary { number, bytes } => reader.add_dictionary(number, bytes)?,
                CopyItem::Changes(changes) => {
                    writer.apply(&changes)?;
                    writer.commit(None).unwrap().finish()?;
                    writer.roll_log()?;
                }
                CopyItem::End(sequence) => end = sequence,
            }
        }
    }
    Ok(end)
}

fn check_same(original: &Path, copy: &Path) {
    let [original, copy] = [original, copy].map(|path| Index::open(path).unwrap());
    let (of, in_copy) = (original.snapshot(), copy.snapshot());
    assert_eq!((in_copy.sequence(), in_copy.documents()), (of.sequence(), of.documents()));
    assert_eq!(copy.payload(), original.payload());
    for number in 0..of.documents() {
        assert_eq!(in_copy.is_removed(number), of.is_removed(number), "{number}");
        // What is left of a dead document may differ: each index drops it when it likes.
        if of.is_removed(number) {
            continue;
        }
        let (document, copied) = (of.document(number).unwrap(), in_copy.document(number).unwrap());
        assert_eq!((copied.id(), copied.text().unwrap()), (document.id(), document.text().unwrap()));
        assert_eq!((copied.expires(), copied.url()), (document.expires(), document.url()));
        let found = in_copy.find(document.id()).unwrap().map(|found| found.number);
        assert_eq!(found, of.find(document.id()).unwrap().map(|found| found.number));
        let seed: u64 = document.id()[2..].parse().unwrap();
        assert_eq!(in_copy.candidates(&keys(seed), 0).unwrap(), of.candidates(&keys(seed), 0).unwrap());
    }
    let [original, copy] = [original, copy].map(|index| index.clusters().unwrap());
    (0..of.documents()).for_each(|number| assert_eq!(copy.root(number), original.root(number), "{number}"));
}

fn open_copy(path: &Path) -> (IndexWriter, IndexReader) {
    let index = match Index::is_at(path) {
        true => Index::open_to_add(path).unwrap(),
        false => Index::create(path, &plan()).unwrap(),
    };
    IndexWriter::open_with(index.following(), SIZES).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_copy_has_the_documents_clusters_and_payload_of_the_index_that_it_follows(
        seed in any::<u64>(), rounds in prop::collection::vec((1..120_u64, any::<bool>()), 1..5), piece in 1..5000_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (original, copy) = (folder.path().join("original"), folder.path().join("copy"));
        let mut generator = SplitMix64(seed);
        for (steps, restarts) in rounds {
            let (mut writer, reader) = open(&original);
            let (mut copy_writer, copy_reader) = open_copy(&copy);
            change(&mut writer, &mut generator, steps);
            if restarts {
                writer.close().unwrap();
                continue;
            }
            let mark = copy_reader.mark().unwrap();
            prop_assert!(reader.has_passed(&mark).unwrap());
            // The log may have lost changes of dead documents. A copy begins with a backup then.
            let bytes = match sent(&reader, mark.sequence) {
                Err(Error::OldChanges { .. }) => return Ok(()),
                bytes => bytes.unwrap(),
            };
            let end = receive(&bytes, piece, &mut copy_writer, &copy_reader).unwrap();
            prop_assert_eq!(end, reader.snapshot().sequence());
            writer.close().unwrap();
            copy_writer.close().unwrap();
            check_same(&original, &copy);
        }
    }
}

#[test]
fn changed_bytes_are_refused_and_what_came_before_them_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (mut writer, reader) = open(&folder.path().join("original"));
    for seed in 0..60 {
        let number = add(&mut writer, seed, 1);
        if seed % 7 == 6 {
            writer.link(number - 1, number);
            writer.commit(None).unwrap().finish().unwrap();
        }
    }
    let bytes = sent(&reader, 0).unwrap();
    for at in (0..bytes.len()).step_by(37) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        let (mut copy_writer, copy_reader) = open_copy(&folder.path().join(format!("copy{at}")));
        // A changed length leaves an item that never ends.
        let is_refused =
            !matches!(receive(&changed, 4096, &mut copy_writer, &copy_reader), Ok(end) if end > 0);
        assert!(is_refused, "byte {at}");
        let mark = copy_reader.mark().unwrap();
        assert!(reader.has_passed(&mark).unwrap());
        copy_writer.roll_back();
        // The rest comes again.
        receive(&sent(&reader, mark.sequence).unwrap(), 4096, &mut copy_writer, &copy_reader).unwrap();
        assert_eq!(copy_reader.mark().unwrap(), reader.mark().unwrap());
    }
}

#[test]
fn an_index_with_another_history_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut writer, reader) = open(&folder.path().join("original"));
    let (mut other_writer, other_reader) = open(&folder.path().join("other"));
    for (writer, seed) in [(&mut writer, 1), (&mut other_writer, 2)] {
        add(writer, seed, 1);
        writer.commit(None).unwrap().finish().unwrap();
    }
    let mark = other_reader.mark().unwrap();
    assert!(!reader.has_passed(&mark).unwrap());
    // Their changes after the first document differ, and not their documents.
    let last = |reader: &IndexReader| reader.mark().unwrap().last;
    let (mut one, one_reader) = open(&folder.path().join("one"));
    let (mut two, two_reader) = open(&folder.path().join("two"));
    for writer in [&mut one, &mut two] {
        (0..2).for_each(|seed| _ = add(writer, seed, 1));
        writer.commit(None).unwrap().finish().unwrap();
    }
    assert_eq!(last(&one_reader), last(&two_reader));
    one.remove(0);
    two.remove(1);
    [&mut one, &mut two].into_iter().for_each(|writer| writer.commit(None).unwrap().finish().unwrap());
    assert!(!one_reader.has_passed(&two_reader.mark().unwrap()).unwrap());
    // One that has come further, as after a backup was restored.
    add(&mut other_writer, 3, 1);
    other_writer.commit(None).unwrap().finish().unwrap();
    let later = other_reader.mark().unwrap();
    assert!(other_reader.has_passed(&mark).unwrap());
    assert!(!reader.has_passed(&later).unwrap());
    assert!(matches!(reader.changes_from(later.sequence), Err(Error::OldChanges { .. })));
    // Changes that do not follow.
    let mut changes = other_reader.changes_from(1).unwrap();
    let changes = changes.next_changes().unwrap().unwrap();
    assert_eq!((changes.sequence(), changes.documents()), (1, 1));
    let (mut copy_writer, _) = open_copy(&folder.path().join("copy"));
    assert!(matches!(copy_writer.apply(&changes), Err(Error::NotFollowed { .. })));
    assert_eq!((copy_writer.sequence(), copy_writer.documents()), (0, 0));
}

#[test]
fn changes_that_the_log_has_lost_are_old() {
    let folder = tempfile::tempdir().unwrap();
    let (mut writer, reader) = open(&folder.path().join("original"));
    let mut early = reader.changes_from(0).unwrap();
    for seed in 0..200 {
        add(&mut writer, seed, 1);
        if seed % 10 == 9 {
            writer.commit(None).unwrap().finish().unwrap();
            writer.roll_log().unwrap();
        }
    }
    let reads = |changes: &mut ChangeReader| {
        let mut sequence = 0;
        while let Some(changes) = changes.next_changes()? {
            sequence = changes.next_sequence();
        }
        Ok::<_, Error>(sequence)
    };
    assert_eq!(reads(&mut reader.changes_from(0).unwrap()).unwrap(), 200);
    assert_eq!(reads(&mut reader.changes_from(133).unwrap()).unwrap(), 200);
    (20..150).for_each(|number| writer.remove(number));
    writer.commit(None).unwrap().finish().unwrap();
    // Only files that runs cover are packed.
    while reader.snapshot().memtables() > 1 {
        std::thread::yield_now();
    }
    reader.pack(1, &()).unwrap();
    // The first files are there, and lead to a gap.
    assert!(matches!(reader.changes_from(0), Err(Error::OldChanges { sequence: 0 })));
    assert!(matches!(reader.changes_from(5), Err(Error::OldChanges { sequence: 5 })));
    assert!(matches!(reads(&mut early), Err(Error::OldChanges { .. })));
    assert_eq!(reads(&mut reader.changes_from(200).unwrap()).unwrap(), 330);
    assert_eq!(reads(&mut reader.changes_from(330).unwrap()).unwrap(), 0);
    assert!(matches!(reader.changes_from(331), Err(Error::OldChanges { .. })));
}
