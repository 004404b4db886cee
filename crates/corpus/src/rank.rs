//! Values to choose a document by: numbers, dates and instants, compared exactly.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime};

/// A number to choose the kept document by. A date or an instant is its number of seconds since 1970 in UTC.
///
/// Ranks compare as the numbers do, exactly to 34 significant digits: integers of 64 bits and decimals do not become floating-point numbers,
/// which cannot tell 2^53 from 2^53 + 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u128);

/// The significant digits that count.
const DIGITS: u32 = 34;

/// The bits of the significant digits, and of the exponent in front of them. The first bit is the sign.
const DIGIT_BITS: u32 = 113;
const BIAS: i32 = 1 << 13;

/// The exponents of the last digit, for numbers from 1e-400 to 1e309.
const EXPONENTS: std::ops::Range<i32> = -400 - DIGITS as i32..309 - (DIGITS as i32 - 1);

const ZERO: u128 = 1 << 127;

impl Rank {
    /// `digits` with a decimal point before its last `scale` digits. `None` if that is beyond the range of floating-point numbers.
    pub(crate) fn of_decimal(digits: i128, scale: i32) -> Option<Rank> {
        let (mut magnitude, mut exponent) = (digits.unsigned_abs(), scale.checked_neg()?);
        if magnitude == 0 {
            return Some(Rank(ZERO));
        }
        let length = magnitude.ilog10() + 1;
        if length > DIGITS {
            magnitude /= 10_u128.pow(length - DIGITS);
            exponent = exponent.checked_add((length - DIGITS) as i32)?;
        } else {
            magnitude *= 10_u128.pow(DIGITS - length);
            exponent = exponent.checked_sub((DIGITS - length) as i32)?;
        }
        let exponent = EXPONENTS.contains(&exponent).then_some((exponent + BIAS) as u32)?;
        let key = ZERO | u128::from(exponent) << DIGIT_BITS | magnitude;
        Some(Rank(if digits < 0 { !key } else { key }))
    }

    /// An integer.
    #[cfg(feature = "parquet")]
    pub(crate) fn of_integer(integer: i128) -> Rank {
        // The exponent of 38 digits at most is small.
        Rank::of_decimal(integer, 0).unwrap_or(Rank(ZERO))
    }

    /// A floating-point number: the decimal with the fewest digits that is read as it. `None` if it is not finite.
    pub fn of_float(number: f64) -> Option<Rank> {
        number.is_finite().then(|| format!("{number:e}")).and_then(|digits| Rank::of_number(&digits))
    }

    /// A number in decimal digits, perhaps with a fraction and an exponent, or a date or an instant of ISO 8601, such as `2026-01-31` or
    /// `2026-01-31T12:00:00.5+01:00`. Without a zone it is in UTC. `None` for any other text.
    pub fn of_text(text: &str) -> Option<Rank> {
        let text = text.trim();
        Rank::of_number(text).or_else(|| Rank::of_instant(text))
    }

