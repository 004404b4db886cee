//! Lines that the summaries of several verbs have.

use crate::report::words::{count, for_people, note, several};
use lookalike_batch::{EffortSummary, FoundSummary, IdsSummary, ReadSummary, ScanSummary};
use lookalike_engine::PlanSummary;
use std::fmt::{Result, Write};

/// How many documents were read, and how fast; `beside` names documents that they were compared against.
pub(super) fn read(text: &mut String, read: &ReadSummary, beside: &str, effort: &EffortSummary) -> Result {
    let (seconds, megabytes) = (effort.total(), read.bytes as f64 / 1e6);
    writeln!(
        text,
        "read       {}{beside}, {megabytes:.1} MB in {seconds:.2} s ({:.0} MB/s)",
        several(read.documents, "document"),
        megabytes / seconds.max(1e-9)
    )
}

/// Records and files that were not read, and documents that are empty.
pub(super) fn unread(text: &mut String, read: &ReadSummary, empty: u64) -> Result {
    note(text, read.skips.skipped, "record", " skipped")?;
    note(text, empty, "document", " without features, similar to no other")?;
    note(text, read.ignored_files, "file", " passed over: unknown extension, or no file")
}

/// Records that are no documents, and unusual ids.
pub(super) fn unusual(text: &mut String, scan: &ScanSummary, ids: Option<&IdsSummary>) -> Result {
    note(text, scan.other_records, "record", " of archives that are no documents")?;
    let Some(ids) = ids else { return Ok(()) };
    note(text, ids.repeated_ids.unwrap_or(0), "id", " that several documents share")?;
    note(text, ids.without_id.unwrap_or(0), "document", " without an id, called by path or path:line")
}

/// The fields of `--within`.
pub(super) fn within(text: &mut String, fields: &[String]) -> Result {
    if fields.is_empty() {
        return Ok(());
    }
    let fields = for_people(&fields.join(", "));
    writeln!(text, "within     {fields}: only documents with the same values are compared")
}

/// How many pairs were compared.
pub(super) fn searched(text: &mut String, found: &FoundSummary) -> Result {
    write!(text, "searched   {}", several(found.candidates, "candidate pair"))?;
    if let Some(speed) = found.monitoring.compared_per_second {
        let compared = count(found.monitoring.compared);
        write!(text, ", {compared} of them compared, {} a second", count(speed as u64))?;
    }
    if let Some(largest) = found.monitoring.largest_bucket.filter(|&largest| largest > 0) {
        write!(text, "; the largest bucket holds {}", several(largest, "document"))?;
    }
    writeln!(text)
}

/// The method that the program has chosen, and its reason.
pub(super) fn method(text: &mut String, plan: &PlanSummary) -> Result {
    match &plan.reason {
        Some(reason) => writeln!(text, "method     {}: {reason}", plan.method),
        None => Ok(()),
    }
}

/// The most memory that the run has held.
pub(super) fn memory(text: &mut String, effort: &EffortSummary, spilled: bool) -> Result {
    let Some(bytes) = effort.peak_memory_bytes else { return Ok(()) };
    let cache = if spilled { ", the page cache aside; the rest was on disk" } else { "" };
    writeln!(text, "memory     {:.0} MB at most{cache}", bytes as f64 / 1e6)
}
