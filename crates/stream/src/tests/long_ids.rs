//! Ids of more than 512 bytes, which search engines do not take.

use super::kafka::{kafka, records};
use super::*;
use rdkafka::message::Message as _;
use sha2::{Digest, Sha256};

/// An id of more bytes than any line that is a removal of a short one.
fn long_id(letter: char) -> String {
    format!("https://e.org/?{}", letter.to_string().repeat(5000))
}

/// What `sha256sum` says of an id.
fn sha256(id: &str) -> String {
    Sha256::digest(id.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_engine_has_the_hash_of_a_long_id_until_it_is_removed() {
    let [a, b, c] = ['a', 'b', 'c'].map(long_id);
    let hash = sha256(&a);
    for policy in [Canonical::First, Canonical::ShortestUrl] {
        for place in Place::of_each_kind().await {
            let run = async || {
                let duplicates = Duplicates::Canonical(policy);
                place.run(StreamSettings { duplicates, ..place.settings() }).await.unwrap()
            };
            // The second one has its key as the id, and no field with it.
            let keyed = Some(json!({ "text": text(1000) }).to_string());
            place.send(&[(&a, page(&a, 0)), (&b, page(&b, 15)), (&c, keyed), ("d", page("d", 1015))]);
            run().await;
            assert!(place.dead().is_empty(), "{:?}", place.dead());
            let mut expected = shape(&[(&hash, &[&b]), (&sha256(&c), &["d"])]);
            expected.sort();
            assert_eq!(place.search.shape(), expected);
            for (id, letter) in [(&a, "a"), (&c, "c")] {
                assert_eq!(place.search.engine().documents[&sha256(id)]["lookalike_id"], **id, "{letter}");
            }
            // It comes again, and its duplicate goes.
            place.send(&[(&a, page(&a, 0)), (&b, None)]);
            assert_eq!(run().await, StreamTotals { unchanged: 1, removed: 1, ..StreamTotals::default() });
            assert_eq!(place.search.engine().documents[&hash]["lookalike_id"], a);
            assert_eq!(place.search.engine().documents[&hash]["duplicates"], json!([]));
            place.send(&[(&a, None), (&c, None)]);
            run().await;
            assert_eq!(place.search.shape(), []);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_of_duplicates_has_the_hashes_of_long_ids_too() {
    let (place, [a, b]) = (Place::new().await, ['a', 'b'].map(long_id));
    let duplicates = Duplicates::Apart("copies".to_owned());
    place.send(&[(&a, page(&a, 0)), (&b, page(&b, 15))]);
    place.run(StreamSettings { duplicates, ..place.settings() }).await.unwrap();
    let copy = place.search.engine().documents[&sha256(&b)].clone();
    assert_eq!((&copy["id"], &copy["duplicate_of"]), (&json!(b), &json!(a)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_has_long_ids_as_they_are_and_is_read_as_it_was_written() {
    let (place, [a, b]) = (Place::new().await, ['a', 'b'].map(long_id));
    let duplicates = Duplicates::Apart(place.path("copies.jsonl").display().to_string());
    let to = crate::Destination::File(place.path("unique.jsonl"));
    place.send(&[(&a, page(&a, 0)), (&b, page(&b, 15)), (&a, None)]);
    place.run(StreamSettings { to, duplicates, ..place.settings() }).await.unwrap();
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    let removal = json!({ "id": a, "removed": true }).to_string();
    assert_eq!(read("unique.jsonl"), format!("{}\n{removal}\n", page(&a, 0).unwrap()));
    let copy: Value = serde_json::from_str(&read("copies.jsonl")).unwrap();
    assert_eq!((&copy["id"], &copy["duplicate_of"]), (&json!(b), &json!(a)));
    let second = Place::new().await;
    let from = crate::Source::File(place.path("unique.jsonl"));
    let to = crate::Destination::File(place.path("again.jsonl"));
    let settings = StreamSettings { from, to, duplicates: Duplicates::Drop, ..second.settings() };
    let totals = second.run_from_source(settings).await.unwrap();
    assert_eq!(totals, StreamTotals { new: 1, removed: 1, ..StreamTotals::default() });
    assert_eq!(read("again.jsonl"), read("unique.jsonl"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_topic_has_long_ids_as_keys() {
    let (place, kafka, a) = (Place::new().await, kafka(&["unique"]), long_id('a'));
    let to = crate::Destination::Kafka(crate::KafkaAddress {
        brokers: kafka.bootstrap_servers(),
        topics: vec!["unique".to_owned()],
    });
    place.send(&[(&a, page(&a, 0)), (&a, None)]);
    place.run(StreamSettings { to, duplicates: Duplicates::Drop, ..place.settings() }).await.unwrap();
    let records = tokio::task::block_in_place(|| records(&kafka, "unique", 2));
    let [document, removal] = &records[..] else { panic!("{records:?}") };
    assert_eq!(
        (document.key(), document.payload()),
        (Some(a.as_bytes()), page(&a, 0).as_deref().map(str::as_bytes))
    );
    assert_eq!((removal.key(), removal.payload()), (Some(a.as_bytes()), None));
}
