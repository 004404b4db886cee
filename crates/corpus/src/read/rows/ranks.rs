//! Columns of Arrow as ranks.

use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, cast::AsArray, types};
use arrow_cast::cast;
use arrow_schema::{DataType, TimeUnit};

use super::texts::TextColumn;
use crate::Rank;

/// The values of a column to choose documents by: numbers, dates, instants, and texts of them. `None` for a column of another type.
pub fn ranks_of(column: &ArrayRef) -> Option<Vec<Option<Rank>>> {
    let as_type = |kind| cast(column, &kind).ok();
    Some(match column.data_type() {
        DataType::UInt64 => of_integers::<types::UInt64Type>(column, 0),
        kind if kind.is_integer() => of_integers::<types::Int64Type>(&as_type(DataType::Int64)?, 0),
        DataType::Boolean => of_integers::<types::Int64Type>(&as_type(DataType::Int64)?, 0),
        kind if kind.is_floating() => {
            let floats = as_type(DataType::Float64)?;
            floats.as_primitive::<types::Float64Type>().iter().map(|float| Rank::of_float(float?)).collect()
        }
        &DataType::Decimal128(_, scale) => of_integers::<types::Decimal128Type>(column, scale.into()),
        DataType::Date32 => {
            let days = column.as_primitive::<types::Date32Type>();
            days.iter().map(|days| Some(Rank::of_integer(i128::from(days?) * 86_400))).collect()
        }
        DataType::Date64 => of_integers::<types::Int64Type>(&as_type(DataType::Int64)?, 3),
        DataType::Timestamp(unit, _) | DataType::Time64(unit) | DataType::Duration(unit) => {
            of_integers::<types::Int64Type>(&as_type(DataType::Int64)?, scale_of(*unit))
        }
        DataType::Time32(unit) => {
            of_integers::<types::Int32Type>(&as_type(DataType::Int32)?, scale_of(*unit))
        }
        _ => {
            let texts = TextColumn::of(column)?;
            (0..column.len()).map(|row| Rank::of_text(texts.get(row)?)).collect()
        }
    })
}

fn of_integers<T: ArrowPrimitiveType>(column: &ArrayRef, scale: i32) -> Vec<Option<Rank>>
where
    T::Native: Into<i128>,
{
    column.as_primitive::<T>().iter().map(|value| Rank::of_decimal(value?.into(), scale)).collect()
}

/// The digits behind the seconds.
fn scale_of(unit: TimeUnit) -> i32 {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    }
}
