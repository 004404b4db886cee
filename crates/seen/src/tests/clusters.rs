//! Clusters of documents that are added, removed and expire, compacted after every few changes.

use super::history::text;
use super::*;
use lookalike::cluster::UnionFind;
use lookalike::hash::SplitMix64;
use std::collections::{BTreeMap, BTreeSet};

/// What a thread did, and what it was told.
enum Event {
    Added { number: u64, family: u64, expires: Option<u32>, now: u32, to: Vec<u64> },
    Removed { number: u64 },
}

fn stored(id: String, text: String, expires: Option<u32>) -> NewText {
    NewText { on_duplicate: OnDuplicate::Store, expires, ..NewText::new(id, text) }
}

/// What a thread does in a round, and the sequence number of each change. It waits only at the end, so that changes share commits.
fn changes(seen: &Seen, thread: u64, round: u64, now: u32) -> Vec<(u64, Event)> {
    let mut generator = SplitMix64(round << 32 | thread);
    let mut random = move |below: u64| generator.next() % below;
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    for step in 0..8 {
        // Families live for some rounds, and threads are about the same ones.
        let family = round / 4 * 6 + random(6);
        let expires = (random(3) == 0).then(|| now + random(2500) as u32);
        let id = format!("{round}-{thread}-{step}");
        added.push((family, expires, seen.add(stored(id, text(family, random(50)), expires), now)));
        if random(2) == 0 {
            let before = format!("{}-{}-{}", round - random(3).min(round), random(8), random(8));
            removed.push(seen.remove(&before));
        }
    }
    let mut events = Vec::new();
    for (family, expires, pending) in added {
        let Decided { answer, sequence } = pending.wait().unwrap();
        let linked = match answer {
            Added::New { number, .. } => Linked { number, to: Vec::new() },
            Added::Duplicate { stored, .. } => stored.unwrap(),
            answer => panic!("{answer:?}"),
        };
        let Linked { number, to } = linked;
        events.push((sequence, Event::Added { number, family, expires, now, to }));
    }
    for pending in removed {
        if let Decided { answer: Some(number), sequence } = pending.wait().unwrap() {
            events.push((sequence, Event::Removed { number }));
        }
    }
    events
}

/// The documents, and the clusters that their links make.
#[derive(Default)]
struct Model {
    /// The family of each document that was not removed, and when it expires.
    living: BTreeMap<u64, (u64, Option<u32>)>,
    links: Vec<[u64; 2]>,
    documents: usize,
}

impl Model {
    fn sets(&self) -> UnionFind {
        let mut sets = UnionFind::new(self.documents);
        self.links.iter().for_each(|&[a, b]| sets.unite(a as u32, b as u32));
        sets
    }

    /// The documents that are alive at second `now`.
    fn alive(&self, now: u32) -> impl Iterator<Item = (u64, u64)> {
        let living = self.living.iter();
        let alive = living.filter(move |(_, (_, expires))| expires.is_none_or(|expires| expires > now));
        alive.map(|(&number, &(family, _))| (number, family))
    }

    /// A document is linked to living ones only, and is then in one cluster with all that it is similar to.
    fn replay(&mut self, events: Vec<(u64, Event)>) {
        for (_, event) in events {
            match event {
                Event::Removed { number } => assert!(self.living.remove(&number).is_some()),
                Event::Added { number, family, expires, now, to } => {
                    assert_eq!(number, self.documents as u64);
                    self.documents += 1;
                    let similar: BTreeSet<u64> =
                        self.alive(now).filter(|&(_, of)| of == family).map(|(number, _)| number).collect();
                    assert!(to.iter().all(|other| similar.contains(other)), "{number} {to:?} {similar:?}");
                    self.links.extend(to.iter().map(|&other| [other, number]));
                    self.living.insert(number, (family, expires));
                    let mut sets = self.sets();
                    let root = sets.find(number as u32);
                    assert!(similar.iter().all(|&other| sets.find(other as u32) == root), "{number}");
                }
            }
        }
    }

    fn check(&self, seen: &Seen, now: u32) {
        let mut sets = self.sets();
        let alive: Vec<u64> = self.alive(now).map(|(number, _)| number).collect();
        for &number in &alive {
            let mut members = seen.cluster(number);
            members.retain(|member| alive.binary_search(member).is_ok());
            let root = sets.find(number as u32);
            let expected = alive.iter().copied().filter(|&other| sets.find(other as u32) == root);
            assert_eq!(members, expected.collect::<Vec<_>>(), "{number} at second {now}");
        }
    }
}

#[test]
fn clusters_of_many_threads_are_those_of_their_links_without_the_dead() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (seen, closer) = create(&path);
    let (mut model, mut now) = (Model::default(), 0);
    for round in 0..24 {
        // All clocks agree. In six rounds an hour passes.
        now = 1 + 700 * round as u32;
        let mut events: Vec<(u64, Event)> = std::thread::scope(|scope| {
            let change = |thread| {
                scope.spawn({
                    let seen = &seen;
                    move || changes(seen, thread, round, now)
                })
            };
            let threads: Vec<_> = (0..8).map(change).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        events.sort_by_key(|&(sequence, _)| sequence);
        model.replay(events);
        model.check(&seen, now);
    }
    assert!(seen.clusters().compactions() > 4, "{}", seen.clusters().compactions());
    drop(seen);
    closer.close().unwrap();
    let (seen, closer) = Seen::open(Index::open_to_add(&path).unwrap()).unwrap();
    model.check(&seen, now);
    drop(seen);
    closer.close().unwrap();
}

/// A text that shares most words with those of the places beside it, and fewer with others.
fn chained(place: usize) -> String {
    (10 * place..10 * place + 120).map(|word| format!("c{word}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn documents_that_a_dead_one_connected_stay_together_also_after_a_restart() {
    for expires in [None, Some(10)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen.index");
        let (seen, closer) = create(&path);
        for (id, place, expires) in [("a", 0, None), ("c", 2, None), ("b", 1, expires)] {
            let answer = seen.add(stored(id.to_owned(), chained(place), expires), 5).wait().unwrap().answer;
            assert_eq!(matches!(answer, Added::Duplicate { .. }), id == "b", "{id}");
        }
        assert_eq!(seen.cluster(1), [0, 1, 2]);
        if expires.is_none() {
            assert_eq!(seen.remove("b").wait().unwrap().answer, Some(2));
        }
        // Until it was left out.
        let mut families = 10..;
        while seen.cluster(2) != [2] {
            let family = families.next().filter(|&family| family < 5000).expect("it is left out some time");
            seen.add(stored(format!("{family}"), text(family, 0), None), 4000).wait().unwrap();
        }
        assert_eq!([seen.cluster(0), seen.cluster(1)], [[0, 1], [0, 1]]);
        drop(seen);
        closer.close().unwrap();
        let (seen, closer) = Seen::open(Index::open_to_add(&path).unwrap()).unwrap();
        let living =
            |number| seen.cluster(number).into_iter().filter(|&member| member != 2).collect::<Vec<_>>();
        assert_eq!([living(0), living(1)], [[0, 1], [0, 1]]);
        let answer = seen.add(stored("d".to_owned(), chained(1), None), 4000).wait().unwrap().answer;
        let Added::Duplicate { stored: Some(Linked { number, to }), .. } = answer else {
            panic!("{answer:?}")
        };
        assert!(to == [0] || to == [1], "they are one cluster: {to:?}");
        assert_eq!(living(0), [0, 1, number]);
        drop(seen);
        closer.close().unwrap();
    }
}
