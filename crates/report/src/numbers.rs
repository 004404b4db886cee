//! Numbers in the form that people read.

use std::fmt::Display;

/// A number and a noun in the right form: "1 passage", "2 passages".
pub fn several(number: impl Display, what: &str) -> String {
    let number = count(number);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// A whole number with commas at the thousands.
pub fn count(number: impl Display) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([several(1, "pair"), several(2_000, "pair")], ["1 pair", "2,000 pairs"]);
    }
}