    fn of_number(text: &str) -> Option<Rank> {
        let (is_negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (number, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let mut digits = whole.bytes().chain(fraction.bytes()).peekable();
        digits.peek()?;
        let (mut value, mut left_out) = (0_i128, 0);
        for digit in digits {
            match digit {
                b'0'..=b'9' if value < 10_i128.pow(DIGITS) => value = value * 10 + i128::from(digit - b'0'),
                b'0'..=b'9' => left_out += 1,
                _ => return None,
            }
        }
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?.checked_sub(left_out)?;
        Rank::of_decimal(if is_negative { -value } else { value }, scale)
    }

    fn of_instant(text: &str) -> Option<Rank> {
        let midnight = |date: NaiveDate| date.and_hms_opt(0, 0, 0);
        let local = |text: &str| {
            let instant = text.parse::<NaiveDateTime>().ok();
            let spaced = || NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f").ok();
            instant.or_else(spaced).or_else(|| text.parse::<NaiveDate>().ok().and_then(midnight))
        };
        // DuckDB and PostgreSQL write an offset of whole hours in two digits.
        let is_hours = |offset: &[u8]| matches!(offset, [b'+' | b'-', hours @ ..] if hours.iter().all(u8::is_ascii_digit));
        let text = match text.as_bytes().last_chunk::<3>() {
            Some(offset) if text.contains(':') && is_hours(offset) => Cow::Owned(format!("{text}:00")),
            _ => Cow::Borrowed(text),
        };
        let text = &*text;
        let local = || local(text);
        let instant =
            text.parse::<DateTime<FixedOffset>>().map(|instant| instant.naive_utc()).ok().or_else(local)?;
        let instant = instant.and_utc();
        let nanoseconds =
            i128::from(instant.timestamp()) * 1_000_000_000 + i128::from(instant.timestamp_subsec_nanos());
        Rank::of_decimal(nanoseconds, 9)
    }

    /// Numbers that compare as the ranks do, the first before the second. None of them is a pair of zeros.
    pub fn to_key(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }

    /// The number, rounded.
    pub fn value(self) -> f64 {
        let is_negative = self.0 < ZERO;
        let key = if is_negative { !self.0 } else { self.0 };
        let (mut digits, biased) =
            (key & ((1 << DIGIT_BITS) - 1), (key >> DIGIT_BITS) as i32 & (2 * BIAS - 1));
        let mut exponent = biased - BIAS;
        for zeros in [16, 8, 4, 2, 1] {
            let power = 10_u128.pow(zeros);
            while digits != 0 && digits.is_multiple_of(power) {
                (digits, exponent) = (digits / power, exponent + zeros as i32);
            }
        }
        // Both numbers are exact, and a quotient of exact numbers is rounded once (Clinger, 1990).
        let value = match (u64::try_from(digits), exponent) {
            (Ok(digits @ 0..=0x1f_ffff_ffff_ffff), -22..=0) => digits as f64 / 10_f64.powi(-exponent),
            _ if digits == 0 => 0.0,
            _ => format!("{digits}e{exponent}").parse().unwrap_or(f64::NAN),
        };
        if is_negative { -value } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rank(text: &str) -> Rank {
        Rank::of_text(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn numbers_are_compared_by_all_their_digits() {
        let ascending = [
            "-1e300",
            "-9007199254740993",
            "-9007199254740992",
            "-0.1",
            "-1e-300",
            "0",
            "1e-300",
            "0.1",
            "0.10000000000000000000000000000001",
            "1",
            "9007199254740992",
            "9007199254740992.5",
            "9007199254740993",
            "18446744073709551614",
            "18446744073709551615",
            "99999999999999999999999999999.99",
            "1e300",
        ];
        for (left, a) in ascending.iter().enumerate() {
            for (right, b) in ascending.iter().enumerate() {
                assert_eq!(rank(a).cmp(&rank(b)), left.cmp(&right), "{a} {b}");
            }
            assert_eq!(rank(a).value().to_bits(), a.parse::<f64>().unwrap().to_bits(), "{a}");
        }
        for (a, b) in [
            ("1", "1.0"),
            ("-0", "0"),
            ("+5", "5"),
            ("1e3", "1000"),
            (" .5 ", "0.5"),
            ("5.", "5"),
            ("100e-2", "1"),
        ] {
            assert_eq!(rank(a), rank(b), "{a} {b}");
        }
        for text in [
            "",
            "-",
            ".",
            "e5",
            "1e",
            "nan",
            "inf",
            "0x10",
            "1,5",
            "one",
            "1e309",
            "1e99999999999",
            "1e-2147483648",
            "2026-13-01",
            "12:00",
        ] {
            assert_eq!(Rank::of_text(text), None, "{text}");
        }
        assert_eq!([f64::NAN, f64::INFINITY].map(Rank::of_float), [None, None]);
    }

    #[test]
    fn dates_and_instants_are_their_seconds_since_1970() {
        for (text, seconds) in [
            ("1970-01-01", "0"),
            ("2026-01-31", "1769817600"),
            ("9999-12-31T23:59:59.999999999Z", "253402300799.999999999"),
            ("0001-01-01", "-62135596800"),
            ("2026-01-31T12:00:00", "1769860800"),
            ("2026-01-31 12:00:00+00", "1769860800"),
            ("2026-01-31 10:30:00.5-01", "1769859000.5"),
            ("2026-01-31 12:00:00.25", "1769860800.25"),
            ("2026-01-31T13:00:00+01:00", "1769860800"),
            ("2026-01-31 12:00:00 UTC", "1769860800"),
        ] {
            assert_eq!(rank(text), rank(seconds), "{text}");
        }
    }

    proptest! {
        #[test]
        fn ranks_compare_as_integers_and_floats_do(a in any::<i64>(), b in any::<i64>(), x in any::<f64>(), y in any::<f64>()) {
            prop_assert_eq!(Rank::of_integer(a.into()).cmp(&Rank::of_integer(b.into())), a.cmp(&b));
            prop_assert_eq!(Rank::of_integer(a.into()).value(), a as f64);
            if let (Some(rank), Some(other)) = (Rank::of_float(x), Rank::of_float(y)) {
                prop_assert_eq!(rank.cmp(&other), (x + 0.0).partial_cmp(&(y + 0.0)).unwrap());
                prop_assert_eq!(rank.value(), x);
                prop_assert_eq!(rank.to_key().cmp(&other.to_key()), rank.cmp(&other));
            }
        }
    }
}
