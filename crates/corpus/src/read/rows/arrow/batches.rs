//! The messages of Arrow: where the record batches are, and how each is decoded.

use std::{collections::HashMap, io, sync::Arc};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::{
    CompressionType, Message, MessageHeader, RecordBatch as BatchHead,
    convert::try_fb_to_schema,
    reader::{RecordBatchDecoder, read_dictionary},
    root_as_message,
};
use arrow_schema::SchemaRef;

use crate::opened::Opened;

/// The first bytes of a message, before its length. Programs of before 2019 leave them out.
pub(super) const CONTINUATION: [u8; 4] = [0xff; 4];

/// The head of a message is shorter than this. Ten thousand columns need 2 MB.
const MAX_HEAD_BYTES: u64 = 256 << 20;

/// A record batch that takes more than this in memory is not read, as it has to be there as a whole.
const MAX_BATCH_BYTES: u64 = 4 << 30;

/// The values that a stream replaces or extends between its record batches may take this much memory in all.
pub(super) const MAX_DICTIONARY_BYTES: u64 = 1 << 30;

/// The values of columns that are stored as numbers of values, by the numbers of these columns.
pub(super) type DictionaryValues = Arc<HashMap<i64, ArrayRef>>;

/// Where a message is.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessageAt {
    pub(super) start: u64,
    pub(super) head_bytes: u64,
    pub(super) body_bytes: u64,
}

/// A record batch, and where it is.
#[derive(Debug, Clone)]
pub(super) struct BatchAt {
    pub(super) at: MessageAt,
    pub(super) rows: u64,
    pub(super) schema: SchemaRef,
    pub(super) dictionaries: DictionaryValues,
}

/// The head of a message, and where the message is. `Ok(None)` at the end of a stream, `Err` if there is no message.
pub(super) type MessageHead = Result<Option<(MessageAt, Vec<u8>)>, String>;

impl MessageAt {
    pub(super) fn end(self) -> u64 {
        self.start + self.head_bytes + self.body_bytes
    }

    /// The message that starts at a place of a file of this length.
    pub(super) fn find(source: &Opened, length: u64, start: u64) -> io::Result<MessageHead> {
        let mut prefix = [0; 8];
        let here = length.saturating_sub(start).min(8) as usize;
        source.read_exact_at(&mut prefix[..here], start)?;
        let number = |bytes: &[u8]| u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        let (prefix_bytes, head) = match prefix[..4] == CONTINUATION {
            true => (8, number(&prefix[4..])),
            false => (4, number(&prefix)),
        };
        // A stream may end without the mark of its end.
        if here == 0 || (here as u64 >= prefix_bytes && head == 0) {
            return Ok(Ok(None));
        }
        let head_bytes = prefix_bytes + head;
        if head > MAX_HEAD_BYTES || start + head_bytes > length {
            return Ok(Err("a message is cut off, or its length is wrong".to_owned()));
        }
        let mut bytes = vec![0; head_bytes as usize];
        source.read_exact_at(&mut bytes, start)?;
        let message = match message(&bytes) {
            Ok(message) => message,
            Err(error) => return Ok(Err(error)),
        };
        let body_bytes = message.bodyLength().max(0) as u64;
        let at = MessageAt { start, head_bytes, body_bytes };
        match start.checked_add(head_bytes).and_then(|body| body.checked_add(body_bytes)) {
            Some(end) if end <= length => Ok(Ok(Some((at, bytes)))),
            _ => Ok(Err("a message is cut off, or its length is wrong".to_owned())),
        }
    }

    fn body(self, source: &Opened) -> io::Result<Buffer> {
        let mut bytes = vec![0; self.body_bytes as usize];
        source.read_exact_at(&mut bytes, self.start + self.head_bytes)?;
        Ok(Buffer::from_vec(bytes))
    }

    /// Adds the values of a message of a dictionary to those that are known.
    pub(super) fn add_dictionary(
        self,
        source: &Opened,
        head: &[u8],
        schema: &SchemaRef,
        dictionaries: &mut HashMap<i64, ArrayRef>,
    ) -> io::Result<Result<(), String>> {
        if self.body_bytes > MAX_BATCH_BYTES {
            return Ok(Err("a dictionary is too long".to_owned()));
        }
        let body = self.body(source)?;
        let added = message(head).and_then(|message| {
            let batch =
                message.header_as_dictionary_batch().ok_or("a message is of another kind than it says")?;
            if let Some(data) = batch.data() {
                check_memory(memory_of(self, data, |start| first_bytes(&body, start)), MAX_BATCH_BYTES)?;
            }
            read_dictionary(&body, batch, schema, dictionaries, &message.version())
                .map_err(|error| error.to_string())
        });
        Ok(added)
    }
}

/// The message in a head.
pub(super) fn message(head: &[u8]) -> Result<Message<'_>, String> {
    let head = match head.starts_with(&CONTINUATION) {
        true => head.get(8..),
        false => head.get(4..),
    };
    root_as_message(head.unwrap_or_default()).map_err(|error| format!("its metadata are broken: {error}"))
}

