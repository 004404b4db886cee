//! The first scan: the anchors of all texts.

use super::classes::{self, AnchorEntry};
use super::find::class_key;
use super::shards::{EntryBatch, Shards};
use super::texts::{ChunkTexts, ScannedTexts, TextPlace, place_of};
use super::{SpanSearch, TablePart};
use crate::documents::text_group;
use crate::error::Error;
use crate::progress::{Stage, Unit};
use crate::scan::{ReadChunk, scan};
use lookalike::Sketcher;
use lookalike::windows::WindowHasher;
use lookalike_corpus::{Chunk, GroupValues, Loaded, Reader, Scan, Scratch};
use std::sync::atomic::AtomicBool;

/// The state of a thread.
struct AnchorScanner {
    sketcher: Sketcher,
    hasher: WindowHasher,
    pending: EntryBatch<AnchorEntry>,
    scratch: Scratch,
    group_fields: u64,
}

/// The texts of a chunk by its number, and what was read.
type ReadTexts = (usize, ChunkTexts, ReadChunk);

pub(super) fn first_scan(search: SpanSearch<'_>, tables: TablePart) -> Result<ScannedTexts, Error> {
    let values = classes::values(search.repeats().needs_last());
    let shards = Shards::new(values, search.budget, "the table of anchors");
    let against = search.against();
    let mut parts = Vec::new();
    let mut group_fields = 0;
    // Anchors of the inputs may only be looked for when all those of the other files are known.
    let sides: &[bool] = if against == 0 { &[false] } else { &[true, false] };
    for &is_against in sides {
        let (mut more, fields) = scan_side(search, tables, &shards, is_against)?;
        parts.append(&mut more);
        group_fields |= fields;
    }
    parts.sort_unstable_by_key(|(number, ..)| *number);
    let (chunks, read) = parts.into_iter().map(|(_, texts, read)| (texts, read)).unzip();
    let mut texts = ScannedTexts { chunks, read, group_fields, classes: shards.finish() };
    texts.count_lines();
    texts.settle(against, search.repeats().needs_last());
    Ok(texts)
}

fn scan_side(
    search: SpanSearch<'_>,
    tables: TablePart,
    shards: &Shards,
    is_against: bool,
) -> Result<(Vec<ReadTexts>, u64), Error> {
    let SpanSearch { request, inputs, fields, monitor, .. } = search;
    let against = search.against();
    let put = if is_against || against == 0 { classes::put } else { classes::touch };
    let bar = monitor.stage("anchors", Unit::Bytes, None);
    let reader = Reader::new(inputs, fields, Scan::DocumentsInOrder);
    let state = || AnchorScanner {
        sketcher: Sketcher::with_level(&request.plan, request.level),
        hasher: search.hasher(),
        pending: EntryBatch::default(),
        scratch: Scratch::default(),
        group_fields: 0,
    };
    let work = |worker: &mut AnchorScanner, chunk: Chunk<'_>| {
        if (chunk.id().file < against) != is_against {
            return Ok(None);
        }
        let mut scratch = std::mem::take(&mut worker.scratch);
        let mut loaded = chunk.load(&mut scratch)?;
        let read = worker.read(
            &mut loaded,
            search.settings.length,
            tables,
            |pending| shards.put(pending, put),
            &bar,
        );
        let number = loaded.turn() as usize;
        drop(loaded);
        worker.scratch = scratch;
        if let Ok((texts, _)) = &read {
            shards.hold(size_of_val(&texts.keys[..]) + size_of_val(&texts.texts[..]));
        }
        if worker.pending.is_full() {
            shards.put(&mut worker.pending, put)?;
        }
        read.map(|(texts, read)| Some((number, texts, read)))
    };
    let done = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    drop(bar);
    let (parts, workers) = done?;
    let mut group_fields = 0;
    for mut worker in workers {
        shards.put(&mut worker.pending, put)?;
        group_fields |= worker.group_fields;
    }
    Ok((parts, group_fields))
}

impl AnchorScanner {
    /// Reads the texts of a chunk.
    fn read(
        &mut self,
        loaded: &mut Loaded<'_>,
        length: usize,
        tables: TablePart,
        put: impl Fn(&mut EntryBatch<AnchorEntry>) -> Result<(), Error>,
        bar: &Stage,
    ) -> Result<(ChunkTexts, ReadChunk), Error> {
        let AnchorScanner { sketcher, hasher, pending, group_fields, .. } = self;
        let (number, mut position) = (loaded.turn() as usize, 0);
        let (mut texts, mut keys, mut bad) = (Vec::new(), Vec::new(), Vec::new());
        let (mut bytes, mut failed) = (0, None);
        loaded.for_each(|record| match record {
            Ok(record) => {
                let tokens = sketcher.token_hashes(record.text);
                let start = match place_of(number, position) {
                    Ok(start) => start,
                    Err(error) => {
                        failed.get_or_insert(error);
                        return;
                    }
                };
                let group = text_group(record.within);
                *group_fields |= record.within.map_or(0, GroupValues::present);
                let before = keys.len();
                hasher.each_anchor(tokens, |run| {
                    let key = class_key(&run, group);
                    if !tables.has(key) {
                        return;
                    }
                    keys.push(key);
                    pending.push(key, AnchorEntry { run: run.run(), place: start + run.anchor.at as u64 });
                    // A long text may have more of them than all others.
                    if pending.is_full()
                        && let Err(error) = put(pending)
                    {
                        failed.get_or_insert(error);
                    }
                });
                let anchors = (keys.len() - before) as u32;
                texts.push(TextPlace { place: record.place, position, anchors });
                position += (tokens.len() + length) as u64;
                bytes += record.text.len() as u64;
            }
            Err(record) => bad.push(record),
        });
        if let Some(error) = failed {
            return Err(error);
        }
        place_of(number, position)?;
        bar.inc(bytes);
        let id = loaded.id();
        let read = ReadChunk { id, lines: loaded.lines(), bad, suspect: loaded.suspect_quotes() };
        keys.shrink_to_fit();
        Ok((ChunkTexts { id, first_line: 0, texts, end: position, keys, needs: Vec::new() }, read))
    }
}
