//! Rewrites files of the log without the documents that are dead.
//!
//! A file is rewritten when runs cover it, and when fewer than half of its documents are alive, or a dead one of them is to be purged. Without
//! living documents it is removed. The old file stays until the manifest on the disk names the new one, and snapshots that have it open can
//! still read it.

use super::SharedIndex;
use crate::disk::files::FileKind;
use crate::disk::manifest::{FileEntry, LogContent, LogEntry, Manifest};
use crate::disk::new_files::NewFiles;
use crate::error::Error;
use crate::life::{Lives, dropped_at};
use crate::log::LogPart;
use crate::log::packed::{PackedLog, PackedWriter};
use crate::progress::{Progress, advance};
use crate::state::IndexState;
use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// Bytes that are written at a time. The thread then rests for as long as it has worked, and leaves the disk to others.
const PIECE_BYTES: usize = 1 << 20;

/// What happens to files of the log without documents that are to be purged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// They are rewritten if they have few living documents. To count these takes a second for ten million documents.
    Pack,
    /// They stay as they are.
    Stay,
}

/// A file of the log that is to be rewritten.
struct Waste {
    entry: LogEntry,
    /// The documents that were in it at first.
    numbers: Range<u64>,
    lives: Lives,
}

impl SharedIndex {
    /// Rewrites the files of the log that have documents that are to be purged, and all others that are worth it if `others` says so. Files that
    /// start at the place `end` or behind it stay as they are.
    pub(super) fn pack(&self, others: Others, end: u64, progress: &dyn Progress) -> Result<(), Error> {
        let entries = self.manifest().log.clone();
        let firsts: Vec<u64> = entries.iter().map(|entry| entry.first).collect();
        // The last file grows.
        for (entry, ends) in entries.iter().zip(firsts.windows(2)).take_while(|(entry, _)| entry.start < end)
        {
            advance(progress, 0)?;
            let numbers = ends[0]..ends[1];
            let purging = self.purging_in(&numbers);
            if purging.is_empty() && others == Others::Stay {
                continue;
            }
            if let Some(waste) = self.waste(entry, numbers, !purging.is_empty())? {
                self.pack_file(&waste, &purging, progress)?;
            }
        }
        Ok(())
    }

    /// Decides whether the file of `entry` is to be rewritten.
    fn waste(&self, entry: &LogEntry, numbers: Range<u64>, has_purged: bool) -> Result<Option<Waste>, Error> {
        let state = self.state();
        let is_covered = entry.start + entry.bytes <= self.manifest().covered.place;
        if !is_covered || entry.content == LogContent::Nothing && !has_purged {
            return Ok(None);
        }
        let own = numbers.clone().map(|number| state.own_expiry(number));
        let dropped = dropped_at(self.now()).max(state.dropped);
        let lives = Lives::new(numbers.start, own, &state.removed, &state.extended, dropped)?;
        let documents = numbers.end - numbers.start;
        let living = documents - lives.dead();
        let stored = state.log.parts().iter().find_map(|part| match part {
            LogPart::Packed(packed) if packed.start() == entry.start => Some(packed.documents()),
            _ => None,
        });
        let stored = stored.unwrap_or(documents);
        let is_empty = living == 0 && entry.content == LogContent::Frames;
        let is_waste = is_empty || 2 * living < stored;
        Ok((is_waste || has_purged).then_some(Waste { entry: *entry, numbers, lives }))
    }

    /// Writes the living documents of a file of the log into a new one.
    fn pack_file(&self, waste: &Waste, purging: &[u64], progress: &dyn Progress) -> Result<(), Error> {
        let Waste { entry, numbers, lives } = waste;
        let state = self.state();
        let mut files = NewFiles::default();
        let has_living = numbers.clone().any(|number| !lives.is_dead(number));
        let (content, part) = match has_living {
            false => (LogContent::Nothing, LogPart::Nothing(entry.start)),
            true => {
                let number = self.reserve(1).next_file;
                let path = files.add(self.path(FileKind::Packed, number));
                let mut writer = PackedWriter::create(&path, self.owner)?;
                write_living(&state, waste, &mut writer, progress)?;
                let summary = writer.finish()?;
                let packed = PackedLog::open(&path, self.owner, entry.start)?;
                let file = FileEntry { number, bytes: summary.bytes, digest: summary.digest };
                (LogContent::Packed(file), LogPart::Packed(Arc::new(packed)))
            }
        };
        {
            let mut manifest = self.manifest();
            let mut next = Manifest::clone(&manifest);
            if let Some(entry) = next.log.iter_mut().find(|other| other.start == entry.start) {
                entry.content = content;
            }
            next.purging.retain(|number| !purging.contains(number));
            next.dropped = lives.dropped().max(next.dropped);
            self.publish(&mut manifest, next, files)?;
        }
        self.forget_purging(purging);
        self.change_state(|state| {
            state.log.replace(part);
            state.dropped = lives.dropped().max(state.dropped);
        });
        Ok(())
    }
}

fn write_living(
    state: &IndexState,
    waste: &Waste,
    writer: &mut PackedWriter,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let (mut written, mut started) = (0, Instant::now());
    for number in waste.numbers.clone().filter(|&number| !waste.lives.is_dead(number)) {
        let place = state.place(number)?;
        let document = state.log.document(place, number, &state.tables)?;
        writer.push(place - waste.entry.start, document.record())?;
        written += document.record().len();
        if written >= PIECE_BYTES {
            advance(progress, 0)?;
            thread::sleep(started.elapsed());
            (written, started) = (0, Instant::now());
        }
    }
    Ok(())
}
