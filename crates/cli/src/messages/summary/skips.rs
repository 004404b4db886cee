//! The records that a run has skipped.

use crate::messages::errors::{
    MAX_RECORD, ONE_OBJECT_A_LINE, QUOTES, delimiter_hint, is_about_quotes, is_no_line, is_too_long,
};
use crate::messages::words::for_people;
use lookalike_engine::documents::SkippedRecord;
use lookalike_report::Skips;
use lookalike_report::several;
use std::fmt::{Error, Write};

/// The records that were skipped or show signs that quotes are text, and a hint if one fits. `read` records were read.
pub(in crate::messages) fn skips(skips: &Skips, read: u64) -> Result<String, Error> {
    let Skips { skipped, skipped_examples: examples, suspect_quotes } = skips;
    let mut text = String::new();
    // JSON in another layout has such a record at its start.
    let starts_so = examples.first().is_some_and(|first| is_no_line(&first.problem));
    let (mut no_line, mut too_long, mut quotes, mut delimiter) =
        (*skipped > read && starts_so, true, true, true);
    for SkippedRecord { place, problem } in examples {
        writeln!(text, "skipped {}", for_people(&format!("{place}: {problem}")))?;
        // Each hint stands below the first record that it belongs to.
        let hint = match problem {
            problem if no_line && is_no_line(problem) => (&mut no_line, Some(ONE_OBJECT_A_LINE)),
            problem if too_long && is_too_long(problem) => (&mut too_long, Some(MAX_RECORD)),
            problem if quotes && is_about_quotes(problem) => (&mut quotes, Some(QUOTES)),
            problem => (&mut delimiter, of_columns(problem)),
        };
        if let (wanted @ true, Some(hint)) = hint {
            *wanted = false;
            writeln!(text, "  hint: {hint}")?;
        }
    }
    let more = skipped - examples.len() as u64;
    if more > 0 {
        writeln!(text, "skipped {}", several(more, "more record"))?;
    }
    for SkippedRecord { place, problem } in suspect_quotes {
        writeln!(text, "note: {}", for_people(&format!("{place}: {problem}")))?;
        if std::mem::take(&mut quotes) {
            writeln!(text, "  hint: {QUOTES}")?;
        }
    }
    Ok(text)
}

/// The hint for a table without the column of the text.
fn of_columns(problem: &str) -> Option<&'static str> {
    let (field, columns) = problem.strip_prefix("no column ")?.split_once("; columns seen: ")?;
    delimiter_hint(columns, field.trim_matches('"'))
}
