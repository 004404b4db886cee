//! A folder of HTML files, as if it were a site.

use super::{GivenAnswer, Storing};
use crate::crawl::{CrawlCounts, CrawlMonitor};
use crate::error::Error;
use crate::fetch::Failure;
use crate::fetch::FetchLimits;
use crate::visit::VisitRead;
use reqwest::header::CONTENT_TYPE;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use url::Url;
use walkdir::WalkDir;

/// The extensions of pages.
const EXTENSIONS: [&str; 4] = ["htm", "html", "shtml", "xhtml"];

/// Reads all HTML files in `folder`, and stores them in `state`, in the order of their paths. A page has the URL `file:///`, and its path in the
/// folder; links between files are resolved as a server does, with `index.html` for a folder.
///
/// # Errors
/// [`Error::File`] if a file cannot be read, [`Error::Interrupted`], and the errors of the state folder.
pub fn read_folder(folder: &Path, state: &Path, monitor: &CrawlMonitor) -> Result<CrawlCounts, Error> {
    let files = files(folder)?;
    let mut storing = Storing::open(format!("folder {}", folder.display()), state, monitor)?;
    let urls: HashSet<String> = files.iter().map(|(url, _)| url.as_str().to_owned()).collect();
    let adapt = |read: &mut VisitRead| resolve_links(read, &urls);
    let limit = FetchLimits::default().page_bytes as u64;
    for (url, path) in files {
        let read = |source| Error::File { path: path.clone(), source };
        let given = if fs::metadata(&path).map_err(read)?.len() > limit {
            GivenAnswer { url, answer: Err(Failure::TooLong { limit }) }
        } else {
            let body = fs::read(&path).map_err(read)?;
            GivenAnswer::new(url, 200, body, &[(CONTENT_TYPE, Some("text/html".to_owned()))])
        };
        storing.push(given, &adapt)?;
    }
    storing.finish(&adapt)
}

/// All pages below a folder, with their URLs, in the order of these.
fn files(folder: &Path) -> Result<Vec<(Url, PathBuf)>, Error> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            Error::File { path, source: error.into() }
        })?;
        let extension = entry.path().extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_page = EXTENSIONS.iter().any(|page| page.eq_ignore_ascii_case(extension));
        if is_page
            && entry.file_type().is_file()
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
    Some(lookalike_corpus::crawled_url(url))
}

/// Points links to folders, and links without an extension, to their files.
fn resolve_links(read: &mut VisitRead, urls: &HashSet<String>) {
    let Some(page) = &mut read.visit.page else { return };
    for link in &mut page.links {
        if !link.url.starts_with("file:") || urls.contains(&link.url) {
            continue;
        }
        let bare = link.url.split('?').next().unwrap_or_default().trim_end_matches('/');
        let candidates = [format!("{bare}/index.html"), format!("{bare}.html"), bare.to_owned()];
        if let Some(found) = candidates.into_iter().find(|candidate| urls.contains(candidate)) {
            link.written.get_or_insert_with(|| link.url.clone());
            link.url = found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawled::Crawled;

    #[test]
    fn all_pages_of_a_folder_are_read_and_their_links_lead_to_files() {
        let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "index.html",
            "<a href=sub/>s</a><a href='/a b'>a</a><a href=none.html>n</a><a href=https://example.org/>x</a>",
        );
        write("a b.HTML", "<title>space</title>");
        write("a b.html", "text");
        write("sub/index.html", "<a href=../index.html?x>up</a>");
        write("notes.txt", "no page");
        let counts = read_folder(folder.path(), state.path(), &CrawlMonitor::default()).unwrap();
        assert_eq!((counts.visited, counts.pages), (4, 4));
        let crawled = Crawled::open(state.path()).unwrap();
        let urls: Vec<&str> = crawled.numbers().iter().map(|&number| crawled.url(number)).collect();
        let expected =
            ["file:///a%20b.HTML", "file:///a%20b.html", "file:///index.html", "file:///sub/index.html"];
        assert_eq!(urls, expected);
        let links: Vec<_> =
            crawled.pages().flat_map(|page| page.unwrap().1.visit.page.unwrap().links).collect();
        let known: Vec<Option<u32>> = links.iter().map(|link| crawled.number_of(&link.url)).collect();
        assert_eq!(known, [Some(3), Some(1), None, None, Some(2)]);
        // Nothing is read twice.
        let before = fs::metadata(state.path().join("crawl.journal")).unwrap().len();
        read_folder(folder.path(), state.path(), &CrawlMonitor::default()).unwrap();
        assert_eq!(fs::metadata(state.path().join("crawl.journal")).unwrap().len(), before);
    }
}
