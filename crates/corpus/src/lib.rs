//! Reading documents and writing kept ones: the input files, their records, and outputs in the same formats.
//!
//! All inputs can be read again. A scan of the same [`Inputs`] returns the same chunks and records each time, so a caller can
//! store places instead of texts. [`Reader`] hands out chunks to any number of workers. This crate does not know what a
//! duplicate is.

#![deny(unsafe_code)]

mod error;
mod formats;
mod inputs;
mod memory;
mod opened;
mod platform;
mod problem;
mod rank;
mod read;
mod record;
mod remote;
mod text_fields;
mod text_file;
mod waiting;
mod write;

pub use error::Error;
pub use formats::{BadDelimiter, Compression, Delimiter, Format, Quoting};
pub use inputs::{InputFile, Inputs, WILDCARDS, content_of_other_name};
pub use memory::{Texts, UnreadableText, fetch_ahead};
pub use platform::FileIdentity;
pub use problem::{BadRecord, DEFAULT_RECORD_BYTES, MAX_RECORD_BYTES, Problem};
pub use rank::Rank;
pub use read::{
    Chunk, ChunkId, IntegerType, Loaded, Reader, Scan, Scratch, SuspectQuotes, SuspectRecords, WarcResponse,
    WarcResponses, decoded_body, is_decoding,
};
#[cfg(feature = "parquet")]
pub use read::{as_texts, is_uuid, joined_texts, ranks_of, text_of_uuid, texts_of_uuids};
pub use record::{AgainstFields, Fields, GroupValues, Place, Record, StoredValue, StoredValues};
pub use remote::network;
pub use text_fields::TextFields;
pub use text_file::read_text;
pub use waiting::{Interrupt, Interrupted, Listener, Waiting};
pub use write::{
    Annotation, Cell, ColumnKind, Completed, KeptRows, KeptWriter, Queue, RecordMode, TableWriter, WholeFile,
};
