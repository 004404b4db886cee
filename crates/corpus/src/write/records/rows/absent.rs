//! Stand-ins for a build without Parquet. Without readable rows, there are none to write.

use std::convert::Infallible;

use super::mode::{KeptRows, RecordMode};
use crate::write::{output::Output, publish::Complete};
use crate::{
    Error, Fields, InputFile,
    read::rows::{ArrowFile, Leaves, ParquetFile, WholeBatch},
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
    pub(crate) fn of(
        from: &Leaves,
        _: KeptRows<'_>,
        _: &InputFile,
        _: &Fields,
    ) -> Result<WrittenRows, Error> {
        match from.none {}
    }
}

#[derive(Debug)]
pub(crate) struct BatchOutput(Infallible);

#[derive(Debug)]
pub(crate) struct WrittenBatch(Infallible);

impl BatchOutput {
    pub(crate) fn new(
        _: Output,
        like: &ArrowFile,
        _: &InputFile,
        _: RecordMode,
    ) -> Result<BatchOutput, Error> {
        match like.0 {}
    }

    pub(crate) fn append(&mut self, _: WrittenBatch) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) fn complete(self) -> Result<Complete, Error> {
        match self.0 {}
    }
}

impl WrittenBatch {
    pub(crate) fn of(
        from: &WholeBatch,
        _: KeptRows<'_>,
        _: &InputFile,
        _: &Fields,
    ) -> Result<WrittenBatch, Error> {
        match from.0 {}
    }
}

pub(crate) fn annotated_columns(
    table: &ArrowFile,
    _: &InputFile,
    _: &'static str,
) -> Result<Infallible, Error> {
    match table.0 {}
}

pub(crate) fn arrow_columns(table: &ArrowFile) -> Vec<String> {
    match table.0 {}
}

pub(crate) fn check_edit(table: &ArrowFile, _: &InputFile, _: &Fields) -> Result<(), Error> {
    match table.0 {}
}

pub(crate) fn check_join(table: &ArrowFile, _: &InputFile) -> Result<(), Error> {
    match table.0 {}
}

pub(crate) fn check_types(table: &ArrowFile, _: &InputFile) -> Result<(), Error> {
    match table.0 {}
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
