//! A crawl that was stopped goes on where it was.

use super::server::{Reply, Site, crawl_some, stored};
use lookalike_crawl::{CrawlMonitor, Error, crawl};
use lookalike_store::{ContainerKind, Journal, JournalWriter};
use std::collections::HashMap;
use std::fs;

fn site() -> Site {
    Site::new(|path| match path.trim_start_matches("/p").parse::<u32>() {
        _ if path == "/robots.txt" => Reply::page("User-agent: *\nDisallow: /p17\n"),
        _ if path == "/sitemap.xml" => Reply::page("<urlset><url><loc>/p90</loc></url></urlset>"),
        Ok(number) => Reply::page(format!(
            "<p>page {number}</p><a href=/p{}>a</a><a href=/p{}>b</a>",
            (number * 2 + 1) % 40,
            (number * 2 + 2) % 40
        )),
        Err(_) => Reply::page("<a href=/p0>zero</a>"),
    })
}

#[test]
fn a_stopped_crawl_goes_on_and_fetches_nothing_twice() {
    let site = site();
    let mut settings = site.settings();
    settings.sitemaps = true;
    let whole = tempfile::tempdir().unwrap();
    crawl(&settings, whole.path(), &CrawlMonitor::default()).unwrap();
    let expected = stored(whole.path());
    let before = site.log().len();
    let folder = tempfile::tempdir().unwrap();
    // Requests in flight when a crawl stops are lost. With one connection there are none.
    settings.connections = 1;
    for _ in 0..30 {
        if crawl_some(&settings, folder.path(), 3).is_ok() {
            break;
        }
    }
    assert_eq!(stored(folder.path()), expected);
    let mut asked: HashMap<String, u32> = HashMap::new();
    for path in &site.log()[before..] {
        *asked.entry(path.clone()).or_default() += 1;
    }
    assert!(asked.len() > 30 && asked.values().all(|&count| count == 1), "{asked:?}");
    // Nothing is left to fetch.
    let before = site.log().len();
    let counts = crawl(&settings, folder.path(), &CrawlMonitor::default()).unwrap();
    assert_eq!((counts.requests, site.log().len()), (0, before));
}

#[test]
fn a_journal_that_was_cut_anywhere_goes_on_and_fetches_only_what_is_missing() {
    let site = site();
    let mut settings = site.settings();
    settings.sitemaps = true;
    let whole = tempfile::tempdir().unwrap();
    crawl(&settings, whole.path(), &CrawlMonitor::default()).unwrap();
    let expected = stored(whole.path());
    let bytes = fs::read(whole.path().join("crawl.journal")).unwrap();
    for length in (0..bytes.len()).step_by(bytes.len() / 16).chain([1, 31, 47, 48, 49, bytes.len() - 1]) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("crawl.journal"), &bytes[..length]).unwrap();
        let before = site.log().len();
        let there =
            lookalike_crawl::Crawled::open(folder.path()).map_or(0, |crawled| crawled.numbers().len());
        crawl(&settings, folder.path(), &CrawlMonitor::default()).unwrap();
        assert!(stored(folder.path()) == expected, "cut at byte {length}");
        let pages = site.log()[before..].iter().filter(|path| !path.contains('.')).count();
        assert_eq!(pages + there, expected_visits(&expected), "cut at byte {length}");
    }
}

fn expected_visits(stored: &[String]) -> usize {
    stored.iter().filter(|one| !one.starts_with("UnvisitedUrl")).count()
}

#[test]
fn a_damaged_journal_is_refused_and_stays_as_it_is() {
    let site = site();
    let whole = tempfile::tempdir().unwrap();
    crawl(&site.settings(), whole.path(), &CrawlMonitor::default()).unwrap();
    let bytes = fs::read(whole.path().join("crawl.journal")).unwrap();
    let flipped = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    let mut unwritten = bytes.clone();
    unwritten[..512].fill(0);
    for damaged in [flipped(8), flipped(32), flipped(47), unwritten] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("crawl.journal");
        fs::write(&path, &damaged).unwrap();
        let refused = crawl(&site.settings(), folder.path(), &CrawlMonitor::default());
        assert!(matches!(refused, Err(Error::Store(_))), "{refused:?}");
        assert!(fs::read(&path).unwrap() == damaged, "nothing was written");
    }
}

#[test]
fn a_crawl_whose_visits_have_other_numbers_is_refused() {
    let site = site();
    let whole = tempfile::tempdir().unwrap();
    crawl(&site.settings(), whole.path(), &CrawlMonitor::default()).unwrap();
    let kind = ContainerKind { tag: *b"crwl", name: "the journal of a crawl" };
    let journal = Journal::open(&whole.path().join("crawl.journal"), kind, 0).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl.journal");
    let mut writer = JournalWriter::create(&path, kind, 0, 0).unwrap();
    for (sequence, frame) in (0..).zip(journal.frames(journal.start(), journal.length().unwrap())) {
        let mut payload = frame.unwrap().payload.to_vec();
        // Visits 2 and 3 exchange their numbers.
        if payload[0] == 4 && matches!(payload[1], 2 | 3) {
            payload[1] ^= 1;
        }
        writer.append(sequence, &payload).unwrap();
    }
    drop(writer);
    let message = "has a crawl by another version of Lookalike; give another folder, or remove it";
    let opened = lookalike_crawl::Crawled::open(folder.path()).unwrap_err();
    assert!(opened.to_string().ends_with(message), "{opened}");
    let refused = crawl(&site.settings(), folder.path(), &CrawlMonitor::default()).unwrap_err();
    assert!(matches!(refused, Error::OtherVersion { .. }), "{refused}");
}

#[test]
fn another_setting_is_refused_and_more_pages_are_not() {
    let site = site();
    let mut settings = site.settings();
    settings.max_pages = 10;
    let folder = tempfile::tempdir().unwrap();
    crawl(&settings, folder.path(), &CrawlMonitor::default()).unwrap();
    let mut other = settings.clone();
    other.max_depth = 3;
    let refused = crawl(&other, folder.path(), &CrawlMonitor::default()).unwrap_err().to_string();
    assert!(refused.contains("another limit of depth: 1000, not 3"), "{refused}");
    settings.connections = 2;
    settings.max_pages = 20;
    assert_eq!(crawl(&settings, folder.path(), &CrawlMonitor::default()).unwrap().pages, 20);
    settings.max_pages = 19;
    assert!(crawl(&settings, folder.path(), &CrawlMonitor::default()).is_err());
}

#[test]
fn a_folder_that_is_in_use_or_has_other_files_is_refused() {
    let site = site();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let refused = crawl(&site.settings(), folder.path(), &CrawlMonitor::default());
    assert!(matches!(refused, Err(Error::FolderNotEmpty { name, .. }) if name == "notes.txt"));
    let folder = tempfile::tempdir().unwrap();
    let lock = fs::File::create(folder.path().join("crawl.lock")).unwrap();
    lock.lock().unwrap();
    let refused = crawl(&site.settings(), folder.path(), &CrawlMonitor::default());
    assert!(matches!(refused, Err(Error::Busy { .. })));
}
