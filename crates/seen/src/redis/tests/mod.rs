//! Redis beside the index in a folder, and beside a model.

#[path = "../../../../index/src/redis/tests/server.rs"]
mod server;

mod copying;

use super::*;
use crate::tests::estimates;
use crate::tests::history::{Changed, check_history, histories, text};
use crate::{DocumentName, Seen, SeenIndex, StoredDocument};
use lookalike::hash::SplitMix64;
use lookalike::{
    Bits, DocumentFrequencies, FeatureLevels, Method, Options, Sketcher, Verification, Weighting,
};
use lookalike_index::About;
use lookalike_index::Index;
use server::RedisServer;
use tokio::runtime::{Handle, Runtime};
use tokio::task::JoinSet;

async fn connect(server: &RedisServer, name: &str) -> RedisSeen {
    connect_by(server, name, &Plan::default()).await
}

async fn connect_by(server: &RedisServer, name: &str, new: impl Into<NewIndex>) -> RedisSeen {
    RedisSeen::connect(&server.address(name).parse().unwrap(), Some(&new.into())).await.unwrap()
}

/// An index of this plan that stores no texts.
fn without_texts(plan: Plan) -> NewIndex {
    NewIndex { stores_texts: false, ..NewIndex::from(&plan) }
}

/// A plan of SimHash that verifies.
fn by_distance(bits: Bits, hamming: u32) -> Plan {
    let method = Some(Method::SimHash);
    let options = Options { method, bits: Some(bits), hamming: Some(hamming), ..Options::default() };
    Options { verify: Some(Verification::Exact), threshold: Some(0.5), ..options }.plan().unwrap()
}

/// A plan of SimHash by which the distance decides alone.
fn by_distance_alone(bits: Bits, hamming: u32) -> Plan {
    let (method, weighting) = (Some(Method::SimHash), Some(Weighting::Tf));
    Options { method, weighting, bits: Some(bits), hamming: Some(hamming), ..Options::default() }
        .plan()
        .unwrap()
}

/// An index of fingerprints with weights by TF-IDF.
fn by_frequencies(hamming: u32) -> NewIndex {
    let options = Options { method: Some(Method::SimHash), hamming: Some(hamming), ..Options::default() };
    let plan = Options { weighting: Some(Weighting::TfIdf), ..options }.plan().unwrap();
    let mut table = DocumentFrequencies::new(plan.feature_id());
    let mut sketcher = Sketcher::new(&plan);
    for text in stream(60) {
        let mut features = sketcher.features(&text).to_vec();
        features.sort_unstable();
        features.dedup();
        table.push(&features);
    }
    NewIndex { frequencies: Some(Arc::new(table)), ..NewIndex::from(&plan) }
}

/// An index of fingerprints with weights by levels, without texts.
fn by_levels(hamming: u32) -> NewIndex {
    let options = Options { method: Some(Method::SimHash), hamming: Some(hamming), ..Options::default() };
    let plan = Options { weighting: Some(Weighting::Levels), ..options }.plan().unwrap();
    let mut levels = FeatureLevels::new(1).unwrap();
    for (number, &feature) in Sketcher::new(&plan).features(&text(1, 0)).iter().enumerate() {
        levels.insert(feature, 1 + (number % 5) as u8).unwrap();
    }
    without_texts(plan.with_levels(levels))
}

/// For threads, each of which waits for its answer.
struct Waiting {
    /// Several processes are several connections.
    clients: Vec<RedisSeen>,
    runtime: Handle,
}

impl Waiting {
    fn client(&self, id: &str) -> &RedisSeen {
        &self.clients[id.len() * 7 % self.clients.len()]
    }
}

impl Changed for Waiting {
    fn add(&self, text: NewText, now: u32) -> Decided<Added> {
        let client = self.client(&text.text);
        self.runtime.block_on(client.add(text, now)).unwrap()
    }

