//! All documents after the first scan: their sketches, places, ids, groups and lengths.
//!
//! **Chunks** depend on the files only, never on the number of workers, and have ids in input order.
//! `Documents::assemble` sorts by these ids. The log of an index is written in that order too. Writers put chunks back
//! into order. Timing decides which chunks keep their features. This changes only the amount that is read twice.

mod collected;
mod disk;
pub(crate) mod ids;
mod joined;
mod keep;
pub(crate) mod kept;
pub(crate) mod names;
pub(crate) mod scanned;
mod sizes;
mod sketched;
pub(crate) mod sketching;
pub(crate) mod skipped;
mod table;

pub use self::ids::{DocumentIds, place_name};
pub use self::names::DocumentNames;
pub use self::scanned::Scanned;
pub(crate) use self::sketching::text_group;
pub use self::sketching::{Side, Unusable, sketch};
pub use self::skipped::{MOST_SKIPPED_EXAMPLES, SkippedPlaces, SkippedRecord};

pub use collected::ChunkCollector;
pub use sizes::{TextAmount, TextLengths};
pub use sketched::{ChunkHead, SketchedChunk};
pub use table::SketchColumns;

use self::joined::joined;
use crate::documents::kept::{FeatureStore, KeptChunks};
use crate::documents::sketched::NO_RANK;

use crate::error::Error;
use crate::work::{Footprint, Work, behind};
use lookalike::Plan;
use lookalike::sketch::{DocumentGroups, Group};
use lookalike_corpus::{Chunk, ChunkId, Inputs, Loaded, Place, Scratch, SuspectQuotes};
use lookalike_index::{Gathered, IndexedDocuments};
use lookalike_store::Column;

/// A chunk, and the numbers of its documents.
#[derive(Clone, Copy, Debug)]
pub struct ChunkEntry {
    /// Its id.
    pub id: ChunkId,
    /// The number of its first document.
    pub first_document: u32,
    /// The number of its documents.
    pub documents: u32,
    /// The number of lines of the file before the chunk.
    pub first_line: u64,
}

/// A record that was skipped.
#[derive(Clone, Debug)]
pub struct BadLine {
    /// The number of the file.
    pub file: u32,
    /// Its line in the file, or in the batch of files, counted from 0, or `None` if the whole file cannot be used.
    pub line: Option<u64>,
    /// Its line in the chunk.
    pub offset: u32,
    /// The problem.
    pub problem: String,
}

/// All documents, numbered in input order.
#[derive(Debug)]
pub struct Documents {
    /// Their sketches.
    pub sketches: SketchColumns,
    /// The chunks of the inputs, in order.
    pub chunks: Vec<ChunkEntry>,
    /// The place of each document in its chunk.
    pub places: Column<Place>,
    /// The number of the first document of the inputs: the documents before it are only compared against.
    pub first_new: u32,
    /// The documents that were taken out of an index. They are the first ones.
    pub indexed: IndexedDocuments,
    /// The [keys](lookalike_corpus::Rank::to_key) that the keep policy ranks by, two zeros for a document without one; empty if it ranks by something else.
    pub ranks: Column<[u64; 2]>,
    /// The lengths of their texts, without documents of an index.
    pub sizes: TextLengths,
    /// Their groups, or empty if all are in one group.
    pub groups: Column<Group>,
    /// A bit for each field of `--within`, the lowest for the first. It is set if a document has that field.
    pub group_fields: u64,
    /// Their ids, if they were asked for.
    pub ids: Option<DocumentIds>,
    /// The number of records that were skipped.
    pub skipped: u64,
    /// Where they are among the documents of the inputs.
    pub skipped_places: SkippedPlaces,
    /// The first records that were skipped.
    pub bad: Vec<BadLine>,
    /// Signs that quotes of tables are text, by file.
    pub suspect: Vec<(u32, SuspectQuotes)>,
    /// The number of records that are no documents.
    pub others: u64,
    /// How many documents have null as their text.
    pub without_text: u64,
    /// The sum of the features of each document, with repetitions.
    pub features: u64,
    /// The features that were kept.
    pub kept: KeptChunks,
}

