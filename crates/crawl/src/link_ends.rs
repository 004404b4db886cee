//! Where the links of a crawl lead, behind redirects.

use crate::crawl::MOST_REDIRECTS;
use crate::crawled::Crawled;
use lookalike_report::audit::view::{CheckedLink, LinkKind};
use std::collections::{BTreeMap, HashMap};

/// Pages that are named for a link.
const NAMED_PAGES: usize = 10;

/// What a visit has found.
#[derive(Debug)]
pub(crate) enum VisitEnd {
    /// The page with this number in its source.
    Page(u32),
    /// Other content.
    File,
    /// A redirect. `next` is the visit of its target, if there was one.
    Redirect { target: String, next: Option<u32> },
    /// Nothing.
    Broken { problem: Option<String> },
}

/// What each visit has found, with its status, by the number of the visit.
#[derive(Debug, Default)]
pub(crate) struct LinkEnds {
    ends: HashMap<u32, (VisitEnd, Option<u16>)>,
}

/// What a URL leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead<'e> {
    pub(crate) kind: LeadKind,
    /// The status of its own answer, if it has one.
    pub(crate) status: Option<u16>,
    /// The URL of the page, or where redirects end. Nothing for a URL that is broken or a file itself.
    pub(crate) target: Option<&'e str>,
    /// Why it is broken, if its status does not say it.
    pub(crate) problem: Option<&'e str>,
}

/// The kind of what a URL leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeadKind {
    Page,
    File,
    /// A redirect to something that is there, or that was not visited.
    Redirect,
    /// Nothing, perhaps behind redirects.
    Broken,
}

impl<'e> Lead<'e> {
    /// The URL of what a reader sees, unless it is broken.
    pub(crate) fn shown(&self) -> Option<&'e str> {
        self.target.filter(|_| self.kind != LeadKind::Broken)
    }
}

impl LinkEnds {
    pub(crate) fn add(&mut self, visit: u32, end: VisitEnd, status: Option<u16>) {
        self.ends.insert(visit, (end, status));
    }

    /// The page behind a visit.
    pub(crate) fn page_behind(&self, visit: u32) -> Option<u32> {
        let next = |number: &u32| match self.ends.get(number)?.0 {
            VisitEnd::Redirect { next, .. } => next,
            _ => None,
        };
        let last = std::iter::successors(Some(visit), next).take(MOST_REDIRECTS + 1).last()?;
        match self.ends.get(&last)?.0 {
            VisitEnd::Page(page) => Some(page),
            _ => None,
        }
    }

    /// What a visited URL leads to. `None` if there was no such visit.
    pub(crate) fn lead<'e>(&'e self, visit: u32, url_of: impl Fn(u32) -> &'e str) -> Option<Lead<'e>> {
        let (first, status) = self.ends.get(&visit)?;
        let (mut end, mut last, mut redirects) = (first, None, 0);
        while let VisitEnd::Redirect { target, next } = end {
            redirects += 1;
            last = Some(target.as_str());
            match next.and_then(|next| self.ends.get(&next)) {
                Some((next, _)) if redirects <= MOST_REDIRECTS => end = next,
                Some(_) | None => break,
            }
        }
        let (kind, target, problem) = match end {
            VisitEnd::Page(page) => (LeadKind::Page, Some(url_of(*page)), None),
            VisitEnd::File => (LeadKind::File, last, None),
            VisitEnd::Redirect { .. } if redirects > MOST_REDIRECTS => {
                (LeadKind::Broken, last, Some("its redirects have no end"))
            }
            VisitEnd::Redirect { .. } => (LeadKind::Redirect, last, None),
            VisitEnd::Broken { problem } => {
                let behind = (redirects > 0).then_some("its target is broken");
                (LeadKind::Broken, last, problem.as_deref().or(behind))
            }
        };
        let is_redirect = redirects > 0 && kind != LeadKind::Broken;
        let kind = if is_redirect { LeadKind::Redirect } else { kind };
        Some(Lead { kind, status: *status, target, problem })
    }

    /// The links that do not lead to a page or a file at once: broken ones first, and then redirects. Pages have these `urls`, and link to these visits.
    pub(crate) fn checked(&self, crawled: &Crawled, urls: &[String], links: &[Vec<u32>]) -> Vec<CheckedLink> {
        let mut checked: BTreeMap<u32, CheckedLink> = BTreeMap::new();
        for (url, links) in urls.iter().zip(links) {
            for &number in links {
                let Some(lead) = self.lead(number, |page| &urls[page as usize]) else { continue };
                let kind = match lead.kind {
                    LeadKind::Page | LeadKind::File => continue,
                    LeadKind::Redirect => LinkKind::Redirect,
                    LeadKind::Broken => LinkKind::Broken,
                };
                let link = checked.entry(number).or_insert_with(|| CheckedLink {
                    url: crawled.url(number).to_owned(),
                    kind,
                    status: lead.status,
                    target: lead.target.map(str::to_owned),
                    problem: lead.problem.map(str::to_owned),
                    from: Vec::new(),
                    pages: 0,
                });
                link.pages += 1;
                if link.from.len() < NAMED_PAGES {
                    link.from.push(url.clone());
                }
            }
        }
        let mut checked: Vec<CheckedLink> = checked.into_values().collect();
        checked.sort_by(|a, b| (a.kind, &a.url).cmp(&(b.kind, &b.url)));
        checked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_is_broken_if_its_end_is() {
        let mut ends = LinkEnds::default();
        let redirect = |next: u32| VisitEnd::Redirect { target: format!("u{next}"), next: Some(next) };
        ends.add(0, VisitEnd::Page(0), Some(200));
        ends.add(1, redirect(0), Some(301));
        ends.add(2, redirect(1), Some(302));
        ends.add(3, VisitEnd::Broken { problem: None }, Some(404));
        ends.add(4, redirect(3), Some(301));
        ends.add(5, redirect(6), Some(301));
        ends.add(6, redirect(5), Some(301));
        ends.add(7, VisitEnd::Redirect { target: "elsewhere".into(), next: None }, Some(301));
        ends.add(8, VisitEnd::File, Some(200));
        ends.add(9, redirect(8), Some(301));
        let lead = |visit| {
            let lead = ends.lead(visit, |_| "page").unwrap();
            (lead.kind, lead.target, lead.problem)
        };
        assert_eq!(lead(0), (LeadKind::Page, Some("page"), None));
        assert_eq!(lead(2), (LeadKind::Redirect, Some("page"), None));
        assert_eq!(lead(3), (LeadKind::Broken, None, None));
        assert_eq!(lead(4), (LeadKind::Broken, Some("u3"), Some("its target is broken")));
        let (kind, _, problem) = lead(5);
        assert_eq!((kind, problem), (LeadKind::Broken, Some("its redirects have no end")));
        assert_eq!(lead(7), (LeadKind::Redirect, Some("elsewhere"), None));
        assert_eq!(
            (lead(8), lead(9)),
            ((LeadKind::File, None, None), (LeadKind::Redirect, Some("u8"), None))
        );
        assert_eq!([2, 4, 5, 7].map(|visit| ends.page_behind(visit)), [Some(0), None, None, None]);
    }
}
