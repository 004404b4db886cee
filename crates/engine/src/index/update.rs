//! Adds what is new to an index: files beside those that are there, and then a manifest that names them.

use super::Index;
use super::format::{PART_DOCUMENTS, RECORD_DOCUMENTS, RECORD_LINKS, SegmentFile};
use super::key_set::{KeyStart, start_of};
use super::manifest::{FileEntry, Manifest, SegmentEntry};
use super::repeated::identity;
use crate::documents::Documents;
use crate::documents::names::Names;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use lookalike::Weights;
use lookalike::search::{SketchBuilder, SketchView};
use lookalike_corpus::{Chunk, Completed, Fields, Queue, Reader, Scan, Scratch};
use lookalike_store::{Found, LogWriter, bytes_of};
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// The parts of the record of a document.
pub(super) struct Document;

impl Document {
    pub(super) const KEYS: usize = 0;
    pub(super) const SIGNATURE: usize = 1;
    pub(super) const CONTENT: usize = 2;
    pub(super) const ID: usize = 3;
    pub(super) const FEATURES: usize = 4;
}

/// New documents that are on the disk, and not in the index yet. Dropped before they are, they leave nothing behind.
#[derive(Debug)]
pub struct Update {
    index: Arc<Index>,
    /// `None` if there was nothing to add.
    segment: Option<SegmentEntry>,
    files: Files,
}

/// Files that are removed again, unless they are kept.
#[derive(Debug, Default)]
struct Files(Vec<PathBuf>);

impl Drop for Files {
    fn drop(&mut self) {
        for path in &self.0 {
            // What cannot be removed now is removed by the next update.
            let _ = fs::remove_file(path);
        }
    }
}

/// What is compared of the documents of a chunk.
struct Sets {
    documents: Range<u32>,
    /// Those of one document behind those of another.
    features: Vec<u64>,
    ends: Vec<usize>,
}

/// Records that are written in the order of their documents, so that the same documents give the same bytes.
struct Written {
    log: LogWriter,
    queue: Queue<Sets>,
    places: Vec<Found>,
    features: u64,
}

impl Written {
    fn write(&mut self, sets: &Sets, view: SketchView<'_>, names: &Names<'_>) -> Result<(), Error> {
        let mut start = 0;
        for (document, &end) in sets.documents.clone().zip(&sets.ends) {
            let id = names.id(document);
            self.places.push(self.log.push(&record(view, document, &id, &sets.features[start..end])));
            start = end;
        }
        self.features += sets.features.len() as u64;
        Ok(self.log.flush()?)
    }
}

/// What is added.
#[derive(Clone, Copy)]
pub struct Added<'a> {
    /// The new documents, behind those that were taken out of the index.
    pub scanned: Scanned<'a>,
    /// The first document of all that hangs together, for every document.
    pub roots: &'a [u32],
}

impl Update {
    /// Writes the new documents, and what they hang together with.
    pub fn write(index: Arc<Index>, added: Added<'_>) -> Result<Self, Error> {
        let Scanned { documents, inputs, monitor, .. } = added.scanned;
        let mut update = Update { index, segment: None, files: Files::default() };
        let count = documents.len() - documents.first_new as usize;
        let Some(view) = documents.view().filter(|_| count > 0) else { return Ok(update) };
        let (documents_file, places, features) = update.write_documents(added, view, monitor)?;
        let files = [
            update.write_keys(documents, view)?,
            update.write_places(&places, monitor)?,
            documents_file,
            update.write_links(added)?,
        ];
        let number = update.index.next_number();
        let inputs = identity(inputs);
        update.segment = Some(SegmentEntry { number, documents: count as u64, features, inputs, files });
        Ok(update)
    }

    /// How many documents the index will have.
    pub fn documents(&self) -> u64 {
        self.index.documents() + self.segment.as_ref().map_or(0, |segment| segment.documents)
    }

    /// A manifest that names them, too. When it has its name, they are part of the index: all of them at once.
    pub fn manifest(&self) -> Result<Completed, Error> {
        let before = &self.index.manifest;
        let mut manifest = Manifest { lookalike: env!("CARGO_PKG_VERSION").to_owned(), ..before.clone() };
        manifest.documents = self.documents();
        manifest.segments.extend(self.segment.clone());
        manifest.write(&self.index.folder, &self.index.plan)
    }

    /// They are part of the index now.
    pub fn keep(mut self) {
        self.files.0.clear();
    }

    fn create(&mut self, file: SegmentFile) -> Result<LogWriter, Error> {
        let path = self.index.folder.join(file.name(self.index.next_number()));
        self.files.0.push(path.clone());
        Ok(LogWriter::create(&path, file.kind(), self.index.plan.id().0)?)
    }

