//! Numbers and names as people read them.

use lookalike_report::{several, visible};
use std::fmt::{Result, Write};

/// A line of its own for an amount above 0.
pub(super) fn note(text: &mut String, amount: u64, what: &str, more: &str) -> Result {
    match amount {
        0 => Ok(()),
        _ => writeln!(text, "           {}{more}", several(amount, what)),
    }
}

/// Seconds, with two decimals.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        ..0.005 => "less than 0.01 s".to_owned(),
        _ => format!("{seconds:.2} s"),
    }
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
            [0.0, 0.004, 0.006, 1.234].map(seconds),
            ["less than 0.01 s", "less than 0.01 s", "0.01 s", "1.23 s"]
        );
    }
}
