//! Numbers and names as people read them.

use lookalike_pages::visible;
use std::fmt::{Result, Write};

/// "1 pair", "2 pairs".
pub(super) fn several(number: u64, what: &str) -> String {
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A line of its own for an amount above 0.
pub(super) fn note(text: &mut String, amount: u64, what: &str, more: &str) -> Result {
    match amount {
        0 => Ok(()),
        _ => writeln!(text, "           {}{more}", several(amount, what)),
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
