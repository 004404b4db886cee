//! The texts of the examples: read again, and compared.

use super::choose::{Chosen, Pair, Removed, removed_of};
use super::distance;
use crate::error::Error;
use lookalike::compare::Passages;
use lookalike::{Plan, Score, Similarity, Sketcher};
use lookalike_corpus::{Chunk, Fields, Reader, Scan, Scratch};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::reasons::Reasons;
use lookalike_engine::documents::names::Names;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::scan;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A cluster to look at.
#[derive(Clone, Debug)]
pub struct ClusterExample {
    /// How many documents it has.
    pub documents: u64,
    /// How similar the kept one and the removed ones are, on average.
    pub mean: f64,
    /// The first of the removed documents.
    pub members: Vec<Member>,
    /// The kept document and the removed one that is least similar to it.
    pub pair: PairExample,
}

/// A removed document of a cluster.
#[derive(Clone, Debug)]
pub struct Member {
    /// What it is called.
    pub id: String,
    /// How similar it and the kept one are.
    pub score: Score,
}

/// A removed document beside the one that was kept, or, where none of the cluster was, beside the one that it was compared with.
#[derive(Clone, Debug)]
pub struct PairExample {
    /// The number of their cluster, as in the lists.
    pub cluster: u64,
    /// What stays, if `stays`.
    pub kept: TextExample,
    /// Does it?
    pub stays: bool,
    /// What goes.
    pub removed: TextExample,
    /// How similar they are.
    pub score: Score,
    /// How much of the removed one the kept one contains, if it is known.
    pub containment: Option<Similarity>,
    /// What they share, as far as their texts are here.
    pub passages: Passages,
}

/// A document and its text.
#[derive(Clone, Debug, Default)]
pub struct TextExample {
    /// What it is called.
    pub id: String,
    /// The text, or the start of a long one.
    pub text: String,
    /// Characters of the whole text.
    pub characters: u64,
}

/// Bytes of a text that are looked at: far more than anybody reads of an example.
const TEXT_BYTES: usize = 1 << 16;

/// Removed documents of a cluster that are named.
const MEMBERS: usize = 12;

/// Tokens in a row that make a passage at least, however short the shingle: as in `compare`.
const LEAST_PASSAGE: usize = 3;

/// The documents of examples.
pub(super) struct Read(BTreeMap<u32, TextExample>);

impl Read {
    /// Reads the documents that are shown, and those that are named beside them.
    pub(super) fn documents(
        fields: &Fields,
        names: &Names<'_>,
        decisions: &Decisions,
        reasons: &Reasons,
        chosen: &Chosen,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let mut with_text = BTreeSet::new();
        let mut wanted = BTreeSet::new();
        for Pair { cluster: index, member } in chosen.all() {
            let cluster = decisions.cluster(index);
            with_text.extend([cluster.kept[member], cluster.members[member]]);
            let removed = removed_of(decisions, reasons, index);
            wanted.extend(removed.map(|removed| cluster.members[removed.pair.member]).take(MEMBERS));
        }
        wanted.extend(&with_text);
        if wanted.is_empty() {
            return Ok(Read(BTreeMap::new()));
        }
        let (inputs, documents) = (names.inputs, names.documents);
        let bar = monitor.stage("examples", Unit::Documents, Some(wanted.len() as u64));
        let reader = Reader::new(inputs, fields, Scan::Documents);
        let (stop, left) = (AtomicBool::new(false), AtomicUsize::new(wanted.len()));
        let work = |scratch: &mut Scratch, chunk: Chunk<'_>| {
            let range =
                documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
            let numbers: Vec<u32> = wanted.range(range).copied().collect();
            if numbers.is_empty() {
                return Ok(None);
            }
            let mut loaded = documents.load(&numbers, chunk, scratch)?;
            let mut here = Vec::new();
            for document in numbers {
                let record = loaded.record(documents.places[document as usize]).map_err(|bad| {
                    let (place, problem) = (names.place(document), bad.problem.to_string());
                    lookalike_engine::Error::Changed { place, problem }
                })?;
                let text = if with_text.contains(&document) { start(record.text) } else { "" };
                let example = TextExample {
                    id: record
                        .id
                        .filter(|id| !id.is_empty())
                        .map_or_else(|| names.place(document), str::to_owned),
                    text: text.to_owned(),
                    characters: record.text.chars().count() as u64,
                };
                here.push((document, example));
            }
            bar.inc(here.len() as u64);
            if left.fetch_sub(here.len(), Ordering::Relaxed) == here.len() {
                stop.store(true, Ordering::Relaxed);
            }
            Ok(Some(here))
        };
        let parts = scan::<_, _, Error>(&reader, &monitor.interrupt, &stop, Scratch::default, work);
        drop(bar);
        Ok(Read(parts?.0.into_iter().flatten().collect()))
    }

    fn text(&self, document: u32) -> TextExample {
        self.0.get(&document).cloned().unwrap_or_default()
    }
}

/// The start of a long text.
fn start(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES)]
}

/// Examples as they are shown.
pub(super) struct Examples<'a> {
    plan: &'a Plan,
    decisions: &'a Decisions,
    reasons: &'a Reasons,
    read: &'a Read,
}

impl<'a> Examples<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        decisions: &'a Decisions,
        reasons: &'a Reasons,
        read: &'a Read,
    ) -> Self {
        Examples { plan, decisions, reasons, read }
    }

    pub(super) fn pair(&self, Pair { cluster: index, member }: Pair) -> PairExample {
        let cluster = self.decisions.cluster(index);
        let reason = self.reasons.of_member(self.decisions, index, member);
        let (kept, removed) = (self.read.text(cluster.kept[member]), self.read.text(cluster.members[member]));
        let mut sketcher = Sketcher::new(self.plan);
        let (left, right) = (sketcher.locate(&kept.text), sketcher.locate(&removed.text));
        let passages = Passages::of(&left, &right, self.plan.shingle().max(LEAST_PASSAGE));
        PairExample {
            cluster: index as u64 + 1,
            stays: self.decisions.keeps(cluster.kept[member]),
            kept,
            removed,
            score: reason.map_or(self.plan.score_of_copies(), |reason| reason.score),
            containment: reason.and_then(|reason| reason.containment),
            passages,
        }
    }

    pub(super) fn cluster(&self, pair: Pair) -> ClusterExample {
        let cluster = self.decisions.cluster(pair.cluster);
        let removed = || removed_of(self.decisions, self.reasons, pair.cluster);
        let member = |removed: Removed| Member {
            id: self.read.text(cluster.members[removed.pair.member]).id,
            score: removed.reason.score,
        };
        let far: f64 = removed().map(|removed| distance(removed.reason.score)).sum();
        let far = far / removed().count() as f64;
        ClusterExample {
            documents: cluster.members.len() as u64,
            mean: if self.plan.verifies() { 1.0 - far } else { far },
            members: removed().take(MEMBERS).map(member).collect(),
            pair: self.pair(pair),
        }
    }
}
