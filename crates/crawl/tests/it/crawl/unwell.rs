//! Servers that are busy for longer than a crawl waits, or that go away.

use super::server::{Content, Notes, Reply, Site, stored};
use lookalike_crawl::{CrawlMonitor, CrawlSettings, Crawled, VisitOutcome, crawl};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn page(path: &str) -> Reply {
    match path {
        "/" => Reply::page((0..60).map(|page| format!("<a href=/{page}>p</a>")).collect::<String>()),
        "/robots.txt" => Reply::status(404),
        _ => Reply::page(format!("text of {path}")),
    }
}

#[test]
fn a_crawl_stops_when_the_server_has_had_enough_and_the_same_call_goes_on() {
    let is_limited = Arc::new(AtomicBool::new(true));
    let (limited, answers) = (is_limited.clone(), AtomicUsize::new(0));
    let site = Site::new(move |path| {
        let is_over = answers.fetch_add(1, Ordering::SeqCst) >= 20;
        match is_over && limited.load(Ordering::SeqCst) {
            true => Reply::status(429).with("retry-after", "3600"),
            false => page(path),
        }
    });
    let (folder, notes) = (tempfile::tempdir().unwrap(), Arc::new(Notes::default()));
    let counts = crawl(&site.settings(), folder.path(), &notes.monitor()).unwrap();
    assert!(
        notes
            .take()
            .contains("the server has the status 429, and asks for 3600 seconds; the crawl stops here")
    );
    // The requests that were in flight, and one more for each.
    assert!(site.log().len() <= 20 + 8, "{}", site.log().len());
    let crawled = Crawled::open(folder.path()).unwrap();
    assert!(!crawled.is_complete());
    let statuses: Vec<_> = crawled.visits().map(|visit| visit.unwrap().1.status).collect();
    assert_eq!(statuses, vec![Some(200); counts.visited as usize], "no refusal is stored");
    is_limited.store(false, Ordering::SeqCst);
    let before = site.log().len();
    crawl(&site.settings(), folder.path(), &CrawlMonitor::default()).unwrap();
    assert_eq!(site.log().len() - before, 61 - counts.visited as usize);
    let whole = tempfile::tempdir().unwrap();
    crawl(&site.settings(), whole.path(), &CrawlMonitor::default()).unwrap();
    assert_eq!(stored(folder.path()), stored(whole.path()));
}

#[test]
fn a_page_that_is_busy_for_ever_is_broken_if_the_server_answers_others() {
    let site = Site::new(|path| match path {
        "/7" => Reply::status(503),
        _ => page(path),
    });
    let mut settings = site.settings();
    (settings.connections, settings.limits.retries) = (1, 1);
    let crawl = site.crawl(&settings);
    assert_eq!((crawl.outcome("/7"), site.asked("/7")), ("Broken".to_owned(), 2));
    assert!(crawl.crawled.is_complete());
}

#[test]
fn a_host_that_was_down_at_the_start_is_asked_again() {
    let is_up = Arc::new(AtomicBool::new(false));
    let up = is_up.clone();
    let site = Site::new(move |path| if up.load(Ordering::SeqCst) { page(path) } else { Reply::status(500) });
    let folder = tempfile::tempdir().unwrap();
    let counts = crawl(&site.settings(), folder.path(), &CrawlMonitor::default()).unwrap();
    assert_eq!(counts.visited, 0);
    is_up.store(true, Ordering::SeqCst);
    let counts = crawl(&site.settings(), folder.path(), &CrawlMonitor::default()).unwrap();
    assert_eq!(counts.visited, 61);
}

/// Serves [`page`] with one connection for each request. After so many answers, all connections are closed without one. Those for `/3` always
/// are.
fn serve(listener: TcpListener, answers: &AtomicUsize) {
    for stream in listener.incoming() {
        let (mut stream, mut request) = (stream.unwrap(), Vec::new());
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            match stream.read(&mut byte) {
                Ok(1) => request.push(byte[0]),
                _ => break,
            }
        }
        let path = String::from_utf8_lossy(&request).split(' ').nth(1).unwrap_or_default().to_owned();
        let Content::Bytes(body) = page(&path).body else { continue };
        if path == "/3" || answers.load(Ordering::SeqCst) == 0 {
            continue;
        }
        answers.fetch_sub(1, Ordering::SeqCst);
        let status = if path == "/robots.txt" { 404 } else { 200 };
        let head =
            format!("HTTP/1.1 {status} x\r\ncontent-type: text/html\r\ncontent-length: {}\r\n", body.len());
        let _ = stream.write_all(&[head.as_bytes(), b"connection: close\r\n\r\n", &body].concat());
    }
}

#[test]
fn a_lost_connection_ends_the_crawl_and_one_that_always_fails_is_a_failed_page() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let start = format!("http://{}/", listener.local_addr().unwrap());
    let mut settings = CrawlSettings::new(start.parse().unwrap());
    (settings.sitemaps, settings.connections, settings.limits.retries) = (false, 2, 1);
    let answers = Arc::new(AtomicUsize::new(20));
    let left = answers.clone();
    std::thread::spawn(move || serve(listener, &left));
    let (folder, notes) = (tempfile::tempdir().unwrap(), Arc::new(Notes::default()));
    let counts = crawl(&settings, folder.path(), &notes.monitor()).unwrap();
    let note = notes.take();
    assert!(counts.visited < 61 && note.contains("the server cannot be reached"), "{counts:?} {note}");
    let failed = || {
        let crawled = Crawled::open(folder.path()).unwrap();
        crawled
            .visits()
            .filter(|visit| matches!(visit.as_ref().unwrap().1.outcome, VisitOutcome::Failed(_)))
            .count()
    };
    // `/3` has failed before, while the server answered others.
    assert!(failed() <= 1);
    answers.store(1000, Ordering::SeqCst);
    assert_eq!(crawl(&settings, folder.path(), &CrawlMonitor::default()).unwrap().visited, 61);
    assert_eq!(failed(), 1, "/3 alone");
}
