//! Histories of many threads, replayed one change after the other.

use super::*;
use lookalike::hash::SplitMix64;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A text of a family, all of whose texts are similar. Texts of different families are not.
fn text(family: u64, variant: u64) -> String {
    let mut generator = SplitMix64(family);
    let mut words: Vec<String> = (0..120).map(|_| format!("w{}", generator.next() % 100_000)).collect();
    words.push(format!("variant{variant}"));
    words.join(" ")
}

/// What a thread asked, and what it was told. Moments are counted, and ascend.
#[derive(Debug)]
struct Event {
    asked: u64,
    told: u64,
    /// The family and variant of a text to be added, or `None` if the document with the id is to be removed or touched.
    text: Option<(u64, u64)>,
    /// The second until which the document with the id is to live.
    touch: Option<u32>,
    id: String,
    now: u32,
    expires: Option<u32>,
    sequence: u64,
    added: Option<Added>,
    /// Whether a document was removed or touched.
    was_removed: bool,
}

fn histories(threads: u64, events: u64, seed: u64, seen: &Seen) -> Vec<Event> {
    let (moments, all) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (moments, all) = (&moments, &all);
            scope.spawn(move || {
                let mut generator = SplitMix64(seed ^ thread << 32);
                let mut random = move |below: u64| generator.next() % below;
                for event in 0..events {
                    // Threads are about the same families at about the same time.
                    let family = event / 8 * 4 + random(4);
                    let id = format!("{family}-{}", random(3));
                    let now = event as u32;
                    let expires = (random(4) == 0).then(|| now + random(10) as u32);
                    let asked = moments.fetch_add(1, Ordering::SeqCst);
                    let mut event = Event {
                        asked,
                        told: 0,
                        text: None,
                        touch: None,
                        id: id.clone(),
                        now,
                        expires,
                        sequence: 0,
                        added: None,
                        was_removed: false,
                    };
                    if random(5) == 0 {
                        let removed = seen.remove(&id).wait().unwrap();
                        (event.sequence, event.was_removed) = (removed.sequence, removed.answer.is_some());
                    } else if random(5) == 0 {
                        let until = now + random(10) as u32;
                        let touched = seen.touch(&id, until, now).wait().unwrap();
                        (event.touch, event.sequence) = (Some(until), touched.sequence);
                        event.was_removed = touched.answer.is_some();
                    } else {
                        let variant = random(3);
                        event.text = Some((family, variant));
                        let new = NewText { expires, ..NewText::new(id, text(family, variant)) };
                        let added = seen.add(new, now).wait().unwrap();
                        (event.sequence, event.added) = (added.sequence, Some(added.answer));
                    }
                    event.told = moments.fetch_add(1, Ordering::SeqCst);
                    all.lock().unwrap().push(event);
                }
            });
        }
    });
    all.into_inner().unwrap()
}

#[derive(Clone, Debug)]
struct ModelDocument {
    id: String,
    text: (u64, u64),
    expires: Option<u32>,
    is_removed: bool,
}

/// Replays a history and checks that every answer fits to all changes before it.
fn check_history(events: &[Event]) -> BTreeMap<u64, ModelDocument> {
    let mut ordered: Vec<&Event> = events.iter().collect();
    // Answers that change nothing come before the change that has the same number.
    ordered.sort_by_key(|event| {
        let is_change = matches!(event.added, Some(Added::New { .. })) || event.was_removed;
        // A touch changes nothing if the document lives longer anyway.
        (event.sequence, u8::from(is_change) + u8::from(is_change && event.touch.is_none()))
    });
    let mut model: BTreeMap<u64, ModelDocument> = BTreeMap::new();
    let mut changes = 0;
    for event in ordered {
        let is_there = |document: &ModelDocument, now: u32| {
            !document.is_removed && document.expires.is_none_or(|at| at > now)
        };
        let now = if event.text.is_some() || event.touch.is_some() { event.now } else { 0 };
        let same_id =
            model.iter().rev().find(|(_, document)| document.id == event.id && is_there(document, now));
        let same_id = same_id.map(|(&number, document)| (number, document.text));
        let similar: Vec<u64> = model
            .iter()
            .filter(|(_, document)| {
                is_there(document, event.now) && event.text.is_some_and(|text| text.0 == document.text.0)
            })
            .map(|(&number, _)| number)
            .collect();
        match &event.added {
            None => {
                assert_eq!(event.was_removed, same_id.is_some(), "{event:?}");
                if let Some((number, _)) = same_id
                    && let Some(until) = event.touch
                {
                    let expires = &mut model.get_mut(&number).unwrap().expires;
                    if expires.is_some_and(|expires| expires < until) {
                        *expires = Some(until);
                        assert_eq!(event.sequence, changes, "each change has a number");
                        changes += 1;
                    }
                } else if let Some((number, _)) = same_id {
                    assert_eq!(event.sequence, changes, "each change has a number");
                    changes += 1;
                    model.get_mut(&number).unwrap().is_removed = true;
                }
            }
            Some(Added::New { number }) => {
                assert_eq!((&similar[..], same_id), (&[][..], None), "{event:?}");
                assert_eq!((*number, event.sequence), (model.len() as u64, changes), "{event:?}");
                changes += 1;
                // One that has expired makes room.
                for document in
                    model.values_mut().filter(|document| document.id == event.id && !document.is_removed)
                {
                    document.is_removed = true;
                    changes += 1;
                }
                let (id, text) = (event.id.clone(), event.text.unwrap());
                model.insert(*number, ModelDocument { id, text, expires: event.expires, is_removed: false });
            }
            Some(Added::Duplicate { found, stored: None }) => {
                assert!(same_id.is_none() && similar.contains(&found.number), "{event:?}");
                let document = &model[&found.number];
                assert_eq!(found.id, document.id);
                assert_eq!(found.is_copy, Some(document.text) == event.text);
            }
            Some(Added::Unchanged { number }) => assert_eq!(same_id, Some((*number, event.text.unwrap()))),
            Some(Added::OtherText { number }) => {
                let (same, text) = same_id.unwrap();
                assert!(same == *number && Some(text) != event.text);
            }
            Some(Added::Duplicate { .. }) => panic!("duplicates are refused: {event:?}"),
        }
    }
    // Whoever was told before another asked has a number that is not larger.
    let mut by_told: Vec<&Event> = events.iter().collect();
    by_told.sort_by_key(|event| event.told);
    let mut by_asked: Vec<&Event> = events.iter().collect();
    by_asked.sort_by_key(|event| event.asked);
    let (mut told, mut largest) = (by_told.into_iter().peekable(), 0);
    for event in by_asked {
        while let Some(before) = told.next_if(|before| before.told < event.asked) {
            largest = largest.max(before.sequence);
        }
        assert!(event.sequence >= largest, "{event:?} comes before one that was told earlier");
    }
    model
}

