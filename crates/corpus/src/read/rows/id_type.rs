//! The type of ids in tables.

use arrow_schema::DataType;

use super::{arrow::ArrowFile, file::ParquetFile, path};
use crate::{Error, Format, InputFile, read::unopened::Unopened};

/// A type of whole numbers, up to 64 bits with a sign, that ids have in tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerType(pub(crate) DataType);

impl IntegerType {
    /// The type of the ids in `field` of a file; `None` if they are no such numbers.
    ///
    /// # Errors
    /// The errors of reading.
    pub(crate) fn of_ids(file: &InputFile, field: &str) -> Result<Option<IntegerType>, Error> {
        let columns = match file.format {
            Format::Parquet => ParquetFile::fields_of(file),
            Format::Arrow => ArrowFile::fields_of(file),
            _ => return Ok(None),
        };
        let columns = match columns {
            Ok(columns) => columns,
            Err(Unopened::Failed(error)) => return Err(error),
            // It has no documents.
            Err(Unopened::Unusable(_)) => return Ok(None),
        };
        let found = path::find(&columns, field).ok().map(|path| path.data_type.clone());
        // Programs without unsigned types cannot read those of 64 bits.
        let fits = |data_type: &DataType| data_type.is_integer() && *data_type != DataType::UInt64;
        Ok(found.filter(fits).map(IntegerType))
    }

    /// A type for the numbers of both.
    pub(crate) fn with(self, other: IntegerType) -> IntegerType {
        if self == other { self } else { IntegerType(DataType::Int64) }
    }
}
