//! Dates, times and decimals of Arrow as objects of Python.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, TimeUnit};
use lookalike_corpus::as_texts;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// The number of 1970-01-01 among the days of Python.
const EPOCH_DAY: i64 = 719_163;

/// A value of `datetime` or `decimal`, or `None` if the array has other types. A value that Python cannot have, such as one of
/// nanoseconds or after the year 9999, is its text.
pub(crate) fn at<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
    let value = array.slice(row, 1);
    let made = match value.data_type() {
        DataType::Date32 | DataType::Date64 => day(py, &value),
        DataType::Timestamp(unit, zone) => moment(py, &value, *unit, zone.as_deref()),
        DataType::Time32(unit) | DataType::Time64(unit) => time(py, &value, *unit),
        DataType::Duration(unit) => elapsed(py, &value, *unit),
        kind if kind.is_decimal() => {
            let text = text(&value)?;
            return Ok(Some(py.import("decimal")?.getattr("Decimal")?.call1((text,))?));
        }
        _ => return Ok(None),
    };
    match made {
        Err(error)
            if error.is_instance_of::<PyOverflowError>(py) || error.is_instance_of::<PyValueError>(py) =>
        {
            Ok(Some(text(&value)?.into_pyobject(py)?.into_any()))
        }
        made => made.map(Some),
    }
}

fn day<'py>(py: Python<'py>, value: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    let days = cast(value, &DataType::Date32).and_then(|days| number(&cast(&days, &DataType::Int32)?));
    let day = EPOCH_DAY + days.map_err(failed)?;
    py.import("datetime")?.getattr("date")?.call_method1("fromordinal", (day,))
}

/// A moment, in its time zone if it has one.
fn moment<'py>(
    py: Python<'py>,
    value: &ArrayRef,
    unit: TimeUnit,
    zone: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let datetime = py.import("datetime")?;
    let epoch = |zone: Option<&Bound<'py, PyAny>>| {
        datetime.getattr("datetime")?.call1((1970, 1, 1, 0, 0, 0, 0, zone))
    };
    let since = elapsed(py, value, unit)?;
    let Some(zone) = zone else { return epoch(None)?.add(since) };
    let utc = datetime.getattr("timezone")?.getattr("utc")?;
    epoch(Some(&utc))?.add(since)?.call_method1("astimezone", (time_zone(py, zone, utc)?,))
}

/// A time zone by its name or its offset. A zone that the machine does not know is UTC: the moment is the same.
fn time_zone<'py>(py: Python<'py>, zone: &str, utc: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if zone.starts_with(['+', '-']) {
        let parsed = py.import("datetime")?.getattr("datetime")?.call_method1("strptime", (zone, "%z"))?;
        return parsed.getattr("tzinfo");
    }
    Ok(py.import("zoneinfo")?.getattr("ZoneInfo")?.call1((zone,)).unwrap_or(utc))
}

fn time<'py>(py: Python<'py>, value: &ArrayRef, unit: TimeUnit) -> PyResult<Bound<'py, PyAny>> {
    let day = py.import("datetime")?.getattr("datetime")?.call1((1970, 1, 1))?;
    day.add(elapsed(py, value, unit)?)?.call_method0("time")
}

/// A `timedelta`.
///
/// # Errors
/// `ValueError` for a part of a microsecond.
fn elapsed<'py>(py: Python<'py>, value: &ArrayRef, unit: TimeUnit) -> PyResult<Bound<'py, PyAny>> {
    let count = number(value).map_err(failed)?;
    let (seconds, micros) = match unit {
        TimeUnit::Second => (count, 0),
        TimeUnit::Millisecond => (count.div_euclid(1000), count.rem_euclid(1000) * 1000),
        TimeUnit::Microsecond => (0, count),
        TimeUnit::Nanosecond if count % 1000 == 0 => (0, count / 1000),
        TimeUnit::Nanosecond => return Err(PyValueError::new_err("Python has no nanoseconds")),
    };
    py.import("datetime")?.getattr("timedelta")?.call1((0, seconds, micros))
}

/// The number that stands for a value.
fn number(value: &ArrayRef) -> Result<i64, ArrowError> {
    let numbers = match value.data_type() {
        DataType::Time32(_) => cast(&cast(value, &DataType::Int32)?, &DataType::Int64)?,
        _ => cast(value, &DataType::Int64)?,
    };
    Ok(numbers.as_primitive::<Int64Type>().value(0))
}

fn text(value: &ArrayRef) -> PyResult<String> {
    as_texts(value).map(|text| text.as_string::<i32>().value(0).to_owned()).map_err(failed)
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