fn create(path: &std::path::Path) -> (Seen, Closer) {
    Seen::open(Index::create(path, &Plan::default()).unwrap()).unwrap()
}

#[test]
fn every_answer_of_many_threads_fits_to_the_changes_before_it() {
    for seed in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen.index");
        let (seen, closer) = create(&path);
        let model = check_history(&histories(16, 60, seed, &seen));
        assert!(model.len() > 50);
        drop(seen);
        closer.close().unwrap();
        // And all of it is there afterwards.
        let (seen, closer) = Seen::open(Index::open_to_add(&path).unwrap()).unwrap();
        let snapshot = seen.snapshot();
        assert_eq!(snapshot.documents(), model.len() as u64);
        for (&number, document) in &model {
            let stored = snapshot.document(number).unwrap();
            assert_eq!((stored.id(), stored.expires()), (&document.id[..], document.expires));
            assert_eq!(stored.text().unwrap(), text(document.text.0, document.text.1));
            assert_eq!(snapshot.is_removed(number), document.is_removed);
        }
        drop((snapshot, seen));
        closer.close().unwrap();
    }
}

#[test]
fn of_near_duplicates_that_are_added_at_once_one_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let (seen, closer) = create(&folder.path().join("seen.index"));
    for family in 0..100 {
        let add = |variant| seen.add(NewText::new(format!("{family}-{variant}"), text(family, variant)), 0);
        let pending: Vec<Pending<Added>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|variant| scope.spawn(move || add(variant))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let answers: Vec<Added> = pending.into_iter().map(|pending| pending.wait().unwrap().answer).collect();
        let accepted: Vec<u64> = answers
            .iter()
            .filter_map(|answer| match answer {
                Added::New { number } => Some(*number),
                _ => None,
            })
            .collect();
        assert_eq!(accepted, [family]);
        let refused =
            |answer: &Added| matches!(answer, Added::Duplicate { found, .. } if found.number == family);
        assert_eq!(answers.iter().filter(|answer| refused(answer)).count(), 7);
    }
    drop(seen);
    closer.close().unwrap();
}

#[test]
fn a_stored_duplicate_is_in_the_cluster_of_what_it_is_similar_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (seen, closer) = create(&path);
    for (number, (family, variant)) in [(1, 0), (2, 0), (1, 1), (1, 2), (3, 0)].into_iter().enumerate() {
        let new = NewText {
            on_duplicate: OnDuplicate::Store,
            ..NewText::new(format!("d{number}"), text(family, variant))
        };
        match seen.add(new, 0).wait().unwrap().answer {
            Added::New { number: stored } => assert!(stored as usize == number && ![2, 3].contains(&number)),
            Added::Duplicate { found, stored } => {
                let linked = Linked { number: number as u64, to: vec![0] };
                assert_eq!((stored, found.number), (Some(linked), 0));
            }
            answer => panic!("{answer:?}"),
        }
    }
    drop(seen);
    closer.close().unwrap();
    let info = Index::open(&path).unwrap().info(lookalike_index::Verify::Everything, &()).unwrap();
    assert_eq!((info.documents, info.clusters, info.clustered), (5, 1, 3));
}

