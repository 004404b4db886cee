//! Notes that go to the disk with changes.

use super::*;
use std::sync::mpsc::channel;

/// Adds texts of this family with a note of the documents that the index has with them, and waits until they are on the disk.
fn add(seen: &Seen, family: u64, ids: std::ops::Range<u64>) {
    let texts = ids.map(|id| NewText {
        on_duplicate: OnDuplicate::Store,
        ..NewText::new(format!("{family}-{id}"), text(family, id))
    });
    let note: Note<Added> = Box::new(|answers| {
        let numbers = answers.iter().map(|decided| match &decided.as_ref().unwrap().answer {
            Added::New { number, .. } => *number,
            Added::Duplicate { stored: Some(linked), .. } => linked.number,
            other => panic!("{other:?}"),
        });
        (numbers.max().unwrap() + 1).to_string().into_bytes()
    });
    let (sender, receiver) = channel();
    let prepared = seen.prepare(texts.collect(), 0).unwrap();
    let then = move |answers: Answers<Added>| sender.send(answers).unwrap();
    assert!(seen.submit_noted(prepared, note, then).is_ok());
    assert!(receiver.recv().unwrap().iter().all(Result::is_ok));
}

/// The documents of the index at `path`, and its note.
fn opened(path: &std::path::Path) -> (u64, String) {
    let index = Index::open(path).unwrap();
    (index.documents(), String::from_utf8(index.payload().unwrap_or(b"0").to_vec()).unwrap())
}

#[test]
fn a_note_is_on_the_disk_exactly_if_its_changes_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (seen, closer) = create(&path);
    let copy = |name: &str| {
        let copy = folder.path().join(name);
        std::fs::create_dir_all(&copy).unwrap();
        for file in std::fs::read_dir(&path).unwrap() {
            let file = file.unwrap();
            // A file that is gone meanwhile is not needed.
            let _ = std::fs::copy(file.path(), copy.join(file.file_name()));
        }
        copy
    };
    std::thread::scope(|scope| {
        let adding = scope.spawn(|| (0..60).for_each(|family| add(&seen, family, 0..1 + family % 7)));
        let mut copies = 0;
        while !adding.is_finished() || copies == 0 {
            let (documents, note) = opened(&copy(&format!("copy-{copies}")));
            assert_eq!(note, documents.to_string());
            copies += 1;
        }
    });
    // A note of nothing, and one of a removal.
    let (sender, receiver) = channel();
    let (nothing, removed) = (sender.clone(), sender);
    let prepared = seen.prepare(Vec::new(), 0).unwrap();
    let then = move |answers: Answers<Added>| nothing.send(answers.len()).unwrap();
    assert!(seen.submit_noted(prepared, Box::new(|_| b"idle".to_vec()), then).is_ok());
    assert_eq!(receiver.recv().unwrap(), 0);
    assert_eq!(opened(&copy("idle")).1, "idle");
    let then = move |answers: Answers<Option<u64>>| removed.send(answers.len()).unwrap();
    let note: Note<Option<u64>> =
        Box::new(|answers| format!("{:?}", answers[0].as_ref().unwrap().answer).into_bytes());
    assert!(seen.remove_noted(vec!["0-0".to_owned()], note, then).is_ok());
    assert_eq!(receiver.recv().unwrap(), 1);
    assert_eq!(opened(&copy("removed")).1, "Some(0)");
    drop(seen);
    closer.close().unwrap();
    assert_eq!(opened(&path).1, "Some(0)");
}
