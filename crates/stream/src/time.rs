//! The time of a document, from which on it lives until it expires.

use chrono::{DateTime, NaiveDate, NaiveTime};

/// A number of seconds is below this one until the year 5138. A larger number counts milliseconds.
const FIRST_MILLISECONDS: f64 = 1e11;

/// The time that a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    /// The second since 1970. A time before 1970 is 0.
    Second(u32),
    /// A value that is no time, as it is written.
    Unreadable(String),
}

impl Time {
    /// Reads a value in JSON: seconds or milliseconds since 1970, a date and a time of RFC 3339, or a date, which begins at midnight of UTC.
    pub(crate) fn read(value: &str) -> Self {
        second(value).map_or_else(|| Time::Unreadable(value.to_owned()), Time::Second)
    }
}

fn second(value: &str) -> Option<u32> {
    if let Ok(number) = serde_json::from_str::<f64>(value) {
        let seconds = if number.abs() < FIRST_MILLISECONDS { number } else { number / 1000.0 };
        // It saturates: no index lives until 2106.
        return Some(seconds as u32);
    }
    let text: String = serde_json::from_str(value).ok()?;
    let seconds = match DateTime::parse_from_rfc3339(&text) {
        Ok(time) => time.timestamp(),
        Err(_) => text.parse::<NaiveDate>().ok()?.and_time(NaiveTime::MIN).and_utc().timestamp(),
    };
    Some(u32::try_from(seconds.max(0)).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_or_a_text_of_rfc_3339_or_a_date() {
        let ten_to_noon = 1_795_693_800;
        for value in [
            "1795693800",
            "1795693800.9",
            "1795693800123",
            "\"2026-11-26T11:50:00Z\"",
            "\"2026-11-26 11:50:00.25Z\"",
            "\"2026-11-26T12:50:00+01:00\"",
        ] {
            assert_eq!(Time::read(value), Time::Second(ten_to_noon), "{value}");
        }
        assert_eq!(Time::read("\"2026-11-26\""), Time::Second(1_795_651_200));
        assert_eq!(Time::read("\"1969-07-20\""), Time::Second(0));
        assert_eq!(Time::read("-5"), Time::Second(0));
        assert_eq!(Time::read("1e300"), Time::Second(u32::MAX));
        for value in ["\"11/26/2026\"", "\"yesterday\"", "null", "{}", "\"\"", "true"] {
            assert_eq!(Time::read(value), Time::Unreadable(value.to_owned()));
        }
    }
}
