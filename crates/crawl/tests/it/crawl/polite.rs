//! What a server may ask for.

use super::server::{Reply, Site};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[test]
fn robots_txt_is_obeyed_and_its_line_is_named() {
    let site = Site::new(|path| match path {
        "/robots.txt" => Reply::page("User-agent: *\nDisallow: /private/\nAllow: /private/not\n"),
        "/" => Reply::page("<a href=/private/a>a</a><a href=/private/not>b</a>"),
        _ => Reply::page("text"),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!(crawl.pages(), ["/", "/private/not"]);
    let rule = "robots.txt, line 2: Disallow: /private/".to_owned();
    assert_eq!(crawl.skipped(), [("/private/a".to_owned(), rule)]);
    let mut settings = site.settings();
    settings.robots = false;
    assert_eq!(site.crawl(&settings).pages().len(), 3);
}

#[test]
fn nothing_is_visited_if_robots_txt_fails() {
    let site = Site::new(|path| if path == "/robots.txt" { Reply::status(500) } else { Reply::page("text") });
    let crawl = site.crawl(&site.settings());
    assert_eq!(crawl.counts.visited, 0);
    let rule = "robots.txt cannot be read (status 500), so nothing of this host is allowed";
    assert_eq!(crawl.skipped(), [("/".to_owned(), rule.to_owned())]);
    assert_eq!(site.asked("/"), 0);
}

#[test]
fn a_crawl_delay_is_kept() {
    let site = Site::new(|path| match path {
        "/robots.txt" => Reply::page("User-agent: lookalike\nCrawl-delay: 0.1\n"),
        "/" => Reply::page("<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>"),
        _ => Reply::page("text"),
    });
    let started = Instant::now();
    assert_eq!(site.crawl(&site.settings()).counts.pages, 4);
    assert!(started.elapsed() >= Duration::from_millis(300));
}

#[test]
fn a_host_has_as_many_requests_in_flight_as_it_may_and_no_more() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let max = most.clone();
    let site = Site::new(move |path| {
        if path == "/" {
            return Reply::page((0..30).map(|page| format!("<a href=/{page}>p</a>")).collect::<String>());
        }
        max.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        Reply::page("text").after(Duration::from_millis(10)).counted(now.clone())
    });
    let mut settings = site.settings();
    settings.connections = 3;
    site.crawl(&settings);
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

#[test]
fn a_busy_server_is_asked_again_when_it_says() {
    let tries = AtomicUsize::new(0);
    let site = Site::new(move |path| match path {
        "/" => Reply::page("<a href=/busy>b</a><a href=/gone>g</a>"),
        "/busy" if tries.fetch_add(1, Ordering::SeqCst) < 1 => Reply::status(429).with("retry-after", "1"),
        "/busy" => Reply::page("now"),
        "/gone" => Reply::status(503).with("retry-after", "9999"),
        _ => Reply::status(404),
    });
    let started = Instant::now();
    let crawl = site.crawl(&site.settings());
    assert!(started.elapsed() >= Duration::from_secs(1));
    assert_eq!((crawl.pages(), site.asked("/busy")), (vec!["/".to_owned(), "/busy".to_owned()], 2));
    assert_eq!((crawl.outcome("/gone"), site.asked("/gone")), ("Broken".to_owned(), 1));
}

#[test]
fn nofollow_is_obeyed_unless_another_link_leads_there() {
    let site = Site::new(|path| match path {
        "/" => Reply::page("<a href=/a rel=nofollow>a</a><a href=/b rel=nofollow>b</a><a href=/closed>c</a>"),
        "/closed" => Reply::page("<meta name=robots content=nofollow><a href=/c>c</a><a href=/b>b</a>"),
        "/a" => Reply::page("never"),
        _ => Reply::status(404),
    });
    let crawl = site.crawl(&site.settings());
    assert_eq!(crawl.pages(), ["/", "/closed"]);
    let skipped: Vec<String> = crawl.skipped().into_iter().map(|(path, _)| path).collect();
    assert_eq!(skipped, ["/a", "/b", "/c"]);
    let mut settings = site.settings();
    settings.follow_nofollow = true;
    assert_eq!(site.crawl(&settings).pages(), ["/", "/a", "/closed"]);
}
