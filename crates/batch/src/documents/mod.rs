//! What is known of every document after the first scan.

mod collected;
mod disk;
mod joined;
mod sketched;
mod table;

pub(crate) use collected::Collected;
pub(crate) use sketched::{Head, Sketched};
pub(crate) use table::{Searched, Table};

use self::joined::joined;
use crate::error::Error;
use crate::ids::{Ids, place_name};
use crate::index::{Gathered, Indexed};
use crate::kept::{Kept, Store};
use crate::skipped::EXAMPLES;
use crate::work::{Footprint, Work, behind};
use lookalike::{Plan, SketchView};
use lookalike_corpus::{Chunk, ChunkId, Inputs, Loaded, Place, Scratch};
use lookalike_store::Held;

/// Where a chunk's documents stand among all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkEntry {
    pub(crate) id: ChunkId,
    pub(crate) first_document: u32,
    pub(crate) documents: u32,
    /// Lines of the file before the chunk.
    pub(crate) first_line: u64,
}

/// A record that was skipped.
#[derive(Clone, Debug)]
pub(crate) struct BadLine {
    pub(crate) file: u32,
    /// The line in the file, or in the batch of files, counted from 0; `None` if it stands for a whole file that cannot be used.
    pub(crate) line: Option<u64>,
    /// The same in the chunk.
    pub(crate) offset: u32,
    /// What is wrong with it.
    pub(crate) problem: String,
}

/// All documents, numbered in input order.
#[derive(Debug)]
pub(crate) struct Documents {
    pub(crate) sketches: Table,
    pub(crate) chunks: Vec<ChunkEntry>,
    pub(crate) places: Held<Place>,
    /// The number of the first document that is not only compared against.
    pub(crate) first_new: u32,
    /// Where the first documents come from that were taken out of an index.
    pub(crate) indexed: Indexed,
    /// What the keep policy ranks by; empty if it does not.
    pub(crate) ranks: Held<f64>,
    pub(crate) ids: Option<Ids>,
    /// Records that were skipped, and the first of them.
    pub(crate) skipped: u64,
    pub(crate) bad: Vec<BadLine>,
    /// How many records are no documents.
    pub(crate) others: u64,
    /// How many features all documents have, with repetitions.
    pub(crate) features: u64,
    /// Where each chunk's features are kept, if there was room, and the stores.
    pub(crate) kept: (Vec<Option<Kept>>, Vec<Store>),
}

impl BadLine {
    /// The name of its place.
    pub(crate) fn place(&self, inputs: &Inputs) -> String {
        match self.line {
            Some(line) => place_name(inputs, self.file, self.offset, line),
            None => inputs.files()[self.file as usize].name.clone(),
        }
    }
}

impl ChunkEntry {
    /// The numbers of the chunk's documents.
    pub(crate) fn range(&self) -> std::ops::Range<u32> {
        self.first_document..self.first_document + self.documents
    }
}

impl Documents {
    /// Puts the chunks in order and the documents behind one another.
    fn assemble(plan: &Plan, mut parts: Vec<Sketched>, stores: Vec<Store>) -> Result<Self, Error> {
        parts.sort_unstable_by_key(|part| part.head.id);
        let mut layout = Layout::default();
        let count = parts.iter().map(|part| part.places.len()).sum();
        let mut places = Vec::with_capacity(count);
        let mut ranks = Vec::new();
        let mut ids = parts.first().and_then(|part| part.ids.as_ref()).map(|_| Ids::default());
        let mut kept = Vec::with_capacity(parts.len());
        let mut sketches = Vec::with_capacity(parts.len());
        for part in parts {
            layout.add(&part.head)?;
            places.extend_from_slice(&part.places);
            ranks.extend_from_slice(&part.ranks);
            if let (Some(ids), Some(more)) = (&mut ids, &part.ids) {
                ids.append(more);
            }
            kept.push(part.kept);
            sketches.push(part.sketches);
        }
        let Layout { chunks, features, skipped, others, bad, .. } = layout;
        let (places, ranks) = (Held::Memory(places), Held::Memory(ranks));
        let sketches = Table::Memory(joined(plan, sketches, count));
        Ok(Documents {
            sketches,
            chunks,
            places,
            first_new: 0,
            indexed: Indexed::default(),
            ranks,
            ids,
            skipped,
            bad,
            others,
            features,
            kept: (kept, stores),
        })
    }

    /// Says that the documents of the first `files` are only compared against.
    pub(crate) fn compare_against(&mut self, files: usize) {
        let chunks = self.chunks.partition_point(|chunk| (chunk.id.file as usize) < files);
        self.first_new =
            self.chunks.get(chunks).map_or(self.places.len() as u32, |chunk| chunk.first_document);
    }

