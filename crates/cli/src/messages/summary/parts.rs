//! Lines that the summaries of several verbs have.

use crate::messages::words::{for_people, note, seconds};
use lookalike_engine::PlanSummary;
use lookalike_engine::features::frequent::{FrequentShingle, FrequentSummary};
use lookalike_report::similar_when;
use lookalike_report::{EffortSummary, FoundSummary, IdsSummary, ReadSummary, ScanSummary};
use lookalike_report::{count, frequent_in, percent, several, size};
use std::fmt::{Result, Write};

/// How many documents were read, and how fast; `beside` names documents that they were compared against.
pub(super) fn read(text: &mut String, read: &ReadSummary, beside: &str, effort: &EffortSummary) -> Result {
    let taken = effort.total();
    writeln!(
        text,
        "read       {}{beside}, {}{} in {} ({})",
        several(read.documents, "document"),
        size(read.bytes),
        if read.compressed { ", compressed," } else { "" },
        seconds(taken),
        rate(read.bytes as f64 / taken.max(1e-9))
    )
}

/// Bytes a second.
fn rate(speed: f64) -> String {
    match speed {
        ..1e6 => format!("{:.0} kB/s", speed / 1e3),
        _ => format!("{} MB/s", count((speed / 1e6).round() as u64)),
    }
}

/// Records and files that were not read, and documents that are empty.
pub(super) fn unread(text: &mut String, read: &ReadSummary, empty: u64) -> Result {
    if read.documents + read.skips.skipped == 0 {
        writeln!(text, "           the inputs hold no documents")?;
    }
    note(text, read.skips.skipped, "record", " skipped")?;
    note(text, empty, "document", " without features, similar to no other")?;
    note(text, read.ignored_files, "file", " passed over: the extension is unknown, or it is no file")
}

/// Records that are no documents, and unusual ids.
pub(super) fn unusual(text: &mut String, scan: &ScanSummary, ids: Option<&IdsSummary>) -> Result {
    note(text, scan.without_text, "document", " whose text is null")?;
    note(text, scan.other_records, "record", " of archives that are no documents")?;
    let Some(ids) = ids else { return Ok(()) };
    note(text, ids.repeated_ids.unwrap_or(0), "id", " that several documents share")?;
    let field = for_people(&ids.id_field);
    let named = match (&ids.first_without_id, ids.without_id) {
        (Some(place), Some(1)) => format!(", called by its place, {}", for_people(place)),
        (Some(place), _) => format!(", called by their places, such as {}", for_people(place)),
        (None, _) => String::new(),
    };
    let option = if ids.is_against { "--against-id-field" } else { "--id-field" };
    let named = format!(" without the field {field:?}{named} ({option} names another field)");
    note(text, ids.without_id.unwrap_or(0), "document", &named)
}

/// The shingles that `--drop-frequent` has left out.
pub(super) fn frequent(text: &mut String, frequent: Option<&FrequentSummary>, plan: &PlanSummary) -> Result {
    let Some(frequent) = frequent else {
        let Some(of_index) = plan.frequent else { return Ok(()) };
        return writeln!(
            text,
            "without    {} that the index leaves out",
            several(of_index as u64, "shingle")
        );
    };
    let (do_not, them) = if frequent.dropped == 1 { ("does not", "it") } else { ("do not", "them") };
    let (shingles, have) = (several(frequent.dropped, "shingle"), frequent_in(frequent));
    writeln!(text, "without    {shingles} that {do_not} count: {have} have {them}")?;
    for FrequentShingle { shingle, documents } in frequent.largest.iter().take(NAMED) {
        let Some(shingle) = shingle else { continue };
        writeln!(
            text,
            "           {:?} in {}",
            for_people(shingle),
            several(u64::from(*documents), "document")
        )?;
    }
    Ok(())
}

/// The frequent shingles that the summary names. Its file has more of them.
const NAMED: usize = 3;

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
    if let Some(reduction) = found.reduction {
        write!(text, " ({} fewer than all)", percent(reduction))?;
    }
    if let Some(speed) = found.monitoring.compared_per_second {
        let compared = count(found.monitoring.compared);
        write!(text, ", {compared} compared ({} a second)", count(speed as u64))?;
    }
    if let Some(largest) = found.monitoring.largest_bucket.filter(|&largest| largest > 0) {
        write!(text, "; the largest bucket holds {}", several(largest, "document"))?;
    }
    writeln!(text)
}

/// The method that the program has chosen, and its reason.
pub(super) fn method(text: &mut String, plan: &PlanSummary) -> Result {
    match &plan.reason {
        Some(reason) => writeln!(text, "method     {}, because {reason}", plan.method),
        None => Ok(()),
    }
}

/// The most memory that the run has held.
pub(super) fn memory(text: &mut String, effort: &EffortSummary, spilled: bool) -> Result {
    let Some(bytes) = effort.peak_memory_bytes else { return Ok(()) };
    let cache = if spilled { ", the page cache aside; the rest was on disk" } else { "" };
    writeln!(text, "memory     {:.0} MB at most{cache}", bytes as f64 / 1e6)
}

/// When two documents are similar.
pub(crate) fn similar_line(plan: &PlanSummary) -> String {
    match similar_when(plan) {
        when if when.is_empty() => when,
        when => format!("similar    {when}"),
    }
}
