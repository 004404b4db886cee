//! What a crawl learned from one URL.

mod instructions;
mod link_header;
mod links;
mod read;

pub(crate) use read::{VisitRead, visit_of};

use crate::fetch::FetchFailure;
use lookalike_audit::SiteBlock;
use lookalike_html::{Alternate, RobotsMeta};
use serde::{Deserialize, Serialize};

/// What a crawl learned from one URL, apart from the text of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// The URL that was asked for, normalised.
    pub url: String,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// What came of it.
    pub outcome: VisitOutcome,
    /// The `Content-Type` of the answer.
    pub content_type: Option<String>,
    /// Milliseconds from the request to the head of the answer.
    pub first_byte_milliseconds: u32,
    /// Milliseconds from the request to the last byte.
    pub milliseconds: u32,
    /// The bytes of the page after decompression. Of other content, the length that the server states.
    pub bytes: u64,
    /// The bytes that were sent for it.
    pub sent_bytes: u64,
    /// The values of `X-Robots-Tag`.
    pub robots_headers: Vec<String>,
    /// The target of `Link: <…>; rel=canonical`, resolved.
    pub canonical_header: Option<String>,
    /// What the page says, if it is one.
    pub page: Option<PageDeclarations>,
}

/// What came of a visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VisitOutcome {
    /// A page, which was read.
    Page,
    /// Other content, which was not read.
    Resource,
    /// A redirect to this URL, which is a visit of its own if the site's rules allow it.
    Redirect {
        /// The target, resolved and normalised.
        target: String,
    },
    /// Another status: the links to it are broken.
    Broken,
    /// No answer that could be used.
    Failed(FetchFailure),
}

/// What a page says about itself, and its links. URLs are resolved and normalised; an URL that cannot be is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageDeclarations {
    /// The first `<title>`.
    pub title: Option<String>,
    /// The first `<h1>`.
    pub heading: Option<String>,
    /// `<meta name=description>`.
    pub description: Option<String>,
    /// The `lang` of the page.
    pub language: Option<String>,
    /// The target of `<link rel=canonical>`.
    pub canonical: Option<String>,
    /// The versions of the page in other languages, by tags and by headers.
    pub alternates: Vec<Alternate>,
    /// What the page asks of search engines.
    pub robots: Vec<RobotsMeta>,
    /// The target of `<meta http-equiv=refresh>`.
    pub refresh: Option<String>,
    /// The links, in the order of the page, each target once. Links into the page itself are left out.
    pub links: Vec<PageLink>,
    /// Whether the page has more links than are kept: 100,000 with 32 MB together, and none of more than 8 KB.
    pub has_more_links: bool,
    /// The number of visible words.
    pub words: u32,
    /// The number of scripts.
    pub scripts: u32,
    /// Whether the page probably needs scripts to show its text.
    pub needs_scripts: bool,
}

/// A link of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLink {
    /// The target.
    pub url: String,
    /// The target as the page has it, resolved, if that is another spelling: with parameters that track visitors, for example.
    pub written: Option<String>,
    /// The first text that is clicked on.
    pub text: String,
    /// Whether all links to the target say `nofollow`.
    pub nofollow: bool,
}

/// A page with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPage {
    /// What was learned from its URL.
    pub visit: Visit,
    /// Its visible text. Empty if it is not a page.
    pub blocks: Vec<SiteBlock>,
}

impl Visit {
    /// Whether this is a page, which was read.
    pub fn is_page(&self) -> bool {
        self.outcome == VisitOutcome::Page
    }

    /// Whether the page, or the header of its answer, has this instruction for all robots, such as `noindex` or `nofollow`. A `noindex` for
    /// `googlebot` counts too.
    pub fn asks_robots(&self, instruction: &str) -> bool {
        let agents = instructions::agents(instruction);
        let mut metas = self.page.iter().flat_map(|page| &page.robots);
        metas.any(|meta| {
            instructions::is_one(&meta.agent, agents) && instructions::tag_has(&meta.content, instruction)
        }) || self.robots_headers.iter().any(|header| instructions::header_has(header, instruction, agents))
    }

    /// The URL that the page names as its canonical one: by its header, which has precedence, or by its tag.
    pub fn canonical(&self) -> Option<&str> {
        let tag = || self.page.as_ref()?.canonical.as_deref();
        self.canonical_header.as_deref().or_else(tag)
    }

    /// The URLs that the visit leads to, in a fixed order, and how.
    pub(crate) fn targets(&self) -> impl Iterator<Item = (&str, Via)> {
        let page = self.page.as_ref();
        let redirect = match &self.outcome {
            VisitOutcome::Redirect { target } => Some((target.as_str(), Via::Redirect)),
            _ => None,
        };
        let closed = self.asks_robots("nofollow");
        let links = page.into_iter().flat_map(|page| &page.links);
        let links = links.map(move |link| match closed || link.nofollow {
            true => (link.url.as_str(), Via::NoFollow),
            false => (link.url.as_str(), Via::Link),
        });
        let refresh = page.and_then(|page| page.refresh.as_deref());
        let alternates =
            page.into_iter().flat_map(|page| &page.alternates).map(|version| version.href.as_str());
        let declared = refresh.into_iter().chain(self.canonical()).chain(alternates);
        redirect.into_iter().chain(links).chain(declared.map(|url| (url, Via::Link)))
    }
}

/// How a visit leads to a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Via {
    Link,
    NoFollow,
    Redirect,
}
