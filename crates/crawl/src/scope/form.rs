//! Which URLs differ only in their numbers.

/// A URL with `#` for each number.
pub(super) struct UrlForm {
    pub(super) text: String,
    pub(super) has_numbers: bool,
    /// Whether the numbers are those of a date. A long number beside it tells pages of the same day from each other.
    pub(super) is_dated: bool,
}

impl UrlForm {
    pub(super) fn of(text: &str) -> Self {
        let mut form =
            UrlForm { text: String::with_capacity(text.len()), has_numbers: false, is_dated: false };
        let (mut rest, mut was_year, mut has_long) = (text, false, false);
        while let Some(start) = rest.find(|char: char| char.is_ascii_digit()) {
            let end = rest[start..].find(|char: char| !char.is_ascii_digit());
            let digits = &rest[start..end.map_or(rest.len(), |end| start + end)];
            form.text.push_str(&rest[..start]);
            form.text.push('#');
            form.has_numbers = true;
            let is_date = (was_year && is_month(digits)) || is_packed_date(digits);
            form.is_dated |= is_date;
            // A year without a month is any number.
            has_long |= was_year && !is_date;
            was_year = !is_date && is_year(digits);
            has_long |= !is_date && !was_year && digits.len() > 2;
            rest = &rest[start + digits.len()..];
        }
        form.is_dated &= !has_long && !was_year;
        form.text.push_str(rest);
        form
    }
}

fn is_year(digits: &str) -> bool {
    digits.len() == 4 && matches!(&digits[..1], "1" | "2" | "3")
}

fn is_month(digits: &str) -> bool {
    digits.len() <= 2 && matches!(digits.parse(), Ok(1..=12))
}

/// Whether this is a date without separators, such as 202611 or 20261130.
fn is_packed_date(digits: &str) -> bool {
    matches!(digits.len(), 6 | 8) && matches!(&digits[..2], "19" | "20" | "21") && is_month(&digits[4..6])
}
