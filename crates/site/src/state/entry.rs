//! The entries of the journal of a crawl.
//!
//! # Format
//!
//! An entry is the payload of a frame of [`lookalike_store::Journal`]. Its first byte says what it is:
//!
//! | byte | entry | what follows |
//! |---:|---|---|
//! | 1 | settings | packed `StoredSettings`. The last entry holds |
//! | 2 | robots.txt | packed `RobotsFile` |
//! | 3 | sitemap | packed `Sitemap` |
//! | 4 | visit | its number: 4 bytes; the length of what was learned: 4 bytes; that, packed: `Visit`; the text, packed: a list of `Block` |
//! | 5 | end | nothing: all URLs were visited that the settings allow |
//!
//! Numbers are little-endian. *Packed* is the length of the encoding (4 bytes), and the encoding in the format of postcard, compressed with
//! zstd. Numbers of visits are in the order in which a crawler that fetches one URL at a time would visit them. Entries of visits may be in
//! any order.

use super::packed::{pack, unpack};
use crate::robots::RobotsFile;
use crate::settings::StoredSettings;
use crate::sitemap::Sitemap;
use crate::visit::{Visit, VisitRead};
use lookalike_corpus::Block;
use std::io;

const SETTINGS: u8 = 1;
const ROBOTS: u8 = 2;
const SITEMAP: u8 = 3;
const VISIT: u8 = 4;
const END: u8 = 5;

/// The bytes before what was learned from a visit.
pub(super) const VISIT_HEAD: usize = 9;

/// An entry, decoded; of a visit, only its head.
#[derive(Debug)]
pub(super) enum Entry {
    Settings(StoredSettings),
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
pub(super) fn decode(payload: &[u8]) -> io::Result<Entry> {
    let (&kind, rest) = payload.split_first().ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(match kind {
        SETTINGS => Entry::Settings(unpack(rest)?),
        ROBOTS => Entry::Robots(unpack(rest)?),
        SITEMAP => Entry::Sitemap(unpack(rest)?),
        VISIT => Entry::Visit(visit_head(rest)?),
        END => Entry::End,
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
pub(super) fn blocks(bytes: &[u8]) -> io::Result<Vec<Block>> {
    unpack(bytes)
}
