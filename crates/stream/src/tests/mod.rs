//! Whole streams behind the source, to a search engine of the tests, with an index in a folder and in Redis.

mod data_stream;
mod envelopes;
mod files;
mod kafka;
mod long_ids;
mod redis;
mod removals;
mod search;
#[path = "../../../index/src/redis/tests/server.rs"]
mod server;

use crate::batch::{Message, MessageBatch, TopicPartition};
use crate::{
    Canonical, Duplicates, Error, Letters, MessageFields, MessageFormat, Stream, StreamSettings, StreamTotals,
};
use lookalike::Plan;
use lookalike_index::Index;
use lookalike_seen::{NewText, OnDuplicate, Seen};
use search::{Fault, Search};
use serde_json::{Value, json};
use server::RedisServer;
use std::cell::{Cell, RefCell};
use std::future::{Future, pending};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// A topic, a search engine, and a folder for the index and the dead letters.
struct Place {
    /// The keys and the values of all messages.
    messages: RefCell<Vec<(String, Option<String>)>>,
    /// Whether each message is a batch, the last one first: as if each had a partition of its own.
    is_reversed: Cell<bool>,
    /// The server of the index, and the first message that has not arrived: what Kafka knows of the group.
    redis: Option<(RedisServer, Cell<usize>)>,
    search: Search,
    folder: tempfile::TempDir,
}

