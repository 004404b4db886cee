//! The canonical documents of the clusters that have changed lately.

use super::RankedDocument;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Canonical documents by the roots of their clusters. When there are too many, the half that was noted first is forgotten.
#[derive(Debug)]
pub(super) struct Remembered {
    /// Clusters, at most.
    most: usize,
    of_root: HashMap<u64, NotedDocument>,
    /// The second at which canonical documents expire, and their numbers. Some of them are not canonical any more.
    expiring: BinaryHeap<Reverse<(u32, u64)>>,
    /// How many were noted so far.
    count: u64,
}

#[derive(Debug)]
struct NotedDocument {
    document: RankedDocument,
    /// How many were noted before.
    place: u64,
}

impl Remembered {
    pub(super) fn new(most: usize) -> Self {
        Remembered { most, of_root: HashMap::new(), expiring: BinaryHeap::new(), count: 0 }
    }

    pub(super) fn get(&self, root: u64) -> Option<&RankedDocument> {
        self.of_root.get(&root).map(|noted| &noted.document)
    }

    pub(super) fn insert(&mut self, root: u64, document: RankedDocument) {
        if self.of_root.len() >= self.most && !self.of_root.contains_key(&root) {
            self.forget_half();
        }
        self.expiring.extend(document.expires.map(|second| Reverse((second, document.number()))));
        self.of_root.insert(root, NotedDocument { document, place: self.count });
        self.count += 1;
        // A cluster that changes often has many entries here.
        if self.expiring.len() > 2 * self.of_root.len() {
            let documents = self.of_root.values().map(|noted| &noted.document);
            let expiring = documents
                .filter_map(|document| document.expires.map(|second| Reverse((second, document.number()))));
            self.expiring = expiring.collect();
        }
    }

    pub(super) fn remove(&mut self, root: u64) -> Option<RankedDocument> {
        self.of_root.remove(&root).map(|noted| noted.document)
    }

    /// Takes the next document that has expired at second `now`. It may not be canonical any more.
    pub(super) fn next_expired(&mut self, now: u32) -> Option<u64> {
        let &Reverse((_, number)) = self.expiring.peek().filter(|Reverse((second, _))| *second <= now)?;
        self.expiring.pop();
        Some(number)
    }

    /// Takes note that clusters have other roots now: `root` gives that of a document.
    pub(super) fn change_roots(&mut self, root: impl Fn(u64) -> u64) {
        let noted = std::mem::take(&mut self.of_root).into_values();
        self.of_root = noted.map(|noted| (root(noted.document.number()), noted)).collect();
    }

    fn forget_half(&mut self) {
        let mut places: Vec<u64> = self.of_root.values().map(|noted| noted.place).collect();
        let middle = places.len() / 2;
        let (_, &mut middle, _) = places.select_nth_unstable(middle);
        self.of_root.retain(|_, noted| noted.place >= middle);
    }
}

#[cfg(test)]
mod tests {
    use super::super::CanonicalRank;
    use super::*;

    /// It expires at second `expires`.
    fn document(number: u64, expires: Option<u32>) -> RankedDocument {
        RankedDocument { id: number.to_string(), expires, rank: CanonicalRank { cost: 0.0, number } }
    }

    #[test]
    fn the_half_that_was_noted_last_stays() {
        let mut remembered = Remembered::new(6);
        for number in [0, 1, 2, 3, 4, 5, 0, 6] {
            remembered.insert(number, document(number, None));
        }
        // 0 was noted again before 6 came.
        let known: Vec<u64> = (0..7).filter(|&root| remembered.get(root).is_some()).collect();
        assert_eq!(known, [0, 4, 5, 6]);
    }

    #[test]
    fn a_document_that_is_noted_often_takes_no_more_memory() {
        let mut remembered = Remembered::new(6);
        remembered.insert(1, document(1, Some(50)));
        for second in 0..1000 {
            remembered.insert(2, document(2, Some(100 + second)));
            assert!(remembered.expiring.len() <= 4);
        }
        assert_eq!([remembered.next_expired(49), remembered.next_expired(50)], [None, Some(1)]);
        let expired: Vec<u64> = std::iter::from_fn(|| remembered.next_expired(1099)).collect();
        assert_eq!(expired.last(), Some(&2));
    }
}