/// The schema in the first message of a stream.
pub(super) fn schema_in(head: &[u8]) -> Result<SchemaRef, String> {
    let schema = message(head)?.header_as_schema().ok_or("its first message has no schema")?;
    schema_of(schema)
}

/// The schema that a message or a footer has.
pub(super) fn schema_of(schema: arrow_ipc::Schema<'_>) -> Result<SchemaRef, String> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err("its numbers are in the byte order of another machine".to_owned());
    }
    try_fb_to_schema(schema).map(Arc::new).map_err(|error| error.to_string())
}

/// The kind of a message in a file.
pub(super) fn kind_of(head: &[u8]) -> Result<MessageHeader, String> {
    Ok(message(head)?.header_type())
}

/// The rows of a record batch and the compression of its buffers.
pub(super) fn batch_of(at: MessageAt, head: &[u8]) -> Result<(u64, Option<CompressionType>), String> {
    let batch = message(head)?.header_as_record_batch().ok_or("a message is of another kind than it says")?;
    let rows = u64::try_from(batch.length()).map_err(|_| "a record batch has a negative number of rows")?;
    // A row takes a bit or more, but for columns of nulls alone. Compressed, it may take less.
    if batch.compression().is_none() && rows > (at.body_bytes + at.head_bytes) * 8 + (1 << 20) {
        return Err("a record batch claims more rows than it has room for".to_owned());
    }
    Ok((rows, batch.compression().map(|compression| compression.codec())))
}

/// The memory that the buffers of a record batch take, with its message. `length_at` reads the length of a compressed buffer,
/// which stands before it.
fn memory_of(at: MessageAt, batch: BatchHead<'_>, mut length_at: impl FnMut(u64) -> Option<[u8; 8]>) -> u64 {
    let buffers = batch.buffers().into_iter().flatten().filter(|_| batch.compression().is_some());
    buffers.fold(at.body_bytes, |sum, buffer| {
        let start = u64::try_from(buffer.offset()).ok().filter(|_| buffer.length() > 0);
        let claimed = start.and_then(&mut length_at).map_or(0, i64::from_le_bytes);
        // -1 stands for a buffer that is not compressed, and is used where it is.
        sum.saturating_add(u64::try_from(claimed).unwrap_or(0))
    })
}

/// Refuses a record batch that takes more memory than the limit.
fn check_memory(memory: u64, limit: u64) -> Result<(), String> {
    let most = limit.min(MAX_BATCH_BYTES);
    let remedy = if limit < MAX_BATCH_BYTES { ", or give more --memory" } else { "" };
    match memory > most {
        true => Err(format!(
            "a record batch takes {} MiB in memory; at most {} are possible, so write it in smaller ones{remedy}",
            memory.div_ceil(1 << 20),
            most >> 20
        )),
        false => Ok(()),
    }
}

/// The eight bytes at a place.
fn first_bytes(body: &[u8], start: u64) -> Option<[u8; 8]> {
    body.get(usize::try_from(start).ok()?..)?.first_chunk().copied()
}

impl BatchAt {
    /// The memory that the rows take when they are decoded. Behind a network, it is that of the message.
    pub(super) fn memory(&self, source: &Opened) -> u64 {
        if let Opened::Remote(_) = source {
            return self.at.body_bytes;
        }
        let mut head = vec![0; self.at.head_bytes as usize];
        let read = |buffer: &mut [u8], place| source.read_exact_at(buffer, place).ok();
        let message = read(&mut head, self.at.start).and_then(|()| message(&head).ok());
        let batch = message.and_then(|message| message.header_as_record_batch());
        let body = self.at.start + self.at.head_bytes;
        batch.map_or(self.at.body_bytes, |batch| {
            memory_of(self.at, batch, |start| {
                let mut bytes = [0; 8];
                read(&mut bytes, body.checked_add(start)?).map(|()| bytes)
            })
        })
    }

    /// The rows, with these columns or all, if they take no more memory than `limit`. The first error is that of reading.
    pub(super) fn decode(
        &self,
        source: &Opened,
        columns: Option<&[usize]>,
        limit: u64,
    ) -> io::Result<Result<RecordBatch, String>> {
        if let Err(message) = check_memory(self.at.body_bytes, limit) {
            return Ok(Err(message));
        }
        let mut head = vec![0; self.at.head_bytes as usize];
        source.read_exact_at(&mut head, self.at.start)?;
        let body = self.at.body(source)?;
        Ok(message(&head).and_then(|message| {
            let batch =
                message.header_as_record_batch().ok_or("a message is of another kind than it says")?;
            check_memory(memory_of(self.at, batch, |start| first_bytes(&body, start)), limit)?;
            let schema = Arc::clone(&self.schema);
            RecordBatchDecoder::try_new(&body, batch, schema, &self.dictionaries, &message.version())
                .and_then(|decoder| decoder.with_projection(columns).read_record_batch())
                .map_err(|error| error.to_string())
        }))
    }
}
