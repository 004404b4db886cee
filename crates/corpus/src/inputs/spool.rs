//! Temporary copies of standard input and pipes. They are read more than once, so they are first copied to an unlinked file.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{RecvTimeoutError, sync_channel},
    },
    thread,
    time::Duration,
};

use super::{
    FileStamp, HeldSource, Holding, InputFile, name_of, relative,
    sniff::{json_format, sniff},
};
use crate::{
    Error, Format, Interrupt, Quoting,
    formats::{known_extensions, of_name},
    opened::Opened,
};

/// The interval at which a thread that waits for a pipe checks the interrupt.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The name of standard input in ids and messages.
const NAME: &str = "-";

/// Copies standard input to an unlinked temporary file.
pub(super) fn standard_input(holding: Holding, interrupt: &Interrupt) -> Result<InputFile, Error> {
    let mut file = spool(io::stdin, Path::new(NAME), holding, interrupt)?;
    file.relative = PathBuf::from(match file.format {
        Format::Parquet => "stdin.parquet",
        Format::Arrow => "stdin.arrow",
        Format::Warc => "stdin.warc",
        Format::Arc => "stdin.arc",
        Format::Tar => "stdin.tar",
        Format::Html => "stdin.html",
        Format::Json => "stdin.json",
        _ => "stdin.jsonl",
    });
    Ok(file)
}

/// Copies a pipe, or another path that can be read only once, to an unlinked temporary file.
pub(super) fn pipe(path: &Path, holding: Holding, interrupt: &Interrupt) -> Result<InputFile, Error> {
    let source = path.to_owned();
    let source = waited(interrupt, move || File::open(source))
        .map_err(|source| Error::Read { path: path.to_owned(), source })?;
    spool(|| source, path, holding, interrupt)
}

fn spool<R: io::Read>(
    source: impl FnOnce() -> R + Send + 'static,
    path: &Path,
    holding: Holding,
    interrupt: &Interrupt,
) -> Result<InputFile, Error> {
    let read_error = |source| Error::Read { path: path.to_owned(), source };
    let spool_error = |source| Error::Spool { name: path.to_owned(), folder: std::env::temp_dir(), source };
    let mut file = tempfile::tempfile().map_err(spool_error)?;
    let file =
        waited(interrupt, move || io::copy(&mut source(), &mut file).map(|_| file)).map_err(spool_error)?;
    let stamp = FileStamp::of(&file.metadata().map_err(read_error)?);
    let opened = Opened::Local(Arc::new(file));
    let sniffed = sniff(&opened, holding).map_err(read_error)?;
    let packing = sniffed.packing;
    let named = match of_name(path).0 {
        Some(Format::Json) => Some(json_format(&opened, packing).map_err(read_error)?),
        named => named,
    };
    let format = match named.or(sniffed.format) {
        Some(format) => format,
        None if stamp.length == 0 => Format::Jsonl,
        None => {
            sniffed.format_or(Format::Jsonl, path)?;
            let name = if path == Path::new(NAME) { "standard input".to_owned() } else { name_of(path) };
            return Err(Error::Stream { name, known: known_extensions() });
        }
    };
    Ok(InputFile {
        path: path.to_owned(),
        name: name_of(path),
        relative: relative::file_name(path),
        format,
        compression: packing.compression,
        window: packing.window,
        stamp,
        columns: None,
        delimiter: None,
        quoting: Quoting::default(),
        bytes: None,
        headers: None,
        held: Some(HeldSource::Opened(opened)),
    })
}

/// Waits for `read`, or until the run is stopped. The other end of a pipe may write or close at any time, or never.
fn waited<T: Send + 'static>(
    interrupt: &Interrupt,
    read: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (sender, answer) = sync_channel(1);
    // The receiver is gone if the run was stopped.
    thread::Builder::new().spawn(move || drop(sender.send(read())))?;
    loop {
        match answer.recv_timeout(LOOK_EVERY) {
            Ok(read) => return read,
            Err(RecvTimeoutError::Timeout) => interrupt.check().map_err(io::Error::other)?,
            Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_is_recognised_by_its_content() {
        let of = |content: &'static str, holding| {
            spool(move || content.as_bytes(), Path::new(NAME), holding, &Interrupt::default())
                .map(|file| file.format)
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
    fn the_name_of_a_pipe_decides_before_its_content() {
        let of =
            |name| spool(|| &b"a,b\n1,2\n"[..], Path::new(name), Holding::Documents, &Interrupt::default());
        assert_eq!(of("pipes/in.csv.gz").unwrap().format, Format::Csv);
        let error = of("/dev/fd/63").unwrap_err().to_string();
        assert!(
            error.starts_with(
                "/dev/fd/63 must be JSONL, a JSON array, Parquet, Arrow, WARC, ARC, tar or HTML; save it to a file"
            ),
            "{error}"
        );
    }
}
