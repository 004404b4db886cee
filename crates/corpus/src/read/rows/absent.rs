//! Stand-ins for a build without Parquet. Their values cannot be created. Only [`ParquetFile::open`],
//! [`names_of`] and [`IntegerType::of_ids`] are ever called, and the first two return an error.

use std::convert::Infallible;

use crate::{
    BadRecord, Error, Fields, InputFile, Inputs, Place, Problem, Record,
    memory::Batches,
    read::{Scan, unopened::Unopened},
};

#[derive(Debug, Clone)]
pub(crate) struct ParquetFile(pub(crate) Infallible);

#[derive(Debug)]
pub(crate) struct RowStream(Infallible);

pub(crate) struct HeldRows(Infallible);

#[derive(Debug)]
pub(crate) struct RowBatch {
    pub(crate) rows: Option<BatchRows>,
    pub(crate) broken: Option<Problem>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "without Parquet there are no rows")]
pub(crate) enum BatchRows {
    Wanted(Infallible),
    Whole(Leaves),
    WholeBatch(WholeBatch),
}

#[derive(Debug)]
pub(crate) struct WholeBatch(pub(crate) Infallible);

#[derive(Debug)]
pub(crate) struct ArrowFile(pub(crate) Infallible);

#[derive(Debug)]
pub(crate) struct ArrowRows(Infallible);

/// The number of rows.
pub(crate) fn rows_of(batch: &WholeBatch) -> u32 {
    match batch.0 {}
}

/// The texts of no rows.
pub(crate) fn texts_of_batch(batch: &WholeBatch, _: &Fields, _: &[Place]) -> Vec<Option<String>> {
    match batch.0 {}
}

/// The texts of no rows.
pub(crate) fn texts_of_leaves(leaves: &Leaves, _: &Fields, _: &[Place]) -> Vec<Option<String>> {
    match leaves.none {}
}

#[derive(Debug)]
pub(crate) struct Leaves {
    pub(crate) rows: u32,
    pub(crate) none: Infallible,
}

#[derive(Debug)]
pub(crate) struct Rows<'s>(pub(crate) Infallible, std::marker::PhantomData<&'s ()>);

/// Whether this thread decodes Parquet.
pub fn is_decoding() -> bool {
    false
}

impl ParquetFile {
    pub(crate) fn open(file: &InputFile, _: &Fields, _: Scan, _: bool) -> Result<ParquetFile, Unopened> {
        Err(Error::WithoutParquet { path: file.path.clone() }.into())
    }

    pub(crate) fn row_groups(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn chunks_in(&self, _: usize) -> u32 {
        match self.0 {}
    }
}

impl ArrowFile {
    pub(crate) fn open(file: &InputFile, _: &Fields, _: Scan, _: bool) -> Result<ArrowFile, Unopened> {
        Err(Error::WithoutParquet { path: file.path.clone() }.into())
    }

    pub(crate) fn limit_batches(&mut self, _: u64) {
        match self.0 {}
    }

    pub(crate) fn memory_of(&self, _: usize) -> u64 {
        match self.0 {}
    }

    pub(crate) fn batches(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn chunks_in(&self, _: usize) -> u32 {
        match self.0 {}
    }
}

impl ArrowRows {
    pub(crate) fn new(file: &ArrowFile, _: usize) -> ArrowRows {
        match file.0 {}
    }

    pub(crate) fn next(&mut self, _: &InputFile) -> Result<Option<RowBatch>, Error> {
        match self.0 {}
    }
}

impl RowStream {
    pub(crate) fn new(file: &ParquetFile, _: usize) -> RowStream {
        match file.0 {}
    }

    pub(crate) fn next(&mut self, _: &InputFile) -> Result<Option<RowBatch>, Error> {
        match self.0 {}
    }
}

impl HeldRows {
    pub(crate) fn open(batches: &Batches, _: &Fields, _: Scan) -> Result<HeldRows, Problem> {
        match batches.0 {}
    }

    pub(crate) fn next(&mut self, _: u64) -> Option<(RowBatch, u64)> {
        match self.0 {}
    }
}

impl Rows<'_> {
    pub(super) fn new(rows: Infallible, _: &Fields, _: u64) -> Option<Rows<'_>> {
        match rows {}
    }

    pub(super) fn count(&self) -> u32 {
        match self.0 {}
    }

    pub(super) fn for_each(&mut self, _: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        match self.0 {}
    }

    pub(super) fn record(&mut self, _: Place) -> Result<Record<'_>, BadRecord> {
        match self.0 {}
    }
}

pub(crate) fn names_of(file: &InputFile) -> Result<Vec<String>, Unopened> {
    Err(Error::WithoutParquet { path: file.path.clone() }.into())
}

/// See the build with Parquet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerType(Infallible);

impl IntegerType {
    /// None of the inputs can be Parquet or Arrow.
    ///
    /// # Errors
    /// None.
    pub fn of_ids(_: &Inputs, _: &Fields) -> Result<Option<IntegerType>, Error> {
        Ok(None)
    }
}
