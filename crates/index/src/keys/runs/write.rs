//! Writes a run.

use super::layout::{BLOCK_DOCUMENTS, Outline};
use crate::disk::files::FileKind;
use lookalike_store::{Error, PagedSummary, PagedWriter, bytes_of};
use std::path::Path;

/// Writes a run: its tables in order, then the places.
#[derive(Debug)]
pub(crate) struct RunWriter {
    file: PagedWriter,
    outline: Outline,
}

/// Writes the next table of `writer`: the entries of documents by key and number, in any order.
pub(crate) fn write_table(writer: &mut RunWriter, mut entries: Vec<(u64, u64)>) -> Result<(), Error> {
    use rayon::slice::ParallelSliceMut;
    entries.par_sort_unstable();
    writer.table(entries.into_iter().map(Ok))
}

impl RunWriter {
    /// Creates the run at `path`, whose tables hold so many bits of a key. Its documents have consecutive numbers from `first` on.
    pub(crate) fn create(
        path: &Path,
        owner: u64,
        held_bits: &[u32],
        first: u64,
        documents: u64,
    ) -> Result<Self, Error> {
        let file = PagedWriter::create(path, FileKind::Run.kind(), owner)?;
        Ok(RunWriter { file, outline: Outline::new(held_bits, first, documents) })
    }

    /// Writes the next table. `entries` holds keys and numbers in the whole index, ascending.
    pub(crate) fn table(
        &mut self,
        entries: impl Iterator<Item = Result<(u64, u64), Error>>,
    ) -> Result<(), Error> {
        let (start, mut count) = (self.file.position() as usize, 0_u32);
        let outline = &self.outline;
        let mut directory = vec![0_u32; outline.buckets() + 1];
        let layout = outline.next_table(start, 0);
        let width = outline.entry_bytes(&layout);
        for entry in entries {
            let (key, number) = entry?;
            // Counted behind the bucket, so that a sum of the counts is the place of each.
            directory[outline.bucket_of(key) + 1] += 1;
            count += 1;
            self.file.write(&outline.entry(&layout, key, number)[..width])?;
        }
        for bucket in 1..directory.len() {
            directory[bucket] += directory[bucket - 1];
        }
        self.file.write(&[0; 8])?;
        let width = outline.number_bytes;
        let directory: Vec<u8> =
            directory.iter().flat_map(|place| place.to_le_bytes().into_iter().take(width)).collect();
        self.file.write(&directory)?;
        let table = self.outline.next_table(start, count as usize);
        self.outline.tables.push(table);
        Ok(())
    }

    /// Writes the places of all documents and the seconds at which they expire, and completes the file on the disk. `expiries` is empty if none
    /// expires.
    pub(crate) fn finish(
        mut self,
        places: impl Iterator<Item = Result<u64, Error>> + Clone,
        expiries: &[u32],
    ) -> Result<PagedSummary, Error> {
        self.outline.places = self.file.position() as usize;
        self.outline.place_bytes = place_bytes(places.clone())?;
        let (mut base, mut written) = (0, 0);
        for place in places {
            let place = place?;
            if written % BLOCK_DOCUMENTS == 0 {
                base = place;
                self.file.write(&place.to_le_bytes())?;
            } else {
                self.file.write(&(place - base).to_le_bytes()[..self.outline.place_bytes])?;
            }
            written += 1;
        }
        let rest = written.next_multiple_of(BLOCK_DOCUMENTS) - written;
        self.file.write(&vec![0; rest * self.outline.place_bytes])?;
        if !expiries.is_empty() {
            self.outline.expiries = Some(self.file.position() as usize);
            self.file.write(bytes_of(expiries))?;
        }
        self.file.write(&self.outline.to_bytes())?;
        self.file.finish()
    }
}

/// The bytes that the distance of a place from the first one of its block takes.
fn place_bytes(places: impl Iterator<Item = Result<u64, Error>>) -> Result<usize, Error> {
    let (mut base, mut widest) = (0, 1);
    for (index, place) in places.enumerate() {
        let place = place?;
        if index % BLOCK_DOCUMENTS == 0 {
            base = place;
        }
        widest = widest.max(place - base);
    }
    Ok((64 - widest.leading_zeros()).div_ceil(8) as usize)
}
