//! Signs that quotes in a table are text.

use serde::{Deserialize, Serialize};

/// Signs that quotes in a table do not mean that a field is quoted, in a chunk or a file.
///
/// Its records are good by the rules of quotes. Without the signs, rows that a quote joined would be lost in silence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspectQuotes {
    /// The records with line ends in quoted fields.
    pub spanning: u64,
    /// Those of them each of whose lines has as many delimiters as the header.
    pub rows: SuspectRecords,
    /// The records with a quote behind a backslash that closes a quoted field in its middle.
    pub escapes: SuspectRecords,
}

/// Records with the same sign.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspectRecords {
    /// The line of the first one, counted from 0.
    pub first: Option<u64>,
    /// Their number.
    pub count: u64,
}

impl SuspectQuotes {
    /// Adds the signs of the next chunk of a file, which has `lines` before it.
    pub fn append(&mut self, next: &SuspectQuotes, lines: u64) {
        self.spanning += next.spanning;
        self.rows.append(next.rows, lines);
        self.escapes.append(next.escapes, lines);
    }

    /// What to tell of a file: the first line of each sign, counted from 0, and a sentence.
    ///
    /// Texts of quoted fields may look like rows by chance: in a table of two columns, each line then has one comma. The sign counts if at
    /// least half of the records that span lines have it. If quotes are text, all have it.
    pub fn warnings(&self) -> impl Iterator<Item = (u64, String)> {
        let rows = Some(self.rows).filter(|rows| 2 * rows.count >= self.spanning);
        let rows = rows.and_then(|rows| {
            let sentence = "a quoted field spans lines, and each of these lines has as many fields as the header: they may be rows whose \
                            quotes are text";
            rows.warning(sentence)
        });
        let escapes =
            "a quote behind a backslash closes a quoted field in its middle: it may be part of the text";
        rows.into_iter().chain(self.escapes.warning(escapes))
    }
}

impl SuspectRecords {
    pub(super) fn add(&mut self, line: u32) {
        self.first.get_or_insert(line.into());
        self.count += 1;
    }

    fn append(&mut self, next: SuspectRecords, lines: u64) {
        self.first = self.first.or(next.first.map(|line| lines + line));
        self.count += next.count;
    }

    fn warning(self, sentence: &str) -> Option<(u64, String)> {
        let more = match self.count {
            0 | 1 => String::new(),
            2 => "; 1 more record is such".to_owned(),
            count => format!("; {} more records are such", count - 1),
        };
        Some((self.first?, format!("{sentence}{more}")))
    }
}
