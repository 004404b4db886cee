//! The summary of a run, in words: one function for each verb, over parts that verbs share.

mod against;
mod dedup;
mod parts;
mod recall;
mod skips;
mod spans;

pub(crate) use dedup::{WrittenDocuments, added, dedup};
pub(crate) use parts::similar_line;
pub(super) use skips::skips;
pub(crate) use spans::spans;

use crate::{args::RunArgs, exit::Exit};
use lookalike_report::several;
use lookalike_report::{
    CompareSummary, FrequenciesSummary, PairsSummary, ReadSummary, SimilarSummary, SketchSummary, TuneSummary,
};
use lookalike_report::{compared_by, sketched_by};
use parts::{frequent, memory, method, read, searched, unread, unusual, within};
use recall::recall;
use std::fmt::{Result, Write as _};
use std::io::Write as _;

/// Prints the records that were skipped and, without `--quiet`, the summary. Gives the exit code that follows from `read`.
pub(crate) fn finish<S>(
    summary: &S,
    read: &ReadSummary,
    in_words: impl FnOnce(&mut String, &S) -> Result,
    run: &RunArgs,
) -> anyhow::Result<Exit> {
    let mut text = skips(&read.skips, read.documents)?;
    if !run.quiet {
        in_words(&mut text, summary)?;
    }
    // The run has done its work even if standard error is closed.
    let _ = std::io::stderr().write_all(text.as_bytes());
    Ok(if read.skips.skipped > 0 { Exit::Skipped } else { Exit::Done })
}

/// `pairs`
pub(crate) fn pairs(text: &mut String, summary: &PairsSummary) -> Result {
    let found = &summary.found;
    read(text, &summary.read, "", &summary.effort)?;
    unread(text, &summary.read, summary.scan.empty)?;
    unusual(text, &summary.scan, Some(&summary.ids))?;
    writeln!(text, "{}", similar_line(&summary.plan))?;
    frequent(text, summary.frequent_shingles.as_ref(), &summary.plan)?;
    within(text, &summary.within)?;
    writeln!(text, "found      {} in {}", several(found.pairs, "pair"), several(found.clusters, "cluster"))?;
    searched(text, found)?;
    method(text, &summary.plan)?;
    recall(text, &summary.recall, &summary.plan, found.pairs, "")?;
    memory(text, &summary.effort, summary.spilled)
}

/// `similar`
pub(crate) fn similar(text: &mut String, summary: &SimilarSummary) -> Result {
    read(text, &summary.read, "", &summary.effort)?;
    unread(text, &summary.read, 0)?;
    writeln!(text, "compared   {}", compared_by(&summary.plan))?;
    writeln!(text, "found      {}", several(summary.listed, "document"))?;
    memory(text, &summary.effort, false)
}

/// `sketch`
pub(crate) fn sketch(text: &mut String, summary: &SketchSummary) -> Result {
    read(text, &summary.read, "", &summary.effort)?;
    unread(text, &summary.read, summary.empty)?;
    writeln!(text, "sketched   {}", sketched_by(&summary.plan))?;
    memory(text, &summary.effort, false)
}

/// `frequencies`
pub(crate) fn frequencies(text: &mut String, summary: &FrequenciesSummary) -> Result {
    read(text, &summary.read, "", &summary.effort)?;
    unread(text, &summary.read, 0)?;
    memory(text, &summary.effort, false)
}

/// `compare --in`
pub(crate) fn compare(text: &mut String, summary: &CompareSummary) -> Result {
    read(text, &summary.read, "", &summary.effort)?;
    unread(text, &summary.read, 0)?;
    memory(text, &summary.effort, false)
}

/// `tune`
pub(crate) fn tune(text: &mut String, summary: &TuneSummary) -> Result {
    read(text, &summary.read, "", &summary.effort)?;
    unread(text, &summary.read, summary.scan.empty)?;
    unusual(text, &summary.scan, None)?;
    memory(text, &summary.effort, false)
}
