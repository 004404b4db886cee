//! Frequent shingles: those that more than a share of the documents have. They are counted before the documents are sketched, and then
//! left out of the plan.
//!
//! One scan counts them in a corpus of few different shingles. A larger one takes two. A
//! further scan ends as soon as it has found the words of the most frequent ones. If a table was given, they may be in none of the inputs.

use super::each_text::each_text;
use crate::clock::Clock;
use crate::error::Error;
use crate::progress::Monitor;
use crate::request::Request;
use lookalike::Plan;
use lookalike::frequent::{FirstPass, FrequentCounter, FrequentCounts, FrequentFeatures};
use lookalike_corpus::Inputs;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The shingles that a summary names.
const NAMED: usize = 10;

/// The shingles that a run leaves out.
#[derive(Clone, Debug, Serialize)]
pub struct FrequentSummary {
    /// More than this share of the documents have each of them.
    pub share: f64,
    /// The documents with words, those that are compared against too. If a table was given, those that it counted.
    pub documents: u64,
    /// The number of these shingles.
    pub dropped: u64,
    /// The most frequent ones.
    pub largest: Vec<FrequentShingle>,
}

/// A shingle that is left out.
#[derive(Clone, Debug, Serialize)]
pub struct FrequentShingle {
    /// Its tokens, joined by spaces. `None` if the frequencies were given, and no document of the inputs has it.
    pub shingle: Option<String>,
    /// The documents that have it.
    pub documents: u32,
}

/// The plan of `request` without the shingles that more than `share` of the documents have, and what they are. They are counted in the
/// inputs, unless the request has frequencies.
///
/// # Errors
/// [`Error::Plan`] if the share, or the measure of the plan, allows none. [`Error::OtherFeatures`] if the frequencies are of other features.
pub fn leave_out_frequent(
    request: &Request,
    share: f64,
    inputs: &Inputs,
    clock: &mut Clock,
    monitor: &Monitor,
) -> Result<(Plan, FrequentSummary), Error> {
    // Before anything is read.
    request.plan.leaving_out(FrequentFeatures::new(share, Vec::new())?)?;
    let counts = match &request.frequencies {
        Some(table) if table.plan() != request.plan.feature_id() => return Err(Error::OtherFeatures),
        Some(table) => FrequentCounts::of_table(share, table)?,
        None => count(request, share, inputs, monitor)?,
    };
    if counts.documents > 0 && share * (counts.documents as f64) < 1.0 {
        monitor.note(&format!(
            "a share of {share} of the documents is less than one document, so that every shingle is frequent; take a greater share"
        ));
    }
    let plan = request.plan.leaving_out(counts.features()?)?;
    let largest = named(request, &counts, inputs, monitor)?;
    clock.lap("frequencies");
    let (documents, dropped) = (counts.documents, counts.frequent.len() as u64);
    Ok((plan, FrequentSummary { share, documents, dropped, largest }))
}

/// Counts the shingles that more than `share` of the documents of `inputs` have.
fn count(request: &Request, share: f64, inputs: &Inputs, monitor: &Monitor) -> Result<FrequentCounts, Error> {
    let (counter, never) = (FrequentCounter::new(share)?, AtomicBool::new(false));
    let (_, counters) = each_text(
        request,
        inputs,
        &never,
        monitor,
        || counter.clone(),
        |counter, texts, text| {
            counter.push(texts.distinct(text));
        },
    )?;
    let mut all = counter.clone();
    counters.into_iter().for_each(|counter| all.merge(counter));
    let suspects = match all.finish() {
        FirstPass::Counted(counts) => return Ok(counts),
        FirstPass::Suspects(suspects) => suspects,
    };
    let (_, counters) = each_text(
        request,
        inputs,
        &never,
        monitor,
        || suspects.clone(),
        |suspects, texts, text| {
            suspects.push(texts.features(text));
        },
    )?;
    let mut all = suspects.clone();
    counters.iter().for_each(|counter| all.merge(counter));
    Ok(all.finish())
}

/// The most frequent shingles, with the words that a document of `inputs` has for them.
fn named(
    request: &Request,
    counts: &FrequentCounts,
    inputs: &Inputs,
    monitor: &Monitor,
) -> Result<Vec<FrequentShingle>, Error> {
    let largest = &counts.frequent[..counts.frequent.len().min(NAMED)];
    let names: Mutex<BTreeMap<u64, String>> = Mutex::default();
    let lock = || names.lock().unwrap_or_else(PoisonError::into_inner);
    let is_wanted = |feature: u64| largest.iter().any(|&(wanted, _)| wanted == feature);
    let enough = AtomicBool::new(largest.is_empty());
    each_text(
        request,
        inputs,
        &enough,
        monitor,
        || (),
        |(), texts, text| {
            if enough.load(Ordering::Relaxed)
                || !texts.features(text).iter().any(|&feature| is_wanted(feature))
            {
                return;
            }
            let mut names = lock();
            names.extend(texts.named(text).into_iter().filter(|&(feature, _)| is_wanted(feature)));
            enough.store(names.len() == largest.len(), Ordering::Relaxed);
        },
    )?;
    let mut names = names.into_inner().unwrap_or_else(PoisonError::into_inner);
    let named = |&(feature, documents)| FrequentShingle { shingle: names.remove(&feature), documents };
    Ok(largest.iter().map(named).collect())
}
