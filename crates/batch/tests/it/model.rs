//! What comparing inputs against other documents means, by definition: slow, and one thing after the other.

use std::collections::BTreeSet;

/// Tokens per shingle.
pub(crate) const SHINGLE: usize = 3;
/// The Jaccard similarity from which documents are similar.
pub(crate) const THRESHOLD: f64 = 0.6;
/// The share of the shorter one that must be in the other.
pub(crate) const SHARE: f64 = 0.8;
/// The shingles that the shorter one must have.
pub(crate) const LEAST: usize = 3;

/// A document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Its words.
    pub(crate) words: Vec<String>,
    /// A number to prefer it by, if it has one.
    pub(crate) score: Option<u32>,
}

/// Which documents are preferred.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Preference {
    First,
    Last,
    Longest,
    Max,
    /// The first so many stay.
    Count(u32),
    /// None of a cluster stays.
    None,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) preference: Preference,
    pub(crate) star: bool,
    pub(crate) containment: bool,
    pub(crate) min_containment: Option<f64>,
}

/// All documents; the first `against` of them are only compared against.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) documents: Vec<Document>,
    pub(crate) against: usize,
    sets: Vec<BTreeSet<Vec<String>>>,
}

impl Model {
    pub(crate) fn new(documents: Vec<Document>, against: usize) -> Self {
        let set = |document: &Document| match document.words.len() {
            0 => BTreeSet::new(),
            1..SHINGLE => [document.words.clone()].into(),
            _ => document.words.windows(SHINGLE).map(<[String]>::to_vec).collect(),
        };
        let sets = documents.iter().map(set).collect();
        Model { documents, against, sets }
    }

    fn common(&self, a: usize, b: usize) -> usize {
        self.sets[a].intersection(&self.sets[b]).count()
    }

    pub(crate) fn jaccard(&self, a: usize, b: usize) -> f64 {
        self.common(a, b) as f64 / self.sets[a].union(&self.sets[b]).count().max(1) as f64
    }

    /// How much of `part` is in `whole`.
    pub(crate) fn containment(&self, part: usize, whole: usize) -> f64 {
        self.common(part, whole) as f64 / self.sets[part].len().max(1) as f64
    }

    /// How much of the shorter one is in the other.
    pub(crate) fn share(&self, a: usize, b: usize) -> f64 {
        self.common(a, b) as f64 / self.sets[a].len().min(self.sets[b].len()).max(1) as f64
    }

    /// Does the one that is shorter have too few shingles to tell anything?
    pub(crate) fn is_short(&self, document: usize) -> bool {
        self.sets[document].len() < LEAST
    }

    fn are_similar(&self, a: usize, b: usize) -> bool {
        self.jaccard(a, b) >= THRESHOLD
    }

    /// The document that `document` contains, or is contained in, the most, and the first of these.
    pub(crate) fn contained(&self, document: usize) -> Option<usize> {
        let is_meant =
            |&a: &usize| !self.is_short(a) && !self.is_short(document) && self.share(document, a) >= SHARE;
        (0..self.against)
            .filter(is_meant)
            .reduce(|best, a| if self.share(document, a) > self.share(document, best) { a } else { best })
    }

    /// All documents, the preferred ones first, and before them those that are compared against.
    fn order(&self, preference: Preference) -> Vec<usize> {
        let rank = |document: usize| -> i64 {
            match preference {
                Preference::First | Preference::Count(_) | Preference::None => 0,
                Preference::Last => document as i64,
                Preference::Longest => self.documents[document].words.join(" ").len() as i64,
                Preference::Max => self.documents[document].score.map_or(-1, i64::from),
            }
        };
        let mut order: Vec<usize> = (0..self.documents.len()).collect();
        order.sort_by_key(|&document| (document >= self.against, -rank(document), document));
        order
    }

    /// For every document the one that is kept for it. If no document of a cluster is kept, this is the first one, and the
    /// second one for the first.
    pub(crate) fn kept(&self, asked: Asked) -> Vec<usize> {
        let Asked { preference, star, containment, min_containment } = asked;
        let count = self.documents.len();
        let mut kept: Vec<Option<usize>> =
            (0..count).map(|document| (document < self.against).then_some(document)).collect();
        for document in (self.against..count).filter(|_| containment) {
            kept[document] = self.contained(document);
        }
        let group: Vec<usize> = if star { (0..count).collect() } else { self.connected() };
        let most = if let Preference::Count(most) = preference { most as usize } else { 1 };
        // The first documents of a cluster are kept, without those removed for containment, unless a document of `--against` is
        // in the cluster.
        let stays = |document: usize, kept: &[Option<usize>]| {
            let with = |&other: &usize| group[other] == group[document];
            let is_left = |&other: &usize| other < self.against || kept[other].is_none();
            let before: Vec<usize> = (0..document).filter(with).filter(is_left).collect();
            document >= self.against
                && before.len() < most
                && before.first().is_none_or(|&first| first >= self.against)
        };
        let stays: Vec<bool> = (0..count).map(|document| !star && stays(document, &kept)).collect();
        // Of those that are left the preferred one stays, and others go for it.
        for centre in self.order(preference) {
            if *kept[centre].get_or_insert(centre) != centre {
                continue;
            }
            for other in 0..count {
                let belongs =
                    if star { self.are_similar(centre, other) } else { group[centre] == group[other] };
                let may_go = min_containment.is_none_or(|least| self.containment(other, centre) >= least);
                let may_go = may_go && (most == 1 || !stays[other]);
                if kept[other].is_none() && belongs && may_go {
                    kept[other] = Some(centre);
                }
            }
        }
        let mut kept: Vec<usize> = kept.into_iter().flatten().collect();
        for centre in self.against..count {
            let members: Vec<usize> =
                (0..count).filter(|&other| kept[other] == centre && kept[centre] == centre).collect();
            match preference {
                // The centre is the first.
                Preference::Count(_) if star => {
                    members.into_iter().take(most).for_each(|member| kept[member] = member);
                }
                Preference::None if members.len() > 1 => kept[centre] = members[1],
                _ => {}
            }
        }
        kept
    }

    /// For every document the first one that chains of pairs connect it with.
    fn connected(&self) -> Vec<usize> {
        let count = self.documents.len();
        let mut group: Vec<usize> = (0..count).collect();
        for a in 0..count {
            for b in a + 1..count {
                if self.are_similar(a, b) && group[a] != group[b] {
                    let (from, to) = (group[a].max(group[b]), group[a].min(group[b]));
                    group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
                }
            }
        }
        group
    }
}