    /// Is `document` one that may be removed, and not only compared against?
    pub(crate) fn is_new(&self, document: u32) -> bool {
        document >= self.first_new
    }

    /// The columns of the sketches, if they are MinHash.
    pub(crate) fn view(&self) -> Option<SketchView<'_>> {
        self.sketches.view()
    }

    /// Puts documents of an index before all others. They have ids, and no texts that could be read.
    pub(crate) fn put_behind(&mut self, gathered: Gathered, work: &Work) -> Result<(), Error> {
        let first = gathered.indexed.numbers.len();
        let documents = (first + self.len()) as u64;
        if documents > u64::from(u32::MAX) {
            return Err(Error::TooMany { documents });
        }
        if first > 0 {
            work.budget.check(documents)?;
            let folder = work.folder();
            self.sketches.put_behind(gathered.table, folder)?;
            let nowhere = vec![Place { offset: 0, line: 0 }; first];
            self.places = behind(&nowhere, &self.places, "all-places", folder)?;
            self.chunks.iter_mut().for_each(|chunk| chunk.first_document += first as u32);
            self.ids = self.ids.take().map(|ids| ids.put_behind(&gathered.ids, folder)).transpose()?;
            self.first_new += first as u32;
        }
        self.indexed = gathered.indexed;
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// About how much memory they take, features that were kept among it.
    pub(crate) fn footprint(&self) -> Footprint {
        Footprint { documents: self.len() as u64, bytes: self.bytes() }
    }

    fn bytes(&self) -> u64 {
        let Table::Memory(sketches) = &self.sketches else { return 0 };
        let ids = self.ids.as_ref().map_or(0, Ids::bytes);
        let columns = sketches.bytes() + 8 * (self.places.len() + self.ranks.len()) + ids;
        let stores: usize = self.kept.1.iter().map(Store::bytes).sum();
        (columns + stores) as u64
    }

    /// What the keep policy ranks `document` by; `None` if it has no number.
    pub(crate) fn rank(&self, document: u32) -> Option<f64> {
        self.ranks.get(document as usize).copied().filter(|rank| !rank.is_nan())
    }

    /// The chunk that `document` is in.
    pub(crate) fn chunk_of(&self, document: u32) -> &ChunkEntry {
        &self.chunks[self.chunks.partition_point(|chunk| chunk.first_document <= document) - 1]
    }

    /// The index of the chunk called `id`; `None` if the first scan did not see it.
    pub(crate) fn chunk_index(&self, id: ChunkId) -> Option<usize> {
        self.chunks.binary_search_by_key(&id, |chunk| chunk.id).ok()
    }

    /// Loads so much of `chunk` that the documents `wanted` of it, which ascend, can be asked for.
    pub(crate) fn load<'s, 'a: 's>(
        &self,
        wanted: &[u32],
        chunk: Chunk<'a>,
        scratch: &'s mut Scratch,
    ) -> Result<Loaded<'s>, Error> {
        let end = self.chunk_index(chunk.id()).map_or(0, |index| self.chunks[index].range().end);
        let start = |document: u32| match document < end {
            true => self.places[document as usize].offset,
            false => u32::MAX,
        };
        Ok(chunk.load_parts(wanted.iter().map(|&document| start(document)..start(document + 1)), scratch)?)
    }
}

/// Where chunks stand that come in order.
#[derive(Default)]
struct Layout {
    chunks: Vec<ChunkEntry>,
    documents: u64,
    features: u64,
    skipped: u64,
    others: u64,
    bad: Vec<BadLine>,
    /// The file that chunks come from, and its lines so far.
    file: Option<u32>,
    lines: u64,
}

impl Layout {
    fn add(&mut self, head: &Head) -> Result<(), Error> {
        if self.file != Some(head.id.file) {
            (self.file, self.lines) = (Some(head.id.file), 0);
        }
        let first_document = self.documents;
        self.documents += u64::from(head.documents);
        if self.documents > u64::from(u32::MAX) {
            return Err(Error::TooMany { documents: self.documents });
        }
        self.chunks.push(ChunkEntry {
            id: head.id,
            first_document: first_document as u32,
            documents: head.documents,
            first_line: self.lines,
        });
        let room = EXAMPLES - self.bad.len().min(EXAMPLES);
        let bad_line = |(line, problem): &(Option<u32>, String)| BadLine {
            file: head.id.file,
            line: line.map(|line| self.lines + u64::from(line)),
            offset: line.unwrap_or_default(),
            problem: problem.clone(),
        };
        self.bad.extend(head.bad.iter().take(room).map(bad_line));
        self.skipped += head.skipped;
        self.others += u64::from(head.others);
        self.features += head.features;
        self.lines += u64::from(head.lines);
        Ok(())
    }
}
