//! The content of an index, for people.

use crate::messages::summary::similar_line;
use lookalike_engine::SearchSummary;
use lookalike_engine::index::IndexSummary;
use lookalike_report::{as_typed, count, percent, several};
use std::fmt::Write;

/// The content of an index as text.
pub(crate) fn index_info(summary: &IndexSummary) -> String {
    // Writing into a string does not fail.
    tell(summary).unwrap_or_default()
}

fn tell(summary: &IndexSummary) -> Result<String, std::fmt::Error> {
    let IndexSummary { info, alive, plan } = summary;
    let mut text = String::new();
    let added = match info.updates {
        0 => "added one by one".to_owned(),
        updates => format!("added in {}", several(updates, "step")),
    };
    let dead = match info.documents - alive {
        0 => String::new(),
        1 => "; 1 more was removed or has expired".to_owned(),
        dead => format!("; {} more were removed or have expired", count(dead)),
    };
    writeln!(text, "index      {}, {added}{dead}", several(*alive, "document"))?;
    let clusters = several(info.clusters, "cluster");
    writeln!(text, "           {} of them in {clusters} of two or more", count(info.clustered))?;
    writeln!(text, "{}", similar_line(plan))?;
    match &plan.search {
        SearchSummary::Bands { num_perm, scheme, bands, rows, .. } => {
            writeln!(text, "sketched   by {num_perm} values ({scheme}), {bands} × {rows} MinHash bands")?;
        }
        SearchSummary::Fingerprints { bits, hamming, .. } => {
            writeln!(text, "sketched   by SimHash of {bits} bits, compared if {hamming} or fewer differ")?;
        }
        SearchSummary::Features {} => {}
    }
    if let Some(recall) = plan.search.recall_at_threshold() {
        writeln!(
            text,
            "recall     {} of the documents at the threshold, more of nearer ones",
            percent(recall)
        )?;
    }
    let folds =
        if plan.fold.is_empty() { String::new() } else { format!(" without {}", plan.fold.join(", ")) };
    let tokens = format!("{}{folds}", plan.tokens);
    let stop_words = several(plan.stop_words as u64, "stop word");
    writeln!(text, "           tokens: {tokens}; {stop_words}; seed {}; plan {}", plan.seed, plan.id)?;
    if let (Some(share), Some(frequent)) = (plan.drop_frequent, plan.frequent) {
        let shingles = several(frequent as u64, "shingle");
        writeln!(text, "without    {shingles} of more than {} of the counted documents", as_typed(share))?;
    }
    if let Some(documents) = info.counted_documents {
        writeln!(text, "weights    by frequencies that were counted in {}", several(documents, "document"))?;
    }
    if let Some(levels) = info.levels {
        writeln!(text, "weights    by levels of {}", several(levels as u64, "shingle"))?;
    }
    if !info.stores_texts {
        writeln!(text, "texts      are not stored")?;
    }
    writeln!(text, "written    by lookalike {}", info.lookalike)?;
    writeln!(
        text,
        "bytes      {:>17} {:>9} a document",
        count(info.bytes),
        rate(info.bytes, info.documents)
    )?;
    for file in &info.files {
        let (bytes, rate) = (count(file.bytes), rate(file.bytes, file.documents.unwrap_or(info.documents)));
        writeln!(text, "           {bytes:>17} {rate:>9}  {}", file.name)?;
    }
    if info.verified {
        writeln!(text, "verified   every byte is as it was written")?;
    }
    Ok(text)
}

/// Bytes for each document.
fn rate(bytes: u64, documents: u64) -> String {
    format!("{:.1}", bytes as f64 / documents.max(1) as f64)
}
