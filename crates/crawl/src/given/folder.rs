//! A folder of HTML files, as if it were a site.

use super::links::FolderLinks;
use super::{GivenAnswer, Storing};
use crate::crawl::{CrawlCounts, CrawlMonitor};
use crate::error::Error;
use crate::fetch::FetchFailure;
use crate::fetch::FetchLimits;
use crate::visit::VisitRead;
use reqwest::header::CONTENT_TYPE;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use url::Url;
use walkdir::WalkDir;

/// The extensions of pages.
const EXTENSIONS: [&str; 4] = ["htm", "html", "shtml", "xhtml"];

/// The statuses that a server would give for a file that it has, and for one that it does not have.
const FOUND: u16 = 200;
const MISSING: u16 = 404;

/// Reads all HTML files in `folder`, and stores them in `state`, in the order of their paths. Files that this audit writes are `left_out`. A page has the URL
/// `file:///`, and its path in the folder; links between files are resolved as a server does, with `index.html` for a folder. A link to a file that the
/// folder does not have is broken.
///
/// All files are read anew each time. What `state` has of an earlier time is replaced.
///
/// # Errors
/// [`Error::File`] if a file cannot be read, [`Error::Interrupted`], and the errors of the state folder.
pub fn read_folder(
    folder: &Path,
    left_out: &[PathBuf],
    state: &Path,
    monitor: &CrawlMonitor,
) -> Result<CrawlCounts, Error> {
    let files = files(folder, left_out)?;
    let mut storing = Storing::open(folder.display().to_string(), state, monitor)?;
    let links = FolderLinks::new(files.iter().map(|(url, _)| url.as_str()));
    let others: Mutex<BTreeSet<String>> = Mutex::default();
    let adapt = |read: &mut VisitRead| {
        let Some(page) = &mut read.visit.page else { return };
        let found = links.resolve_all(page);
        others.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
    };
    let limit = FetchLimits::default().page_bytes as u64;
    for (url, path) in files {
        let read = |source| Error::File { path: path.clone(), source };
        let given = if fs::metadata(&path).map_err(read)?.len() > limit {
            GivenAnswer { url, answer: Err(FetchFailure::TooLong { limit }) }
        } else {
            let body = fs::read(&path).map_err(read)?;
            GivenAnswer::new(url, FOUND, body, [(CONTENT_TYPE, "text/html".to_owned())])
        };
        storing.push(given, &adapt)?;
    }
    storing.store(&adapt)?;
    // All pages are stored, so these are all.
    let others = std::mem::take(&mut *others.lock().unwrap_or_else(PoisonError::into_inner));
    for url in others {
        let Ok(url) = Url::parse(&url) else { continue };
        let status = if is_file(folder, &url) { FOUND } else { MISSING };
        storing.push(GivenAnswer::without_content(url, status), &adapt)?;
    }
    storing.finish(&adapt)
}

/// All pages below a folder, with their URLs, in the order of these.
fn files(folder: &Path, left_out: &[PathBuf]) -> Result<Vec<(Url, PathBuf)>, Error> {
    let left_out: Vec<PathBuf> = left_out.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let mut files = Vec::new();
    for entry in WalkDir::new(folder) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            Error::File { path, source: error.into() }
        })?;
        let extension = entry.path().extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_page = EXTENSIONS.iter().any(|page| page.eq_ignore_ascii_case(extension));
        let is_left_out =
            || !left_out.is_empty() && entry.path().canonicalize().is_ok_and(|path| left_out.contains(&path));
        if is_page
            && entry.file_type().is_file()
            && !is_left_out()
            && let Ok(relative) = entry.path().strip_prefix(folder)
            && let Some(url) = url_of(relative)
        {
            files.push((url, entry.into_path()));
        }
    }
    files.sort();
    Ok(files)
}

/// The URL of a file, by its path in the folder.
fn url_of(relative: &Path) -> Option<Url> {
    let mut url = Url::parse("file:///").ok()?;
    let names: Option<Vec<&str>> = relative.iter().map(|name| name.to_str()).collect();
    url.path_segments_mut().ok()?.clear().extend(names?);
    Some(lookalike_html::crawled_url(url))
}