impl Place {
    async fn new() -> Self {
        Place {
            messages: RefCell::default(),
            is_reversed: Cell::new(false),
            redis: None,
            search: Search::start().await,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// One with an index in a folder, and one with an index in Redis.
    async fn of_each_kind() -> [Self; 2] {
        let redis = Some((RedisServer::start(), Cell::new(0)));
        [Place::new().await, Place { redis, ..Place::new().await }]
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn send(&self, messages: &[(&str, Option<String>)]) {
        let owned = messages.iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        self.messages.borrow_mut().extend(owned);
    }

    fn settings(&self) -> StreamSettings {
        StreamSettings {
            // The tests bring the messages themselves.
            from: "kafka://nowhere/pages".parse().unwrap(),
            to: format!("elasticsearch://{}/pages", self.search.address).parse().unwrap(),
            group: "g".to_owned(),
            format: MessageFormat::Json,
            fields: MessageFields::default(),
            duplicates: Duplicates::Canonical(Canonical::First),
            dead_letters: Some(Letters::File(self.path("dead.jsonl"))),
            kafka: Vec::new(),
            authorization: None,
            ttl: None,
            ends: true,
            listen: None,
            tell: |_| {},
        }
    }

    fn index(&self) -> Index {
        let path = self.path("seen.index");
        match Index::is_at(&path) {
            true => Index::open_to_add(&path).unwrap(),
            false => Index::create(&path, &Plan::default()).unwrap(),
        }
    }

    /// Runs a stream on all messages that have not arrived.
    async fn run(&self, settings: StreamSettings) -> Result<StreamTotals, Error> {
        self.run_until(settings, pending()).await
    }

    async fn open(&self, settings: StreamSettings) -> Result<Stream, Error> {
        let Some((server, committed)) = &self.redis else {
            return Stream::open(self.index(), settings).await;
        };
        let stream = Stream::open_redis(&server.address("seen").parse()?, None, settings).await?;
        stream.shared.progress().begin(&partition(), committed.get() as i64);
        Ok(stream)
    }

    /// Runs a stream that reads its own source.
    async fn run_from_source(&self, settings: StreamSettings) -> Result<StreamTotals, Error> {
        self.open(settings).await?.run(pending()).await
    }

    async fn run_until(
        &self,
        settings: StreamSettings,
        stop: impl Future<Output = ()>,
    ) -> Result<StreamTotals, Error> {
        let stream = self.open(settings).await?;
        let shared = Arc::clone(&stream.shared);
        let messages = self.messages.borrow().clone();
        // Redis is asked about all messages of a batch at once.
        let is_single = self.is_reversed.get() || self.redis.is_some();
        let (batches, read) = mpsc::channel(messages.len() + 1);
        let partition = &partition();
        let mut batch = MessageBatch::default();
        let mut messages: Vec<_> = (0..).zip(messages).collect();
        if self.is_reversed.get() {
            messages.reverse();
        }
        for (offset, (key, value)) in messages {
            if stream.shared.progress().has_arrived(partition, offset) {
                continue;
            }
            if batch.is_full_for(value.is_some()) || (is_single && !batch.is_empty()) {
                batches.send(std::mem::take(&mut batch)).await.unwrap();
            }
            let (key, value) = (Some(key.as_bytes()), value.as_ref().map(String::as_bytes));
            batch.push(Message { partition, offset, key, value });
        }
        if !batch.is_empty() {
            batches.send(batch).await.unwrap();
        }
        drop(batches);
        let totals = stream.run_on(read, || (), stop).await?;
        if let (Some((_, committed)), Some(offsets)) = (&self.redis, shared.take_offsets_to_commit()) {
            committed.set(offsets[partition] as usize);
        }
        Ok(totals)
    }

    /// Is done when the search engine was asked.
    async fn asked(&self) {
        while self.search.engine().requests == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    fn dead(&self) -> Vec<Value> {
        let letters = std::fs::read_to_string(self.path("dead.jsonl")).unwrap_or_default();
        letters.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn partition() -> TopicPartition {
    TopicPartition { topic: "pages".into(), number: 1 }
}

/// The text of 200 words from this one on. Two texts with a distance of 15 words have a similarity of 0.86, with 30 of 0.74.
fn text(first: usize) -> String {
    (first..first + 200).map(|word| format!("w{word} ")).collect()
}

fn page(id: &str, first: usize) -> Option<String> {
    Some(json!({ "id": id, "url": format!("https://e.org/{id}"), "text": text(first) }).to_string())
}

fn shape(expected: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |ids: &[&str]| ids.iter().map(|&id| id.to_owned()).collect();
    expected.iter().map(|(id, duplicates)| ((*id).to_owned(), owned(duplicates))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_documents_are_created_and_duplicates_recorded_on_them() {
    let place = Place::new().await;
    place.send(&[
        ("a", page("a", 0)),
        ("b", page("b", 15)),
        ("c", page("c", 1000)),
        ("d", page("d", 1015)),
        ("e", page("e", 16)),
    ]);
    let totals = place.run(place.settings()).await.unwrap();
    assert_eq!(totals, StreamTotals { new: 2, duplicates: 3, ..StreamTotals::default() });
    assert_eq!(place.search.shape(), shape(&[("a", &["b", "e"]), ("c", &["d"])]));
    let a = place.search.engine().documents["a"].clone();
    assert_eq!(a["text"], text(0));
    assert_eq!(a["duplicates"][0]["url"], "https://e.org/b");
    let similarity = a["duplicates"][0]["similarity"].as_f64().unwrap();
    assert_eq!(similarity, 181.0 / 211.0);
    // Nothing is left for a second run, nor for another group, whose messages all come again.
    assert_eq!(place.run(place.settings()).await.unwrap(), StreamTotals::default());
    let again = place.run(StreamSettings { group: "other".to_owned(), ..place.settings() }).await.unwrap();
    assert_eq!(again, StreamTotals { unchanged: 5, ..StreamTotals::default() });
    assert_eq!(place.search.shape(), shape(&[("a", &["b", "e"]), ("c", &["d"])]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duplicate_that_comes_again_is_recorded_where_it_was() {
    for place in Place::of_each_kind().await {
        // g is similar to a, and more so to h, which is not similar to a.
        place.send(&[
            ("a", page("a", 0)),
            ("g", page("g", 20)),
            ("g", page("g", 20)),
            ("h", page("h", 35)),
            ("g", page("g", 20)),
        ]);
        assert_eq!(place.run(place.settings()).await.unwrap().dead, 0);
        assert_eq!(place.search.shape(), shape(&[("a", &["g"]), ("h", &[])]));
        place.send(&[("g", page("g", 20))]);
        assert_eq!(
            place.run(place.settings()).await.unwrap(),
            StreamTotals { unchanged: 1, ..StreamTotals::default() }
        );
        assert_eq!(place.search.shape(), shape(&[("a", &["g"]), ("h", &[])]));
        // What it is recorded on goes.
        place.send(&[("a", None), ("h", None)]);
        place.run(place.settings()).await.unwrap();
        place.send(&[("g", page("g", 20))]);
        assert_eq!(
            place.run(place.settings()).await.unwrap(),
            StreamTotals { new: 1, ..StreamTotals::default() }
        );
        assert_eq!(place.search.shape(), shape(&[("g", &[])]));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_used_is_kept_with_its_reason() {
    // In Redis the last one may come after the one before it was refused, and is new then.
    let place = Place::new().await;
    let refused = json!({ "id": "r", "text": text(5000), "n": "many" }).to_string();
    let messages = [
        ("k1", Some("no json".to_owned())),
        ("a", page("a", 0)),
        ("a", page("a", 3000)),
        ("r", Some(refused)),
        ("s", page("s", 5000)),
        ("k2", Some("\0\0\0\0\u{1}avro".to_owned())),
    ];
    place.send(&messages);
    let totals = place.run(place.settings()).await.unwrap();
    assert_eq!(totals, StreamTotals { new: 2, duplicates: 1, dead: 5, ..StreamTotals::default() });
    let mut dead = place.dead();
    // Batches may be written together or one by one.
    dead.sort_by_key(|letter| letter["offset"].as_i64());
    let reasons: Vec<(&str, &str)> = dead
        .iter()
        .map(|letter| (letter["key"].as_str().unwrap(), letter["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(
        reasons,
        [
            ("k1", "it is not a JSON object: expected ident at column 2"),
            (
                "a",
                "the index has a document with this id and another text; remove that first, by a message without a value"
            ),
            ("r", "mapper_parsing_exception: r"),
            ("s", "it is similar to r, which the search index does not have"),
            ("k2", "it begins as messages of a schema registry do, so it is Avro or Protobuf; send JSON"),
        ]
    );
    assert_eq!(
        (dead[0]["topic"].as_str(), dead[0]["partition"].as_i64(), dead[0]["offset"].as_i64()),
        (Some("pages"), Some(1), Some(0))
    );
    assert_eq!(place.search.shape(), shape(&[("a", &[])]));
    // A later one that is similar to what was refused is new.
    place.send(&[("t", page("t", 5000))]);
    assert_eq!(
        place.run(place.settings()).await.unwrap(),
        StreamTotals { new: 1, ..StreamTotals::default() }
    );
    assert_eq!(place.search.shape(), shape(&[("a", &[]), ("t", &[])]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_search_engine_refuses_for_now_is_sent_again_in_its_order() {
    for place in Place::of_each_kind().await {
        place.send(&[("a", page("a", 0)), ("b", page("b", 15)), ("c", page("c", 1000)), ("c", None)]);
        place.search.engine().faults =
            [Fault::Request(503), Fault::Action("a", 429), Fault::Request(500), Fault::Action("c", 503)]
                .into();
        let totals = place.run(place.settings()).await.unwrap();
        assert_eq!(totals, StreamTotals { new: 2, duplicates: 1, removed: 1, ..StreamTotals::default() });
        assert_eq!(place.search.shape(), shape(&[("a", &["b"])]));
        assert!(place.dead().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_too_long_is_halved() {
    let place = Place::new().await;
    let messages: Vec<(String, Option<String>)> =
        (0..20).map(|n| (n.to_string(), page(&format!("p{n:02}"), 1000 * n))).collect();
    let messages: Vec<(&str, Option<String>)> =
        messages.iter().map(|(key, value)| (&key[..], value.clone())).collect();
    place.send(&messages);
    place.search.engine().most_bytes = 5000;
    place.run(place.settings()).await.unwrap();
    assert_eq!(place.search.engine().documents.len(), 20);
    // One that is too long alone is dead.
    place.search.engine().most_bytes = 100;
    place.send(&[("z", page("z", 90_000))]);
    assert_eq!(place.run(place.settings()).await.unwrap().dead, 1);
    assert_eq!(place.dead()[0]["reason"], "413 Payload Too Large: too large");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duplicate_that_has_not_arrived_gets_the_same_original_after_a_restart() {
    let place = Place::new().await;
    place.send(&[("a", page("a", 0)), ("d", page("d", 20))]);
    place.search.engine().is_down = true;
    let stopped = place.run_until(place.settings(), place.asked()).await.unwrap();
    assert_eq!(stopped, StreamTotals { new: 1, duplicates: 1, ..StreamTotals::default() });
    assert!(place.search.engine().documents.is_empty());
    // Meanwhile somebody adds a document that is more similar to d.
    let (seen, closer) = Seen::open(place.index()).unwrap();
    seen.add(NewText { on_duplicate: OnDuplicate::Ignore, ..NewText::new("b", text(21)) }, 0).wait().unwrap();
    drop(seen);
    closer.close().unwrap();
    place.search.engine().is_down = false;
    let totals = place.run(place.settings()).await.unwrap();
    assert_eq!(totals, StreamTotals { unchanged: 1, ..StreamTotals::default() });
    assert_eq!(place.search.shape(), shape(&[("a", &["d"])]));
    assert_eq!(place.search.engine().recorded, [("a".to_owned(), "d".to_owned())]);
    // All has arrived, and nothing comes again.
    assert_eq!(place.run(place.settings()).await.unwrap(), StreamTotals::default());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_restart_a_duplicate_may_come_before_its_original() {
    let place = Place::new().await;
    place.send(&[("a", page("a", 0)), ("b", page("b", 15)), ("c", page("c", 16))]);
    place.search.engine().is_down = true;
    place.run_until(place.settings(), place.asked()).await.unwrap();
    place.search.engine().is_down = false;
    place.is_reversed.set(true);
    place.run(place.settings()).await.unwrap();
    assert_eq!(place.search.shape(), shape(&[("a", &["c", "b"])]));
    assert_eq!(place.search.engine().documents["a"]["text"], text(0));
    assert!(place.dead().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duplicate_waits_for_its_original_although_new_documents_have_arrived_since_a_kill() {
    let place = Place::new().await;
    place.send(&[("a", page("a", 0)), ("b", page("b", 15))]);
    place.search.engine().is_down = true;
    place.run_until(place.settings(), place.asked()).await.unwrap();
    place.search.engine().is_down = false;
    // More batches than are written together, of a partition that is faster than that of a and b.
    let ids: Vec<String> = (0..30).map(|number| format!("n{number}")).collect();
    let new: Vec<_> = (1..).zip(&ids).map(|(number, id)| (&id[..], page(id, 1000 * number))).collect();
    place.send(&new);
    place.is_reversed.set(true);
    place.run(place.settings()).await.unwrap();
    assert!(place.dead().is_empty(), "{:?}", place.dead());
    assert_eq!(place.search.engine().documents["a"]["duplicates"][0]["id"], "b");
    assert_eq!(place.search.engine().documents.len(), 31);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_names_the_best_of_itself_and_its_duplicates() {
    for place in Place::of_each_kind().await {
        let page = |id: &str, first: usize, url: &str, priority: i32| {
            Some(json!({ "id": id, "url": url, "text": text(first), "priority": priority }).to_string())
        };
        let run = async |policy: Canonical| {
            let duplicates = Duplicates::Canonical(policy);
            place.run(StreamSettings { duplicates, ..place.settings() }).await.unwrap();
            let document = place.search.engine().documents["a"].clone();
            (document["lookalike_canonical"]["id"].clone(), document["lookalike_canonical"]["url"].clone())
        };
        place.send(&[("a", page("a", 0, "https://e.org/abc", 5))]);
        assert_eq!(run(Canonical::Priority).await, (json!("a"), json!("https://e.org/abc")));
        place.send(&[("b", page("b", 15, "https://e.org/b", 4)), ("c", page("c", 16, "https://e.org/c", 9))]);
        assert_eq!(run(Canonical::Priority).await, (json!("c"), json!("https://e.org/c")));
        // Messages that come again change nothing.
        place
            .send(&[("a", page("a", 0, "https://e.org/abc", 5)), ("c", page("c", 16, "https://e.org/c", 9))]);
        assert_eq!(run(Canonical::Priority).await.0, "c");
        place.send(&[("c", None)]);
        assert_eq!(run(Canonical::Priority).await.0, "a");
        place.send(&[("d", page("d", 14, "https://e.org/d", 6)), ("e", page("e", 13, "https://e.org/e", 6))]);
        assert_eq!(run(Canonical::Priority).await.0, "d");
        assert_eq!(place.search.shape(), shape(&[("a", &["b", "d", "e"])]));
        assert_eq!(place.search.engine().documents["a"]["text"], text(0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duplicate_of_what_the_search_engine_does_not_have_is_kept_and_makes_no_document() {
    let place = Place::new().await;
    let add = |id: &str, first: usize| {
        let (seen, closer) = Seen::open(place.index()).unwrap();
        let new = NewText { on_duplicate: OnDuplicate::Ignore, ..NewText::new(id, text(first)) };
        seen.add(new, 0).wait().unwrap();
        drop(seen);
        closer.close().unwrap();
    };
    // Before the first stream, and between two.
    add("x", 0);
    place.send(&[("a", page("a", 15)), ("b", page("b", 1000))]);
    assert_eq!(place.run(place.settings()).await.unwrap().dead, 1);
    add("y", 2000);
    place.send(&[("c", page("c", 2015)), ("d", page("d", 1015))]);
    assert_eq!(place.run(place.settings()).await.unwrap().dead, 1);
    assert_eq!(place.search.shape(), shape(&[("b", &["d"])]));
    let reasons: Vec<Value> = place.dead().iter().map(|letter| letter["reason"].clone()).collect();
    let of = |id: &str| format!("it is similar to {id}, which the search index does not have");
    assert_eq!(reasons, [of("x"), of("y")]);
}
