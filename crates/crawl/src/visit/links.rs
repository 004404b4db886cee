//! The links of a page, resolved.

use super::PageLink;
use super::read::shortened;
use lookalike_html::{HtmlPage, crawled_url};
use std::collections::HashMap;
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// The most links of a page that are kept. Indexes of large sites have tens of thousands; a hostile page of 16 MB has a million.
const LINKS: usize = 100_000;

/// The most bytes of the links of a page. Each takes as many as its base, so that a page of 16 MB could have links of 100 GB. Real pages have a
/// fraction of this.
const LINKS_BYTES: usize = 32 << 20;

/// The most bytes of a URL. The protocol for sitemaps allows 2,048.
const URL_BYTES: usize = 8 << 10;

/// The links of a page, each target once, and whether some are left out.
pub(super) fn links(url: &Url, base: &Url, page: &HtmlPage) -> (Vec<PageLink>, bool) {
    let (mut links, mut bytes, mut is_cut): (Vec<PageLink>, _, _) = (Vec::new(), 0, false);
    // Menus repeat links as they are written, so most are resolved once.
    let mut by_href: HashMap<&str, Option<usize>> = HashMap::new();
    let mut by_target: HashMap<u64, usize> = HashMap::new();
    for link in &page.links {
        if links.len() >= LINKS || bytes >= LINKS_BYTES {
            is_cut = true;
            break;
        }
        let place = *by_href.entry(link.href.as_str()).or_insert_with(|| {
            let joined = to_server(base, &link.href)?;
            if !is_short(&joined) {
                is_cut = true;
                return None;
            }
            let target = crawled_url(joined.clone());
            if target == *url {
                return None;
            }
            let written = spelling(joined, &target);
            Some(*by_target.entry(xxh3_64(target.as_str().as_bytes())).or_insert_with(|| {
                let (url, text) = (String::from(target), shortened(&link.text));
                bytes += url.len() + text.len() + written.as_ref().map_or(0, String::len);
                links.push(PageLink { url, written, text, nofollow: link.nofollow });
                links.len() - 1
            }))
        });
        if let Some(place) = place {
            links[place].nofollow &= link.nofollow;
            if links[place].text.is_empty() {
                links[place].text = shortened(&link.text);
            }
        }
    }
    (links, is_cut)
}

/// The target of a link, in the form in which it is crawled. `None` if it does not lead to a server.
pub(super) fn resolved(base: &Url, href: &str) -> Option<Url> {
    joined(base, href).map(crawled_url)
}

pub(super) fn joined(base: &Url, href: &str) -> Option<Url> {
    to_server(base, href).filter(is_short)
}

fn to_server(base: &Url, href: &str) -> Option<Url> {
    let url = base.join(href.trim()).ok()?;
    matches!(url.scheme(), "http" | "https" | "ftp" | "file").then_some(url)
}

fn is_short(url: &Url) -> bool {
    url.as_str().len() <= URL_BYTES
}

/// The target of a link as it was written, without its fragment, if it is spelled in another way than `target`.
fn spelling(mut written: Url, target: &Url) -> Option<String> {
    written.set_fragment(None);
    (written != *target).then(|| shortened(written.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::PageDeclarations;
    use crate::visit::read::{VERSIONS, facts};

    fn read(page: &str) -> PageDeclarations {
        facts(&Url::parse("http://example.org/a").unwrap(), &HtmlPage::read(page.as_bytes(), None))
    }

    #[test]
    fn links_do_not_take_more_memory_than_their_base_may_multiply() {
        let links: String = (0..100_000).map(|link| format!("<a href={link}>")).collect();
        let long = read(&format!("<base href=/{}/>{links}", "a".repeat(1 << 20)));
        assert_eq!((long.links.len(), long.links[7].url.as_str()), (100_000, "http://example.org/7"));
        let shorter = read(&format!("<base href=/{}/>{links}", "a".repeat(8000)));
        let bytes: usize = shorter.links.iter().map(|link| link.url.len()).sum();
        assert!(shorter.has_more_links && bytes < LINKS_BYTES + URL_BYTES, "{bytes}");
    }

    #[test]
    fn long_urls_and_many_versions_are_left_out() {
        let long = "x".repeat(URL_BYTES);
        let page =
            read(&format!("<link rel=canonical href=/{long}><a href=/{long}>long</a><a href=/b>b</a>"));
        assert_eq!((page.canonical, page.links.len(), page.has_more_links), (None, 1, true));
        let version = |number: usize| format!("<link rel=alternate hreflang=de href=/{number}>");
        assert_eq!(read(&(0..5000).map(version).collect::<String>()).alternates.len(), VERSIONS);
    }
}
