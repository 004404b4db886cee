//! Standard input is read more than once, so it is first copied to a file that nobody else sees.

use std::{io, path::PathBuf, sync::Arc};

use super::{InputFile, Stamp, sniff::sniff};
use crate::{Error, Format, formats::known_extensions};

/// What standard input is called in ids and messages.
const NAME: &str = "-";

/// Copies standard input to an unlinked temporary file.
pub(super) fn standard_input() -> Result<InputFile, Error> {
    spool(&mut io::stdin().lock())
}

fn spool(source: &mut impl io::Read) -> Result<InputFile, Error> {
    let read_error = |source| Error::Read { path: PathBuf::from(NAME), source };
    let mut file = tempfile::tempfile().map_err(read_error)?;
    io::copy(source, &mut file).map_err(read_error)?;
    let stamp = Stamp::of(&file.metadata().map_err(read_error)?);
    let (format, compression) = sniff(&file).map_err(read_error)?;
    let format = match format {
        Some(format) => format,
        None if stamp.length == 0 => Format::Jsonl,
        None => return Err(Error::StandardInput { known: known_extensions() }),
    };
    Ok(InputFile {
        path: PathBuf::from(NAME),
        name: NAME.to_owned(),
        relative: PathBuf::from(if format == Format::Parquet { "stdin.parquet" } else { "stdin.jsonl" }),
        format,
        compression,
        stamp,
        columns: None,
        spool: Some(Arc::new(file)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_is_known_by_its_content() {
        assert_eq!(spool(&mut &b"{\"text\":\"a\"}\n"[..]).unwrap().format, Format::Jsonl);
        assert_eq!(spool(&mut &b""[..]).unwrap().format, Format::Jsonl);
        let error = spool(&mut &b"a,b\n1,2\n"[..]).unwrap_err();
        assert!(matches!(error, Error::StandardInput { .. }));
    }
}
