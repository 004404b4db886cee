//! A follower without its thread, beside a model. Many changes are on the disk before it looks at the first one.

mod history;
mod model;

use super::*;
use history::{History, Step, Told};

/// What the follower reports, which is what the model does.
fn told(history: History) -> Vec<Told> {
    let mut all = Vec::new();
    for (step, [told, expected]) in history.told().into_iter().enumerate() {
        assert_eq!(told, expected, "at step {step}");
        all.extend(told);
    }
    all
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<Told> {
    pairs.iter().map(|&(id, previous)| (id.to_owned(), previous.to_owned())).collect()
}

#[test]
fn a_document_that_expires_between_two_changes_is_not_canonical_at_the_second() {
    let mut history = History::new(Canonical::Priority, 10);
    history.add("low", 0, 1, None);
    history.add("high", 0, 9, Some(10));
    history.wait(20);
    history.add("middle", 0, 5, None);
    assert_eq!(told(history), pairs(&[("high", "low"), ("low", "high"), ("middle", "low")]));
}

#[test]
fn a_canonical_document_that_was_touched_expires_later() {
    let mut history = History::new(Canonical::Priority, 10);
    history.add("low", 0, 1, None);
    history.add("high", 0, 9, Some(10));
    // It does not know yet that the document will be touched.
    history.look();
    history.wait(5);
    history.touch("high", 25);
    history.wait(24);
    history.wait(1);
    let [.., before, after] = &history.told()[..] else { panic!() };
    assert_eq!([&before[0], &after[0]], [&pairs(&[]), &pairs(&[("low", "high")])]);
    assert_eq!(after[0], after[1]);
}

#[test]
fn nothing_is_reported_of_a_purged_document_and_what_follows_it_is() {
    let mut history = History::new(Canonical::Priority, 10);
    for (id, priority) in [("a", 1), ("b", 5), ("purged", 9)] {
        history.add(id, 0, priority, None);
    }
    history.add("c", 0, 3, None);
    history.purge("purged");
    history.add("d", 0, 7, None);
    let steps = history.told();
    let told: Vec<Told> = steps.iter().flat_map(|[told, _]| told.clone()).collect();
    assert_eq!(told, pairs(&[("b", "a"), ("d", "b")]));
    let expected: Vec<Told> = steps.iter().flat_map(|[_, expected]| expected.clone()).collect();
    assert_eq!(expected, pairs(&[("b", "a"), ("purged", "b"), ("b", "purged"), ("d", "b")]));
}

/// Clusters of two documents, `low` and `high` with their numbers.
fn add_clusters(history: &mut History, clusters: std::ops::Range<usize>) {
    for cluster in clusters {
        history.add(&format!("low {cluster}"), 100 * cluster, 1, None);
        history.add(&format!("high {cluster}"), 100 * cluster, 9, Some(10));
    }
}

#[test]
fn expiry_is_reported_for_the_clusters_that_changed_last() {
    let mut history = History::new(Canonical::Priority, 4);
    add_clusters(&mut history, 0..4);
    // It is remembered as the newest one.
    history.add("lowest", 0, 0, None);
    add_clusters(&mut history, 4..6);
    history.wait(10);
    let steps = history.told();
    let [told, expected] = steps.last().unwrap();
    assert_eq!(expected.len(), 6);
    let low = |cluster: usize| (format!("low {cluster}"), format!("high {cluster}"));
    assert_eq!(told, &[0, 3, 4, 5].map(low));
}

#[test]
fn a_document_connects_a_cluster_that_is_remembered_with_one_that_is_not() {
    let mut history = History::new(Canonical::Priority, 2);
    history.add("a", 0, 1, None);
    history.add("b", 0, 8, None);
    add_clusters(&mut history, 1..3);
    history.add("c", 2, 2, None);
    history.add("d", 2, 9, None);
    // Two other clusters have changed since a and b.
    history.add("between", 1, 5, None);
    history.remove("d");
    assert_eq!(told(history).split_off(3), pairs(&[("d", "c"), ("d", "b"), ("b", "d")]));
}

#[test]
fn a_compact_cluster_is_known_by_its_other_members() {
    let mut history = History::new(Canonical::Priority, 10);
    for (id, priority, ttl) in [("a", 1, None), ("b", 4, None), ("c", 3, None), ("d", 9, Some(10))] {
        history.add(id, 0, priority, ttl);
    }
    // It was the root of the cluster.
    history.remove("a");
    history.step(Step::Compact);
    history.wait(10);
    history.remove("b");
    history.step(Step::Compact);
    history.add("e", 0, 2, None);
    history.remove("c");
    let expected = [("b", "a"), ("d", "b"), ("b", "d"), ("c", "b"), ("e", "c")];
    assert_eq!(told(history), pairs(&expected));
}

/// Numbers that look random: the same for each seed.
struct Random(u64);

impl Random {
    /// A number below `end`. Knuth's generator of The Art of Computer Programming, 3.3.4.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// What makes it hard to know the canonical document of a cluster.
#[derive(Clone, Copy, PartialEq)]
enum Trouble {
    /// Documents expire.
    Expiry,
    /// Documents expire, and others are purged.
    Purges,
    /// There are more clusters than are remembered.
    Forgetting,
}

/// What is reported at each of sixty random changes.
fn random_told(seed: u64, trouble: Trouble) -> Vec<[Vec<Told>; 2]> {
    let policy = [Canonical::Priority, Canonical::First][seed as usize % 2];
    let (most, places) = if trouble == Trouble::Forgetting { (2, 24) } else { (1000, 8) };
    let (mut history, mut random) = (History::new(policy, most), Random(seed));
    for step in 0..60 {
        history.second += random.below(3) as u32;
        let other = format!("d{}", random.below(step + 1));
        match random.below(13) {
            0..6 => {
                let expires = trouble != Trouble::Forgetting && random.below(2) == 0;
                let ttl = expires.then(|| 5 + random.below(30) as u32);
                history.add(&format!("d{step}"), random.below(places), random.below(5) as i32, ttl);
            }
            6..9 => history.remove(&other),
            9 => history.touch(&other, 10 + random.below(30) as u32),
            10 if trouble == Trouble::Purges => history.purge(&other),
            10 => history.wait(5),
            11 => history.step(Step::Compact),
            // Purged documents are to be gone before it looks.
            _ if trouble == Trouble::Purges => {}
            _ => history.look(),
        }
    }
    history.wait(100);
    history.told()
}

#[test]
fn events_are_those_of_the_model_after_any_changes() {
    for trouble in [Trouble::Expiry, Trouble::Forgetting] {
        let mut count = 0;
        for seed in 0..10 {
            for [told, expected] in random_told(seed, trouble) {
                assert_eq!(told, expected, "seed {seed}");
                count += told.len();
            }
        }
        assert!(count > 30, "{count} events say something");
    }
}

#[test]
fn no_event_is_false_if_documents_are_gone() {
    // A file is rewritten two seconds after its last change, so all wait at the same time.
    let told = std::thread::scope(|scope| {
        let threads = [0, 1, 2, 3, 4, 5].map(|seed| scope.spawn(move || random_told(seed, Trouble::Purges)));
        threads.map(|thread| thread.join().unwrap())
    });
    let (mut missing, mut count) = (0, 0);
    for [told, expected] in told.into_iter().flatten() {
        let is_expected = |event: &Told| expected.contains(event);
        assert!(told.iter().all(is_expected), "{told:?} {expected:?}");
        missing += expected.len() - told.len();
        count += told.len();
    }
    assert!(missing > 0 && count > 10, "{missing} events are missing, and {count} are not");
}
