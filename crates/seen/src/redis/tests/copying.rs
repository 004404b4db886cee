//! Copies from a folder into Redis and back.

use super::server::RedisServer;
use super::{by_distance, by_distance_alone, by_frequencies, by_levels, connect_by, stream, without_texts};
use crate::redis::{Copied, copy_from_redis, copy_to_redis};
use crate::stored::IndexedDocument;
use crate::tests::estimates;
use crate::{NewText, OnDuplicate, Seen};
use lookalike::{Bits, Plan};
use lookalike_index::About;
use lookalike_index::{Index, NewIndex, Verify};
use std::collections::BTreeMap;
use std::path::Path;

/// What a copy must have of a document.
#[derive(Debug, PartialEq)]
struct CopiedDocument {
    id: String,
    /// `None` if the index stores no texts.
    text: Option<String>,
    time: Option<u32>,
    expires: Option<u32>,
    about: About,
    /// The place of the first document of its cluster.
    first: usize,
}

/// The documents of an index in a folder that are there at second `now`.
fn content(path: &Path, now: u32) -> Vec<CopiedDocument> {
    let index = Index::open(path).unwrap();
    index.info(Verify::Everything, &()).unwrap();
    let (snapshot, mut linked) = (index.snapshot(), index.linked().unwrap());
    let (mut content, mut firsts) = (Vec::new(), BTreeMap::new());
    for number in 0..snapshot.documents() {
        let document = snapshot.document(number).unwrap();
        if snapshot.is_removed(number) || document.expires().is_some_and(|expires| expires <= now) {
            continue;
        }
        let place = content.len();
        content.push(CopiedDocument {
            id: document.id().to_owned(),
            text: document.text().ok(),
            time: document.time(),
            expires: document.expires(),
            about: document.about(),
            first: linked.cluster(number).map_or(place, |cluster| *firsts.entry(cluster).or_insert(place)),
        });
    }
    content
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_copy_of_a_copy_is_the_same_index() {
    copy_of_a_copy(&Plan::default()).await;
    copy_of_a_copy(without_texts(estimates(0.7))).await;
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_copy_of_a_copy_of_fingerprints_is_the_same_index() {
    copy_of_a_copy(&by_distance(Bits::B64, 3)).await;
    copy_of_a_copy(&by_distance_alone(Bits::B128, 6)).await;
    copy_of_a_copy(without_texts(by_distance_alone(Bits::B128, 6))).await;
    copy_of_a_copy(without_texts(by_distance_alone(Bits::B64, 3))).await;
    copy_of_a_copy(by_frequencies(3)).await;
    copy_of_a_copy(by_levels(3)).await;
}

async fn copy_of_a_copy(new: impl Into<NewIndex>) {
    let new = new.into();
    let index = |path: &Path| Index::create(path, new.clone()).unwrap();
    let texts = stream(700);
    let (server, folder) = (RedisServer::start(), tempfile::tempdir().unwrap());
    let path = |name: &str| folder.path().join(name);
    let (seen, closer) = Seen::open(index(&path("first"))).unwrap();
    for (number, text) in texts.iter().cloned().enumerate() {
        let expires = [None, None, Some(500), Some(5000)][number % 4];
        let meta = (number % 5 == 0).then(|| format!("{{\"number\":{number}}}"));
        let on_duplicate = OnDuplicate::Store;
        let url = (number % 3 == 0).then(|| format!("https://example.org/{number}"));
        let title = (number % 6 == 0).then(|| format!("Number {number}"));
        let priority = (number % 9 == 0).then_some(number as f64);
        let about = About { meta, url, title, priority };
        let new = NewText { expires, about, on_duplicate, ..NewText::new(format!("d{number}"), text) };
        seen.add(new, number as u32 / 2).wait().unwrap();
        if number % 7 == 6 {
            seen.remove(&format!("d{}", number * 5 / 7)).wait().unwrap();
        }
    }
    drop(seen);
    closer.close().unwrap();
    let expected = content(&path("first"), 1000);
    assert!(
        expected.len() > 300 && expected.iter().enumerate().any(|(place, document)| document.first != place)
    );

    let redis = connect_by(&server, "one", new.clone()).await;
    let copied = copy_to_redis(&Index::open(&path("first")).unwrap(), redis.index(), 1000).await.unwrap();
    assert_eq!(copied, Copied { documents: expected.len() as u64, ..Copied::default() });
    let again = copy_to_redis(&Index::open(&path("first")).unwrap(), redis.index(), 1000).await.unwrap();
    assert_eq!(again, Copied { unchanged: expected.len() as u64, ..Copied::default() });
    copy_from_redis(redis.index(), index(&path("second")), 1000).await.unwrap();
    assert_eq!(content(&path("second"), 1000), expected);

    let other = connect_by(&server, "two", new.clone()).await;
    copy_to_redis(&Index::open(&path("second")).unwrap(), other.index(), 1000).await.unwrap();
    // Removed documents of a cluster connect others, and are left out.
    for number in (0..expected.len()).step_by(9) {
        other.remove(&expected[number].id).await.unwrap();
    }
    copy_from_redis(other.index(), index(&path("third")), 6000).await.unwrap();
    for number in (0..expected.len()).step_by(9) {
        redis.remove(&expected[number].id).await.unwrap();
    }
    copy_from_redis(redis.index(), index(&path("fourth")), 6000).await.unwrap();
    let last = content(&path("third"), 0);
    assert!(last.len() > 200 && last == content(&path("fourth"), 0));
    // The copy goes on as an index.
    let (seen, closer) = Seen::open(Index::open_to_add(&path("third")).unwrap()).unwrap();
    let mut checked = 0;
    for CopiedDocument { id, text, about, .. } in &last {
        let added = &texts[id[1..].parse::<usize>().unwrap()];
        assert_eq!(*text, new.stores_texts.then(|| added.clone()));
        if added.is_empty() || checked == 50 {
            continue;
        }
        checked += 1;
        if let Some(url) = &about.url {
            let snapshot = seen.snapshot();
            assert_eq!(snapshot.find_url(url).unwrap().unwrap().id(), id);
        }
        let found = seen.check(added, 0.0, 6000).unwrap().found;
        assert!(found.iter().any(|found| found.id == *id && found.is_copy));
    }
    drop(seen);
    closer.close().unwrap();
}
