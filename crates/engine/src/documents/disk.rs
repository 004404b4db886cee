//! Documents on disk: the log of finished chunks becomes columns, in input order.

use crate::documents::collected::LOG;
use crate::documents::ids::DocumentIds;
use crate::documents::kept::KeptChunks;
use crate::documents::sketched::{ChunkHead, part};
use crate::documents::skipped::SkippedPlaces;
use crate::documents::table::DiskTable;
use crate::documents::{BadLine, ChunkEntry, ChunkLayout, Documents, SketchColumns, TextLengths};
use crate::error::Error;
use crate::progress::{Monitor, Stage, Unit};
use crate::work::{Budget, Folder};
use bytemuck::{AnyBitPattern, NoUninit};
use lookalike::Plan;
use lookalike::sketch::{ContentHash, Group};
use lookalike_corpus::{ChunkId, Place, SuspectQuotes};
use lookalike_index::IndexedDocuments;
use lookalike_store::{Column, ColumnWriter, MappedColumn, StoredRecord};
use serde::{Deserialize, Serialize};

/// The column that is written last. If it is there, all others are complete.
const CHUNKS: &str = "chunks";

/// A [`ChunkEntry`] in a column: file, sequence in the file, first document, number of documents, first line.
type StoredChunkEntry = [u64; 5];

/// The totals of all chunks, as JSON.
#[derive(Default, Serialize, Deserialize)]
struct ChunkTotals {
    features: u64,
    skipped: u64,
    skipped_places: SkippedPlaces,
    others: u64,
    without_text: u64,
    group_fields: u64,
    /// See [`BadLine`]: file, line in the file, line in the chunk, problem.
    bad: Vec<(u32, Option<u64>, u32, String)>,
    suspect: Vec<(u32, SuspectQuotes)>,
    has_ids: bool,
}

/// The documents whose chunks are in the log of `folder`.
pub(super) fn assemble(
    folder: &Folder,
    plan: &Plan,
    budget: &Budget,
    monitor: &Monitor,
) -> Result<Documents, Error> {
    let log = folder.read_log(LOG)?;
    // Millions of files make millions of chunks. Heads are read twice instead of held.
    let mut records: Vec<(ChunkId, StoredRecord<'_>)> =
        log.records().map(|record| Ok((ChunkHead::of(record)?.id, record))).collect::<Result<_, Error>>()?;
    records.sort_unstable_by_key(|(id, _)| *id);
    let records: Vec<StoredRecord<'_>> = records.into_iter().map(|(_, record)| record).collect();
    let mut layout = ChunkLayout::default();
    records.iter().try_for_each(|&record| layout.add(&ChunkHead::of(record)?))?;
    budget.check(layout.documents)?;

    let bar = monitor.stage("order", Unit::Parts, Some(10));
    ChunkColumns { folder, records: &records, bar: &bar }.write_all()?;
    drop(bar);
    let has_ids = records.iter().any(|record| record.bytes(part::ID_ENDS).is_ok_and(|ends| !ends.is_empty()));
    let bad = |bad: BadLine| (bad.file, bad.line, bad.offset, bad.problem);
    let totals = ChunkTotals {
        features: layout.features,
        skipped: layout.skipped,
        skipped_places: layout.skipped_places,
        others: layout.others,
        without_text: layout.without_text,
        group_fields: layout.group_fields,
        bad: layout.bad.into_iter().map(bad).collect(),
        suspect: layout.suspect,
        has_ids,
    };
    folder.write_column("totals", &serde_json::to_vec(&totals).unwrap_or_default())?;
    let entry = |chunk: &ChunkEntry| {
        let id = chunk.id;
        [
            id.file.into(),
            id.sequence.into(),
            chunk.first_document.into(),
            chunk.documents.into(),
            chunk.first_line,
        ]
    };
    folder.write_column::<StoredChunkEntry>(CHUNKS, &layout.chunks.iter().map(entry).collect::<Vec<_>>())?;
    drop(log);
    folder.forget(LOG);
    let damaged = || lookalike_store::Error::Damaged {
        path: folder.path().to_owned(),
        at: 0,
        what: "what was just written cannot be read",
    };
    open(folder, plan, monitor)?.ok_or_else(|| damaged().into())
}

/// Writes the columns of chunks that are in order.
struct ChunkColumns<'a> {
    folder: &'a Folder,
    records: &'a [StoredRecord<'a>],
    bar: &'a Stage,
}

impl ChunkColumns<'_> {
    fn write_all(&self) -> Result<(), Error> {
        self.write::<u64>("keys", part::KEYS)?;
        self.write::<u8>("bytes", part::BYTES)?;
        self.write::<[u64; 3]>("contents", part::CONTENTS)?;
        self.write::<[u32; 2]>("places", part::PLACES)?;
        self.write::<[u64; 2]>("ranks", part::RANKS)?;
        self.write::<u8>("id-text", part::ID_TEXT)?;
        self.write::<u32>("text-bytes", part::TEXT_BYTES)?;
        self.write::<u32>("tokens-of-short", part::TOKENS_OF_SHORT)?;
        self.write::<Group>("groups", part::GROUPS)?;
        self.write_ends()
    }

    fn write<T: NoUninit + AnyBitPattern>(&self, name: &str, part: usize) -> Result<(), Error> {
        let mut column: ColumnWriter<T> = self.folder.start_column(name)?;
        for record in self.records {
            column.extend(record.values(part)?)?;
        }
        self.folder.finish_column(name, column)?;
        self.bar.inc(1);
        Ok(())
    }

    /// Writes the ends of ids. In each chunk they are counted from its start.
    fn write_ends(&self) -> Result<(), Error> {
        let mut column: ColumnWriter<u64> = self.folder.start_column("id-ends")?;
        let (mut before, mut ends) = (0, Vec::new());
        for record in self.records {
            ends.clear();
            ends.extend(record.values::<u64>(part::ID_ENDS)?.iter().map(|end| before + end));
            column.extend(&ends)?;
            before = ends.last().copied().unwrap_or(before);
        }
        self.folder.finish_column("id-ends", column)?;
        Ok(())
    }
}

