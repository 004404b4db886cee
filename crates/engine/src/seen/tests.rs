//! Histories of many threads, replayed one change after the other.

pub(super) mod history;

use super::*;
use history::{check_history, histories, text};

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
            Added::Duplicate { found, number: stored } => {
                assert_eq!((stored, found.number), (Some(number as u64), 0));
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
