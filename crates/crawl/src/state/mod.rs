//! The state of a crawl: a folder with a journal, which survives a kill at any moment.
//!
//! A URL is visited when its entry is in the journal. All else follows from the entries: which URLs were found, in which order, and
//! which rules refused the others ([`Frontier`](crate::crawl::Frontier)). So nothing else is stored, and nothing can contradict it.

mod entry;
mod folder;
mod packed;
mod places;

pub(crate) use entry::visit as visit_entry;
pub(crate) use places::{SitemapPlace, VisitPlace};

use crate::error::Error;
use crate::robots::RobotsFile;
use crate::settings::StoredSettings;
use crate::sitemap::Sitemap;
use entry::JournalEntry;
use lookalike_store::{ContainerKind, Journal, JournalEnd, JournalWriter, starts_as};
use places::broken;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const KIND: ContainerKind = ContainerKind { tag: *b"crwl", name: "the journal of a crawl" };

/// Journals of crawls belong to nobody else.
const OWNER: u64 = 0;

/// The bytes before the first entry. A longer file has entries, so it is never replaced.
const START_BYTES: u64 = 48;

/// The entries between two syncs, and the time between them. A power cut loses the entries since the last sync, and their URLs are fetched
/// again. A sync takes 2 to 30 ms. With a sync for every 64 entries, a crawl of 10,000 pages spent half a second in syncs.
const SYNC_ENTRIES: u32 = 1024;
const SYNC_TIME: Duration = Duration::from_secs(1);

/// What a journal has, apart from the visits themselves.
#[derive(Debug, Default)]
pub(crate) struct JournalContents {
    pub(crate) settings: Option<StoredSettings>,
    pub(crate) robots: Vec<RobotsFile>,
    /// The URLs of sitemaps, and where they are. A site may list millions of pages, so that these stay in the journal.
    pub(crate) sitemaps: Vec<(String, SitemapPlace)>,
    /// Where visits are, by number.
    pub(crate) visits: HashMap<u32, VisitPlace>,
    /// Whether the crawl has ended.
    pub(crate) ended: bool,
    /// The number of entries.
    entries: u64,
}

impl JournalContents {
    /// Reads all entries before `end`.
    fn read(journal: &Journal, end: JournalEnd) -> Result<Self, Error> {
        let mut contents = JournalContents::default();
        for frame in journal.frames(journal.start(), end.at) {
            let frame = frame?;
            let entry = entry::decode(&frame.payload).map_err(|error| broken(journal, &error))?;
            contents.add(journal, frame.at, &frame.payload, entry)?;
        }
        Ok(contents)
    }

    fn add(&mut self, journal: &Journal, at: u64, payload: &[u8], entry: JournalEntry) -> Result<(), Error> {
        match entry {
            JournalEntry::Settings(settings) => self.settings = Some(settings),
            JournalEntry::OtherVersion => {
                return Err(Error::OtherVersion { path: journal.path().to_owned() });
            }
            JournalEntry::Robots(file) => {
                // A crawl without visits starts again, and asks the same host again.
                if self.visits.is_empty() && self.robots.iter().any(|known| known.origin == file.origin) {
                    self.robots.clear();
                    self.sitemaps.clear();
                }
                self.robots.push(file);
            }
            JournalEntry::Sitemap(sitemap) => {
                self.sitemaps.push((sitemap.url, SitemapPlace::new(at, payload)))
            }
            JournalEntry::Visit(head) => {
                self.visits.insert(head.number, VisitPlace::new(at, payload, head));
            }
            JournalEntry::End => {}
        }
        self.ended = payload == entry::end();
        self.entries += 1;
        Ok(())
    }
}

/// Opens the journal in `folder` for reading. Another process may write to it.
pub(crate) fn open(folder: &Path) -> Result<(Journal, JournalContents), Error> {
    read(folder).map(|(journal, contents, _)| (journal, contents))
}

/// Removes the crawl of `source` from `folder`, if there is one. Of a damaged one nobody knows the source.
pub(crate) fn forget(folder: &Path, source: &str) -> Result<(), Error> {
    let path = folder::journal_path(folder);
    if !path.exists() {
        return Ok(());
    }
    let _lock = folder::lock(folder)?;
    match open(folder).map(|(_, contents)| contents.settings) {
        Ok(Some(stored)) if stored.source != source => {
            let (stored, asked) = (stored.source, source.to_owned());
            return Err(Error::OtherSetting { folder: folder.to_owned(), name: "source", stored, asked });
        }
        Err(error) if !starts_as(&path, KIND, Some(OWNER))? => return Err(error),
        Ok(_) | Err(_) => {}
    }
    std::fs::remove_file(&path).map_err(|source| lookalike_store::Error::Write { path, source })?;
    Ok(())
}

/// Reads the journal in `folder`, and where it ends.
fn read(folder: &Path) -> Result<(Journal, JournalContents, JournalEnd), Error> {
    let path = folder::journal_path(folder);
    if !path.exists() {
        return Err(Error::NoCrawl { folder: folder.to_owned() });
    }
    let journal = Journal::open_growing(&path, KIND, OWNER, 0)?;
    let end = journal.recover(journal.start(), 0)?.end;
    let contents = JournalContents::read(&journal, end)?;
    Ok((journal, contents, end))
}

