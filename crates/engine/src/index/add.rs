//! Adds the documents of a run to an index.

use super::about::{about, stored_fields};
use super::progress::StageAdvance;
use super::repeated::identity;
use super::stored::StoredColumns;
use crate::documents::names::DocumentNames;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::progress::Unit;
use crate::scan::scan;
use crate::search::Sketched;
use lookalike::search::SketchBuilder;
use lookalike_corpus::{Chunk, Completed, Fields, Loaded, Queue, Reader, Record, Scan, Scratch};
use lookalike_index::{
    EncodedDocuments, Index, IndexedDocuments, NewDocument, Update, UpdateWriter, WrittenManifest,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Writes the new documents of `sketched` beside the files of `index`. `roots` holds the first document of each document's cluster.
///
/// # Errors
/// [`Error`] if an input has changed, if a file cannot be read or written, or if the run is stopped.
pub fn add(index: Arc<Index>, sketched: Sketched<'_>, roots: &[u32]) -> Result<Update, Error> {
    let scanned = sketched.scanned;
    let documents = scanned.documents;
    let links = links(&documents.indexed, index.documents(), roots);
    let has_new = documents.len() > documents.first_new as usize;
    let stored = StoredColumns::new(&documents.sketches, index.tables());
    let keys = stored.keys_from(documents.first_new);
    let trains = has_new && index.tables().stores_texts();
    let sample = if trains { sample(scanned)? } else { Vec::new() };
    let sample: Vec<&str> = sample.iter().map(|text| &text[..]).collect();
    let mut writer = UpdateWriter::create(index, keys, &sample)?;
    writer.set_time(documents.indexed.now);
    if has_new {
        writer = write_documents(writer, sketched, &stored)?;
    }
    let progress = StageAdvance { stage: None, interrupt: &scanned.monitor.interrupt };
    Ok(writer.finish(&links, identity(scanned.inputs), &progress)?)
}

/// The manifest that makes new documents part of the index when it gets its name.
///
/// # Errors
/// [`Error`] if it cannot be written.
pub fn completed_manifest(update: &Update) -> Result<Completed, Error> {
    let WrittenManifest { part, path } = update.write_manifest()?;
    let write = |source| lookalike_store::Error::Write { path: part.clone(), source };
    Ok(Completed::of_file(part.clone(), path).map_err(write)?)
}

/// The links that a run adds to an index: pairs of the first document and another member of a cluster, by numbers in the whole index.
/// `base` is the number of the first new document there, and `indexed` are the documents of the index that come before it in the run.
///
/// The index already holds the links of its own clusters. It gets one for each new document, and one for each document that was the
/// first of a cluster and is not any more.
fn links(indexed: &IndexedDocuments, base: u64, roots: &[u32]) -> Vec<[u64; 2]> {
    let first_new = indexed.numbers.len() as u32;
    let number = |document: u32| match indexed.numbers.get(document as usize) {
        Some(&number) => number,
        None => base + u64::from(document - first_new),
    };
    let is_linked = |document: u32| {
        let first = indexed.first_of.get(document as usize);
        first.is_some_and(|&first| first != document)
    };
    (0..)
        .zip(roots)
        .filter(|&(document, &root)| root != document && !is_linked(document))
        .map(|(document, &root)| [number(root), number(document)])
        .collect()
}

/// The texts of the first chunk that has new documents: a dictionary is trained on them.
fn sample(scanned: Scanned<'_>) -> Result<Vec<String>, Error> {
    let Scanned { request, inputs, documents, monitor } = scanned;
    let first = documents
        .chunks
        .iter()
        .find(|chunk| chunk.first_document >= documents.first_new && chunk.documents > 0);
    let Some(first) = first else { return Ok(Vec::new()) };
    let fields = request.fields_of_text();
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let is_done = AtomicBool::new(false);
    let work = |scratch: &mut Scratch, chunk: Chunk<'_>| {
        if chunk.id() != first.id {
            return Ok(None);
        }
        is_done.store(true, Ordering::Relaxed);
        let mut loaded = chunk.load(scratch)?;
        let texts = first.range().map(|document| Ok(record(scanned, &mut loaded, document)?.text.to_owned()));
        texts.collect::<Result<Vec<String>, Error>>().map(Some)
    };
    let (texts, _) = scan::<_, _, Error>(&reader, &monitor.interrupt, &is_done, Scratch::default, work)?;
    Ok(texts.into_iter().flatten().collect())
}

