//! Stand-in for a build without Parquet, which cannot write Parquet tables.

use std::convert::Infallible;

use super::{Cell, ColumnKind};
use crate::{
    Error, IntegerType,
    write::{output::Output, publish::Complete},
};

#[derive(Debug)]
pub(super) struct BatchTable(Infallible);

impl BatchTable {
    pub(super) fn new(output: Output, _: &[(&str, ColumnKind)]) -> Result<BatchTable, Error> {
        Err(Error::WithoutParquet { path: output.path().to_owned() })
    }

    pub(super) fn write_ids_as(&mut self, _: &IntegerType) {
        match self.0 {}
    }

    pub(super) fn row(&mut self, _: &[Cell<'_>]) -> Result<(), Error> {
        match self.0 {}
    }

    pub(super) fn complete(self) -> Result<Complete, Error> {
        match self.0 {}
    }
}
