//! Standard input and pipes are read more than once, so they are first copied to a file that nobody else sees.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{Holding, InputFile, Stamp, name_of, sniff::sniff};
use crate::{
    Error, Format,
    formats::{known_extensions, of_name},
    opened::Opened,
};

/// Is a pipe being read, or waited for?
static READING: AtomicBool = AtomicBool::new(false);

/// Is standard input or another pipe being copied now? Reading it cannot be stopped, and may take as long as the other end likes; no
/// output is begun before it is done.
pub fn is_reading_pipe() -> bool {
    READING.load(Ordering::Relaxed)
}

/// What standard input is called in ids and messages.
const NAME: &str = "-";

/// Copies standard input to an unlinked temporary file.
pub(super) fn standard_input(holding: Holding) -> Result<InputFile, Error> {
    let mut file = spool(&mut io::stdin().lock(), Path::new(NAME), holding)?;
    file.relative = PathBuf::from(match file.format {
        Format::Parquet => "stdin.parquet",
        Format::Warc => "stdin.warc",
        Format::Html => "stdin.html",
        _ => "stdin.jsonl",
    });
    Ok(file)
}

/// Copies a pipe, or what else has a path but can be read only once, in the same way.
pub(super) fn pipe(path: &Path, holding: Holding) -> Result<InputFile, Error> {
    // To open a pipe waits for who writes to it.
    READING.store(true, Ordering::Relaxed);
    let source = File::open(path);
    READING.store(false, Ordering::Relaxed);
    spool(&mut source.map_err(|source| Error::Read { path: path.to_owned(), source })?, path, holding)
}

fn spool(source: &mut impl io::Read, path: &Path, holding: Holding) -> Result<InputFile, Error> {
    let read_error = |source| Error::Read { path: path.to_owned(), source };
    let spool_error = |source| Error::Spool { name: path.to_owned(), folder: std::env::temp_dir(), source };
    let mut file = tempfile::tempfile().map_err(spool_error)?;
    READING.store(true, Ordering::Relaxed);
    let copied = io::copy(source, &mut file);
    READING.store(false, Ordering::Relaxed);
    copied.map_err(spool_error)?;
    let stamp = Stamp::of(&file.metadata().map_err(read_error)?);
    let opened = Opened::Local(Arc::new(file));
    let (seen, compression) = sniff(&opened, holding).map_err(read_error)?;
    let format = match of_name(path).0.or(seen) {
        Some(format) => format,
        None if stamp.length == 0 => Format::Jsonl,
        None => {
            let name = if path == Path::new(NAME) { "standard input".to_owned() } else { name_of(path) };
            return Err(Error::Stream { name, known: known_extensions() });
        }
    };
    Ok(InputFile {
        path: path.to_owned(),
        name: name_of(path),
        relative: PathBuf::from(path.file_name().unwrap_or(path.as_os_str())),
        format,
        compression,
        stamp,
        columns: None,
        held: Some(opened),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_is_known_by_its_content() {
        let of = |content: &str, holding| {
            spool(&mut content.as_bytes(), Path::new(NAME), holding).map(|file| file.format)
        };
        for holding in [Holding::Documents, Holding::List] {
            assert_eq!(of("{\"text\":\"a\"}\n", holding).unwrap(), Format::Jsonl);
            assert_eq!(of("", holding).unwrap(), Format::Jsonl);
        }
        assert_eq!(of("WARC/1.0\r\n", Holding::Documents).unwrap(), Format::Warc);
        assert_eq!(of("<!doctype html>", Holding::Documents).unwrap(), Format::Html);
        assert!(matches!(of("a,b\n1,2\n", Holding::Documents), Err(Error::Stream { .. })));
        assert_eq!(of("a,b\n1,2\n", Holding::List).unwrap(), Format::Csv);
        assert_eq!(of("a\tb\n1\t2\n", Holding::List).unwrap(), Format::Tsv);
    }

    #[test]
    fn a_pipe_is_what_its_name_says_and_else_what_it_holds() {
        let of = |name| spool(&mut &b"a,b\n1,2\n"[..], Path::new(name), Holding::Documents);
        assert_eq!(of("pipes/in.csv.gz").unwrap().format, Format::Csv);
        let error = of("/dev/fd/63").unwrap_err().to_string();
        assert!(
            error.starts_with("/dev/fd/63 must be JSONL, Parquet, WARC or HTML; save it to a file"),
            "{error}"
        );
    }
}
