//! A list of pairs or clusters. All threads read it, chunk by chunk. Each chunk numbers its own ids, and the chunks are then
//! joined in order.

use super::form::{ListForm, RowMeaning};
use super::names::NumberedIds;
use crate::error::Error;
use crate::lines::Starts;
use lookalike::cluster::UnionFind;
use lookalike::quality::{Account, Pair, PairSet, Partition};
use lookalike_corpus::{
    BadRecord, Chunk, ChunkId, Fields, Inputs, Problem, Reader, Record, Scan, Scratch, SuspectQuotes,
};
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::scan::ReadChunk;
use lookalike_engine::scan::scan;
use lookalike_report::Skips;
use std::sync::atomic::AtomicBool;

/// Reads both lists, one after the other.
pub(super) struct Intake<'m> {
    /// The ids of both.
    pub(super) names: NumberedIds,
    /// The bad records of both.
    pub(super) skips: Skips,
    /// Stop at the first bad record.
    pub(super) strict: bool,
    pub(super) monitor: &'m Monitor,
    /// Ids below this number were known before the list that is read.
    pub(super) known: u32,
    /// Has the list named one of these?
    pub(super) names_known: bool,
}

/// A list that was read.
pub(super) struct ReadList {
    form: ListForm,
    name: String,
    rows: u64,
    /// The first line, if it is no header.
    first_line: Option<FirstLine>,
    body: ListBody,
}

/// A line that was taken as a pair.
#[derive(Clone, Debug)]
pub(super) struct FirstLine {
    pub(super) file: String,
    pub(super) a: u32,
    pub(super) b: u32,
}

enum ListBody {
    Pairs(PairSet),
    Clusters(Links),
}

/// The clusters that the rows of a list make.
#[derive(Default)]
struct Links {
    links: Vec<(u32, u32)>,
    /// The cluster of each document so far: its number, or the number of the document that was kept.
    clusters: Vec<Option<u32>>,
    /// The first document of each cluster.
    firsts: Vec<u32>,
    repeated: u64,
    in_several: u64,
}

/// A list, with its clusters of all documents.
pub(super) struct ListContents {
    pub(super) form: ListForm,
    pub(super) name: String,
    pub(super) rows: u64,
    pub(super) first_line: Option<FirstLine>,
    pub(super) repeated: u64,
    pub(super) with_itself: u64,
    pub(super) in_several: u64,
    pub(super) account: Account,
}

/// The rows of a chunk.
struct ChunkRows {
    lines: ReadChunk,
    names: NumberedIds,
    /// The clusters that rows name. Empty in other lists.
    clusters: NumberedIds,
    rows: Vec<ListRow>,
}

struct ListRow {
    id: u32,
    /// The second id, or the cluster. `None` if the document is alone.
    with: Option<u32>,
    value: Option<f32>,
}

impl<'a> Intake<'a> {
    pub(super) fn new(strict: bool, monitor: &'a Monitor) -> Self {
        Intake {
            names: NumberedIds::default(),
            skips: Skips::default(),
            strict,
            monitor,
            known: 0,
            names_known: false,
        }
    }

