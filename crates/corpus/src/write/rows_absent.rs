//! A build without Parquet: there are no rows to write, as there are none to read.

use std::convert::Infallible;

use super::{kept::KeptRows, kept::Mode, output::Output, publish::Complete};
use crate::{
    Error, InputFile,
    read::rows::{ParquetFile, Rows},
};

#[derive(Debug)]
pub(super) struct RowOutput(Infallible);

#[derive(Debug)]
pub(super) struct WrittenRows(Infallible);

impl RowOutput {
    pub(super) fn new(_: Output, like: &ParquetFile, _: &InputFile, _: Mode) -> Result<RowOutput, Error> {
        match like.0 {}
    }

    pub(super) fn append(&mut self, _: WrittenRows) -> Result<(), Error> {
        match self.0 {}
    }

    pub(super) fn complete(self) -> Result<Complete, Error> {
        match self.0 {}
    }
}

impl WrittenRows {
    pub(super) fn of(from: &Rows<'_>, _: KeptRows<'_>, _: &InputFile) -> Result<WrittenRows, Error> {
        match from.0 {}
    }
}

pub(super) fn annotated_schema(
    table: &ParquetFile,
    _: &InputFile,
    _: &'static str,
) -> Result<Infallible, Error> {
    match table.0 {}
}
