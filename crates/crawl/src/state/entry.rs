//! The entries of the journal of a crawl.
//!
//! # Format
//!
//! An entry is the payload of a frame of [`lookalike_store::Journal`]. Its first byte says what it is:
//!
//! | byte | entry | what follows |
//! |---:|---|---|
//! | 6 | settings | the version: 2 bytes; packed `StoredSettings`. The last entry holds |
//! | 2 | robots.txt | packed `RobotsFile` |
//! | 3 | sitemap | packed `Sitemap` |
//! | 4 | visit | its number: 4 bytes; the length of what was learned: 4 bytes; that, packed: `Visit`; the text, packed: a list of `SiteBlock` |
//! | 5 | end | nothing: all URLs were visited that the settings allow |
//!
//! Numbers are little-endian. *Packed* is the length of the encoding (4 bytes), and the encoding in the format of postcard, compressed with
//! zstd. Numbers of visits are in the order in which a crawler that fetches one URL at a time would visit them. Entries of visits may be in
//! any order.
//!
//! The first entry has the settings. Its version is that of the entries, and of the rules by which URLs are found and get their numbers: a folder
//! of another version is refused, because its visits may have other numbers. An entry of kind 1 has the settings of a crawl before version 2.

use super::packed::{pack, unpack};
use crate::robots::RobotsFile;
use crate::settings::StoredSettings;
use crate::sitemap::Sitemap;
use crate::visit::{Visit, VisitRead};
use lookalike_audit::SiteBlock;
use std::io;

/// The version of the entries, and of the rules that give URLs their numbers: the form of URLs, the order of links, and what is refused.
const VERSION: u16 = 3;

const SETTINGS_BEFORE_VERSIONS: u8 = 1;
const SETTINGS: u8 = 6;
const ROBOTS: u8 = 2;
const SITEMAP: u8 = 3;
const VISIT: u8 = 4;
const END: u8 = 5;

/// The bytes before what was learned from a visit.
pub(super) const VISIT_HEAD: usize = 9;

/// An entry, decoded; of a visit, only its head.
#[derive(Debug)]
pub(super) enum JournalEntry {
    Settings(StoredSettings),
    /// The settings of a crawl by another version.
    OtherVersion,
    Robots(RobotsFile),
    Sitemap(Sitemap),
    Visit(VisitHead),
    End,
}

/// The start of the entry of a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VisitHead {
    pub(super) number: u32,
    /// The bytes of what was learned. The text follows.
    pub(super) facts: u32,
}

/// The payload of an entry for settings.
pub(super) fn settings(settings: &StoredSettings) -> io::Result<Vec<u8>> {
    let mut payload = vec![SETTINGS];
    payload.extend_from_slice(&VERSION.to_le_bytes());
    pack(settings, &mut payload)?;
    Ok(payload)
}

/// The payload of an entry for robots.txt.
pub(super) fn robots(file: &RobotsFile) -> io::Result<Vec<u8>> {
    let mut payload = vec![ROBOTS];
    pack(file, &mut payload)?;
    Ok(payload)
}

/// The payload of an entry for a sitemap.
pub(super) fn sitemap(sitemap: &Sitemap) -> io::Result<Vec<u8>> {
    let mut payload = vec![SITEMAP];
    pack(sitemap, &mut payload)?;
    Ok(payload)
}

/// The payload of an entry for a visit.
pub(crate) fn visit(number: u32, read: &VisitRead) -> io::Result<Vec<u8>> {
    let mut payload = vec![VISIT];
    payload.extend_from_slice(&number.to_le_bytes());
    payload.extend_from_slice(&[0; 4]);
    pack(&read.visit, &mut payload)?;
    let facts = u32::try_from(payload.len() - VISIT_HEAD).map_err(io::Error::other)?;
    payload[VISIT_HEAD - 4..VISIT_HEAD].copy_from_slice(&facts.to_le_bytes());
    pack(&read.blocks, &mut payload)?;
    Ok(payload)
}

/// The payload of the last entry.
pub(super) fn end() -> Vec<u8> {
    vec![END]
}

/// Decodes an entry.
pub(super) fn decode(payload: &[u8]) -> io::Result<JournalEntry> {
    let (&kind, rest) = payload.split_first().ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(match kind {
        SETTINGS_BEFORE_VERSIONS => JournalEntry::OtherVersion,
        SETTINGS => match rest.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)? {
            (version, packed) if u16::from_le_bytes(*version) == VERSION => {
                JournalEntry::Settings(unpack(packed)?)
            }
            _ => JournalEntry::OtherVersion,
        },
        ROBOTS => JournalEntry::Robots(unpack(rest)?),
        SITEMAP => JournalEntry::Sitemap(unpack(rest)?),
        VISIT => JournalEntry::Visit(visit_head(rest)?),
        END => JournalEntry::End,
        _ => return Err(io::Error::other("it is of an unknown kind")),
    })
}

fn visit_head(rest: &[u8]) -> io::Result<VisitHead> {
    let (number, rest) = rest.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    let (facts, rest) = rest.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    let head = VisitHead { number: u32::from_le_bytes(*number), facts: u32::from_le_bytes(*facts) };
    if head.facts as usize > rest.len() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(head) }
}

/// Decodes what was learned from a visit.
pub(super) fn facts(bytes: &[u8]) -> io::Result<Visit> {
    unpack(bytes)
}

/// Decodes the text of a page.
pub(super) fn blocks(bytes: &[u8]) -> io::Result<Vec<SiteBlock>> {
    unpack(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_another_version_are_known_as_such() {
        let settings = settings(&StoredSettings::of_source("folder site".to_owned())).unwrap();
        assert!(matches!(decode(&settings), Ok(JournalEntry::Settings(_))));
        let mut later = settings.clone();
        later[1] += 1;
        for other in [&later[..], &[SETTINGS_BEFORE_VERSIONS, 9, 9]] {
            assert!(matches!(decode(other), Ok(JournalEntry::OtherVersion)));
        }
    }
}
