//! Where all texts are, after the first scan.

use super::classes;
use super::shards::Places;
use crate::error::Error;
use crate::scan::ReadChunk;
use lookalike_corpus::{ChunkId, Place};
use rayon::prelude::*;

/// Bits of a place that count tokens in a chunk.
const POSITION_BITS: u32 = 36;

/// The most chunks: two bits of a place are marks.
const MOST_CHUNKS: u64 = 1 << (62 - POSITION_BITS);

/// All texts of the inputs, with the classes of their anchors.
#[derive(Default)]
pub struct ScannedTexts {
    /// The chunks of the inputs, in order.
    pub chunks: Vec<ChunkTexts>,
    /// What was read: lines, and bad records.
    pub read: Vec<ReadChunk>,
    /// A bit for each field of `--within` that a document has.
    pub(super) group_fields: u64,
    pub(super) classes: Places,
}

/// The texts of a chunk.
#[derive(Debug)]
pub struct ChunkTexts {
    /// The id of the chunk.
    pub id: ChunkId,
    /// The lines of its file before it.
    pub(super) first_line: u64,
    /// The texts, in order.
    pub texts: Vec<TextPlace>,
    /// The position behind the last text.
    pub(super) end: u64,
    /// The keys of the anchors of all texts, until the classes are known.
    pub(super) keys: Vec<u64>,
    /// What the later scans need of each text.
    pub(super) needs: Vec<Needs>,
}

/// Where a text is.
#[derive(Clone, Copy, Debug)]
pub struct TextPlace {
    /// The place of its record in the chunk.
    pub place: Place,
    /// The position of its first token in the chunk.
    pub(super) position: u64,
    /// The number of its anchors.
    pub(super) anchors: u32,
}

/// What a text is read for again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// It may have a span.
    pub(super) spans: bool,
    /// The windows of an anchor of it must be looked up.
    pub(super) windows: bool,
}

/// The place of the position in the chunk of this number.
///
/// # Errors
/// [`Error::TooMany`]
pub(super) fn place_of(chunk: usize, position: u64) -> Result<u64, Error> {
    if chunk as u64 >= MOST_CHUNKS || position >> POSITION_BITS != 0 {
        return Err(Error::TooMany { documents: u64::MAX });
    }
    Ok((chunk as u64) << POSITION_BITS | position)
}

impl ScannedTexts {
    /// The number of the chunk called `id`.
    pub fn chunk_index(&self, id: ChunkId) -> Option<usize> {
        self.chunks.binary_search_by_key(&id, |chunk| chunk.id).ok()
    }

    /// Keeps only the classes whose anchors occur again, and notes which texts have them. Texts of files before `against` are looked up in, and
    /// have no spans. If `is_all`, the first of all anchors of a class may have one.
    pub(super) fn settle(&mut self, against: u32, is_all: bool) {
        self.classes.retain(classes::is_again);
        let classes = &self.classes;
        self.chunks.par_iter_mut().enumerate().for_each(|(number, chunk)| {
            let (keys, mut passed) = (std::mem::take(&mut chunk.keys), 0);
            let is_against = chunk.id.file < against;
            let mut again = Vec::new();
            let needs = chunk.texts.iter().map(|text| {
                let mut needs = Needs::default();
                let start = place_of(number, text.position).unwrap_or_default();
                again.clear();
                let of_text = passed..passed + text.anchors as usize;
                passed = of_text.end;
                classes.each(&keys[of_text], |key, class| {
                    let Some(class) = class else { return };
                    let has_many = classes::has_many(class);
                    needs.windows |= has_many && (is_against || against == 0);
                    needs.spans |= has_many || is_all || classes::anchor_places(class).first < start;
                    again.push(key);
                });
                // A class whose first anchor is in the text may have another one there.
                again.sort_unstable();
                needs.spans |= again.windows(2).any(|two| two[0] == two[1]);
                needs.spans &= !is_against;
                needs
            });
            chunk.needs = needs.collect();
        });
    }

    /// Notes how many lines are before each chunk in its file.
    pub(super) fn count_lines(&mut self) {
        let (mut file, mut line) = (None, 0);
        for (chunk, read) in self.chunks.iter_mut().zip(&self.read) {
            if file != Some(chunk.id.file) {
                (file, line) = (Some(chunk.id.file), 0);
            }
            chunk.first_line = line;
            line += u64::from(read.lines);
        }
    }

    /// Whether a text has the field of `--within` of this number.
    pub fn has_group(&self, field: usize) -> bool {
        self.chunks.is_empty() || self.group_fields >> field.min(63) & 1 == 1
    }

    pub(super) fn forget_classes(&mut self) {
        self.classes = Places::default();
    }

    /// The number of texts and of their tokens, without those that are only compared against. `length` is that of a window.
    pub fn counts(&self, against: usize, length: usize) -> (u64, u64) {
        let new = self.chunks.iter().filter(|chunk| chunk.id.file as usize >= against);
        new.fold((0, 0), |(texts, tokens), chunk| {
            let of_chunk = chunk.texts.len() as u64;
            (texts + of_chunk, tokens + chunk.end - of_chunk * length as u64)
        })
    }
}

impl ChunkTexts {
    /// The number of tokens of a text of the chunk. `length` is that of a window.
    pub(super) fn tokens(&self, text: usize, length: usize) -> u64 {
        let end = self.texts.get(text + 1).map_or(self.end, |next| next.position);
        end - self.texts[text].position - length as u64
    }
}
