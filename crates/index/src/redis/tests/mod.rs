//! An index in a real Redis, beside simple models.

mod fingerprints;
mod server;

use super::functions::Repeat;
use super::*;
use crate::log::record::NewDocument;
use lookalike::cluster::UnionFind;
use lookalike::hash::SplitMix64;
use lookalike::sketch::ContentHash;
use server::RedisServer;
use std::collections::BTreeMap;

async fn connect(server: &RedisServer, name: &str) -> RedisIndex {
    RedisIndex::connect(&server.address(name).parse().unwrap(), None).await.unwrap()
}

/// A document with few possible keys, so that many documents share one.
fn keys(random: &mut SplitMix64, bands: usize) -> Vec<u64> {
    (0..bands).map(|_| (random.next() % 700).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect()
}

async fn encode(index: &RedisIndex, id: &str, keys: &[u64], expires: Option<u32>) -> RedisEncodedDocument {
    let (signature, content) = (vec![7; index.plan.num_perm()], ContentHash::of_parts([1, 2, 3]));
    let text = format!("the text of {id}");
    let document = NewDocument {
        keys,
        signature: &signature,
        content,
        id,
        text: &text,
        expires,
        ..NewDocument::default()
    };
    index.encode(&document).await.unwrap()
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn documents_are_found_by_their_keys_at_every_size() {
    let server = RedisServer::start();
    let index = connect(&server, "keys").await;
    let (mut random, bands) = (SplitMix64(3), index.plan.banding().bands);
    let mut model: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for round in 0..12_u64 {
        let mut documents = Vec::new();
        for number in round * 300..(round + 1) * 300 {
            let keys = keys(&mut random, bands);
            documents.push(encode(&index, &format!("d{number}"), &keys, None).await);
            model.insert(number, keys);
        }
        let steps = index.put_all(&documents, 0).await.unwrap();
        let numbers = round * 300..(round + 1) * 300;
        assert_eq!(steps, numbers.map(AddStep::Added).collect::<Vec<_>>());
        for _ in 0..40 {
            let number = random.next() % (round + 1) * 300;
            let removal = index.remove(&format!("d{number}")).await.unwrap();
            assert_eq!(removal.number.is_some(), model.remove(&number).is_some());
        }
        for _ in 0..20 {
            let keys = keys(&mut random, bands);
            let found = index
                .candidates(&index.plan, &keys, &[7; 128], &ComparedDocuments::default(), 0)
                .await
                .unwrap();
            let shares = |other: &Vec<u64>| keys.iter().zip(other).any(|(a, b)| a == b);
            let expected: Vec<u64> =
                model.iter().filter(|(_, other)| shares(other)).map(|(&number, _)| number).collect();
            let mut numbers: Vec<u64> = found.documents.iter().map(|document| document.number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, expected);
            assert_eq!((found.candidates, found.compared), (expected.len() as u64, expected.len() as u64));
            let number = random.next() % (round + 1) * 300 + random.next() % 300;
            let document = index.find(&format!("d{number}")).await.unwrap();
            assert_eq!(document.map(|found| found.number), model.contains_key(&number).then_some(number));
        }
    }
    let splits: i64 = {
        let mut read = ::redis::cmd("HGET");
        read.arg("{keys}:n").arg("splits");
        index.connection.send(&read, Repeat::Safe).await.unwrap()
    };
    assert!(splits > 100, "{splits} buckets were split");
    let mut all = Vec::new();
    for chunk in 0..=3600 / 256 {
        all.extend(index.chunk(chunk).await.unwrap().into_iter().map(|document| document.number));
    }
    assert!(all.iter().eq(model.keys()));
    let counts = index.counts().await.unwrap();
    assert_eq!((counts.documents, counts.documents - counts.removed), (3600, model.len() as u64));
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_document_is_added_when_all_candidates_are_refuted() {
    let server = RedisServer::start();
    let index = connect(&server, "rounds").await;
    let keys = vec![5 << 40; index.plan.banding().bands];
    let [first, second, third] = [
        encode(&index, "a", &keys, None).await,
        encode(&index, "b", &keys, None).await,
        encode(&index, "c", &keys, None).await,
    ];
    let none = ComparedDocuments::default();
    assert_eq!(index.try_add(&first, AddMode::Refuse, &none, 0).await.unwrap().step, AddStep::Added(0));
    let answer = index.try_add(&second, AddMode::Refuse, &none, 0).await.unwrap();
    assert_eq!((answer.step, answer.documents[0].number, answer.sequence), (AddStep::Compare, 0, 1));
    assert_eq!(answer.documents[0].text().unwrap(), "the text of a");
    let similar = ComparedDocuments { similar: vec![0], ..ComparedDocuments::default() };
    assert_eq!(index.try_add(&second, AddMode::Refuse, &similar, 0).await.unwrap().step, AddStep::Duplicate);
    let refuted = ComparedDocuments { refuted: vec![0], ..ComparedDocuments::default() };
    assert_eq!(index.try_add(&second, AddMode::Refuse, &refuted, 0).await.unwrap().step, AddStep::Added(1));
    // What came in between must be compared too.
    let answer = index.try_add(&third, AddMode::Refuse, &refuted, 0).await.unwrap();
    assert_eq!((answer.step, answer.documents.len(), answer.documents[0].number), (AddStep::Compare, 1, 1));
    assert_eq!(index.try_add(&third, AddMode::Store, &similar, 0).await.unwrap().step, AddStep::Compare);
    let both = ComparedDocuments { refuted: vec![1], similar: vec![0] };
    let answer = index.try_add(&third, AddMode::Store, &both, 0).await.unwrap();
    assert_eq!((answer.step, answer.similar, answer.sequence), (AddStep::Added(2), vec![0], 2));
    assert_eq!(index.cluster(2, 10).await.unwrap(), (vec![0, 2], true));
    // The same id again, with the same content and with other content.
    assert_eq!(index.try_add(&third, AddMode::Ignore, &none, 0).await.unwrap().step, AddStep::Unchanged(2));
    let mut other = third.clone();
    let content = u16::from_le_bytes([other.0[4], other.0[5]]) as usize;
    other.0[content] ^= 1;
    assert_eq!(index.try_add(&other, AddMode::Ignore, &none, 0).await.unwrap().step, AddStep::OtherText(2));
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn the_sweeper_removes_what_has_expired_and_nothing_else() {
    let server = RedisServer::start();
    let index = connect(&server, "sweep").await;
    let mut documents = Vec::new();
    for number in 0..500_u32 {
        let keys = vec![u64::from(number) << 40; index.plan.banding().bands];
        let expires = [None, Some(100), Some(5000), Some(1_000_000)][number as usize % 4];
        documents.push(encode(&index, &format!("d{number}"), &keys, expires).await);
    }
    index.put_all(&documents, 0).await.unwrap();
    assert_eq!(index.sweep(1023, 1000).await.unwrap(), Swept { removed: 0, has_more: false });
    assert_eq!(index.sweep(7000, 100).await.unwrap(), Swept { removed: 100, has_more: true });
    // A document that was removed before is skipped.
    assert!(index.remove("d2").await.unwrap().number.is_some());
    let mut removed = 0;
    while let Swept { removed: more, has_more: true } = index.sweep(7000, 50).await.unwrap() {
        removed += more;
    }
    assert_eq!(removed, 149);
    for number in 0..500 {
        let found = index.find(&format!("d{number}")).await.unwrap();
        assert_eq!(found.is_some(), [0, 3].contains(&(number % 4)));
    }
    // Expired documents are not found before they are swept. Their id is free.
    let answer = index
        .try_add(&documents[3], AddMode::Refuse, &ComparedDocuments::default(), 1_000_000)
        .await
        .unwrap();
    assert_eq!(answer.step, AddStep::Added(500));
    assert_eq!(index.counts().await.unwrap().removed, 251);
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn links_make_the_clusters_of_a_union_find() {
    let server = RedisServer::start();
    let index = connect(&server, "links").await;
    let mut documents = Vec::new();
    for number in 0..300_u64 {
        documents.push(
            encode(&index, &format!("d{number}"), &vec![number << 40; index.plan.banding().bands], None)
                .await,
        );
    }
    index.put_all(&documents, 0).await.unwrap();
    let mut random = SplitMix64(9);
    let mut sets = UnionFind::new(300);
    let links: Vec<[u64; 2]> = (0..200).map(|_| [random.next() % 300, random.next() % 300]).collect();
    let count = index.link(&links).await.unwrap();
    assert_eq!(index.link(&links).await.unwrap(), count, "to link again changes nothing");
    links.iter().for_each(|&[a, b]| sets.unite(a as u32, b as u32));
    let mut stored = UnionFind::new(300);
    for chunk in 0..2 {
        for [parent, member] in index.links_of_chunk(chunk).await.unwrap() {
            assert!(parent < member);
            stored.unite(parent as u32, member as u32);
        }
    }
    for number in 0..300 {
        let members: Vec<u64> =
            (0..300).filter(|&other| sets.find(other) == sets.find(number)).map(u64::from).collect();
        assert_eq!(index.cluster(u64::from(number), 1000).await.unwrap(), (members, true));
        assert_eq!(stored.find(number), sets.find(number));
    }
    assert!(index.link(&[[0, 300]]).await.is_err());
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn another_plan_is_refused_and_other_names_are_other_indexes() {
    let server = RedisServer::start();
    let address: RedisAddress = server.address("plans").parse().unwrap();
    let plan =
        |threshold| lookalike::Options { threshold: Some(threshold), ..Default::default() }.plan().unwrap();
    RedisIndex::connect(&address, Some(&(&plan(0.7)).into())).await.unwrap();
    assert_eq!(*RedisIndex::connect(&address, None).await.unwrap().plan(), plan(0.7));
    let error = RedisIndex::connect(&address, Some(&(&plan(0.9)).into())).await.unwrap_err().to_string();
    assert!(error.contains("threshold is 0.7 in the index and 0.9 here"), "{error}");
    let other = server.address("others").parse().unwrap();
    assert_eq!(*RedisIndex::connect(&other, Some(&(&plan(0.9)).into())).await.unwrap().plan(), plan(0.9));
    let durability = RedisIndex::connect(&address, None).await.unwrap().durability().await.unwrap();
    assert_eq!(
        (durability.appendonly, durability.is_synced(), durability.may_evict()),
        (Some(true), false, false)
    );
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn an_index_that_is_to_be_there_is_not_made() {
    let server = RedisServer::start();
    let address = server.address("nope").parse().unwrap();
    let error = RedisIndex::open(&address).await.unwrap_err();
    assert!(matches!(error, RedisError::NoIndex { .. }), "{error}");
    let plain = super::functions::Connection::open(&address, String::new()).await.unwrap();
    assert_eq!(plain.send::<u64>(&::redis::cmd("DBSIZE"), Repeat::Safe).await.unwrap(), 0);
    let mut functions = ::redis::cmd("FUNCTION");
    functions.arg("LIST");
    assert_eq!(plain.send::<Vec<::redis::Value>>(&functions, Repeat::Safe).await.unwrap(), []);
    connect(&server, "nope").await;
    RedisIndex::open(&address).await.unwrap();
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn functions_come_back_and_a_dictionary_serves_all_clients() {
    let server = RedisServer::start();
    let (one, two) = (connect(&server, "two").await, connect(&server, "two").await);
    let mut bytes = Vec::new();
    for number in 0..600_u64 {
        // Sentences that many texts share, as pages of a site do.
        let sentence =
            |seed: u64| (0..15).map(move |word| format!("word{} ", (seed * 31 + word * word) % 9973));
        let text: String = (0..20).flat_map(|part| sentence((number * 17 + part * part) % 200)).collect();
        let (keys, signature) = (vec![number << 40; one.plan.banding().bands], vec![7; 128]);
        let (content, id) = (ContentHash::of_parts([number, 2, 3]), format!("d{number}"));
        let document = NewDocument {
            keys: &keys,
            signature: &signature,
            content,
            id: &id,
            text: &text,
            ..NewDocument::default()
        };
        let encoded = one.encode(&document).await.unwrap();
        bytes.push(encoded.0.len());
        one.try_add(&encoded, AddMode::Ignore, &ComparedDocuments::default(), 0).await.unwrap();
        if number == 300 {
            let mut flush = ::redis::cmd("FUNCTION");
            flush.arg("FLUSH");
            one.connection.send::<()>(&flush, Repeat::Safe).await.unwrap();
        }
        assert_eq!(two.find(&id).await.unwrap().unwrap().text().unwrap(), text);
    }
    let [before, after] = [bytes[0], bytes[599]];
    assert!(after + 150 < before, "{after} bytes, and {before} before there was a dictionary");
    assert_eq!(
        one.documents(&[0, 599, 600]).await.unwrap().iter().filter(|found| found.is_some()).count(),
        2
    );
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_lost_connection_is_an_error_and_comes_back() {
    let mut server = RedisServer::start();
    let index = connect(&server, "lost").await;
    let documents = [
        encode(&index, "a", &vec![1 << 40; index.plan.banding().bands], None).await,
        encode(&index, "b", &vec![2 << 40; index.plan.banding().bands], None).await,
    ];
    index.put_all(&documents[..1], 0).await.unwrap();
    server.kill();
    let lost = index.try_add(&documents[1], AddMode::Refuse, &ComparedDocuments::default(), 0).await;
    assert!(matches!(lost, Err(RedisError::NotAnswered { .. })), "{lost:?}");
    server.restart();
    // What changes nothing is asked again by itself.
    assert_eq!(index.find("a").await.unwrap().map(|found| found.number), Some(0));
    let added = index.try_add(&documents[1], AddMode::Refuse, &ComparedDocuments::default(), 0).await;
    assert_eq!(added.unwrap().step, AddStep::Added(1));
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_full_server_refuses_additions_and_answers_look_ups() {
    let server = RedisServer::start();
    let index = connect(&server, "full").await;
    let keys = vec![1 << 40; index.plan.banding().bands];
    let document = encode(&index, "a", &keys, None).await;
    index.put_all(std::slice::from_ref(&document), 0).await.unwrap();
    let mut limit = ::redis::cmd("CONFIG");
    limit.arg("SET").arg("maxmemory").arg(1000);
    index.check().await.unwrap();
    index.connection.send::<()>(&limit, Repeat::Safe).await.unwrap();
    let full = index.check().await.unwrap_err();
    assert!(matches!(full, RedisError::Full { .. }) && full.to_string().contains("memory"), "{full}");
    let other = encode(&index, "b", &keys, None).await;
    let refused = index.try_add(&other, AddMode::Refuse, &ComparedDocuments::default(), 0).await;
    assert!(matches!(refused, Err(RedisError::Full { .. })), "{refused:?}");
    let found =
        index.candidates(&index.plan, &keys, &[7; 128], &ComparedDocuments::default(), 0).await.unwrap();
    assert_eq!(found.documents.len(), 1);
    assert!(index.remove("a").await.unwrap().number.is_some());
    limit = ::redis::cmd("CONFIG");
    limit.arg("SET").arg("maxmemory").arg(0);
    index.connection.send::<()>(&limit, Repeat::Safe).await.unwrap();
    index.check().await.unwrap();
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_program_does_not_go_on_with_an_index_that_was_made_again() {
    let server = RedisServer::start();
    let index = connect(&server, "gone").await;
    let document = encode(&index, "a", &vec![1 << 40; index.plan.banding().bands], None).await;
    index.connection.send::<()>(&::redis::cmd("FLUSHALL"), Repeat::Safe).await.unwrap();
    let add = async |index: &RedisIndex| {
        index.try_add(&document, AddMode::Refuse, &ComparedDocuments::default(), 0).await
    };
    assert!(matches!(add(&index).await, Err(RedisError::Gone)));
    assert!(matches!(index.check().await, Err(RedisError::Gone)));
    let again = connect(&server, "gone").await;
    assert!(matches!(index.check().await, Err(RedisError::Gone)));
    again.check().await.unwrap();
    assert!(matches!(add(&index).await, Err(RedisError::Gone)));
    assert_eq!(add(&again).await.unwrap().step, AddStep::Added(0));
    assert!(matches!(index.find("a").await, Err(RedisError::Gone)));
}