    /// Reads all files of the list that was given as `name`.
    pub(super) fn read(&mut self, name: &str, inputs: &Inputs, form: ListForm) -> Result<ReadList, Error> {
        let Intake { names, skips, strict, monitor, known, names_known } = self;
        let fields = form.fields();
        let bar = monitor.stage("read", Unit::Rows, None);
        let reader = Reader::new(inputs, &fields, Scan::Lists);
        let work = |scratch: &mut Scratch, chunk: Chunk<'_>| {
            let part = ChunkRows::read(chunk, scratch, &form, &fields)?;
            if let Some(bad) = part.lines.bad.iter().find(|bad| bad.problem.is_of_file()) {
                // A list without this file would be another list.
                let file = inputs.files()[part.lines.id.file as usize].name.clone();
                let problem = bad.problem.clone();
                return Err(lookalike_engine::Error::Unusable { file, problem, is_against: false }.into());
            }
            bar.inc(part.rows.len() as u64);
            Ok(Some(part))
        };
        let read =
            scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), Scratch::default, work);
        drop(bar);
        let (mut parts, _) = read?;
        parts.sort_by_key(|part| part.lines.id);

        let (mut pairs, mut links, mut rows) = (Vec::new(), Links::default(), 0);
        let mut first_line = None;
        let (mut lines, mut cluster_names) = (Vec::with_capacity(parts.len()), NumberedIds::default());
        for part in parts {
            rows += part.rows.len() as u64;
            let (ids, clusters) = (names.take(&part.names)?, cluster_names.take(&part.clusters)?);
            *names_known |= ids.iter().any(|id| id < known);
            if let (true, Some(ListRow { id, with: Some(b), .. })) =
                (!form.header && part.starts_list(), part.rows.first())
            {
                let file = inputs.files()[0].name.clone();
                first_line = Some(FirstLine { file, a: ids[*id as usize], b: ids[*b as usize] });
            }
            for ListRow { id, with, value } in part.rows {
                let id = ids[id as usize];
                match (form.kind, with) {
                    (RowMeaning::Pairs, Some(b)) => pairs.push(Pair { a: id, b: ids[b as usize], value }),
                    (RowMeaning::Clusters, Some(cluster)) => links.join(id, clusters[cluster as usize]),
                    (RowMeaning::Removed, Some(kept)) => links.link(id, ids[kept as usize]),
                    (_, None) => {}
                }
            }
            lines.push(part.lines);
        }
        Starts::of_sorted(inputs, lines, *strict, |place, problem| skips.add(place, problem))?;
        let body = match form.kind {
            RowMeaning::Pairs => ListBody::Pairs(PairSet::new(pairs)),
            RowMeaning::Clusters | RowMeaning::Removed => ListBody::Clusters(links),
        };
        Ok(ReadList { form, name: name.to_owned(), rows, first_line, body })
    }
}

impl ReadList {
    /// The first line, if it is no header and holds only two ids.
    pub(super) fn unnamed(&self) -> Option<&FirstLine> {
        self.first_line.as_ref().filter(|_| self.form.value().is_none())
    }

    /// The pairs that it lists. A list of clusters has none.
    pub(super) fn pairs(&self) -> &[Pair] {
        match &self.body {
            ListBody::Pairs(pairs) => pairs.pairs(),
            ListBody::Clusters(_) => &[],
        }
    }

    /// The documents that share a cluster with others, if the list is one of clusters.
    pub(super) fn linked(&self) -> &[(u32, u32)] {
        match &self.body {
            ListBody::Pairs(_) => &[],
            ListBody::Clusters(links) => &links.links,
        }
    }

    /// The list with `documents`, which are all that both lists name.
    pub(super) fn contents(self, documents: u32) -> ListContents {
        let ReadList { form, name, rows, first_line, body } = self;
        let (repeated, with_itself, in_several, account) = match body {
            ListBody::Pairs(pairs) => (pairs.repeated(), pairs.with_itself(), 0, Account::Pairs(pairs)),
            ListBody::Clusters(links) => {
                let mut sets = UnionFind::new(documents as usize);
                links.links.iter().for_each(|&(a, b)| sets.unite(a, b));
                let partition = Partition::new(&mut sets);
                (links.repeated, 0, links.in_several, Account::Clusters(partition))
            }
        };
        ListContents { form, name, rows, first_line, repeated, with_itself, in_several, account }
    }
}

impl Links {
    /// Puts a document into a cluster. Clusters are numbered in the order of the rows.
    fn join(&mut self, document: u32, cluster: u32) {
        if cluster as usize == self.firsts.len() {
            self.firsts.push(document);
        }
        self.links.push((self.firsts[cluster as usize], document));
        self.note(document, cluster);
    }

    /// Puts a document into the cluster of the document that was kept instead.
    fn link(&mut self, document: u32, kept: u32) {
        self.links.push((kept, document));
        self.note(document, kept);
    }

    fn note(&mut self, document: u32, cluster: u32) {
        let document = document as usize;
        if self.clusters.len() <= document {
            self.clusters.resize(document + 1, None);
        }
        match self.clusters[document].replace(cluster) {
            None => {}
            Some(before) if before == cluster => self.repeated += 1,
            Some(_) => self.in_several += 1,
        }
    }
}

