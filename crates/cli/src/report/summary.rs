//! What a finished job says of itself.

use super::errors::{MAX_RECORD, ONE_OBJECT_A_LINE, is_no_line, is_too_long};
use super::{
    Verb,
    found::{loose, recall, score},
    words::{count, for_people, note, several},
};
use crate::{args::RunArgs, exit::Exit};
use lookalike_batch::Summary;
use lookalike_engine::documents::skipped::Skipped;
use std::fmt::{Error, Write as _};
use std::io::Write as _;

/// Prints the summary of a finished job.
pub(crate) fn finish(summary: &Summary, verb: Verb, run: &RunArgs) -> anyhow::Result<Exit> {
    let mut text = skips(summary.skipped, &summary.skipped_examples, summary.documents)?;
    if !run.quiet {
        text += &in_words(summary, verb)?;
    }
    // Nobody left to read it is no reason to fail.
    let _ = std::io::stderr().write_all(text.as_bytes());
    Ok(if summary.skipped > 0 { Exit::Skipped } else { Exit::Done })
}

/// The records that were skipped, beside so many that were read.
pub(super) fn skips(skipped: u64, examples: &[Skipped], read: u64) -> Result<String, Error> {
    let mut text = String::new();
    for skipped in examples {
        writeln!(text, "skipped {}", for_people(&format!("{}: {}", skipped.place, skipped.problem)))?;
    }
    let more = skipped - examples.len() as u64;
    if more > 0 {
        writeln!(text, "skipped {}", several(more, "more record"))?;
    }
    if skipped > read && examples.first().is_some_and(|first| is_no_line(&first.problem)) {
        writeln!(text, "  hint: {ONE_OBJECT_A_LINE}")?;
    }
    if examples.iter().any(|skipped| is_too_long(&skipped.problem)) {
        writeln!(text, "  hint: {MAX_RECORD}")?;
    }
    Ok(text)
}

fn in_words(summary: &Summary, verb: Verb) -> Result<String, Error> {
    let mut text = documents(summary, verb)?;
    if !matches!(verb, Verb::Frequencies | Verb::Compare | Verb::Tune) {
        writeln!(text, "{}", score(verb, &summary.plan))?;
    }
    if !summary.within.is_empty() {
        let fields = for_people(&summary.within.join(", "));
        writeln!(text, "within     {fields}: only documents with the same values are compared")?;
    }
    found(&mut text, summary, verb)?;
    if matches!(verb, Verb::Dedup | Verb::Pairs | Verb::Index) {
        searched(&mut text, summary)?;
    }
    if let Some(reason) = summary.plan.reason.as_deref().filter(|_| matches!(verb, Verb::Dedup | Verb::Pairs))
    {
        writeln!(text, "method     {}: {reason}", summary.plan.method)?;
    }
    if matches!(verb, Verb::Dedup | Verb::Pairs | Verb::Index) {
        text += &recall(summary)?;
    }
    if verb == Verb::Dedup {
        kept(&mut text, summary)?;
    }
    if let Some(indexed) = summary.indexed {
        let (added, total) = (several(summary.documents, "document"), count(indexed));
        writeln!(text, "added      {added}; the index has {total}")?;
    }
    if let Some(bytes) = summary.peak_memory_bytes {
        let cache = if summary.spilled { ", the page cache aside; the rest was on disk" } else { "" };
        writeln!(text, "memory     {:.0} MB at most{cache}", bytes as f64 / 1e6)?;
    }
    Ok(text)
}

/// What was read.
fn documents(summary: &Summary, verb: Verb) -> Result<String, Error> {
    let mut text = String::new();
    let seconds = summary.seconds.get("total").copied().unwrap_or_default();
    let megabytes = summary.bytes as f64 / 1e6;
    let beside = match &summary.against {
        Some(against) if against.documents == 0 => String::new(),
        Some(against) if verb == Verb::Index => format!(" beside {} of the index", count(against.documents)),
        Some(against) => format!(" beside {} of --against", count(against.documents)),
        None => String::new(),
    };
    writeln!(
        text,
        "read       {}{beside}, {megabytes:.1} MB in {seconds:.2} s ({:.0} MB/s)",
        several(summary.documents, "document"),
        megabytes / seconds.max(1e-9)
    )?;
    note(&mut text, summary.skipped, "record", " skipped")?;
    note(&mut text, summary.empty, "document", " without features, similar to no other")?;
    note(&mut text, summary.ignored_files, "file", " passed over: unknown extension, or no file")?;
    note(&mut text, summary.other_records, "record", " of archives that are no documents")?;
    note(&mut text, summary.repeated_ids.unwrap_or(0), "id", " that several documents share")?;
    note(
        &mut text,
        summary.without_id.unwrap_or(0),
        "document",
        " without an id, called by path or path:line",
    )?;
    note(
        &mut text,
        summary.without_number.unwrap_or(0),
        "document",
        " without a number to choose by (--keep), the last to be kept",
    )?;
    Ok(text)
}

