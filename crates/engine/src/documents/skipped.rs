//! Records that a run skipped: as summaries show them, and where they are among the documents.

use lookalike_corpus::ChunkId;
use serde::{Deserialize, Serialize};

/// Skipped records that a summary shows, at most.
pub const MOST_SKIPPED_EXAMPLES: usize = 100;

/// A record that was skipped.
#[derive(Clone, Debug, Serialize)]
pub struct SkippedRecord {
    /// File and line, or the file.
    pub place: String,
    /// The problem.
    pub problem: String,
}

/// Records that were skipped between two documents of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedRun {
    /// The number of documents before them in the chunk.
    pub after: u32,
    /// How many they are.
    pub records: u32,
}

impl SkippedRun {
    /// Adds a skipped record, which comes behind `documents` of its chunk, to the runs of the chunk.
    pub(super) fn add(runs: &mut Vec<SkippedRun>, documents: u32) {
        match runs.last_mut() {
            Some(run) if run.after == documents => run.records += 1,
            _ => runs.push(SkippedRun { after: documents, records: 1 }),
        }
    }
}

/// Where records were skipped among all documents. Each document has a row, which counts the documents and the skipped records before it.
///
/// Skipped records that follow each other take 16 bytes, however many they are.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SkippedPlaces(Vec<SkippedPlace>);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct SkippedPlace {
    file: u32,
    /// The number of the first document behind the skipped records.
    document: u32,
    /// All records that were skipped up to there.
    records: u64,
}

impl SkippedPlaces {
    /// The number of records that were skipped.
    pub fn records(&self) -> u64 {
        self.0.last().map_or(0, |last| last.records)
    }

    /// The number of records that were skipped before `document`.
    pub fn before(&self, document: u32) -> u64 {
        let places = self.0.partition_point(|place| place.document <= document);
        places.checked_sub(1).map_or(0, |last| self.0[last].records)
    }

    /// Appends the runs of a chunk, whose first document has the number `first_document`.
    pub(super) fn append(&mut self, chunk: ChunkId, first_document: u32, runs: &[SkippedRun]) {
        for run in runs {
            let records = self.records() + u64::from(run.records);
            self.0.push(SkippedPlace { file: chunk.file, document: first_document + run.after, records });
        }
    }

    /// Forgets what was skipped in the first `files`.
    pub(super) fn forget_files(&mut self, files: usize) {
        let first = self.0.partition_point(|place| (place.file as usize) < files);
        let forgotten = self.0.drain(..first).next_back().map_or(0, |last| last.records);
        self.0.iter_mut().for_each(|place| place.records -= forgotten);
    }

    /// Puts so many documents before all others.
    pub(super) fn shift(&mut self, documents: u32) {
        self.0.iter_mut().for_each(|place| place.document += documents);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of documents by definition: they count in a list of all records, where `d` is a document and `x` was skipped.
    fn rows(records: &str) -> Vec<u64> {
        (0..).zip(records.chars()).filter(|(_, record)| *record == 'd').map(|(row, _)| row).collect()
    }

    fn places(files: &[&str]) -> SkippedPlaces {
        let (mut places, mut first) = (SkippedPlaces::default(), 0);
        for (file, records) in (0..).zip(files) {
            let (mut runs, mut documents) = (Vec::new(), 0);
            for record in records.chars() {
                match record {
                    'd' => documents += 1,
                    _ => SkippedRun::add(&mut runs, documents),
                }
            }
            places.append(ChunkId { file, sequence: 0 }, first, &runs);
            first += documents;
        }
        places
    }

    fn rows_by(places: &SkippedPlaces, documents: std::ops::Range<u32>) -> Vec<u64> {
        let first = documents.start;
        documents.map(|document| u64::from(document - first) + places.before(document)).collect()
    }

    #[test]
    fn a_row_counts_documents_and_skipped_records() {
        for files in [&["ddd"][..], &["xddxxd", "xx", "dx", "xd"], &["x"], &["", "dxdxdx"]] {
            let all = files.concat();
            let places = places(files);
            let documents = all.matches('d').count() as u32;
            assert_eq!(rows_by(&places, 0..documents), rows(&all), "{all}");
            assert_eq!(places.records(), all.matches('x').count() as u64);
        }
    }

    #[test]
    fn rows_of_the_inputs_do_not_count_records_of_other_files() {
        let mut places = places(&["xdx", "xddx", "dxd"]);
        places.forget_files(1);
        assert_eq!(rows_by(&places, 1..5), rows("xddxdxd"));
        places.shift(7);
        assert_eq!(rows_by(&places, 8..12), rows("xddxdxd"));
        places.forget_files(3);
        assert_eq!(places.records(), 0);
    }
}
