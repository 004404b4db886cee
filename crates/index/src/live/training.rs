//! Trains the dictionary of an index that started without documents.

use super::SharedIndex;
use super::reader::Snapshot;
use crate::disk::checkpoint::Checkpoint;
use crate::disk::new_files::NewFiles;
use crate::error::Error;
use crate::log::texts::{Dictionary, SAMPLE_BYTES};
use std::sync::Arc;

/// Documents that an index has when its dictionary is trained, at least. Fewer may be of one source.
const TRAINED_DOCUMENTS: u64 = 4096;

/// Documents that a dictionary is trained on, at most.
const SAMPLE_DOCUMENTS: u64 = 4096;

/// Bytes of texts that a dictionary is trained on, at most: a quarter of a second of work.
const MOST_BYTES: usize = 8 * SAMPLE_BYTES;

impl SharedIndex {
    /// Trains the first dictionary as soon as there are enough texts. New documents are compressed with it from then on.
    pub(super) fn train(&self) -> Result<(), Error> {
        let snapshot = Snapshot::of(self);
        let is_taught = self.follows || self.encoder.has_dictionary() || !self.state().tables.stores_texts();
        if is_taught || snapshot.documents() < TRAINED_DOCUMENTS {
            return Ok(());
        }
        let texts = sample(&snapshot)?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Dictionary::train(1, &texts).map_or(Ok(()), |dictionary| self.add_dictionary(dictionary))
    }

    /// Writes a dictionary to the disk, and compresses new documents with it.
    pub(super) fn add_dictionary(&self, dictionary: Dictionary) -> Result<(), Error> {
        let mut written = self.reserve(1);
        let mut files = NewFiles::default();
        let (folder, owner) = (&self.folder, self.owner);
        Checkpoint { folder, owner, manifest: &mut written, files: &mut files }
            .add_dictionary(&dictionary)?;
        {
            let mut manifest = self.manifest();
            let mut next = manifest.clone();
            next.dictionaries = written.dictionaries;
            self.publish(&mut manifest, next, files)?;
        }
        let dictionary = Arc::new(dictionary);
        self.change_state(|state| state.dictionaries.push(Arc::clone(&dictionary)));
        // After the state: who reads a document that was compressed with it finds it there.
        self.encoder.set_dictionary(dictionary);
        Ok(())
    }
}

/// Texts of documents that are spread over all.
fn sample(snapshot: &Snapshot) -> Result<Vec<String>, Error> {
    let step = snapshot.documents().div_ceil(SAMPLE_DOCUMENTS) as usize;
    let (mut texts, mut bytes) = (Vec::new(), 0);
    for number in (0..snapshot.documents()).step_by(step) {
        let text = snapshot.document(number)?.text()?;
        bytes += text.len();
        texts.push(text);
        if bytes >= MOST_BYTES {
            break;
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;
    use crate::log::record::NewDocument;
    use lookalike::sketch::ContentHash;
    use lookalike::{Method, Options};

    fn text(number: u64) -> String {
        format!("the weather on day {number} is fair, and the wind comes from the west or the south ")
    }

    fn add(writer: &mut super::super::IndexWriter, number: u64) -> usize {
        let keys = [number; 4];
        let encoded = writer.encoder().encode(&NewDocument {
            keys: &keys,
            signature: &[0; 16],
            content: ContentHash::of_parts([number, 1, 7]),
            id: &format!("day{number}"),
            text: &text(number),
            ..NewDocument::default()
        });
        writer.add(&encoded, &keys);
        encoded.bytes()
    }

    #[test]
    fn documents_are_smaller_with_a_dictionary_and_all_are_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        let (method, num_perm, bands, rows) = (Some(Method::MinHash), Some(16), Some(4), Some(4));
        let plan = Options { method, num_perm, bands, rows, ..Options::default() }.plan().unwrap();
        let (mut writer, reader) = Index::create(&path, &plan).unwrap().into_live().unwrap();
        let before = (0..TRAINED_DOCUMENTS).map(|number| add(&mut writer, number)).max().unwrap();
        writer.commit(None).unwrap().finish().unwrap();
        // The thread in the background would train another one.
        writer.keeper.finish();
        reader.0.train().unwrap();
        let after = add(&mut writer, TRAINED_DOCUMENTS);
        assert!(after + 20 < before, "{after} bytes after {before}");
        writer.commit(None).unwrap().finish().unwrap();
        writer.close().unwrap();
        let (writer, reader) = Index::open_to_add(&path).unwrap().into_live().unwrap();
        let snapshot = reader.snapshot();
        for number in [0, TRAINED_DOCUMENTS] {
            assert_eq!(snapshot.document(number).unwrap().text().unwrap(), text(number));
        }
        assert!(writer.encoder().has_dictionary());
    }
}