/// What was found.
fn found(text: &mut String, summary: &Summary, verb: Verb) -> Result<(), Error> {
    match verb {
        Verb::Pairs => {
            let (pairs, clusters) = (several(summary.pairs, "pair"), several(summary.clusters, "cluster"));
            writeln!(text, "found      {pairs} in {clusters}")?;
        }
        Verb::Dedup | Verb::Index => {
            write!(text, "found      {}", several(summary.clusters, "cluster"))?;
            if summary.clusters > 0 {
                write!(text, ", the largest of {}", several(summary.largest_cluster, "document"))?;
            }
            writeln!(text)?;
            if let Some(loosest) = summary.loosest.first() {
                let of_index = summary.against.as_ref().is_some_and(|against| against.looked_at.is_some());
                // An index has no stars.
                let advice =
                    if verb == Verb::Index || of_index { "" } else { "; --cluster star prevents that" };
                writeln!(text, "{}{advice}", loose(summary.loose_clusters, loosest))?;
            }
        }
        Verb::Similar => writeln!(text, "found      {}", several(summary.pairs, "document"))?,
        Verb::Compare | Verb::Sketch | Verb::Frequencies | Verb::Tune => {}
    }
    Ok(())
}

/// How much was looked at.
fn searched(text: &mut String, summary: &Summary) -> Result<(), Error> {
    write!(text, "searched   {}", several(summary.candidates, "candidate pair"))?;
    if let Some(speed) = summary.monitoring.compared_per_second {
        write!(
            text,
            ", {} of them compared, {} a second",
            count(summary.monitoring.compared),
            count(speed as u64)
        )?;
    }
    if let Some(largest) = summary.monitoring.largest_bucket.filter(|&largest| largest > 0) {
        write!(text, "; the largest bucket holds {}", several(largest, "document"))?;
    }
    writeln!(text)?;
    Ok(())
}

/// What is removed and kept.
fn kept(text: &mut String, summary: &Summary) -> Result<(), Error> {
    let share = 100.0 * summary.removed as f64 / (summary.documents as f64).max(1.0);
    write!(text, "removed    {} ({share:.1} %)", several(summary.removed, "document"))?;
    *text += &removed_against(summary)?;
    if summary.removed > 0 {
        writeln!(text, "           {}", removed_text(summary))?;
    }
    writeln!(text, "kept       {}", several(summary.kept, "document"))?;
    if let (Some(amount), Some(share)) = (summary.kept_for_content, summary.min_containment) {
        let amount = count(amount);
        writeln!(
            text,
            "           {amount} of them for what no other kept one contains (--min-containment {share})"
        )?;
    }
    Ok(())
}

/// How much text goes with the removed documents.
pub(crate) fn removed_text(summary: &Summary) -> String {
    let tokens = if summary.plan.tokens == "chars" { "character" } else { "word" };
    format!(
        "{:.1} MB of text, {}",
        summary.removed_bytes as f64 / 1e6,
        several(summary.removed_words, tokens)
    )
}

/// How many of the removed documents were removed for one that the inputs were compared against, to the end of the line.
fn removed_against(summary: &Summary) -> Result<String, Error> {
    let mut text = String::new();
    let Some(against) = &summary.against else {
        text.push('\n');
        return Ok(text);
    };
    writeln!(text, ", {} of them for one of --against", count(against.removed))?;
    if let (Some(contained), Some(share)) = (against.contained, against.share) {
        let contained = count(contained);
        writeln!(
            text,
            "           {contained} of these by containment: {share} or more of the shorter one is in the other"
        )?;
    }
    if let (Some(short @ 1..), Some(least)) = (against.short, against.least_features) {
        let (have, few) = (if short == 1 { "has" } else { "have" }, several(u64::from(least), "shingle"));
        let short = several(short, "document");
        writeln!(
            text,
            "           {short} of --against {have} fewer than {few}: too few to look for (--against-shingles)"
        )?;
    }
    Ok(text)
}