/// The record of `document`, which is in the chunk that is loaded.
fn record<'l>(scanned: Scanned<'_>, loaded: &'l mut Loaded<'_>, document: u32) -> Result<Record<'l>, Error> {
    let Scanned { inputs, documents, .. } = scanned;
    let record = loaded.record(documents.places[document as usize]);
    let names = DocumentNames { inputs, documents };
    record.map_err(|bad| changed(&names, document, bad.problem.to_string()))
}

/// The writer of an update, and the chunks that it cannot write yet: they come from several threads, and are written in their order.
struct OrderedWriter<'k> {
    writer: UpdateWriter<'k>,
    queue: Queue<EncodedDocuments>,
}

/// Reads the new documents once more, and writes them in their order.
fn write_documents<'k>(
    writer: UpdateWriter<'k>,
    sketched: Sketched<'_>,
    stored: &StoredColumns<'_>,
) -> Result<UpdateWriter<'k>, Error> {
    let Sketched { scanned, weights, .. } = sketched;
    let Scanned { request, inputs, documents, monitor } = scanned;
    let (encoder, base) = (writer.encoder(), writer.first_number());
    let names = DocumentNames { inputs, documents };
    let fields = Fields { stored: stored_fields(&request.about), ..request.fields_of_text() };
    let ordered = Mutex::new(OrderedWriter { writer, queue: Queue::default() });
    let count = documents.len() - documents.first_new as usize;
    let bar = monitor.stage("add", Unit::Documents, Some(count as u64));
    let reader = Reader::new(inputs, &fields, Scan::DocumentsInOrder);
    let state = || (SketchBuilder::new(&request.plan, weights, request.level), Scratch::default());
    let work = |(builder, scratch): &mut (SketchBuilder, Scratch), chunk: Chunk<'_>| {
        let range = documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
        let range = range.start.max(documents.first_new)..range.end;
        let first = base + u64::from(range.start.saturating_sub(documents.first_new));
        let mut loaded = chunk.load(scratch)?;
        let mut encoded = EncodedDocuments::new(first);
        for document in range.clone() {
            let record = record(scanned, &mut loaded, document)?;
            let text = record.text;
            if builder.compared_and_content(text).1 != stored.contents[document as usize] {
                return Err(changed(&names, document, "it is another text".to_owned()));
            }
            let about = record.stored.map(about).unwrap_or_default();
            let new = about.put_on(stored.document(document, text));
            encoded.push(&NewDocument { id: &names.id(document), ..new }, &encoder);
        }
        bar.inc(range.len() as u64);
        let mut ordered = ordered.lock().unwrap_or_else(PoisonError::into_inner);
        ordered.queue.push(loaded.turn(), encoded);
        while let Some(chunk) = ordered.queue.pop() {
            if !chunk.is_empty() {
                ordered.writer.push(&chunk)?;
            }
        }
        Ok(None::<()>)
    };
    let done = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    drop(bar);
    done?;
    Ok(ordered.into_inner().unwrap_or_else(PoisonError::into_inner).writer)
}

/// A record that is not the one that was read before.
fn changed(names: &DocumentNames<'_>, document: u32, problem: String) -> Error {
    Error::Changed { place: names.place(document), problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_hold_numbers_of_the_whole_index() {
        for base in [100, (1 << 32) - 1, 1 << 40] {
            let mut indexed = IndexedDocuments::default();
            // The second is a member of the first one's cluster. The third is the first of a cluster.
            indexed.numbers = vec![base - 90, base - 50, base - 7];
            indexed.first_of = vec![0, 0, 2];
            // A new document joins the two clusters, another is similar to it, and one is alone.
            let roots = [0, 0, 0, 0, 0, 5];
            let expected = [[base - 90, base - 7], [base - 90, base], [base - 90, base + 1]];
            assert_eq!(links(&indexed, base, &roots), expected);
        }
    }
}
