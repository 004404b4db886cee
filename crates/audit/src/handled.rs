//! Pairs that the site already handles: search engines are told which page counts.

use super::PageFacts;
use std::collections::HashMap;
use std::fmt;

/// How a site handles two pages with the same content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Handled {
    /// The first page names the other as canonical.
    CanonicalToSecond,
    /// The other page names the first as canonical.
    CanonicalToFirst,
    /// Both name the same third page as canonical.
    SameCanonical,
    /// Each names the other as its version in another language.
    Alternates,
    /// At least one of them asks search engines to leave it out.
    Noindex,
}

impl Handled {
    /// The name in lists.
    pub fn name(self) -> &'static str {
        match self {
            Handled::CanonicalToSecond | Handled::CanonicalToFirst => "canonical",
            Handled::SameCanonical => "same-canonical",
            Handled::Alternates => "hreflang",
            Handled::Noindex => "noindex",
        }
    }

    /// The same for the two pages in the other order.
    pub fn reversed(self) -> Self {
        match self {
            Handled::CanonicalToSecond => Handled::CanonicalToFirst,
            Handled::CanonicalToFirst => Handled::CanonicalToSecond,
            other => other,
        }
    }
}

/// The reason as a sentence.
impl fmt::Display for Handled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Handled::CanonicalToSecond => "The first page names the second as canonical.",
            Handled::CanonicalToFirst => "The second page names the first as canonical.",
            Handled::SameCanonical => "Both pages name the same page as canonical.",
            Handled::Alternates => "Each page names the other as its version in another language.",
            Handled::Noindex => "A page of the two has noindex.",
        })
    }
}

/// What pages declare about each other, by their numbers in the audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Declarations {
    /// The canonical page of each page, if it is not the page itself. Pages outside of the audit have numbers too.
    canonical: Vec<Option<u32>>,
    /// The versions of each page in other languages, ascending.
    alternates: Vec<Vec<u32>>,
    noindex: Vec<bool>,
    /// Whether another page of the audit names each page as canonical.
    is_target: Vec<bool>,
}

impl Declarations {
    /// The declarations of `pages`, in the order of the audit.
    pub(super) fn new<'f>(pages: impl Iterator<Item = &'f PageFacts> + Clone) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        for (page, facts) in (0..).zip(pages.clone()) {
            numbers.entry(&facts.url).or_insert(page);
        }
        let count = pages.clone().count() as u32;
        let mut declarations =
            Declarations { is_target: vec![false; count as usize], ..Declarations::default() };
        for (page, facts) in (0..).zip(pages) {
            let next = count.max(numbers.len() as u32);
            let canonical = facts.canonical.as_deref().map(|url| *numbers.entry(url).or_insert(next));
            let canonical = canonical.filter(|&canonical| canonical != page);
            if let Some(target) = canonical.and_then(|target| declarations.is_target.get_mut(target as usize))
            {
                *target = true;
            }
            declarations.canonical.push(canonical);
            declarations.noindex.push(facts.noindex);
            let alternates = facts.alternates.iter().filter_map(|url| numbers.get(url.as_str()).copied());
            let mut alternates: Vec<u32> = alternates.filter(|&other| other < count).collect();
            alternates.sort_unstable();
            alternates.dedup();
            declarations.alternates.push(alternates);
        }
        declarations
    }

    /// How the site handles these two pages. `None` if it does not.
    pub(super) fn handled(&self, first: u32, second: u32) -> Option<Handled> {
        let canonical = |page: u32| self.canonical[page as usize];
        let names = |page: u32, other: u32| self.alternates[page as usize].binary_search(&other).is_ok();
        // Two pages that name each other leave search engines to choose.
        let (to_second, to_first) = (canonical(first) == Some(second), canonical(second) == Some(first));
        if to_second && !to_first {
            Some(Handled::CanonicalToSecond)
        } else if to_first && !to_second {
            Some(Handled::CanonicalToFirst)
        } else if canonical(first).is_some() && canonical(first) == canonical(second) {
            Some(Handled::SameCanonical)
        } else if names(first, second) && names(second, first) {
            Some(Handled::Alternates)
        } else if self.noindex[first as usize] || self.noindex[second as usize] {
            Some(Handled::Noindex)
        } else {
            None
        }
    }

    /// Whether another page names `page` as canonical, and it names no other itself.
    pub(super) fn is_canonical_target(&self, page: u32) -> bool {
        self.is_target[page as usize] && self.canonical[page as usize].is_none()
    }

    /// Whether the page names another as canonical.
    pub(super) fn defers(&self, page: u32) -> bool {
        self.canonical[page as usize].is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(url: &str, canonical: &str, alternates: &[&str]) -> PageFacts {
        PageFacts {
            url: url.into(),
            canonical: (!canonical.is_empty()).then(|| canonical.into()),
            alternates: alternates.iter().map(|&url| url.into()).collect(),
            ..PageFacts::default()
        }
    }

    #[test]
    fn each_declaration_handles_its_pair() {
        let mut pages = [
            facts("a", "a", &["c"]),
            facts("b", "a", &[]),
            facts("c", "", &["a", "x"]),
            facts("d", "elsewhere", &[]),
            facts("e", "elsewhere", &[]),
            facts("f", "", &["a"]),
            facts("g", "other", &[]),
            facts("h", "i", &[]),
            facts("i", "h", &[]),
        ];
        pages[6].noindex = true;
        let declarations = Declarations::new(pages.iter());
        assert_eq!(declarations.handled(0, 1), Some(Handled::CanonicalToFirst));
        assert_eq!(declarations.handled(1, 0), Some(Handled::CanonicalToSecond));
        assert_eq!(declarations.handled(0, 2), Some(Handled::Alternates));
        assert_eq!(declarations.handled(3, 4), Some(Handled::SameCanonical));
        assert_eq!(declarations.handled(0, 5), None, "only one of them names the other");
        assert_eq!(declarations.handled(2, 6), Some(Handled::Noindex));
        assert_eq!(declarations.handled(2, 3), None);
        assert_eq!(declarations.handled(7, 8), None, "each names the other");
        assert!(declarations.is_canonical_target(0) && !declarations.is_canonical_target(1));
        assert!(declarations.defers(1) && !declarations.defers(0));
    }
}
