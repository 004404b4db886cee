//! Histories of many threads, replayed one change after the other.
//!
//! **Tests.** `seen/tests` records histories of 16 threads. It replays all changes against a model, in the order of
//! their sequence numbers. Each answer must fit to the changes before it. If an answer was given before another request
//! was made, its number may not be larger. `index/live/tests` compares random steps, kills and failed commits included,
//! with a list. `cli/tests/it/serve` kills the program under load. `seen/tests/clusters` compacts clusters after every
//! third change, while threads add, link and remove.

mod clusters;
mod fingerprints;
mod frequent;
pub(super) mod history;
mod in_order;
mod noted;
mod signatures;
mod wider;

use super::*;
use history::{check_history, histories, text};
use lookalike::{Method, Options, Verification};
use lookalike_index::NewIndex;
use lookalike_index::live::IndexSizes;

/// A plan by which signatures alone decide.
pub(super) fn estimates(threshold: f64) -> Plan {
    let options = Options { threshold: Some(threshold), num_perm: Some(64), ..Options::default() };
    Options { verify: Some(Verification::Estimate), ..options }.plan().unwrap()
}

/// An empty index, whose clusters are compacted after every few changes.
fn create(path: &std::path::Path) -> (Seen, Closer) {
    let index = Index::create(path, &Plan::default()).unwrap();
    Seen::open(index.with_sizes(IndexSizes { compaction: 3, ..IndexSizes::default() })).unwrap()
}

#[test]
fn every_answer_of_many_threads_fits_to_the_changes_before_it() {
    let near = Options {
        method: Some(Method::SimHash),
        verify: Some(Verification::Exact),
        hamming: Some(12),
        ..Options::default()
    };
    let alone = Options { verify: None, ..near.clone() };
    let (near, alone, estimates) = (near.plan().unwrap(), alone.plan().unwrap(), estimates(0.5));
    let mut plans =
        [Plan::default(), near, alone.clone(), alone, estimates].map(|plan| NewIndex::from(&plan));
    (plans[3].stores_texts, plans[4].stores_texts) = (false, false);
    let seeds = [(0, 16, 0), (1, 16, 1), (4, 16, 2), (6, 16, 3), (8, 16, 4)];
    let seeds = seeds.into_iter().chain([(2, 64, 0), (3, 64, 1), (5, 64, 2), (7, 64, 3), (9, 64, 4)]);
    for (seed, threads, plan) in seeds {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen.index");
        let (seen, closer) = Seen::open(Index::create(&path, plans[plan].clone()).unwrap()).unwrap();
        let model = check_history(&histories(threads, 60, seed, &seen));
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
            let stored = stored.text();
            match plans[plan].stores_texts {
                true => assert_eq!(stored.unwrap(), text(document.text.0, document.text.1)),
                false => assert!(matches!(stored, Err(Error::NoTexts))),
            }
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
                Added::New { number, .. } => Some(*number),
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
            Added::New { number: stored, .. } => {
                assert!(stored as usize == number && ![2, 3].contains(&number))
            }
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
        assert_eq!(added, Added::New { number: number as u64, is_capped: false });
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
    assert_eq!(added("first"), Added::New { number: 1100, is_capped: false });
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
    assert!(matches!(add("a", 0, Some(100), 1), Added::New { number: 0, .. }));
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