impl BadLine {
    /// Its place in words: `path:line`, or `path`.
    pub fn place(&self, inputs: &Inputs) -> String {
        match self.line {
            Some(line) => place_name(inputs, self.file, self.offset, line),
            None => inputs.files()[self.file as usize].name.clone(),
        }
    }
}

impl ChunkEntry {
    /// The numbers of the chunk's documents.
    pub fn range(&self) -> std::ops::Range<u32> {
        self.first_document..self.first_document + self.documents
    }
}

impl Documents {
    /// Sorts the chunks, and joins their documents in that order.
    fn assemble(
        plan: &Plan,
        mut parts: Vec<SketchedChunk>,
        stores: Vec<FeatureStore>,
    ) -> Result<Self, Error> {
        parts.sort_unstable_by_key(|part| part.head.id);
        let mut layout = ChunkLayout::default();
        let count = parts.iter().map(|part| part.places.len()).sum();
        let mut places = Vec::with_capacity(count);
        let mut ranks = Vec::new();
        let mut sizes = TextLengths::default();
        let mut groups = Vec::new();
        let mut ids = parts.first().and_then(|part| part.ids.as_ref()).map(|_| DocumentIds::default());
        let mut kept = Vec::with_capacity(parts.len());
        let mut sketches = Vec::with_capacity(parts.len());
        for part in parts {
            layout.add(&part.head)?;
            places.extend_from_slice(&part.places);
            ranks.extend_from_slice(&part.ranks);
            sizes.append(&part.sizes);
            groups.extend_from_slice(&part.groups);
            if let (Some(ids), Some(more)) = (&mut ids, &part.ids) {
                ids.append(more);
            }
            kept.push(part.kept);
            sketches.push(part.sketches);
        }
        let ChunkLayout {
            chunks,
            features,
            skipped,
            skipped_places,
            others,
            without_text,
            bad,
            suspect,
            group_fields,
            ..
        } = layout;
        let (places, ranks, groups) = (Column::Memory(places), Column::Memory(ranks), Column::Memory(groups));
        let sketches = SketchColumns::Memory(joined(plan, sketches, count));
        Ok(Documents {
            sketches,
            chunks,
            places,
            first_new: 0,
            indexed: IndexedDocuments::default(),
            ranks,
            sizes,
            groups,
            group_fields,
            ids,
            skipped,
            skipped_places,
            bad,
            suspect,
            others,
            without_text,
            features,
            kept: KeptChunks { places: kept, stores },
        })
    }

    /// Marks the documents of the first `files` as only compared against.
    pub(crate) fn compare_against(&mut self, files: usize) {
        let chunks = self.chunks.partition_point(|chunk| (chunk.id.file as usize) < files);
        self.first_new =
            self.chunks.get(chunks).map_or(self.places.len() as u32, |chunk| chunk.first_document);
        self.skipped_places.forget_files(files);
    }

    /// Whether `document` may be removed, and is not only compared against.
    pub fn is_new(&self, document: u32) -> bool {
        document >= self.first_new
    }