/// The documents that an earlier run has put in order, if it came that far and no file is damaged.
pub(super) fn open(folder: &Folder, plan: &Plan, monitor: &Monitor) -> Result<Option<Documents>, Error> {
    let Some(columns) = DocumentColumns::open(folder, monitor)? else { return Ok(None) };
    // Each file is undamaged, but one may have been replaced by another.
    if !columns.agree(plan) {
        let folder = folder.path().display();
        monitor.note(&format!("{folder}: files of different documents; this part is done again"));
        return Ok(None);
    }
    Ok(Some(columns.into_documents(plan)))
}

/// The columns of documents that are in order.
struct DocumentColumns {
    chunks: Vec<ChunkEntry>,
    totals: ChunkTotals,
    keys: MappedColumn<u64>,
    bytes: MappedColumn<u8>,
    contents: MappedColumn<ContentHash>,
    places: MappedColumn<Place>,
    ranks: MappedColumn<[u64; 2]>,
    id_text: MappedColumn<u8>,
    id_ends: MappedColumn<u64>,
    text_bytes: MappedColumn<u32>,
    tokens_of_short: MappedColumn<u32>,
    groups: MappedColumn<Group>,
}

impl DocumentColumns {
    fn open(folder: &Folder, monitor: &Monitor) -> Result<Option<Self>, Error> {
        let Some(chunks) = folder.column::<StoredChunkEntry>(CHUNKS, monitor)? else { return Ok(None) };
        let entry =
            |&[file, sequence, first_document, documents, first_line]: &StoredChunkEntry| ChunkEntry {
                id: ChunkId { file: file as u32, sequence: sequence as u32 },
                first_document: first_document as u32,
                documents: documents as u32,
                first_line,
            };
        let chunks = chunks.iter().map(entry).collect();
        // All are opened, so that every damaged one is named.
        let totals = folder.column::<u8>("totals", monitor)?;
        let (keys, bytes) = (folder.column("keys", monitor)?, folder.column("bytes", monitor)?);
        let (contents, places) = (folder.column("contents", monitor)?, folder.column("places", monitor)?);
        let ranks = folder.column("ranks", monitor)?;
        let (text, ends) = (folder.column("id-text", monitor)?, folder.column("id-ends", monitor)?);
        let text_bytes = folder.column("text-bytes", monitor)?;
        let tokens_of_short = folder.column("tokens-of-short", monitor)?;
        let groups = folder.column("groups", monitor)?;
        let columns = || {
            Some(DocumentColumns {
                chunks,
                totals: serde_json::from_slice(&totals?).ok()?,
                keys: keys?,
                bytes: bytes?,
                contents: contents?,
                places: places?,
                ranks: ranks?,
                id_text: text?,
                id_ends: ends?,
                text_bytes: text_bytes?,
                tokens_of_short: tokens_of_short?,
                groups: groups?,
            })
        };
        Ok(columns())
    }

    /// Whether all columns are of the same documents.
    fn agree(&self, plan: &Plan) -> bool {
        let count = self.places.len();
        let documents = self.chunks.iter().try_fold(0_u32, |first, chunk| {
            (chunk.first_document == first).then(|| first.checked_add(chunk.documents)).flatten()
        });
        self.keys.len() == count * plan.banding().bands
            && self.bytes.len() == count * plan.num_perm()
            && self.contents.len() == count
            && self.text_bytes.len() == count
            && (self.groups.is_empty() || self.groups.len() == count)
            && (self.ranks.is_empty() || self.ranks.len() == count)
            && self.id_ends.len() == if self.totals.has_ids { count } else { 0 }
            && self.id_ends.is_sorted()
            && self.id_ends.last().is_none_or(|&end| end <= self.id_text.len() as u64)
            && documents == u32::try_from(count).ok()
    }

    fn into_documents(self, plan: &Plan) -> Documents {
        let DocumentColumns { chunks, totals, id_text, id_ends, .. } = self;
        let bad_line = |(file, line, offset, problem)| BadLine { file, line, offset, problem };
        Documents {
            sketches: SketchColumns::Disk(DiskTable {
                banding: plan.banding(),
                num_perm: plan.num_perm(),
                keys: Column::Disk(self.keys),
                bytes: Column::Disk(self.bytes),
                contents: Column::Disk(self.contents),
            }),
            kept: KeptChunks::none(chunks.len()),
            chunks,
            places: Column::Disk(self.places),
            first_new: 0,
            indexed: IndexedDocuments::default(),
            ranks: Column::Disk(self.ranks),
            sizes: TextLengths::of_columns(Column::Disk(self.text_bytes), Column::Disk(self.tokens_of_short)),
            ids: totals
                .has_ids
                .then(|| DocumentIds::of_columns(Column::Disk(id_text), Column::Disk(id_ends))),
            groups: Column::Disk(self.groups),
            group_fields: totals.group_fields,
            skipped: totals.skipped,
            skipped_places: totals.skipped_places,
            others: totals.others,
            without_text: totals.without_text,
            bad: totals.bad.into_iter().map(bad_line).collect(),
            suspect: totals.suspect,
            features: totals.features,
        }
    }
}
