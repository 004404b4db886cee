//! Stand-in for a build without workbooks.

use std::{convert::Infallible, path::Path};

use super::{Cell, ColumnKind};
use crate::{
    Error,
    write::{output::Output, publish::Complete},
};

#[derive(Debug)]
pub(super) struct Workbook(Infallible);

/// No name is that of a workbook, so its extension is unknown.
pub(super) fn is_workbook(_: &Path) -> bool {
    false
}

impl Workbook {
    pub(super) fn new(output: Output, _: &[(&str, ColumnKind)]) -> Result<Workbook, Error> {
        Err(Error::UnknownTable { path: output.path().to_owned(), known: String::new() })
    }

    pub(super) fn row(&mut self, _: &[Cell<'_>]) -> Result<(), Error> {
        match self.0 {}
    }

    pub(super) fn complete(self) -> Result<Complete, Error> {
        match self.0 {}
    }
}
