//! The web archives in a zip file, such as a WACZ.
//!
//! Source: Webrecorder, "Web Archive Collection Zipped 1.1.1". The archives of a WACZ are stored without another compression, so that records
//! can be read at their places.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
    sync::Arc,
};

use zip::{CompressionMethod, ZipArchive, read::ZipFile};

use super::{
    container::{ContainerMember, MAX_RATIO, MemberContent},
    unread::is_no_data,
};
use crate::{
    Error, Format, Interrupt,
    formats::{is_zip, of_name},
    opened::Opened,
};

/// The bytes that are decompressed between two looks at the interrupt.
const PIECE_BYTES: u64 = 16 << 20;

/// Whether a file is a zip file, by its first bytes.
pub(super) fn is_zip_file(path: &Path) -> bool {
    let mut head = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && is_zip(&head)
}

/// The web archives in a zip file, in the order of their places. Empty if it has none.
///
/// # Errors
/// [`Error::BadZip`] for a broken file, and for a member that is encrypted or decompresses to much more than it may.
pub(super) fn archives_in(path: &Path, interrupt: &Interrupt) -> Result<Vec<ContainerMember>, Error> {
    let bad = |message: String| Error::BadZip { path: path.to_owned(), message };
    let file = File::open(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let mut zip = match ZipArchive::new(BufReader::new(file)) {
        Ok(zip) => zip,
        // Documents of other programs are zip files too, and are refused by their own names.
        Err(_) if !has_zip_name(path) => return Ok(Vec::new()),
        Err(error) => return Err(bad(error.to_string())),
    };
    let mut members = Vec::new();
    for index in 0..zip.len() {
        let mut member = zip.by_index_raw(index).map_err(|error| bad(error.to_string()))?;
        let Some((name, format)) = archive_name(&member) else { continue };
        if member.encrypted() {
            return Err(bad(format!("its member {name} is encrypted")));
        }
        let stored = member.data_start().map(|start| start..start + member.compressed_size());
        let content = match (member.compression(), stored) {
            (CompressionMethod::Stored, Some(range)) => MemberContent::Stored(range),
            (CompressionMethod::Deflated, _) => {
                let limit = member.compressed_size().saturating_mul(MAX_RATIO);
                let decoder = flate2::read::DeflateDecoder::new(&mut member);
                let unpacked = match unpack(decoder, limit, interrupt) {
                    Ok(unpacked) => unpacked,
                    Err(error) if is_damage(&error) => {
                        return Err(bad(format!("its member {name}: {error}")));
                    }
                    Err(source) => {
                        return Err(Error::Spool {
                            name: path.join(&name),
                            folder: std::env::temp_dir(),
                            source,
                        });
                    }
                };
                unpacked.ok_or_else(|| {
                    bad(format!(
                        "its member {name} is more than {MAX_RATIO} times as long as its compressed bytes"
                    ))
                })?
            }
            (method, _) => {
                return Err(bad(format!("its member {name} is compressed by {method}, which is not read")));
            }
        };
        members.push(ContainerMember { name, format, content, headers: None });
    }
    Ok(members)
}

fn has_zip_name(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["zip", "wacz"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// The name and the format of a member, if it is a web archive.
fn archive_name<R: Read>(member: &ZipFile<'_, R>) -> Option<(String, Format)> {
    let name = member.name().ok()?.into_owned();
    let format = of_name(Path::new(&name)).0.filter(|format| matches!(format, Format::Warc | Format::Arc))?;
    let is_data = !name.split(['/', '\\']).any(|part| is_no_data(part.as_bytes()));
    (member.is_file() && is_data).then_some((name, format))
}

/// Whether a decoder found damage, rather than that a disk failed.
fn is_damage(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof
    )
}

/// Decompresses into a temporary file; `None` if there are more bytes than `limit`.
fn unpack(mut from: impl Read, limit: u64, interrupt: &Interrupt) -> io::Result<Option<MemberContent>> {
    let (mut file, mut length) = (tempfile::tempfile()?, 0);
    loop {
        interrupt.check().map_err(io::Error::other)?;
        let copied = io::copy(&mut from.by_ref().take(PIECE_BYTES), &mut file)?;
        length += copied;
        if length > limit {
            return Ok(None);
        }
        if copied == 0 {
            let file = Opened::Local(Arc::new(file));
            return Ok(Some(MemberContent::Held { file, length }));
        }
    }
}
