//! The two formats of web archives.

use super::{
    arc::{self, ArcHead},
    boundary::{self, RecordAt},
};
use crate::{Format, InputFile, formats::WARC_MAGIC};

/// The format of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ArchiveKind {
    #[default]
    Warc,
    Arc,
}

impl ArchiveKind {
    pub(super) fn of(file: &InputFile) -> ArchiveKind {
        match file.format {
            Format::Arc => ArchiveKind::Arc,
            _ => ArchiveKind::Warc,
        }
    }

    /// Reads at `start`, where a record should start: see [`boundary::record_at`].
    pub(super) fn record_at(self, bytes: &[u8], start: usize, ended: bool, max_record: u64) -> RecordAt {
        match self {
            ArchiveKind::Warc => boundary::record_at(bytes, start, ended, max_record),
            ArchiveKind::Arc => arc::record_at(bytes, start, ended, max_record),
        }
    }

    /// The position from `from` on at which a record may start.
    pub(super) fn next_start(self, bytes: &[u8], from: usize) -> Option<usize> {
        match self {
            ArchiveKind::Warc => boundary::next_start(bytes, from),
            ArchiveKind::Arc => arc::next_start(bytes, from),
        }
    }

    /// The number of bytes at the end of a window without a record in which the next one may start.
    pub(super) fn unsearched(self) -> usize {
        match self {
            ArchiveKind::Warc => WARC_MAGIC.len() + 3,
            ArchiveKind::Arc => arc::MAX_HEAD_BYTES,
        }
    }

    /// The line ends behind a record: those that the file has there, or the usual ones.
    pub(super) fn behind(self, found: &[u8]) -> &[u8] {
        match self {
            ArchiveKind::Warc if matches!(found, b"\r\n\r\n" | b"\n\n") => found,
            ArchiveKind::Warc => b"\r\n\r\n",
            ArchiveKind::Arc => b"\n",
        }
    }

    /// The head of a record as WARC has it, if the record has another one.
    pub(super) fn warc_head(self, head: &[u8], block: &[u8]) -> Option<String> {
        match self {
            ArchiveKind::Warc => None,
            ArchiveKind::Arc => ArcHead::of(head).map(|head| head.as_warc(block)),
        }
    }
}
