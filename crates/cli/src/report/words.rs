//! Numbers and names as people read them.

use lookalike_pages::visible;
use std::fmt::{Result, Write};

/// "1 pair", "2 pairs".
pub(crate) fn several(number: u64, what: &str) -> String {
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A line of its own for an amount above 0.
pub(super) fn note(text: &mut String, amount: u64, what: &str, more: &str) -> Result {
    match amount {
        0 => Ok(()),
        _ => writeln!(text, "           {}{more}", several(amount, what)),
    }
}

/// Bytes, in the unit that shows two digits or more: "823 bytes", "14.2 kB", "3.0 MB".
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => several(bytes, "byte"),
        1_000..999_950 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Seconds, with two decimals.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        ..0.005 => "less than 0.01 s".to_owned(),
        _ => format!("{seconds:.2} s"),
    }
}

/// A number with commas at the thousands.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in per cent. It is 100.00 % only if nothing is missing.
pub(crate) fn percent(share: f64) -> String {
    let hundredths = (share * 1e4).round();
    let hundredths = if hundredths == 1e4 && share < 1.0 { 9_999.0 } else { hundredths };
    format!("{:.2} %", hundredths / 100.0)
}

/// A similarity below `threshold`, with as many decimals as show that it is below: two at least, six at most.
pub(super) fn below(threshold: f64, similarity: f64) -> String {
    let shown = (2..6).map(|decimals| format!("{similarity:.decimals$}"));
    let mut low = shown.filter(|text| text.parse().is_ok_and(|shown: f64| shown < threshold));
    low.next().unwrap_or_else(|| format!("{similarity:.6}"))
}

/// A message that may hold names from inputs: on one line, without control characters, and with long names cut. Paths stay
/// whole, since people copy them.
pub(super) fn for_people(message: &str) -> String {
    let name = |word: &str| match word.contains(std::path::MAIN_SEPARATOR) {
        true => word.to_owned(),
        false => without_middle(word, LONGEST_NAME),
    };
    let message = visible(&message.replace(['\n', '\r', '\t'], " "));
    without_middle(&message.split(' ').map(name).collect::<Vec<String>>().join(" "), LONGEST_MESSAGE)
}

/// Characters of a name: more than any usual name of a column.
const LONGEST_NAME: usize = 80;

/// Characters of a message. The longest path of most systems takes some lines of a terminal, and the hint is at the end.
const LONGEST_MESSAGE: usize = 1_000;

/// The start and the end of `text`, if it has more than `most` characters.
fn without_middle(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let (start, end): (String, String) =
        (text.chars().take(most / 2).collect(), text.chars().skip(length - most / 2).collect());
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_below_the_threshold_looks_so() {
        let shown = [(0.8, 0.68), (0.8, 0.7966), (0.8, 0.799_96), (0.8, 0.799_999_99)];
        let shown = shown.map(|(threshold, similarity)| below(threshold, similarity));
        assert_eq!(shown, ["0.68", "0.797", "0.79996", "0.800000"]);
    }

    #[test]
    fn small_amounts_are_no_zeros() {
        assert_eq!(
            [0, 1, 823, 14_240, 999_950, 3_000_000].map(size),
            ["0 bytes", "1 byte", "823 bytes", "14.2 kB", "1.0 MB", "3.0 MB"]
        );
        assert_eq!(
            [0.0, 0.004, 0.006, 1.234].map(seconds),
            ["less than 0.01 s", "less than 0.01 s", "0.01 s", "1.23 s"]
        );
    }
}
