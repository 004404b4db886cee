//! Recognising a file by its first bytes.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
    sync::Arc,
};

use super::Holding;
use crate::{
    Compression, Error, Format,
    formats::{
        COMPRESSION_BYTES, DEFAULT_WINDOW, HEAD_BYTES, OtherFormat, decoder, first_window, of_name,
        usual_extension, without_marks,
    },
    opened::{Opened, is_of_reading},
};

/// The compression of a file, and the window that its first frame needs if that is Zstandard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packing {
    pub(super) compression: Compression,
    pub(super) window: u64,
}

impl Packing {
    /// The packing that the first bytes of an object indicate.
    pub(super) fn of_head(head: &[u8]) -> Packing {
        // Behind a skippable frame the window is unknown.
        let window = || first_window(&mut &*head).ok().flatten();
        Packing::of(Compression::of_content(head), window)
    }

    fn of(compression: Compression, window: impl FnOnce() -> Option<u64>) -> Packing {
        let window = if compression == Compression::Zstd { window() } else { None };
        Packing { compression, window: window.unwrap_or(0) }
    }

    /// The packing of an open file.
    pub(super) fn of_file(file: &Opened) -> io::Result<Packing> {
        let mut head = Vec::new();
        file.reader().take(COMPRESSION_BYTES as u64).read_to_end(&mut head)?;
        let window = || first_window(&mut BufReader::new(file.reader())).ok().flatten();
        Ok(Packing::of(Compression::of_content(&head), window))
    }
}

/// The packing that the content of a file indicates.
pub(super) fn packing_of(path: &Path) -> Result<Packing, Error> {
    let packing = File::open(path).and_then(|file| Packing::of_file(&Opened::Local(Arc::new(file))));
    packing.map_err(|source| Error::Read { path: path.to_owned(), source })
}

/// What the content of a file indicates.
pub(super) struct Sniffed {
    /// `None` if the content has no typical start.
    pub(super) format: Option<Format>,
    pub(super) packing: Packing,
    /// A format that is not read.
    other: Option<OtherFormat>,
}

impl Sniffed {
    /// The format; `usual` if the content has no typical start.
    ///
    /// # Errors
    /// [`Error::OtherFormat`] if it is not read.
    pub(super) fn format_or(&self, usual: Format, path: &Path) -> Result<Format, Error> {
        match (self.format, self.other) {
            (None, Some(OtherFormat { name, remedy })) => {
                Err(Error::OtherFormat { path: path.to_owned(), name, remedy })
            }
            (format, _) => Ok(format.unwrap_or(usual)),
        }
    }
}

/// What the content of a file indicates.
pub(super) fn sniff(file: &Opened, holding: Holding) -> io::Result<Sniffed> {
    let packing = Packing::of_file(file)?;
    let start = start_of(file, packing)?;
    let format = match holding {
        Holding::Documents => Format::of_content(&start),
        Holding::List => Some(Format::of_list(&start)),
    };
    Ok(Sniffed { format, packing, other: OtherFormat::of_content(&start) })
}

/// The format that the content of a file indicates, with its usual extension, if the name of the file says another one. `None` if the content
/// has no typical start, and for a file that cannot be read.
pub fn content_of_other_name(path: &Path) -> Option<(Format, String)> {
    let named = of_name(path).0?;
    let file = Opened::Local(Arc::new(File::open(path).ok()?));
    let format = sniff(&file, Holding::Documents).ok()?.format?;
    let is_json = |format| matches!(format, Format::Json | Format::Jsonl);
    // Both are JSON: other messages say how lines and arrays differ.
    let same = format == named || (is_json(format) && is_json(named));
    (!same && !named.is_one_document()).then(|| (format, usual_extension(format)))
}

/// The format of a file whose name ends in `.json`.
pub(super) fn json_format(file: &Opened, packing: Packing) -> io::Result<Format> {
    Ok(Format::of_json(&start_of(file, packing)?))
}

/// The start of a file, decompressed, that is enough to recognise its format. A line feed stands for much white space.
fn start_of(file: &Opened, Packing { compression, window }: Packing) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    // Of a long window only the first pages are touched here.
    let decoded = decoder(file.reader(), compression, window.max(DEFAULT_WINDOW))
        .and_then(|mut decoder| read_start(&mut decoder, &mut start));
    match decoded {
        Ok(()) => Ok(start),
        // A broken stream is reported when its records are read. Here the bytes before the damage are enough.
        Err(error) if !is_of_reading(&error) => Ok(start),
        Err(error) => Err(error),
    }
}

fn read_start(from: &mut impl Read, start: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let room = HEAD_BYTES - start.len();
        let read = from.take(room as u64).read_to_end(start)?;
        let blank = start.len() - without_marks(start).trim_ascii_start().len();
        // What is left of the bytes is enough if white space takes less than half of them.
        if read < room || blank < HEAD_BYTES / 2 {
            return Ok(());
        }
        start.splice(..blank, *b"\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_of_any_length_before_the_content_is_skipped() {
        for blank in [0, 1, HEAD_BYTES / 2, HEAD_BYTES - 3, HEAD_BYTES, HEAD_BYTES + 1, 100_000] {
            for (content, format) in [
                ("[{\"text\": \"a\"}]", Some(Format::Json)),
                ("{\"text\": \"a\"}\n", Some(Format::Jsonl)),
                ("<!DOCTYPE html>", Some(Format::Html)),
                ("[x] done", None),
                ("", None),
            ] {
                for mark in ["", "\u{feff}"] {
                    let text = format!("{mark}{}{content}", " \n".repeat(blank.div_ceil(2)));
                    let mut start = Vec::new();
                    read_start(&mut text.as_bytes(), &mut start).unwrap();
                    assert_eq!(Format::of_content(&start), format, "{blank} {content}");
                }
            }
        }
        // These stand at the very start of a file, or nowhere.
        let archive = " ".repeat(100_000) + "WARC/1.0\r\n";
        let mut start = Vec::new();
        read_start(&mut archive.as_bytes(), &mut start).unwrap();
        assert_eq!(Format::of_content(&start), None);
    }
}