    fn remove(&self, id: &str) -> Decided<Option<u64>> {
        self.runtime.block_on(self.client(id).remove(id)).unwrap()
    }

    fn touch(&self, id: &str, expires: u32, now: u32) -> Decided<Option<Touched>> {
        self.runtime.block_on(self.client(id).touch(id, expires, now)).unwrap()
    }
}

#[test]
#[ignore = "needs redis-server: ./test servers"]
fn every_answer_of_many_clients_fits_to_the_changes_before_it() {
    let (server, runtime) = (RedisServer::start(), Runtime::new().unwrap());
    let plans =
        [Plan::default(), Plan::default(), by_distance(Bits::B64, 12), by_distance_alone(Bits::B64, 12)];
    let without_texts = [by_distance_alone(Bits::B64, 12), estimates(0.5)].map(without_texts);
    for (seed, new) in (0..).zip(plans.iter().map(NewIndex::from).chain(without_texts)) {
        let name = format!("history{seed}");
        let clients = (0..4).map(|_| runtime.block_on(connect_by(&server, &name, new.clone()))).collect();
        let waiting = Waiting { clients, runtime: runtime.handle().clone() };
        let model = check_history(&histories(16, 60, seed, &waiting));
        assert!(model.len() > 50);
        let index = waiting.clients[0].index();
        let numbers: Vec<u64> = model.keys().copied().collect();
        let stored = runtime.block_on(index.documents(&numbers)).unwrap();
        for (stored, document) in stored.into_iter().zip(model.values()) {
            assert_eq!(stored.is_none(), document.is_removed);
            let Some(stored) = stored else { continue };
            assert_eq!((stored.id(), stored.expires()), (&document.id[..], document.expires));
            match new.stores_texts {
                true => assert_eq!(stored.text().unwrap(), text(document.text.0, document.text.1)),
                false => assert!(matches!(stored.text(), Err(RedisError::NoTexts))),
            }
        }
        let counts = runtime.block_on(index.counts()).unwrap();
        assert_eq!(counts.documents, model.len() as u64);
        assert_eq!(counts.removed, model.values().filter(|document| document.is_removed).count() as u64);
    }
}

/// Four clients are sent each of these groups of four near-duplicates at the same moment.
const GROUPS: u64 = 2000;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs redis-server: ./test servers"]
async fn of_near_duplicates_that_clients_send_at_once_one_is_accepted() {
    let server = RedisServer::start();
    let mut clients = JoinSet::new();
    let start = std::sync::Arc::new(tokio::sync::Barrier::new(4));
    for variant in 0..4 {
        let (client, start) = (connect(&server, "groups").await, start.clone());
        clients.spawn(async move {
            let mut accepted = Vec::new();
            for groups in (0..GROUPS).collect::<Vec<_>>().chunks(20) {
                start.wait().await;
                let mut adding = JoinSet::new();
                for &group in groups {
                    let (client, new) =
                        (client.clone(), NewText::new(format!("{group}-{variant}"), text(group, variant)));
                    adding.spawn(async move { (group, client.add(new, 0).await.unwrap().answer) });
                }
                while let Some(answer) = adding.join_next().await {
                    match answer.unwrap() {
                        (group, Added::New { .. }) => accepted.push(group),
                        (group, Added::Duplicate { found, stored: None }) => {
                            assert!(found.id.starts_with(&format!("{group}-")));
                        }
                        answer => panic!("{answer:?}"),
                    }
                }
            }
            accepted
        });
    }
    let mut accepted = clients.join_all().await.concat();
    accepted.sort_unstable();
    assert!(accepted.into_iter().eq(0..GROUPS));
}

