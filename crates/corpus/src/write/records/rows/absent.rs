//! Stand-ins for a build without Parquet. Without readable rows, there are none to write.

use std::convert::Infallible;

use super::mode::{KeptRows, RecordMode};
use crate::write::{output::Output, publish::Complete};
use crate::{
    Error, InputFile,
    read::rows::{Leaves, ParquetFile},
};

#[derive(Debug)]
pub(crate) struct RowOutput(Infallible);

#[derive(Debug)]
pub(crate) struct WrittenRows(Infallible);

impl RowOutput {
    pub(crate) fn new(
        _: Output,
        like: &ParquetFile,
        _: &InputFile,
        _: RecordMode,
    ) -> Result<RowOutput, Error> {
        match like.0 {}
    }

    pub(crate) fn append(&mut self, _: WrittenRows) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) fn complete(self) -> Result<Complete, Error> {
        match self.0 {}
    }
}

impl WrittenRows {
    pub(crate) fn of(from: &Leaves, _: KeptRows<'_>, _: &InputFile) -> Result<WrittenRows, Error> {
        match from.none {}
    }
}

pub(crate) fn annotated_schema(
    table: &ParquetFile,
    _: &InputFile,
    _: &'static str,
) -> Result<Infallible, Error> {
    match table.0 {}
}

pub(crate) fn typed_columns(table: &ParquetFile) -> Vec<String> {
    match table.0 {}
}