    /// Reads the new documents once more, and writes the record of each, in their order. Tells where each is, and how many different
    /// features all of them have.
    fn write_documents(
        &mut self,
        added: Added<'_>,
        view: SketchView<'_>,
        monitor: &Monitor,
    ) -> Result<(FileEntry, Vec<Found>, u64), Error> {
        let Scanned { request, inputs, documents, .. } = added.scanned;
        let names = Names { inputs, documents };
        let fields = Fields { text: request.text_field.clone(), id: None, number: None, within: Vec::new() };
        let count = documents.len() - documents.first_new as usize;
        let written = Mutex::new(Written {
            log: self.create(SegmentFile::Documents)?,
            queue: Queue::default(),
            places: Vec::with_capacity(count),
            features: 0,
        });
        let bar = monitor.stage("add", Unit::Documents, Some(count as u64));
        let reader = Reader::new(inputs, &fields, Scan::DocumentsInOrder);
        let state = || (SketchBuilder::new(&request.plan, &Weights::Set, request.level), Scratch::default());
        let work = |(builder, scratch): &mut (SketchBuilder, Scratch), chunk: Chunk<'_>| {
            let range =
                documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
            let (mut features, mut ends) = (Vec::new(), Vec::with_capacity(range.len()));
            let mut loaded = chunk.load(scratch)?;
            for document in range.clone() {
                let changed = |problem| Error::Changed { place: names.place(document), problem };
                let record = loaded.record(documents.places[document as usize]);
                let record = record.map_err(|bad| changed(bad.problem.to_string()))?;
                let (compared, content) = builder.compared_and_content(record.text);
                if content != view.contents[document as usize] {
                    return Err(changed("it is another text".to_owned()));
                }
                let start = features.len();
                features.extend_from_slice(compared);
                let distinct = builder.prepare(&mut features[start..], &mut []);
                features.truncate(start + distinct);
                ends.push(features.len());
            }
            bar.inc(range.len() as u64);
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            written.queue.push(loaded.turn(), Sets { documents: range, features, ends });
            while let Some(sets) = written.queue.pop() {
                written.write(&sets, view, &names)?;
            }
            Ok(None::<()>)
        };
        let done = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
        drop(bar);
        done?;
        let Written { log, places, features, .. } =
            written.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((complete(log)?, places, features))
    }

    fn write_keys(&mut self, documents: &Documents, view: SketchView<'_>) -> Result<FileEntry, Error> {
        let mut log = self.create(SegmentFile::Keys)?;
        let bands = view.banding.bands;
        for keys in view.keys[documents.first_new as usize * bands..].chunks(RECORD_DOCUMENTS * bands) {
            let starts: Vec<KeyStart> = keys.iter().copied().map(start_of).collect();
            log.append(&[bytes_of(&starts)])?;
        }
        complete(log)
    }

    fn write_places(&mut self, places: &[Found], monitor: &Monitor) -> Result<FileEntry, Error> {
        let mut log = self.create(SegmentFile::Places)?;
        for places in places.chunks(RECORD_DOCUMENTS) {
            monitor.interrupt.check()?;
            let parts: Vec<&[u8]> = places.chunks(PART_DOCUMENTS).map(bytes_of).collect();
            log.append(&parts)?;
        }
        complete(log)
    }

    fn write_links(&mut self, added: Added<'_>) -> Result<FileEntry, Error> {
        let mut log = self.create(SegmentFile::Links)?;
        for links in self.links(added).chunks(RECORD_LINKS) {
            log.append(&[bytes_of(links)])?;
        }
        complete(log)
    }

    /// The first of all that a new document hangs together with, and that document; and the same for what was the first of something
    /// in the index and is no more. By their numbers in the whole index.
    fn links(&self, Added { scanned, roots }: Added<'_>) -> Vec<[u64; 2]> {
        let documents = scanned.documents;
        let number = |document: u32| match documents.indexed.numbers.get(document as usize) {
            Some(&number) => number,
            None => self.index.documents() + u64::from(document - documents.first_new),
        };
        let is_linked = |document: u32| {
            let first = documents.indexed.first_of.get(document as usize);
            first.is_some_and(|&first| first != document)
        };
        (0..)
            .zip(roots)
            .filter(|&(document, &root)| root != document && !is_linked(document))
            .map(|(document, &root)| [number(root), number(document)])
            .collect()
    }
}

/// The parts of the record of `document`.
fn record<'a>(view: SketchView<'a>, document: u32, id: &'a str, features: &'a [u64]) -> [&'a [u8]; 5] {
    let index = document as usize;
    let (bands, num_perm) = (view.banding.bands, view.num_perm);
    let mut parts: [&[u8]; 5] = [&[]; 5];
    parts[Document::KEYS] = bytes_of(&view.keys[index * bands..][..bands]);
    parts[Document::SIGNATURE] = &view.bytes[index * num_perm..][..num_perm];
    parts[Document::CONTENT] = bytes_of(&view.contents[index..=index]);
    parts[Document::ID] = id.as_bytes();
    parts[Document::FEATURES] = bytes_of(features);
    parts
}

/// Waits until everything is on the disk; tells which file it is.
fn complete(log: LogWriter) -> Result<FileEntry, Error> {
    log.sync()?;
    Ok(FileEntry { bytes: log.length(), digest: log.digest() })
}
