//! The output of `eval`.

use super::summary::skips;
use super::words::{note, seconds as in_words};
use crate::exit::Exit;
use lookalike_batch::{Accuracy, ByValue, Clustering, Evaluation, EvaluationSummary, ListSummary};
use lookalike_report::{count, several, size};
use std::fmt::{Error, Write as _};
use std::io::Write as _;

/// Prints the records that were skipped and, unless `quiet`, time and memory.
pub(crate) fn finish_evaluation(summary: &EvaluationSummary, quiet: bool) -> Result<Exit, Error> {
    let Evaluation { skips: records, found, truth, .. } = &summary.evaluation;
    let rows = found.rows + truth.rows;
    let mut text = skips(records, rows)?;
    if !quiet {
        let seconds = summary.seconds.get("total").copied().unwrap_or_default();
        writeln!(
            text,
            "read       {}, {} in {}",
            several(rows, "row"),
            size(summary.bytes),
            in_words(seconds)
        )?;
        if records.skipped > 0 {
            writeln!(text, "           {} skipped", several(records.skipped, "record"))?;
        }
        if let Some(bytes) = summary.peak_memory_bytes {
            writeln!(text, "memory     {:.0} MB at most", bytes as f64 / 1e6)?;
        }
    }
    // The run has done its work even if standard error is closed.
    let _ = std::io::stderr().write_all(text.as_bytes());
    Ok(if records.skipped > 0 { Exit::Skipped } else { Exit::Done })
}

/// The report, as a table for people.
pub(crate) fn evaluation(evaluation: &Evaluation) -> Result<String, Error> {
    let Evaluation { found, truth, pairs, clusters, by_truth, by_found, .. } = evaluation;
    let mut text = String::new();
    list(&mut text, "found", found, pairs.found)?;
    list(&mut text, "truth", truth, pairs.truth)?;
    if found.kind != truth.kind {
        writeln!(
            text,
            "           each cluster counts as all pairs of its documents, including those that only other documents connect"
        )?;
    }
    let reasons = ["no pair was found", "no pair is true", "neither list has a pair"];
    measures(&mut text, "", pairs, reasons)?;
    if found.kind != truth.kind {
        writeln!(
            text,
            "closed     the same for clusters: the listed pairs are joined to clusters, and all pairs of a cluster count:"
        )?;
        measures(&mut text, " ", &clusters.pairs, reasons)?;
    }
    index(&mut text, clusters)?;
    if let Some(by_truth) = by_truth {
        bins(&mut text, by_truth, "truth", ["true", "found", "recall"])?;
    }
    if let Some(by_found) = by_found {
        bins(&mut text, by_found, "found list", ["found", "true", "precision"])?;
    }
    Ok(text)
}

fn list(text: &mut String, name: &str, list: &ListSummary, pairs: u64) -> Result<(), Error> {
    write!(
        text,
        "{name:<11}{}: {} in {}",
        list.list,
        several(pairs, "pair"),
        several(list.clusters, "cluster")
    )?;
    if list.clusters > 0 {
        write!(text, ", the largest of {}", several(list.largest_cluster, "document"))?;
    }
    writeln!(text)?;
    note(text, list.repeated, "row", " repeated, counted once")?;
    note(text, list.with_itself, "pair", " of a document with itself, left out")?;
    note(
        text,
        list.in_several,
        "row",
        " for a document that is also in another cluster; such clusters count as one",
    )?;
    if let Some([a, b]) = &list.first_line {
        writeln!(
            text,
            "           there is no header, so the first line, {} {}, counts as a pair",
            shown(a),
            shown(b)
        )?;
    }
    Ok(())
}

/// Precision, recall and F1, behind an `indent`. `reasons` explain why each may be missing.
fn measures(text: &mut String, indent: &str, pairs: &Accuracy, reasons: [&str; 3]) -> Result<(), Error> {
    let of = |whole: u64, what: &str, wrong: u64, how: &str| {
        format!("of {}; {} {how}", several(whole, what), count(wrong))
    };
    let lines = [
        ("precision", pairs.precision, of(pairs.found, "found pair", pairs.wrong, "wrong")),
        ("recall", pairs.recall, of(pairs.truth, "true pair", pairs.missing, "missing")),
        ("F1", pairs.f1, String::new()),
    ];
    for ((name, value, basis), reason) in lines.into_iter().zip(reasons) {
        let why = if value.is_some() { &basis } else { reason };
        let name = format!("{indent}{name}");
        writeln!(text, "{}", format!("{name:<11}{:<11}{why}", share(value)).trim_end())?;
    }
    Ok(())
}

/// The adjusted Rand index.
fn index(text: &mut String, clusters: &Clustering) -> Result<(), Error> {
    let Clustering { documents, named, adjusted_rand_index, .. } = clusters;
    let over = match documents - named {
        0 => format!("over the {} that the lists name", several(*documents, "document")),
        others => {
            format!("over {}, {} of them in neither list", several(*documents, "document"), count(others))
        }
    };
    let index = share(Some(*adjusted_rand_index));
    writeln!(text, "ARI        {index:<11}adjusted Rand index of the clusters, {over}")
}

/// An id on one line, without control characters.
fn shown(id: &str) -> String {
    id.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

/// A table of the bins. `heads` name the columns: pairs, pairs in both lists, and their share.
fn bins(text: &mut String, by: &ByValue, list: &str, heads: [&str; 3]) -> Result<(), Error> {
    writeln!(text, "\nby {} of the {list}", by.column)?;
    let [pairs, both, of] = heads;
    writeln!(text, "  {:<11}  {pairs:>13}  {both:>13}  {of:>9}", "from")?;
    for bin in &by.bins {
        // Distances and 1 are bins of one value.
        let value = if bin.from == bin.to {
            format!("{}", bin.from)
        } else {
            format!("{:.2} – {:.2}", bin.from, bin.to)
        };
        let share = share(bin.share);
        writeln!(text, "  {value:<11}  {:>13}  {:>13}  {share:>9}", count(bin.pairs), count(bin.both))?;
    }
    if by.outside > 0 {
        writeln!(
            text,
            "  {} without a value, or with one outside of the scale",
            several(by.outside, "pair")
        )?;
    }
    Ok(())
}

/// A share with six decimals. A share below 1 is never rounded to 1.
fn share(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| {
        let millionths = (share * 1e6).round();
        let millionths = if millionths == 1e6 && share < 1.0 { millionths - 1.0 } else { millionths };
        format!("{:.6}", millionths / 1e6)
    })
}
