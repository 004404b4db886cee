//! Values as texts, for ids and for files.

use std::{fmt::Write, sync::Arc};

use arrow_array::{ArrayRef, StringArray, cast::AsArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field};

/// Values as texts: times in ISO 8601, and in UTC if they have a time zone; bytes in hexadecimal digits.
///
/// # Errors
/// [`ArrowError`] for types that have no texts, such as lists of lists.
pub fn as_texts(values: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match values.data_type() {
        kind if kind.is_string() => Ok(values.clone()),
        // Other zones need a table of them. The moment is the same.
        DataType::Timestamp(unit, Some(_)) => {
            let utc = DataType::Timestamp(*unit, Some("+00:00".into()));
            cast(&cast(values, &utc)?, &DataType::Utf8)
        }
        // Its moment is the start of the day.
        DataType::Date64 => cast(&cast(values, &DataType::Date32)?, &DataType::Utf8),
        kind if kind.is_binary() => {
            let bytes = cast(values, &DataType::BinaryView)?;
            Ok(Arc::new(
                bytes.as_binary_view().iter().map(|bytes| Some(digits(bytes?))).collect::<StringArray>(),
            ))
        }
        _ => cast(values, &DataType::Utf8),
    }
}

/// Whether a field has the type for UUIDs, an extension of Arrow.
pub fn is_uuid(field: &Field) -> bool {
    field.extension_type_name() == Some("arrow.uuid") && *field.data_type() == DataType::FixedSizeBinary(16)
}

/// The canonical texts of UUIDs.
pub fn texts_of_uuids(uuids: &ArrayRef) -> ArrayRef {
    let text = |bytes: Option<&[u8]>| bytes.map(text_of_uuid);
    Arc::new(uuids.as_fixed_size_binary().iter().map(text).collect::<StringArray>())
}

/// The canonical text of a UUID: `f81d4fae-7dec-11d0-a765-00a0c91e6bf6`.
pub fn text_of_uuid(bytes: &[u8]) -> String {
    let digits = digits(bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