/// Whether the folder has a file with this URL.
fn is_file(folder: &Path, url: &Url) -> bool {
    // A URL has no `..`, and its path is absolute.
    let path = url.to_file_path().ok();
    let relative = path.as_deref().and_then(|path| path.strip_prefix("/").ok());
    relative.is_some_and(|relative| folder.join(relative).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawled::Crawled;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn read(folder: &Path, state: &Path) -> (CrawlCounts, Crawled) {
        let counts = read_folder(folder, &[], state, &CrawlMonitor::default()).unwrap();
        (counts, Crawled::open(state).unwrap())
    }

    fn urls(crawled: &Crawled) -> Vec<&str> {
        crawled.numbers().iter().map(|&number| crawled.url(number)).collect()
    }

    #[test]
    fn all_pages_of_a_folder_are_read_and_their_links_lead_to_files() {
        let state = tempfile::tempdir().unwrap();
        let folder = folder(&[
            (
                "index.html",
                "<a href=sub/>s</a><a href='/a b'>a</a><a href=none.html>n</a><a href=https://example.org/>x</a><a href=notes.txt?v=1>t</a>",
            ),
            ("a b.HTML", "<title>space</title><link rel=canonical href='/a b'>"),
            ("a b.html", "text"),
            ("sub/index.html", "<link rel=canonical href=https://example.org/sub/><a href=../>up</a>"),
            ("notes.txt", "no page"),
        ]);
        let (counts, crawled) = read(folder.path(), state.path());
        assert_eq!((counts.visited, counts.pages), (6, 4));
        let expected = [
            "file:///a%20b.HTML",
            "file:///a%20b.html",
            "file:///index.html",
            "file:///none.html",
            "file:///notes.txt?v=1",
            "file:///sub/index.html",
        ];
        assert_eq!(urls(&crawled), expected);
        let visits: Vec<_> = crawled.pages().map(|page| page.unwrap().1.visit).collect();
        let pages = || visits.iter().filter_map(|visit| visit.page.as_ref());
        let known = |url: &String| crawled.number_of(url).map(|number| crawled.url(number));
        let links: Vec<_> = pages().flat_map(|page| &page.links).map(|link| known(&link.url)).collect();
        assert_eq!(
            links,
            [
                Some(expected[5]),
                Some(expected[1]),
                Some(expected[3]),
                None,
                Some(expected[4]),
                Some(expected[2])
            ]
        );
        let canonical: Vec<_> = pages().filter_map(|page| page.canonical.as_ref()).map(known).collect();
        assert_eq!(canonical, [Some(expected[1]), Some(expected[5])]);
        let outcome = |url: &str| {
            let visit = visits.iter().find(|visit| visit.url == url).unwrap();
            (format!("{:?}", visit.outcome), visit.status)
        };
        assert_eq!(outcome(expected[3]), ("Broken".to_owned(), Some(404)));
        assert_eq!(outcome(expected[4]), ("Resource".to_owned(), Some(200)));
    }

    #[test]
    fn a_folder_is_read_as_it_is_now_and_without_the_files_of_the_audit() {
        let state = tempfile::tempdir().unwrap();
        let folder = folder(&[("b.html", "old"), ("c.html", "gone")]);
        let (_, before) = read(folder.path(), state.path());
        fs::write(folder.path().join("a.html"), "new").unwrap();
        fs::write(folder.path().join("b.html"), "other").unwrap();
        fs::remove_file(folder.path().join("c.html")).unwrap();
        let report = folder.path().join("report.html");
        fs::write(&report, "the report of the last time").unwrap();
        read_folder(folder.path(), &[report], state.path(), &CrawlMonitor::default()).unwrap();
        let after = Crawled::open(state.path()).unwrap();
        assert_eq!(urls(&after), ["file:///a.html", "file:///b.html"]);
        let text = |crawled: &Crawled, number| crawled.page(number).unwrap().unwrap().blocks[0].text.clone();
        assert_eq!((text(&after, 0), text(&after, 1)), ("new".to_owned(), "other".to_owned()));
        assert_eq!(text(&before, 0), "old", "who reads it at that moment can go on");
    }
}
