//! The same site gives the same crawl.

use super::server::{Reply, Site, stored};
use lookalike_crawl::{CrawlMonitor, CrawlSettings, crawl};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A site with many links across, redirects, broken links, traps and a sitemap, whose answers take random times.
fn tangled() -> Site {
    let random = AtomicU64::new(1);
    Site::new(move |path| {
        let step = random.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let after = Duration::from_micros((step ^ (step >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 53);
        answer(path).after(after)
    })
}

pub(crate) fn answer(path: &str) -> Reply {
    let number: u32 = match path {
        "/" => 0,
        "/sitemap.xml" => {
            return Reply::page("<urlset><url><loc>/p77</loc></url><url><loc>/orphan</loc></url></urlset>");
        }
        "/orphan" => return Reply::page("<a href=/p99>p</a>"),
        "/robots.txt" => return Reply::page("User-agent: *\nDisallow: /p13\n"),
        _ => match path.trim_start_matches("/p").split('?').next().unwrap_or_default().parse() {
            Ok(number) => number,
            Err(_) => return Reply::status(404),
        },
    };
    if number % 11 == 5 {
        return Reply::redirect(format!("/p{}", (number * 7) % 60));
    }
    let links = (1..8).map(|step| format!("<a href=/p{}>l</a>", (number * 3 + step * step) % 60));
    let letters = |number: u32| [number / 20, number % 20].map(|digit| char::from(b'a' + digit as u8));
    let variants = (0..4).map(|step| {
        let [one, two] = letters(number * 4 + step);
        format!("<a href=/p{}?v={one}{two}>v</a>", number % 5)
    });
    Reply::page(format!(
        "<h1>{number}</h1><a href=broken{number}>b</a>{}",
        links.chain(variants).collect::<String>()
    ))
}

fn crawl_of(settings: &CrawlSettings) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    crawl(settings, folder.path(), &CrawlMonitor::default()).unwrap();
    stored(folder.path())
}

#[test]
fn one_and_eight_connections_store_the_same_in_ten_orders() {
    let site = tangled();
    for max_pages in [40, 100_000] {
        let mut settings = site.settings();
        settings.sitemaps = true;
        settings.traps.values = 9;
        settings.max_pages = max_pages;
        settings.connections = 1;
        let expected = crawl_of(&settings);
        assert!(expected.len() > 100, "{}", expected.len());
        settings.connections = 8;
        for order in 0..10 {
            assert!(crawl_of(&settings) == expected, "order {order}");
        }
    }
}
