//! Limits against sites that make up new URLs without end.

use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use url::{Position, Url};
use xxhash_rust::xxh3::xxh3_64;

/// Limits on the URLs of a site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrapLimits {
    /// Bytes of a URL.
    pub url_bytes: u32,
    /// How often a segment may be in a path: `/a/b/a/b/a/b` repeats two.
    pub repeated_segments: u32,
    /// Different queries of a path.
    pub queries: u32,
    /// URLs that differ only in their numbers, if these include a year and a month: calendars have no end.
    pub dates: u32,
    /// URLs that differ only in other numbers.
    pub numbers: u32,
}

impl Default for TrapLimits {
    fn default() -> Self {
        TrapLimits {
            // What the sitemap protocol allows.
            url_bytes: 2048,
            // Relative links without a slash at their start add a segment with each page. Real paths repeat a word once or twice.
            repeated_segments: 3,
            // A forum may have all its topics at one path. A filter of a shop has more combinations than this.
            queries: 1000,
            // Two or three years of days, or eighty of months.
            dates: 1000,
            // Shops number their products.
            numbers: 20_000,
        }
    }
}

/// Counts the variants of each path and of each form of URL.
#[derive(Debug, Default)]
pub(crate) struct TrapCounters {
    /// By hash of path, or of form.
    seen: HashMap<u64, u32>,
}

impl TrapCounters {
    /// Checks a new URL, and counts it if it is allowed.
    ///
    /// # Errors
    /// The limit that it exceeds.
    pub(crate) fn admit(&mut self, url: &Url, limits: &TrapLimits) -> Result<(), Refusal> {
        check_form(url, limits)?;
        let path = url.query().map(|_| hash(&["path", url.authority(), url.path()]));
        if path.is_some_and(|path| self.count(path) >= limits.queries) {
            return Err(Refusal::Queries { path: url.path().to_owned(), limit: limits.queries });
        }
        let form = Form::of(&url[Position::BeforePath..]);
        let limit = if form.is_dated { limits.dates } else { limits.numbers };
        let numbered = form.has_numbers.then(|| hash(&["form", url.authority(), &form.text]));
        if numbered.is_some_and(|form| self.count(form) >= limit) {
            return Err(Refusal::Numbers { form: form.text, limit });
        }
        for counted in path.into_iter().chain(numbered) {
            *self.seen.entry(counted).or_default() += 1;
        }
        Ok(())
    }

    fn count(&self, counted: u64) -> u32 {
        self.seen.get(&counted).copied().unwrap_or_default()
    }
}

/// A hash of parts that do not hold a line end, as no part of a URL does.
fn hash(parts: &[&str]) -> u64 {
    xxh3_64(parts.join("\n").as_bytes())
}

/// Checks what a URL shows by itself.
fn check_form(url: &Url, limits: &TrapLimits) -> Result<(), Refusal> {
    let bytes = url.as_str().len();
    if bytes > limits.url_bytes as usize {
        return Err(Refusal::LongUrl { bytes: bytes as u32, limit: limits.url_bytes });
    }
    let segments = || url.path().split('/').filter(|segment| !segment.is_empty());
    let mut sorted: Vec<&str> = segments().collect();
    sorted.sort_unstable();
    let most = sorted.chunk_by(|one, other| one == other).max_by_key(|group| group.len());
    match most {
        Some(group) if group.len() > limits.repeated_segments as usize => {
            let (segment, limit) = (group[0].to_owned(), limits.repeated_segments);
            Err(Refusal::RepeatedSegment { segment, limit })
        }
        _ => Ok(()),
    }
}

/// A URL with `#` for each number.
struct Form {
    text: String,
    has_numbers: bool,
    /// Whether a year is followed by a month.
    is_dated: bool,
}

impl Form {
    fn of(text: &str) -> Self {
        let mut form = Form { text: String::with_capacity(text.len()), has_numbers: false, is_dated: false };
        let (mut rest, mut was_year) = (text, false);
        while let Some(start) = rest.find(|char: char| char.is_ascii_digit()) {
            let end = rest[start..].find(|char: char| !char.is_ascii_digit());
            let digits = &rest[start..end.map_or(rest.len(), |end| start + end)];
            form.text.push_str(&rest[..start]);
            form.text.push('#');
            form.is_dated |= (was_year && is_month(digits)) || is_packed_date(digits);
            was_year = is_year(digits);
            form.has_numbers = true;
            rest = &rest[start + digits.len()..];
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> TrapLimits {
        TrapLimits { queries: 2, dates: 2, numbers: 3, ..TrapLimits::default() }
    }

    fn refused(urls: &[&str]) -> Vec<Option<Refusal>> {
        let mut counters = TrapCounters::default();
        let url = |path: &&str| Url::parse(&format!("http://example.org{path}")).unwrap();
        urls.iter().map(|path| counters.admit(&url(path), &limits()).err()).collect()
    }

    #[test]
    fn a_path_has_so_many_queries() {
        let path = "/list".to_owned();
        assert_eq!(
            refused(&["/list?a=x", "/list?b=y", "/list", "/other?c", "/list?c=z"]),
            [None, None, None, None, Some(Refusal::Queries { path, limit: 2 })]
        );
    }

    #[test]
    fn a_calendar_has_fewer_numbers_than_a_shop() {
        let form = |form: &str, limit| Some(Refusal::Numbers { form: form.to_owned(), limit });
        assert_eq!(
            refused(&["/cal/2026/11", "/cal/2026/12", "/cal/2027/01"]),
            [None, None, form("/cal/#/#", 2)]
        );
        assert_eq!(
            refused(&["/item/1", "/item/2", "/item/99999", "/item/4"]),
            [None, None, None, form("/item/#", 3)]
        );
        assert_eq!(
            refused(&["/day-20261130", "/day-20261201", "/day-20270101"]),
            [None, None, form("/day-#", 2)]
        );
    }

    #[test]
    fn a_path_repeats_a_segment_so_often() {
        let segment = "a".to_owned();
        assert_eq!(
            refused(&["/a/b/a/c/a/", "/a/b/a/b/a/b/a"]),
            [None, Some(Refusal::RepeatedSegment { segment, limit: 3 })]
        );
    }

    #[test]
    fn a_url_has_so_many_bytes() {
        let long = format!("/{}", "x".repeat(2048));
        assert!(matches!(refused(&[&long])[0], Some(Refusal::LongUrl { limit: 2048, .. })));
    }
}
