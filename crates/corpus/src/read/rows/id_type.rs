//! The type of ids in tables.

use arrow_schema::DataType;

use super::{arrow::ArrowFile, file::ParquetFile, path};
use crate::{Error, Fields, Format, InputFile, Inputs, read::unopened::Unopened};

/// A type of whole numbers, up to 64 bits with a sign, that ids have in tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerType(pub(crate) DataType);

impl IntegerType {
    /// The type of the ids, if they are whole numbers in all inputs, as Parquet and Arrow have them.
    ///
    /// # Errors
    /// The errors of reading.
    pub fn of_ids(inputs: &Inputs, fields: &Fields) -> Result<Option<IntegerType>, Error> {
        let mut found: Option<IntegerType> = None;
        for (index, file) in inputs.files().iter().enumerate() {
            let against = (index < inputs.against()).then(|| inputs.against_fields().of(fields).id);
            let Some(field) = against.unwrap_or_else(|| fields.id.clone()) else { return Ok(None) };
            match IntegerType::of_file(file, &field)? {
                FileIds::Integers(of_file) => {
                    found = Some(match found {
                        Some(found) => found.with(of_file),
                        None => of_file,
                    });
                }
                FileIds::Others => return Ok(None),
                FileIds::Unusable => {}
            }
        }
        Ok(found)
    }

    /// The ids in `field` of a file.
    fn of_file(file: &InputFile, field: &str) -> Result<FileIds, Error> {
        let columns = match file.format {
            Format::Parquet => ParquetFile::fields_of(file),
            Format::Arrow => ArrowFile::fields_of(file),
            _ => return Ok(FileIds::Others),
        };
        let columns = match columns {
            Ok(columns) => columns,
            Err(Unopened::Failed(error)) => return Err(error),
            Err(Unopened::Unusable(_)) => return Ok(FileIds::Unusable),
        };
        let found = path::find(&columns, field).ok().map(|path| path.data_type.clone());
        // Programs without unsigned types cannot read those of 64 bits.
        let fits = |data_type: &DataType| data_type.is_integer() && *data_type != DataType::UInt64;
        Ok(found.filter(fits).map_or(FileIds::Others, |found| FileIds::Integers(IntegerType(found))))
    }

    /// A type for the numbers of both.
    fn with(self, other: IntegerType) -> IntegerType {
        if self == other { self } else { IntegerType(DataType::Int64) }
    }
}

/// The ids of a file.
enum FileIds {
    Integers(IntegerType),
    Others,
    /// The file has no documents.
    Unusable,
}
