//! What is removed, and what expires.

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duplicate_is_decided_again_when_its_original_has_become_a_duplicate() {
    for place in Place::of_each_kind().await {
        place.send(&[("a", page("a", 15)), ("d", page("d", 30)), ("a", None)]);
        place.run(place.settings()).await.unwrap();
        // Now a is similar to b, and d is not.
        place.send(&[("b", page("b", 0)), ("a", page("a", 15))]);
        place.run(place.settings()).await.unwrap();
        place.send(&[("d", page("d", 30))]);
        place.run(place.settings()).await.unwrap();
        assert_eq!(place.search.shape(), shape(&[("b", &["a"]), ("d", &[])]));
        assert!(place.dead().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duplicate_that_is_removed_is_no_longer_recorded() {
    for place in Place::of_each_kind().await {
        place.send(&[("a", page("a", 0)), ("b", page("b", 15)), ("b", None), ("c", page("c", 16))]);
        place.run(place.settings()).await.unwrap();
        assert_eq!(place.search.shape(), shape(&[("a", &["c"])]));
        place.send(&[("c", None), ("b", page("b", 15))]);
        place.run(place.settings()).await.unwrap();
        assert_eq!(place.search.shape(), shape(&[("a", &["b"])]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_without_a_value_removes_its_document() {
    for place in Place::of_each_kind().await {
        place.send(&[
            ("a", page("a", 0)),
            ("a", None),
            ("b", page("b", 15)),
            ("c", page("c", 16)),
            ("x", None),
        ]);
        let totals = place.run(place.settings()).await.unwrap();
        assert_eq!(totals, StreamTotals { new: 2, duplicates: 1, removed: 2, ..StreamTotals::default() });
        assert_eq!(place.search.shape(), shape(&[("b", &["c"])]));
    }
}

/// All messages are prepared before the first is decided.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_behind_a_removal_is_not_a_duplicate_of_what_was_removed() {
    for place in Place::of_each_kind().await {
        for round in 0..20 {
            place.send(&[("a", page("a", 0)), ("b", page("b", 15))]);
            place.run(place.settings()).await.unwrap();
            assert_eq!(place.search.shape(), shape(&[("a", &["b"])]), "{round}");
            place.send(&[
                ("b", None),
                ("b", page("b", 15)),
                ("a", None),
                ("c", page("c", 16)),
                ("a", page("a", 3000)),
            ]);
            place.run(place.settings()).await.unwrap();
            assert_eq!(place.search.shape(), shape(&[("a", &[]), ("c", &[])]), "{round}");
            place.send(&[("a", None), ("c", None), ("b", None)]);
            place.run(place.settings()).await.unwrap();
            assert_eq!(place.search.shape(), [], "{round}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_expired_leaves_the_search_engine_and_may_come_again() {
    let check = async |place: Place| {
        let settings =
            || StreamSettings { ttl: Some(Duration::from_secs(2)), ends: false, ..place.settings() };
        place.send(&[("a", page("a", 0)), ("b", page("b", 15))]);
        place.run(settings()).await.unwrap();
        assert_eq!(place.search.shape(), shape(&[("a", &["b"])]));
        tokio::time::sleep(Duration::from_secs(2)).await;
        // The expired document is still in the search engine.
        place.send(&[("a", page("a", 0))]);
        assert_eq!(place.run(settings()).await.unwrap(), StreamTotals { new: 1, ..StreamTotals::default() });
        // A stream without messages, until all has expired.
        let (_open, read) = mpsc::channel(1);
        let stream = place.open(settings()).await.unwrap();
        let is_empty = async {
            assert_eq!(place.search.engine().documents["a"]["text"], text(0));
            while !place.search.engine().documents.is_empty() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        stream.run_on(read, || (), is_empty).await.unwrap();
    };
    let [folder, redis] = Place::of_each_kind().await;
    tokio::join!(check(folder), check(redis));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_lives_from_the_time_that_its_message_says() {
    let place = Place::new().await;
    let fields = MessageFields { time: Some("at".to_owned()), ..MessageFields::default() };
    let settings = || StreamSettings {
        ttl: Some(Duration::from_secs(1000)),
        fields: fields.clone(),
        ..place.settings()
    };
    let at = |first, at: u32| Some(json!({ "text": text(first), "at": at }).to_string());
    let soon = lookalike_index::unix_seconds() + 1_000_000;
    place.send(&[("a", at(0, soon)), ("old", at(1000, 5)), ("b", at(15, soon)), ("c", at(1015, soon + 7))]);
    let totals = place.run(settings()).await.unwrap();
    assert_eq!(totals, StreamTotals { new: 2, duplicates: 1, expired: 1, ..StreamTotals::default() });
    assert_eq!(place.search.shape(), shape(&[("a", &["b"]), ("c", &[])]));
    let expires = |id: &str| place.search.engine().documents[id]["lookalike_expires"].as_u64();
    assert_eq!((expires("a"), expires("c")), (Some(u64::from(soon) + 1000), Some(u64::from(soon) + 1007)));
}
