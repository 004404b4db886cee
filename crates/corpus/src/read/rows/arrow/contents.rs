//! Finding the record batches of a file or a stream.

use std::{collections::HashMap, io, sync::Arc};

use arrow_array::Array;
use arrow_ipc::{CompressionType, MessageHeader, reader::read_footer_length, root_as_footer};
use arrow_schema::SchemaRef;

use super::{
    batches::{
        BatchAt, CONTINUATION, DictionaryValues, MAX_DICTIONARY_BYTES, MessageAt, batch_of, kind_of,
        schema_in, schema_of,
    },
    form::ArrowForm,
};
use crate::{Problem, formats::ARROW_MAGIC, opened::Opened};

/// The footer length and the mark at the end of a file.
const TRAILER_BYTES: u64 = 10;

/// What the messages of an input say.
pub(super) struct ArrowContents {
    pub(super) schema: SchemaRef,
    pub(super) form: ArrowForm,
    /// The compression of the first record batch.
    pub(super) compression: Option<CompressionType>,
    /// Each record batch, or the reason why it cannot be read.
    pub(super) batches: Vec<Result<BatchAt, String>>,
    /// The reason why no batches follow, if that is not the end.
    pub(super) broken: Option<Problem>,
}

impl ArrowContents {
    /// The contents of an input of this length. `Ok(Err)` says why it is not Arrow.
    ///
    /// # Errors
    /// The errors of reading.
    pub(super) fn of(source: &Opened, length: u64) -> io::Result<Result<ArrowContents, String>> {
        let mut start = [0; ARROW_MAGIC.len()];
        let here = length.min(start.len() as u64) as usize;
        source.read_exact_at(&mut start[..here], 0)?;
        match &start == ARROW_MAGIC {
            true => of_file(source, length),
            false => of_stream(source, length),
        }
    }

    /// Adds the record batch at a place.
    fn push(&mut self, at: MessageAt, head: &[u8], dictionaries: &DictionaryValues) {
        let batch = batch_of(at, head).map(|(rows, compression)| {
            if self.batches.is_empty() {
                self.compression = compression;
            }
            let (schema, dictionaries) = (Arc::clone(&self.schema), Arc::clone(dictionaries));
            BatchAt { at, rows, schema, dictionaries }
        });
        self.batches.push(batch);
    }
}

/// `?` for a value within an [`io::Result`].
macro_rules! found {
    ($value:expr) => {
        match $value {
            Ok(value) => value,
            Err(message) => return Ok(Err(message)),
        }
    };
}

fn of_stream(source: &Opened, length: u64) -> io::Result<Result<ArrowContents, String>> {
    let Some((first, head)) = found!(MessageAt::find(source, length, 0)?) else {
        return Ok(Err("it has no messages".to_owned()));
    };
    let schema = found!(schema_in(&head));
    let (form, batches) = (ArrowForm::Stream, Vec::new());
    let mut contents = ArrowContents { schema, form, compression: None, batches, broken: None };
    let (mut dictionaries, mut held) = (DictionaryValues::default(), 0);
    let mut start = first.end();
    let broken = loop {
        let (at, head) = match MessageAt::find(source, length, start)? {
            Ok(Some(found)) => found,
            Ok(None) => match behind_end(source, length, start)? {
                // Another stream, as in files that were joined.
                Some(next) => {
                    start = next;
                    continue;
                }
                None => break None,
            },
            Err(message) => break Some(message),
        };
        start = at.end();
        match kind_of(&head) {
            Ok(MessageHeader::DictionaryBatch) => {
                // The batches before keep the values that they had.
                let mut values = HashMap::clone(&dictionaries);
                let added = at.add_dictionary(source, &head, &contents.schema, &mut values)?;
                held += values.values().map(|values| values.get_array_memory_size() as u64).sum::<u64>();
                dictionaries = Arc::new(values);
                if let Err(message) = added {
                    break Some(message);
                }
                if held > MAX_DICTIONARY_BYTES {
                    break Some("its dictionaries take too much memory".to_owned());
                }
            }
            Ok(MessageHeader::RecordBatch) => contents.push(at, &head, &dictionaries),
            Ok(MessageHeader::Schema) if schema_in(&head).is_ok_and(|schema| schema == contents.schema) => {
                dictionaries = DictionaryValues::default();
            }
            Ok(MessageHeader::Schema) => break Some("another stream with other columns follows".to_owned()),
            Ok(kind) => break Some(format!("a message is of the kind {kind:?}")),
            Err(message) => break Some(message),
        }
    };
    contents.broken = broken.map(|message| Problem::BrokenRows { message });
    Ok(Ok(contents))
}

/// The place of the bytes behind the mark of an end at `start`; `None` if there are none.
fn behind_end(source: &Opened, length: u64, start: u64) -> io::Result<Option<u64>> {
    let mut mark = [0; 4];
    if start + 4 > length {
        return Ok(None);
    }
    source.read_exact_at(&mut mark, start)?;
    let next = start + if mark == CONTINUATION { 8 } else { 4 };
    Ok((next < length).then_some(next))
}

fn of_file(source: &Opened, length: u64) -> io::Result<Result<ArrowContents, String>> {
    let no_footer = || "it has no footer: it is cut off, or its writer was not closed".to_owned();
    let Some(trailer_start) = length.checked_sub(TRAILER_BYTES) else { return Ok(Err(no_footer())) };
    let mut trailer = [0; TRAILER_BYTES as usize];
    source.read_exact_at(&mut trailer, trailer_start)?;
    let footer_bytes = found!(read_footer_length(trailer).map_err(|_| no_footer()));
    let Some(footer_start) = trailer_start.checked_sub(footer_bytes as u64) else {
        return Ok(Err(no_footer()));
    };
    let mut footer = vec![0; footer_bytes];
    source.read_exact_at(&mut footer, footer_start)?;
    let footer = found!(root_as_footer(&footer).map_err(|error| format!("its footer is broken: {error}")));
    let schema = found!(footer.schema().map_or_else(|| Err(no_footer()), schema_of));
    let pairs = footer.custom_metadata().into_iter().flatten();
    let metadata =
        pairs.filter_map(|pair| Some((pair.key()?.to_owned(), pair.value()?.to_owned()))).collect();
    let (form, batches) = (ArrowForm::File { metadata }, Vec::new());
    let mut contents = ArrowContents { schema, form, compression: None, batches, broken: None };
    let message_at = |start: i64| {
        let start = u64::try_from(start).unwrap_or(u64::MAX);
        let message = MessageAt::find(source, footer_start, start)?;
        Ok::<_, io::Error>(
            message.and_then(|message| message.ok_or_else(|| "its footer names no message".to_owned())),
        )
    };
    let mut values = HashMap::new();
    for block in footer.dictionaries().into_iter().flatten() {
        let (at, head) = found!(message_at(block.offset())?);
        found!(at.add_dictionary(source, &head, &contents.schema, &mut values)?);
    }
    let dictionaries = Arc::new(values);
    for block in footer.recordBatches().into_iter().flatten() {
        match message_at(block.offset())? {
            Ok((at, head)) => contents.push(at, &head, &dictionaries),
            // The places of the other batches are known.
            Err(message) => contents.batches.push(Err(message)),
        }
    }
    Ok(Ok(contents))
}
