//! Records that could not be read.

use lookalike_corpus::{Inputs, SuspectQuotes};
use lookalike_engine::documents::Documents;
use lookalike_engine::documents::place_name;
use lookalike_engine::documents::{MOST_SKIPPED_EXAMPLES, SkippedRecord};
use serde::Serialize;

/// Records that could not be read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Skips {
    /// How many.
    pub skipped: u64,
    /// The first ones, with file, line and reason.
    pub skipped_examples: Vec<SkippedRecord>,
    /// Records that were read by the rules of quotes, and show signs that quotes are text: the first one of each file and sign.
    pub suspect_quotes: Vec<SkippedRecord>,
}

impl Skips {
    /// The inputs that could not be opened, and the bad records of the first scan.
    pub(crate) fn of_scan(inputs: &Inputs, documents: &Documents) -> Self {
        let of_inputs =
            inputs.skipped().map(|(place, problem)| SkippedRecord { place, problem: problem.to_string() });
        let of_records = documents
            .bad
            .iter()
            .map(|bad| SkippedRecord { place: bad.place(inputs), problem: bad.problem.clone() });
        Skips {
            skipped: inputs.skipped().count() as u64 + documents.skipped,
            skipped_examples: of_inputs.chain(of_records).take(MOST_SKIPPED_EXAMPLES).collect(),
            suspect_quotes: warnings(inputs, &documents.suspect),
        }
    }

    /// Counts a record that was skipped.
    pub fn add(&mut self, place: String, problem: String) {
        self.skipped += 1;
        if self.skipped_examples.len() < MOST_SKIPPED_EXAMPLES {
            self.skipped_examples.push(SkippedRecord { place, problem });
        }
    }
}

/// What to tell of quotes in these files.
pub fn warnings(inputs: &Inputs, files: &[(u32, SuspectQuotes)]) -> Vec<SkippedRecord> {
    let of_file = |(file, suspect): &(u32, SuspectQuotes)| {
        let place = |line| place_name(inputs, *file, 0, line);
        suspect
            .warnings()
            .map(|(line, problem)| SkippedRecord { place: place(line), problem })
            .collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).take(MOST_SKIPPED_EXAMPLES).collect()
}