    /// The groups within which documents are compared.
    pub fn groups(&self) -> DocumentGroups<'_> {
        DocumentGroups::new(&self.groups)
    }

    /// Puts documents of an index before all others. They have ids. No input has their texts.
    pub fn prepend(&mut self, gathered: Gathered, work: &Work) -> Result<(), Error> {
        let Gathered { documents: indexed, sketches, id_text, id_ends } = gathered;
        let first = indexed.numbers.len();
        let documents = (first + self.len()) as u64;
        if documents > u64::from(u32::MAX) {
            return Err(Error::TooMany { documents });
        }
        if first > 0 {
            work.budget.check(documents)?;
            let folder = work.folder();
            self.sketches.prepend(sketches, folder)?;
            let nowhere = vec![Place { offset: 0, line: 0 }; first];
            self.places = behind(&nowhere, &self.places, "all-places", folder)?;
            self.chunks.iter_mut().for_each(|chunk| chunk.first_document += first as u32);
            let front = DocumentIds::of_columns(Column::Memory(id_text), Column::Memory(id_ends));
            self.ids = self.ids.take().map(|ids| ids.prepend(&front, folder)).transpose()?;
            self.first_new += first as u32;
            self.skipped_places.shift(first as u32);
        }
        self.indexed = indexed;
        Ok(())
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory that they take, with kept features.
    pub(crate) fn footprint(&self) -> Footprint {
        Footprint { documents: self.len() as u64, bytes: self.bytes() }
    }

    fn bytes(&self) -> u64 {
        let SketchColumns::Memory(sketches) = &self.sketches else { return 0 };
        let ids = self.ids.as_ref().map_or(0, DocumentIds::bytes);
        let columns = sketches.bytes()
            + 8 * self.places.len()
            + 16 * self.ranks.len()
            + self.sizes.memory()
            + ids
            + size_of_val(&self.groups[..]);
        (columns + self.kept.bytes()) as u64
    }

    /// The [key](lookalike_corpus::Rank::to_key) that the keep policy ranks `document` by, or `None` if it has none.
    pub fn rank(&self, document: u32) -> Option<[u64; 2]> {
        self.ranks.get(document as usize).copied().filter(|&rank| rank != NO_RANK)
    }

    /// The chunk that `document` is in.
    pub(crate) fn chunk_of(&self, document: u32) -> &ChunkEntry {
        &self.chunks[self.chunks.partition_point(|chunk| chunk.first_document <= document) - 1]
    }

    /// The index of the chunk called `id`, or `None` if the first scan did not see it.
    pub fn chunk_index(&self, id: ChunkId) -> Option<usize> {
        self.chunks.binary_search_by_key(&id, |chunk| chunk.id).ok()
    }

    /// Loads as much of `chunk` as is needed to read its documents `wanted`, which ascend.
    pub fn load<'s, 'a: 's>(
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

/// Numbers the documents of chunks that come in order.
#[derive(Default)]
struct ChunkLayout {
    chunks: Vec<ChunkEntry>,
    documents: u64,
    features: u64,
    skipped: u64,
    skipped_places: SkippedPlaces,
    others: u64,
    without_text: u64,
    group_fields: u64,
    bad: Vec<BadLine>,
    suspect: Vec<(u32, SuspectQuotes)>,
    /// The file of the last chunk.
    file: Option<u32>,
    /// The lines of that file so far.
    lines: u64,
}

impl ChunkLayout {
    fn add(&mut self, head: &ChunkHead) -> Result<(), Error> {
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
        let room = MOST_SKIPPED_EXAMPLES - self.bad.len().min(MOST_SKIPPED_EXAMPLES);
        let bad_line = |(line, problem): &(Option<u32>, String)| BadLine {
            file: head.id.file,
            line: line.map(|line| self.lines + u64::from(line)),
            offset: line.unwrap_or_default(),
            problem: problem.clone(),
        };
        self.bad.extend(head.bad.iter().take(room).map(bad_line));
        add_suspect(&mut self.suspect, head.id.file, &head.suspect, self.lines);
        self.skipped += head.skipped;
        self.skipped_places.append(head.id, first_document as u32, &head.skipped_runs);
        self.others += u64::from(head.others);
        self.without_text += u64::from(head.without_text);
        self.features += head.features;
        self.group_fields |= head.group_fields;
        self.lines += u64::from(head.lines);
        Ok(())
    }
}

/// Adds the signs of the next chunk of a file, which has `lines` before it, to those of files.
pub fn add_suspect(files: &mut Vec<(u32, SuspectQuotes)>, file: u32, next: &SuspectQuotes, lines: u64) {
    if *next == SuspectQuotes::default() {
        return;
    }
    match files.last_mut() {
        Some((last, suspect)) if *last == file => suspect.append(next, lines),
        _ => {
            // Millions of files may have records that span lines, and a few have a sign.
            files.pop_if(|(_, suspect)| suspect.warnings().next().is_none());
            let mut suspect = SuspectQuotes::default();
            suspect.append(next, lines);
            files.push((file, suspect));
        }
    }
}
