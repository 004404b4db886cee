//! What is so with an index in Redis only.

use super::*;
use std::collections::BTreeSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_that_come_again_get_the_same_verdict_from_another_process() {
    let [_, place] = Place::of_each_kind().await;
    place.send(&[
        ("a", page("a", 0)),
        ("b", page("b", 15)),
        ("x", page("x", 3000)),
        ("x", None),
        ("c", page("c", 16)),
    ]);
    place.run(place.settings()).await.unwrap();
    let expected = shape(&[("a", &["b", "c"])]);
    assert_eq!(place.search.shape(), expected);
    // Kafka knows nothing of what has arrived.
    let (_, committed) = place.redis.as_ref().unwrap();
    for from in 0..5 {
        committed.set(from);
        let totals = place.run(place.settings()).await.unwrap();
        assert_eq!((totals.dead, totals.duplicates), (0, 0), "from {from}");
        assert_eq!(place.search.shape(), expected, "from {from}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_duplicate_that_has_not_arrived_gets_the_same_original_from_another_process() {
    let [_, place] = Place::of_each_kind().await;
    place.send(&[("a", page("a", 0)), ("d", page("d", 20))]);
    place.search.engine().is_down = true;
    place.run_until(place.settings(), place.asked()).await.unwrap();
    assert!(place.search.engine().documents.is_empty());
    place.search.engine().is_down = false;
    // Meanwhile another process adds a document that is more similar to d, and not to a.
    place.messages.borrow_mut().insert(0, ("h".to_owned(), page("h", 35)));
    let totals = place.run(place.settings()).await.unwrap();
    assert_eq!(totals, StreamTotals { new: 1, unchanged: 2, ..StreamTotals::default() });
    assert_eq!(place.search.shape(), shape(&[("a", &["d"]), ("h", &[])]));
}

/// Several streams read messages of the same pages, each in an order of its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_streams_on_one_index_write_each_page_once() {
    let [_, place] = Place::of_each_kind().await;
    let server = &place.redis.as_ref().unwrap().0;
    let address = server.address("seen").parse().unwrap();
    // Families of three similar pages, and a page alone.
    let pages: Vec<(String, String)> = (0..40)
        .flat_map(|family| [0, 1, 2, 500].map(|shift| (family, shift)))
        .map(|(family, shift)| {
            let id = format!("{family}-{shift}");
            (id.clone(), page(&id, family * 1000 + shift).unwrap())
        })
        .collect();
    let streams = [0, 1, 2].map(|number| {
        let (address, settings, mut pages) = (&address, place.settings(), pages.clone());
        pages.rotate_left(number * 53);
        async move {
            let stream = Stream::open_redis(address, None, settings).await.unwrap();
            let (batches, read) = mpsc::channel(pages.len());
            let partition = TopicPartition { topic: "pages".into(), number: number as i32 };
            for (offset, pages) in pages.chunks(7).enumerate() {
                let mut batch = MessageBatch::default();
                for (place, (key, value)) in pages.iter().enumerate() {
                    let offset = (7 * offset + place) as i64;
                    let (key, value) = (Some(key.as_bytes()), Some(value.as_bytes()));
                    batch.push(Message { partition: &partition, offset, key, value });
                }
                batches.send(batch).await.unwrap();
            }
            drop(batches);
            stream.run_on(read, || (), pending()).await.unwrap()
        }
    });
    let totals = futures_util::future::join_all(streams).await;
    assert_eq!(totals.iter().map(|totals| totals.new).sum::<u64>(), 80);
    assert_eq!(totals.iter().map(|totals| totals.duplicates).sum::<u64>(), 80);
    assert_eq!(totals.iter().map(|totals| totals.unchanged).sum::<u64>(), 320);
    assert!(place.dead().is_empty(), "{:?}", place.dead());
    let mut ids = BTreeSet::new();
    for (id, duplicates) in place.search.shape() {
        assert!(place.search.engine().documents[&id]["text"].is_string(), "{id} has only its duplicates");
        let family = id.split('-').next();
        assert!(
            duplicates.iter().all(|duplicate| duplicate.split('-').next() == family),
            "{id}: {duplicates:?}"
        );
        assert_eq!(duplicates.len(), if id.ends_with("-500") { 0 } else { 2 }, "{id}");
        assert!(ids.insert(id));
        duplicates.into_iter().for_each(|id| assert!(ids.insert(id)));
    }
    assert_eq!(ids.len(), 160);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_goes_on_when_redis_is_back() {
    let [_, mut place] = Place::of_each_kind().await;
    place.send(&[("a", page("a", 0)), ("b", page("b", 15)), ("c", page("c", 1000))]);
    let stream = place.open(place.settings()).await.unwrap();
    let (server, _) = place.redis.as_mut().unwrap();
    server.kill();
    let (batches, read) = mpsc::channel(1);
    let mut batch = MessageBatch::default();
    for (offset, (key, value)) in place.messages.borrow().iter().enumerate() {
        let (key, value) = (Some(key.as_bytes()), value.as_ref().map(String::as_bytes));
        batch.push(Message { partition: &partition(), offset: offset as i64, key, value });
    }
    batches.send(batch).await.unwrap();
    drop(batches);
    let shared = Arc::clone(&stream.shared);
    let restart = async move {
        while shared.health.failure().is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(shared.health.failure().unwrap().starts_with("the index: "));
        drop(shared);
        server.restart();
    };
    let (totals, ()) = tokio::join!(stream.run_on(read, || (), pending()), restart);
    assert_eq!(totals.unwrap().new, 2);
    assert_eq!(place.search.shape().len(), 2);
}
