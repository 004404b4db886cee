//! Folders of HTML files as pages, and threads, for the programs of this folder.

use lookalike::Executor;
use lookalike_audit::{PageFacts, SiteBlock, SitePage};
use lookalike_html::HtmlPage;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs parts on so many threads.
pub(crate) struct Threads(pub(crate) usize);

impl Executor for Threads {
    type Stopped = Infallible;

    fn width(&self) -> usize {
        self.0
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(parts)));
        std::thread::scope(|scope| {
            for _ in 0..self.0.min(parts) {
                scope.spawn(|| {
                    loop {
                        let part = next.fetch_add(1, Ordering::Relaxed);
                        if part >= parts {
                            break;
                        }
                        let result = work(part);
                        done.lock().expect("no part panics").push((part, result));
                    }
                });
            }
        });
        let mut done = done.into_inner().expect("no part panics");
        done.sort_by_key(|(part, _)| *part);
        done.into_iter().map(|(_, result)| result).collect()
    }

    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The HTML files below `folder`, each with its URL, sorted.
pub(crate) fn html_files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(&inner).expect("the folder can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "html" || end == "htm") {
                let below = path.strip_prefix(folder).expect("the file is below the folder");
                files.push((format!("http://site/{}", below.display()), path));
            }
        }
    }
    files.sort();
    files
}

/// The page of an HTML file.
pub(crate) fn page(url: &str, html: &[u8]) -> SitePage {
    let blocks = SiteBlock::of(HtmlPage::read(html, None));
    SitePage { facts: PageFacts { url: url.to_owned(), ..PageFacts::default() }, blocks }
}
