//! Adds the documents of a run to an index.

use super::repeated::identity;
use crate::documents::names::Names;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::progress::Unit;
use crate::scan::scan;
use lookalike::Weights;
use lookalike::search::{SketchBuilder, SketchView};
use lookalike_corpus::{Chunk, Completed, Fields, Queue, Reader, Scan, Scratch};
use lookalike_index::{Index, IndexedDocuments, NewDocument, SegmentWriter, Update, WrittenManifest};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Writes the new documents of `scanned` beside the segments of `index`. `roots` holds the first document of each document's cluster.
///
/// # Errors
/// [`Error`] if an input has changed, or if a file cannot be read or written.
pub fn add(index: Arc<Index>, scanned: Scanned<'_>, roots: &[u32]) -> Result<Update, Error> {
    let documents = scanned.documents;
    let links = links(&documents.indexed, index.documents(), roots);
    let mut writer = SegmentWriter::create(index)?;
    if let Some(view) = documents.view().filter(|_| documents.len() > documents.first_new as usize) {
        writer = write_documents(writer, scanned, view)?;
    }
    Ok(writer.finish(&links, identity(scanned.inputs))?)
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

/// The features of the documents of a chunk.
struct ChunkFeatures {
    documents: Range<u32>,
    /// The distinct features of each document, one document after the other.
    features: Vec<u64>,
    /// The end of each document in `features`.
    ends: Vec<usize>,
}

/// The writer of a segment, and the chunks that it cannot write yet: they come from several threads, and are written in their order.
struct OrderedWriter {
    writer: SegmentWriter,
    queue: Queue<ChunkFeatures>,
}

impl OrderedWriter {
    fn write(&mut self, chunk: &ChunkFeatures, view: SketchView<'_>, names: &Names<'_>) -> Result<(), Error> {
        let (bands, num_perm) = (view.banding.bands, view.num_perm);
        let mut start = 0;
        for (document, &end) in chunk.documents.clone().zip(&chunk.ends) {
            let index = document as usize;
            self.writer.push(NewDocument {
                keys: &view.keys[index * bands..][..bands],
                signature: &view.bytes[index * num_perm..][..num_perm],
                content: view.contents[index],
                id: &names.id(document),
                features: &chunk.features[start..end],
            })?;
            start = end;
        }
        Ok(())
    }
}

/// Reads the new documents once more, and writes them in their order.
fn write_documents(
    writer: SegmentWriter,
    scanned: Scanned<'_>,
    view: SketchView<'_>,
) -> Result<SegmentWriter, Error> {
    let Scanned { request, inputs, documents, monitor } = scanned;
    let names = Names { inputs, documents };
    let fields = Fields { text: request.text_field.clone(), id: None, number: None, within: Vec::new() };
    let ordered = Mutex::new(OrderedWriter { writer, queue: Queue::default() });
    let count = documents.len() - documents.first_new as usize;
    let bar = monitor.stage("add", Unit::Documents, Some(count as u64));
    let reader = Reader::new(inputs, &fields, Scan::DocumentsInOrder);
    let state = || (SketchBuilder::new(&request.plan, &Weights::Set, request.level), Scratch::default());
    let work = |(builder, scratch): &mut (SketchBuilder, Scratch), chunk: Chunk<'_>| {
        let range = documents.chunk_index(chunk.id()).map_or(0..0, |index| documents.chunks[index].range());
        let mut loaded = chunk.load(scratch)?;
        let mut features = Vec::new();
        let mut ends = Vec::with_capacity(range.len());
        for document in range.clone() {
            let record = loaded.record(documents.places[document as usize]);
            let record = record.map_err(|bad| changed(&names, document, bad.problem.to_string()))?;
            let (compared, content) = builder.compared_and_content(record.text);
            if content != view.contents[document as usize] {
                return Err(changed(&names, document, "it is another text".to_owned()));
            }
            let start = features.len();
            features.extend_from_slice(compared);
            let distinct = builder.prepare(&mut features[start..], &mut []);
            features.truncate(start + distinct);
            ends.push(features.len());
        }
        bar.inc(range.len() as u64);
        let mut ordered = ordered.lock().unwrap_or_else(PoisonError::into_inner);
        ordered.queue.push(loaded.turn(), ChunkFeatures { documents: range, features, ends });
        while let Some(chunk) = ordered.queue.pop() {
            ordered.write(&chunk, view, &names)?;
        }
        Ok(None::<()>)
    };
    let done = scan::<_, _, Error>(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    drop(bar);
    done?;
    Ok(ordered.into_inner().unwrap_or_else(PoisonError::into_inner).writer)
}

/// A record that is not the one that was read before.
fn changed(names: &Names<'_>, document: u32, problem: String) -> Error {
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