#[test]
fn a_text_without_features_is_a_duplicate_of_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (seen, closer) = create(&folder.path().join("seen.index"));
    for (number, text) in ["", " . ", ""].into_iter().enumerate() {
        let added = seen.add(NewText::new(format!("d{number}"), text), 0).wait().unwrap().answer;
        assert_eq!(added, Added::New { number: number as u64 });
    }
    assert_eq!(seen.check("", 0.0, 0).unwrap(), Checked::default());
    drop(seen);
    closer.close().unwrap();
}

#[test]
fn many_expired_copies_do_not_hide_a_living_one() {
    let folder = tempfile::tempdir().unwrap();
    let (seen, closer) = create(&folder.path().join("seen.index"));
    for number in 0..1100 {
        let new = NewText {
            expires: Some(5),
            on_duplicate: OnDuplicate::Ignore,
            ..NewText::new(format!("e{number}"), text(1, 0))
        };
        // The last one is waited for, and with it all before it.
        let pending = seen.add(new, 0);
        if number == 1099 {
            pending.wait().unwrap();
        }
    }
    let added = |id: &str| seen.add(NewText::new(id, text(1, 0)), 10).wait().unwrap().answer;
    assert_eq!(added("first"), Added::New { number: 1100 });
    assert!(matches!(added("second"), Added::Duplicate { found, .. } if found.number == 1100));
    let checked = seen.check(&text(1, 1), 0.0, 10).unwrap();
    assert_eq!((checked.candidates, checked.compared, checked.is_capped), (1101, 1, false));
    drop(seen);
    closer.close().unwrap();
}

#[test]
fn a_stored_duplicate_is_linked_to_one_document_of_each_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (seen, closer) = create(&path);
    let stored = |id: String, family, variant| NewText {
        on_duplicate: OnDuplicate::Store,
        ..NewText::new(id, text(family, variant))
    };
    // All at once, so that most are not on the disk when the next one is decided.
    let pending: Vec<_> =
        (0..200).map(|number| seen.add(stored(format!("d{number}"), 1, number), 0)).collect();
    pending.into_iter().for_each(|pending| drop(pending.wait().unwrap()));
    seen.add(stored("other".to_owned(), 2, 0), 0).wait().unwrap();
    let snapshot = seen.snapshot();
    // Documents and links. A link may be there twice if its cluster came to the disk at the same moment.
    let changes = snapshot.sequence();
    assert!((201 + 199..201 + 250).contains(&changes), "{changes} changes");
    assert_eq!(seen.cluster(7), (0..200).collect::<Vec<_>>());
    assert_eq!(seen.cluster(200), [200]);
    drop((snapshot, seen));
    closer.close().unwrap();
    let (seen, closer) = Seen::open(Index::open_to_add(&path).unwrap()).unwrap();
    assert_eq!(seen.cluster(199).len(), 200);
    seen.add(stored("again".to_owned(), 1, 999), 0).wait().unwrap();
    assert_eq!(seen.cluster(0).len(), 201);
    drop(seen);
    closer.close().unwrap();
}

#[test]
fn a_touching_text_lets_the_document_that_it_is_similar_to_live_as_long_as_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (seen, closer) = create(&folder.path().join("seen.index"));
    let add = |id: &str, variant, expires, now| {
        let on_duplicate = OnDuplicate::Touch;
        let new = NewText { on_duplicate, expires, ..NewText::new(id.to_owned(), text(1, variant)) };
        seen.add(new, now).wait().unwrap().answer
    };
    let expires = || seen.snapshot().find("a").unwrap().unwrap().expires();
    assert!(matches!(add("a", 0, Some(100), 1), Added::New { number: 0 }));
    for (id, variant, until, expected) in
        [("b", 1, Some(150), 150), ("c", 2, Some(120), 150), ("d", 3, None, 150), ("a", 0, Some(200), 200)]
    {
        let answer = add(id, variant, until, 2);
        let is_same = id == "a";
        assert!(if is_same {
            matches!(answer, Added::Unchanged { number: 0 })
        } else {
            matches!(answer, Added::Duplicate { stored: None, .. })
        });
        assert_eq!(expires(), Some(expected), "{id}");
    }
    assert!(matches!(add("e", 4, Some(300), 199), Added::Duplicate { .. }));
    assert!(matches!(add("f", 5, Some(900), 300), Added::New { .. }));
    drop(seen);
    closer.close().unwrap();
}

#[test]
fn a_purged_text_is_gone_soon_also_if_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (seen, closer) = create(&path);
    (0..5).for_each(|family| _ = seen.add(NewText::new(format!("{family}"), text(family, 0)), 0));
    assert_eq!(seen.purge("3").wait().unwrap().answer, Some(3));
    assert_eq!(seen.purge("3").wait().unwrap().answer, None);
    while seen.reader().purging() > 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let snapshot = seen.snapshot();
    assert!(matches!(snapshot.document(3), Err(lookalike_index::Error::Gone { number: 3 })));
    assert_eq!(snapshot.document(4).unwrap().text().unwrap(), text(4, 0));
    drop((snapshot, seen));
    closer.close().unwrap();
}
