//! Limits against sites that make up new URLs without end.

use super::form::UrlForm;
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
    /// Queries of a path with several parameters, which are combinations without end. Those that differ only in numbers count once.
    pub queries: u32,
    /// Values of one parameter of a path, such as `/wiki?title=Rust`. Numbers count once.
    pub values: u32,
    /// URLs that differ only in dates: calendars have no end.
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
            // A filter of a shop has more combinations than this.
            queries: 1000,
            // A wiki may have all its pages at one path. A page for logging in may be linked with each page as the one to go back to.
            values: 10_000,
            // Eleven years of days.
            dates: 4000,
            // Shops number their products, forums their topics, and newspapers their articles.
            numbers: 50_000,
        }
    }
}

impl TrapLimits {
    /// These limits, with `variants` URLs of each kind that differ only in their queries, dates or numbers.
    pub fn with_variants(self, variants: u32) -> Self {
        TrapLimits { queries: variants, values: variants, dates: variants, numbers: variants, ..self }
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
        let form = UrlForm::of(&url[Position::BeforePath..]);
        let limit = if form.is_dated { limits.dates } else { limits.numbers };
        let numbered = form.has_numbers.then(|| hash(&["form", url.authority(), &form.text]));
        let before = numbered.map_or(0, |form| self.count(form));
        if before >= limit {
            return Err(Refusal::Numbers { form: form.text, limit });
        }
        let path = url.query().filter(|_| before == 0).map(|query| {
            let is_one = !query.contains('&');
            let (kind, limit) = if is_one { ("value", limits.values) } else { ("query", limits.queries) };
            (hash(&[kind, url.authority(), url.path()]), limit)
        });
        if let Some((path, limit)) = path
            && self.count(path) >= limit
        {
            return Err(Refusal::Queries { path: url.path().to_owned(), limit });
        }
        for counted in path.map(|(path, _)| path).into_iter().chain(numbered) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> TrapLimits {
        TrapLimits { queries: 2, values: 3, dates: 2, numbers: 4, ..TrapLimits::default() }
    }

    fn refused(urls: &[&str]) -> Vec<Option<Refusal>> {
        let mut counters = TrapCounters::default();
        let url = |path: &&str| Url::parse(&format!("http://example.org{path}")).unwrap();
        urls.iter().map(|path| counters.admit(&url(path), &limits()).err()).collect()
    }

    fn none_of(urls: &[&str]) -> bool {
        refused(urls).iter().all(Option::is_none)
    }

    #[test]
    fn a_path_has_so_many_queries() {
        let queries = |limit| Some(Refusal::Queries { path: "/list".to_owned(), limit });
        assert_eq!(
            refused(&["/list?a=x&b=y", "/list?b=y&c", "/list", "/list?c", "/list?c=z&d=x", "/list?d"]),
            [None, None, None, None, queries(2), None]
        );
        assert_eq!(refused(&["/list?a=x", "/list?a=y", "/list?b", "/list?c"])[3], queries(3));
    }

    #[test]
    fn pages_of_one_path_are_counted_as_numbers_if_only_their_numbers_differ() {
        assert!(none_of(&["/?p=1", "/?p=2", "/?p=3", "/?p=30000"]));
        let products = |number: u32| format!("/index.php?route=product/product&product_id={number}");
        let products = [1, 2, 3, 4, 5].map(products);
        let refused = refused(&products.each_ref().map(String::as_str));
        assert_eq!(refused[..4], [None, None, None, None]);
        let form = "/index.php?route=product/product&product_id=#".to_owned();
        assert_eq!(refused[4], Some(Refusal::Numbers { form, limit: 4 }));
    }

    #[test]
    fn articles_with_a_date_and_a_number_are_no_calendar() {
        assert!(none_of(&[
            "/2026/11/26/123456",
            "/2026/11/26/123457",
            "/2026/11/27/9001",
            "/2026/12/1/1777"
        ]));
        assert!(none_of(&["/20261126-12345", "/20261127-12346", "/20261128-12347"]));
    }

    #[test]
    fn a_calendar_has_fewer_numbers_than_a_shop() {
        let form = |form: &str, limit| Some(Refusal::Numbers { form: form.to_owned(), limit });
        assert_eq!(
            refused(&["/cal/2026/11", "/cal/2026/12", "/cal/2027/01"]),
            [None, None, form("/cal/#/#", 2)]
        );
        assert_eq!(
            refused(&["/item/1", "/item/2", "/item/99999", "/item/4", "/item/5"]),
            [None, None, None, None, form("/item/#", 4)]
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
