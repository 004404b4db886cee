//! Amounts in words.

use crate::numbers::several;
use crate::summary::RemovalSummary;
use lookalike_engine::PlanSummary;
use lookalike_engine::features::frequent::FrequentSummary;

/// Bytes, in the unit that shows two digits or more: "823 bytes", "14.2 kB", "3.0 MB".
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => several(bytes, "byte"),
        1_000..999_950 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// A share in per cent. It is 100.00 % only if nothing is missing.
pub fn percent(share: f64) -> String {
    let hundredths = (share * 1e4).round();
    let hundredths = if hundredths == 1e4 && share < 1.0 { 9_999.0 } else { hundredths };
    format!("{:.2} %", hundredths / 100.0)
}

/// A part of a whole in per cent, with one decimal.
pub(crate) fn share(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / (whole as f64).max(1.0))
}

/// The documents that have a frequent shingle: "more than 10 % of 1,234 documents".
pub fn frequent_in(frequent: &FrequentSummary) -> String {
    format!("more than {} of {}", as_typed(frequent.share), several(frequent.documents, "document"))
}

/// A share that somebody chose, in per cent with the digits that it was typed with: "10 %".
pub fn as_typed(share: f64) -> String {
    format!("{} %", (share * 1e8).round() / 1e6)
}

/// How much text was removed: its size, and its words or characters.
pub fn removed_text(removal: &RemovalSummary, plan: &PlanSummary) -> String {
    let tokens = if plan.tokens == "chars" { "character" } else { "word" };
    let words = several(removal.removed_words, tokens);
    format!("{} of text, {words}", size(removal.removed_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_amounts_are_no_zeros() {
        assert_eq!(
            [0, 1, 823, 14_240, 999_950, 3_000_000].map(size),
            ["0 bytes", "1 byte", "823 bytes", "14.2 kB", "1.0 MB", "3.0 MB"]
        );
    }
}