/// Whether the file at `path` is a journal. A process that was killed at its start may have left a part of the start of
/// the file, which is then made anew. A file that has more is never replaced, whatever is wrong with it.
fn is_started(path: &Path) -> Result<bool, Error> {
    if !path.exists() {
        return Ok(false);
    }
    let Err(error) = Journal::open_growing(path, KIND, OWNER, 0) else { return Ok(true) };
    let read = |source| lookalike_store::Error::Read { path: path.to_owned(), source };
    let length = path.metadata().map_err(read)?.len();
    if length <= START_BYTES && starts_as(path, KIND, Some(OWNER))? { Ok(false) } else { Err(error.into()) }
}

/// The state of the crawl that this process makes.
#[derive(Debug)]
pub(crate) struct CrawlState {
    folder: PathBuf,
    writer: JournalWriter,
    journal: Journal,
    /// The entries since the last sync, and its time.
    unsynced: u32,
    synced: Instant,
    /// Whether the folder may not have the journal's name on the disk.
    is_new: bool,
    /// The number of all entries, which is the sequence number of the next one.
    entries: u64,
    _lock: folder::CrawlLock,
}

impl CrawlState {
    /// Locks `folder`, and reads what is there. A journal whose settings do not fit `settings` is refused.
    pub(crate) fn open(folder: &Path, settings: &StoredSettings) -> Result<(Self, JournalContents), Error> {
        let lock = folder::lock(folder)?;
        let path = folder::journal_path(folder);
        let is_new = !is_started(&path)?;
        let (writer, mut contents) = if is_new {
            (JournalWriter::create(&path, KIND, OWNER, 0)?, JournalContents::default())
        } else {
            let (_, contents, end) = read(folder)?;
            (JournalWriter::resume(&path, KIND, OWNER, end)?, contents)
        };
        let journal = Journal::open_growing(&path, KIND, OWNER, 0)?;
        let folder = folder.to_owned();
        let (synced, entries) = (Instant::now(), contents.entries);
        let mut state =
            CrawlState { folder, writer, journal, unsynced: 0, synced, is_new, entries, _lock: lock };
        state.settle(&mut contents, settings)?;
        Ok((state, contents))
    }

    /// The same, for a source that is read anew. What was read before is forgotten; a process that reads it now can go on.
    pub(crate) fn open_anew(folder: &Path, settings: &StoredSettings) -> Result<Self, Error> {
        let (state, contents) = CrawlState::open(folder, settings)?;
        if contents.visits.is_empty() {
            return Ok(state);
        }
        let path = folder::journal_path(folder);
        std::fs::remove_file(&path)
            .map_err(|source| lookalike_store::Error::Write { path: path.clone(), source })?;
        let writer = JournalWriter::create(&path, KIND, OWNER, 0)?;
        let journal = Journal::open_growing(&path, KIND, OWNER, 0)?;
        let mut state = CrawlState { writer, journal, unsynced: 0, entries: 0, ..state };
        state.settle(&mut JournalContents::default(), settings)?;
        Ok(state)
    }

    /// Compares the settings with the stored ones, and stores them.
    fn settle(&mut self, contents: &mut JournalContents, settings: &StoredSettings) -> Result<(), Error> {
        let difference = contents.settings.as_ref().and_then(|stored| stored.difference(settings));
        if let Some((name, stored, asked)) = difference {
            return Err(Error::OtherSetting { folder: self.folder.clone(), name, stored, asked });
        }
        if contents.settings.as_ref() != Some(settings) {
            self.append(entry::settings(settings))?;
            contents.ended = false;
        }
        Ok(())
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    pub(crate) fn store_robots(&mut self, file: &RobotsFile) -> Result<(), Error> {
        self.append(entry::robots(file)).map(|_| ())
    }

    pub(crate) fn store_sitemap(&mut self, sitemap: &Sitemap) -> Result<(), Error> {
        self.append(entry::sitemap(sitemap)).map(|_| ())
    }

    /// Stores a visit, which [`visit_entry`] has encoded. From here on it is not fetched again.
    pub(crate) fn store_visit(&mut self, payload: io::Result<Vec<u8>>) -> Result<VisitPlace, Error> {
        let (at, payload) = self.append(payload)?;
        match entry::decode(&payload) {
            Ok(JournalEntry::Visit(head)) => Ok(VisitPlace::new(at, &payload, head)),
            Ok(_) => Err(broken(&self.journal, &io::Error::other("it is no visit"))),
            Err(error) => Err(broken(&self.journal, &error)),
        }
    }

    /// Stores that the crawl has ended.
    pub(crate) fn store_end(&mut self) -> Result<(), Error> {
        self.append(Ok(entry::end()))?;
        self.sync()
    }

    /// Waits until all entries are on the disk.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.writer.sync()?;
        if std::mem::take(&mut self.is_new) {
            folder::sync(&self.folder)?;
        }
        (self.unsynced, self.synced) = (0, Instant::now());
        Ok(())
    }

    fn append(&mut self, payload: io::Result<Vec<u8>>) -> Result<(u64, Vec<u8>), Error> {
        let payload = payload.map_err(|error| broken(&self.journal, &error))?;
        let at = self.writer.append(self.entries, &payload)?;
        self.entries += 1;
        self.unsynced += 1;
        if self.unsynced >= SYNC_ENTRIES || self.synced.elapsed() >= SYNC_TIME {
            self.sync()?;
        }
        Ok((at, payload))
    }
}