/// Texts of some families, more or less similar to each other, and copies.
fn stream(count: u64) -> Vec<String> {
    let mut random = SplitMix64(11);
    let mut next = |_| {
        let family = text(random.next() % (count / 5), 0);
        let changed = random.next() % 30;
        let mut words: Vec<String> = family.split(' ').map(str::to_owned).collect();
        for _ in 0..changed / 3 {
            let at = (random.next() % words.len() as u64) as usize;
            words[at] = format!("x{}", random.next());
        }
        if changed == 29 { String::new() } else { words.join(" ") }
    };
    (0..count).map(&mut next).collect()
}

/// The answer without the documents that the new one is linked to. A folder names one of each cluster, and Redis all that are similar.
fn without_links(answer: Added) -> Added {
    match answer {
        Added::Duplicate { found, stored } => {
            let stored = stored.map(|Linked { number, .. }| Linked { number, to: Vec::new() });
            Added::Duplicate { found, stored }
        }
        answer => answer,
    }
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_stream_has_the_same_answers_as_in_a_folder() {
    stream_in_redis_and_in_a_folder(&Plan::default(), 600).await;
    stream_in_redis_and_in_a_folder(by_frequencies(3), 300).await;
    stream_in_redis_and_in_a_folder(by_levels(3), 300).await;
    stream_in_redis_and_in_a_folder(&estimates(0.7), 300).await;
    stream_in_redis_and_in_a_folder(without_texts(estimates(0.7)), 300).await;
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_stream_by_fingerprints_has_the_same_answers_as_in_a_folder() {
    for (bits, hamming) in [(Bits::B64, 0), (Bits::B64, 2), (Bits::B64, 3), (Bits::B64, 12), (Bits::B128, 12)]
    {
        // Near a key there are 1,108 others at distance 12, and none at 3.
        let texts = if hamming > 3 { 70 } else { 200 };
        stream_in_redis_and_in_a_folder(&by_distance(bits, hamming), texts).await;
        stream_in_redis_and_in_a_folder(&by_distance_alone(bits, hamming), texts).await;
        if bits == Bits::B64 {
            // A key has half of 128 bits, and a folder without texts other keys than Redis: more and fewer documents are looked at.
            stream_in_redis_and_in_a_folder(without_texts(by_distance_alone(bits, hamming)), texts).await;
        }
    }
}

async fn stream_in_redis_and_in_a_folder(new: impl Into<NewIndex>, texts: u64) {
    let new = new.into();
    let (server, folder) = (RedisServer::start(), tempfile::tempdir().unwrap());
    for (mode, on_duplicate) in
        [OnDuplicate::Refuse, OnDuplicate::Store, OnDuplicate::Ignore].into_iter().enumerate()
    {
        let redis = connect_by(&server, &format!("stream{mode}"), new.clone()).await;
        let path = folder.path().join(format!("{mode}.index"));
        let (seen, closer) = Seen::open(Index::create(&path, new.clone()).unwrap()).unwrap();
        for (number, text) in stream(texts).into_iter().enumerate() {
            let now = number as u32;
            if number % 11 == 10 {
                let id = format!("d{}", number / 2);
                let removed = redis.remove(&id).await.unwrap().answer;
                assert_eq!(removed, seen.remove(&id).wait().unwrap().answer);
            }
            let expires = (number % 3 == 0).then_some(now + 100);
            let meta = (number % 5 == 0).then(|| format!("{{\"number\":{number}}}"));
            let id = format!("d{}", number % 550);
            let about = About { meta, ..About::default() };
            let new = NewText { expires, about, on_duplicate, ..NewText::new(id, text.clone()) };
            let id = new.id.clone();
            let in_folder = seen.add(new.clone(), now).wait().unwrap().answer;
            let in_redis = redis.add(new, now).await.unwrap().answer;
            let is_new = matches!(in_folder, Added::New { .. });
            assert_eq!(without_links(in_redis), without_links(in_folder));
            // A stored document is found as its text is.
            let in_redis = SeenIndex::sketch_of(&redis, DocumentName::Id(&id)).await.unwrap();
            let in_folder = SeenIndex::sketch_of(&seen, DocumentName::Id(&id)).await.unwrap();
            let sketch =
                |of: &Option<(StoredDocument, SketchedText)>| of.as_ref().map(|(_, sketch)| sketch.clone());
            if is_new {
                // Without texts, the keys are those of the index, which holds 36 bits of them.
                let held = |sketch: SketchedText| match seen.plan().estimates() {
                    true if sketch.content.is_empty() => SketchedText::default(),
                    true => {
                        SketchedText { keys: sketch.keys.iter().map(|key| key >> 28).collect(), ..sketch }
                    }
                    false => sketch,
                };
                assert_eq!(sketch(&in_redis).map(held), Some(held(redis.sketch(&text))));
                assert_eq!(sketch(&in_folder).map(held), Some(held(seen.shared.checker.sketch(&text))));
            }
            let [in_redis, in_folder] = [in_redis, in_folder].map(|stored| stored.map(|(stored, _)| stored));
            assert_eq!(in_redis, in_folder);
            for threshold in [0.0, 0.4, 0.95] {
                // Redis does not tell how large its buckets are.
                let in_folder =
                    Checked { bucket_documents: None, ..seen.check(&text, threshold, now).unwrap() };
                assert_eq!(redis.check(&text, threshold, now).await.unwrap(), in_folder);
            }
            let nearest = seen.nearest(&seen.shared.checker.sketch(&text), Some("d7"), now).unwrap();
            assert_eq!(redis.nearest(&redis.sketch(&text), Some("d7"), now).await.unwrap(), nearest);
        }
        let (snapshot, now) = (seen.snapshot(), 600);
        for number in (0..snapshot.documents()).step_by(7) {
            let members = seen.cluster(number).into_iter();
            let members = members.filter_map(|member| seen.member(&snapshot, member, now).unwrap());
            let members: Vec<StoredDocument> = members.collect();
            assert_eq!(redis.members(number, now).await.unwrap(), members);
            let numbers: Vec<u64> = members.iter().map(|member| member.number).collect();
            if let Some(&first) = numbers.first() {
                let scores = seen.scores(&snapshot, first, &numbers).unwrap();
                assert_eq!(redis.scores(first, &numbers).await.unwrap(), scores);
            }
        }
        drop((snapshot, seen));
        closer.close().unwrap();
        let mut linked = Index::open(&path).unwrap().linked().unwrap();
        for number in 0..redis.index().counts().await.unwrap().documents {
            let (members, _) = redis.index().cluster(number, 10_000).await.unwrap();
            let clusters: Vec<Option<u64>> = members.iter().map(|&member| linked.cluster(member)).collect();
            assert!(clusters.iter().all(|&cluster| cluster == linked.cluster(number)));
            assert!(mode == 1 || members.len() <= 1);
        }
    }
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn many_expired_copies_do_not_hide_a_living_one() {
    let server = RedisServer::start();
    let redis = connect(&server, "expired").await;
    for number in 0..1100 {
        let (expires, on_duplicate) = (Some(5), OnDuplicate::Ignore);
        let new = NewText { expires, on_duplicate, ..NewText::new(format!("e{number}"), text(1, 0)) };
        redis.add(new, 0).await.unwrap();
    }
    let added = async |id: &str| redis.add(NewText::new(id, text(1, 0)), 10).await.unwrap().answer;
    assert_eq!(added("first").await, Added::New { number: 1100, is_capped: false });
    assert!(matches!(added("second").await, Added::Duplicate { found, .. } if found.number == 1100));
    let checked = redis.check(&text(1, 1), 0.0, 10).await.unwrap();
    assert_eq!((checked.candidates, checked.compared, checked.is_capped), (1101, 1, false));
    let checked = redis.check(&text(1, 1), 0.0, 0).await.unwrap();
    assert_eq!((checked.candidates, checked.compared, checked.is_capped), (1101, 1024, true));
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn an_addition_without_an_answer_can_be_repeated() {
    let mut server = RedisServer::start();
    let redis = connect(&server, "lost").await;
    let new = |number: u64| NewText::new(format!("d{number}"), text(number, 0));
    // More than the server can answer before this thread sees that 50 are answered, however busy the machine is.
    const ADDED: u64 = 2_000;
    let mut adding = JoinSet::new();
    for number in 0..ADDED {
        let (redis, new) = (redis.clone(), new(number));
        adding.spawn(async move { (number, redis.add(new, 0).await) });
    }
    let (mut lost, mut answered) = (Vec::new(), 0);
    while let Some(answer) = adding.join_next().await {
        match answer.unwrap() {
            (_, Ok(Decided { answer, .. })) => {
                assert!(matches!(answer, Added::New { .. }));
                answered += 1;
                if answered == 50 {
                    server.kill();
                }
            }
            (number, Err(SeenError::Unreachable { reason })) => {
                assert!(reason.contains("to make it again is safe"), "{reason}");
                lost.push(number);
            }
            (number, Err(error)) => panic!("{number}: {error}"),
        }
    }
    assert!(!lost.is_empty());
    server.restart();
    for number in lost {
        let answer = redis.add(new(number), 0).await.unwrap().answer;
        assert!(matches!(answer, Added::New { .. } | Added::Unchanged { .. }), "{answer:?}");
    }
    // What was answered is there: the process was killed, and not the system.
    for number in 0..ADDED {
        assert_eq!(
            redis.add(new(number), 0).await.unwrap().answer.number(),
            redis.index().find(&format!("d{number}")).await.unwrap().map(|found| found.number)
        );
    }
    assert_eq!(redis.index().counts().await.unwrap().documents, ADDED);
}

impl Added {
    /// The number of the document that is unchanged.
    fn number(&self) -> Option<u64> {
        if let Added::Unchanged { number } = self { Some(*number) } else { None }
    }
}

#[tokio::test]
#[ignore = "needs redis-server: ./test servers"]
async fn a_touched_document_outlives_the_sweep_and_is_found_by_its_url() {
    let server = RedisServer::start();
    let redis = connect(&server, "touched").await;
    for number in 0..4 {
        let url = Some(format!("https://example.org/{number}/"));
        let about = About { url, ..About::default() };
        let new =
            NewText { expires: Some(1000), about, ..NewText::new(format!("d{number}"), text(number, 0)) };
        redis.add(new, 0).await.unwrap();
    }
    let touched = redis.touch("d0", 9000, 999).await.unwrap();
    assert_eq!(touched, Decided { answer: Some(Touched { number: 0, expires: Some(9000) }), sequence: 4 });
    let again = redis.touch("d0", 2000, 999).await.unwrap();
    assert_eq!(again, Decided { answer: Some(Touched { number: 0, expires: Some(9000) }), sequence: 5 });
    assert_eq!(redis.touch("d1", 9000, 1000).await.unwrap().answer, None, "it has expired");
    let on_duplicate = OnDuplicate::Touch;
    let copy = NewText { on_duplicate, expires: Some(8000), ..NewText::new("copy", text(2, 1)) };
    let answer = redis.add(copy, 900).await.unwrap().answer;
    assert!(matches!(answer, Added::Duplicate { found, stored: None } if found.number == 2));
    let swept = redis.index().sweep(5000, 100).await.unwrap();
    assert_eq!((swept.removed, swept.has_more), (2, false));
    for (number, expires) in [(0, Some(9000)), (1, None), (2, Some(8000)), (3, None)] {
        let found = redis.index().find_url(&format!("HTTPS://example.org:443/{number}/#top")).await.unwrap();
        assert_eq!(found.and_then(|found| found.expires()), expires, "{number}");
    }
    assert_eq!(redis.index().sweep(20_000, 100).await.unwrap().removed, 2);
    assert!(redis.index().find("d0").await.unwrap().is_none());
}
