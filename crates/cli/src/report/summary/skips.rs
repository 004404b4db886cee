//! The records that a run has skipped.

use crate::report::errors::{MAX_RECORD, ONE_OBJECT_A_LINE, is_no_line, is_too_long};
use crate::report::words::{for_people, several};
use lookalike_batch::Skips;
use std::fmt::{Error, Write};

/// The records that were skipped, and a hint if one fits. `read` records were read.
pub(in crate::report) fn skips(skips: &Skips, read: u64) -> Result<String, Error> {
    let Skips { skipped, skipped_examples: examples } = skips;
    let mut text = String::new();
    for skipped in examples {
        writeln!(text, "skipped {}", for_people(&format!("{}: {}", skipped.place, skipped.problem)))?;
    }
    let more = skipped - examples.len() as u64;
    if more > 0 {
        writeln!(text, "skipped {}", several(more, "more record"))?;
    }
    if *skipped > read && examples.first().is_some_and(|first| is_no_line(&first.problem)) {
        writeln!(text, "  hint: {ONE_OBJECT_A_LINE}")?;
    }
    if examples.iter().any(|skipped| is_too_long(&skipped.problem)) {
        writeln!(text, "  hint: {MAX_RECORD}")?;
    }
    Ok(text)
}