impl ChunkRows {
    fn read(
        chunk: Chunk<'_>,
        scratch: &mut Scratch,
        form: &ListForm,
        fields: &Fields,
    ) -> Result<ChunkRows, Error> {
        let lines =
            ReadChunk { id: chunk.id(), lines: 0, bad: Vec::new(), suspect: SuspectQuotes::default() };
        let mut part = ChunkRows {
            lines,
            names: NumberedIds::default(),
            clusters: NumberedIds::default(),
            rows: Vec::new(),
        };
        let mut loaded = chunk.load(scratch)?;
        loaded.for_each(|record| {
            let row = record.and_then(|record| part.row(record, form, fields));
            match row {
                Ok(row) => part.rows.push(row),
                Err(bad) => part.lines.bad.push(bad),
            }
        });
        part.lines.lines = loaded.lines();
        Ok(part)
    }

    /// Is the first row of the chunk the first line of the list?
    fn starts_list(&self) -> bool {
        self.lines.id == ChunkId { file: 0, sequence: 0 }
            && self.lines.bad.first().is_none_or(|bad| bad.line > 0)
    }

    fn row(&mut self, record: Record<'_>, form: &ListForm, fields: &Fields) -> Result<ListRow, BadRecord> {
        let without = |field: &str| {
            let problem = Problem::NoId { field: field.to_owned() };
            Err(BadRecord { line: record.place.line, problem })
        };
        // An empty value is absent, as in tables, which cannot distinguish the two.
        let with = match (form.kind, record.id.filter(|id| !id.is_empty())) {
            _ if record.text.is_empty() => return without(&fields.text.to_string()),
            (RowMeaning::Pairs, None) => return without(fields.id.as_deref().unwrap_or_default()),
            (_, with) => with,
        };
        let id = self.names.number(record.text);
        let others = if form.kind == RowMeaning::Clusters { &mut self.clusters } else { &mut self.names };
        let with = with.map(|with| others.number(with));
        Ok(ListRow { id, with, value: record.number.map(|number| number.value() as f32) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        /// Clusters are numbered in the order of the rows, as a list's names are.
        #[test]
        fn rows_of_clusters_are_joined_and_counted(rows in prop::collection::vec((0..20_u32, 0..6_u32), 0..60)) {
            let (mut links, mut numbers) = (Links::default(), BTreeMap::new());
            let (mut before, mut members) = (BTreeMap::new(), BTreeMap::<u32, BTreeSet<u32>>::new());
            let (mut repeated, mut in_several) = (0, 0);
            for &(document, name) in &rows {
                let next = numbers.len() as u32;
                links.join(document, *numbers.entry(name).or_insert(next));
                match before.insert(document, name) {
                    Some(other) if other == name => repeated += 1,
                    Some(_) => in_several += 1,
                    None => {}
                }
                members.entry(name).or_default().insert(document);
            }
            prop_assert_eq!((links.repeated, links.in_several), (repeated, in_several));
            let mut sets = UnionFind::new(20);
            links.links.iter().for_each(|&(a, b)| sets.unite(a, b));
            for members in members.values() {
                let first = sets.find(*members.first().unwrap());
                prop_assert!(members.iter().all(|&member| sets.find(member) == first));
            }
            // Nothing else is joined.
            let mut expected = UnionFind::new(20);
            for members in members.values() {
                let mut members = members.iter();
                let first = *members.next().unwrap();
                members.for_each(|&member| expected.unite(first, member));
            }
            for document in 0..20 {
                for other in 0..document {
                    prop_assert_eq!(
                        sets.find(document) == sets.find(other),
                        expected.find(document) == expected.find(other)
                    );
                }
            }
        }
    }

    #[test]
    fn a_removed_document_shares_a_cluster_with_its_kept_one() {
        let mut links = Links::default();
        for (removed, kept) in [(3, 1), (4, 1), (3, 1), (4, 2)] {
            links.link(removed, kept);
        }
        assert_eq!(links.links, [(1, 3), (1, 4), (1, 3), (2, 4)]);
        assert_eq!((links.repeated, links.in_several), (1, 1));
    }
}
