//! Some documents, chosen at random, against all: exactly, and without any search.

use crate::documents::Documents;
use crate::error::Error;
use crate::features::Features;
use crate::ids::Names;
use crate::job::Job;
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use lookalike::{Compared, Counting, Drafter, Queries, Weights};
use lookalike_corpus::{Chunk, Fields, Inputs, Reader, Scan, Scratch};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A sampled document, and another one that is alike to it and no copy of an earlier one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partner {
    pub(crate) sampled: u32,
    pub(crate) original: u32,
}

/// Documents chosen at random.
pub(crate) struct Sample {
    /// Ascending.
    pub(crate) documents: Vec<u32>,
    /// Are these all that have features?
    pub(crate) is_everything: bool,
}

/// Partners of all sampled documents together up to which an audit goes: 8 bytes each.
const MOST_PARTNERS: u64 = 100_000_000;

/// At most `count` of the documents that have features; the same ones for the same seed.
pub(crate) fn choose(documents: &Documents, count: usize, seed: u64) -> Sample {
    let has_features = |&document: &u32| !documents.sketches.content(document).is_empty();
    let seed = mixed(seed);
    let mut drawn: Vec<(u64, u32)> = (0..documents.len() as u32)
        .filter(has_features)
        .map(|document| (mixed(seed ^ u64::from(document)), document))
        .collect();
    let is_everything = count >= drawn.len();
    if !is_everything {
        drawn.select_nth_unstable(count);
        drawn.truncate(count);
    }
    let mut documents: Vec<u32> = drawn.into_iter().map(|(_, document)| document).collect();
    documents.sort_unstable();
    Sample { documents, is_everything }
}

/// A number that looks random (the finaliser of SplitMix64; Steele, Lea and Flood, 2014).
fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Whatever is alike to a document of `sampled` and no copy of an earlier document, from `least` on; in order. Reads the inputs twice more.
pub(crate) fn partners(
    job: &Job,
    inputs: &Inputs,
    (documents, originals): (&Documents, &[u32]),
    sampled: &[u32],
    least: f64,
    weights: Weights<'_>,
    monitor: &Monitor,
) -> Result<Vec<Partner>, Error> {
    let mut wanted: Vec<AtomicBool> = (0..documents.len()).map(|_| AtomicBool::new(false)).collect();
    sampled.iter().for_each(|&document| *wanted[document as usize].get_mut() = true);
    let nothing_kept = (documents.chunks.iter().map(|_| None).collect(), Vec::new());
    let features = Features::load(job, inputs, documents, nothing_kept, &wanted, weights, monitor)?;
    let sets = sampled.iter().map(|&document| Compared::from(features.of(document))).collect();
    let queries = Queries::new(job.plan.measure(), sets);
    drop(features);

    let bar = monitor.stage("audit", Unit::Documents, Some(documents.len() as u64));
    let fields = Fields { text: job.text_field.clone(), id: None, number: None };
    let reader = Reader::new(inputs, &fields, Scan::Documents);
    let state = || (Drafter::new(&job.plan, weights, job.level), Scratch::default(), Counting::default());
    type State<'p> = (Drafter<'p>, Scratch, Counting);
    let count = AtomicU64::new(0);
    let work = |(drafter, scratch, counting): &mut State<'_>, chunk: Chunk<'_>| {
        let Some(index) = documents.chunk_index(chunk.id()) else { return Ok(None) };
        let here = documents.chunks[index].range();
        let mut loaded = chunk.load(scratch)?;
        let mut found = Vec::new();
        let mut document = here.start;
        loaded.for_each(|record| {
            let Ok(record) = record else { return };
            if here.contains(&document) && originals[document as usize] == document {
                let compared = Compared::new(drafter, record.text);
                queries.compare(compared.set(), counting, |query, similarity| {
                    if job.plan.measure().reaches(least, similarity) {
                        found.push(Partner { sampled: sampled[query as usize], original: document });
                    }
                });
            }
            document += 1;
        });
        if document != here.end {
            let place = Names { inputs, documents }.place(here.start);
            let problem = format!("{} documents where {} were", document - here.start, here.len());
            return Err(Error::Changed { place, problem });
        }
        let partners = count.fetch_add(found.len() as u64, Ordering::Relaxed) + found.len() as u64;
        if partners > MOST_PARTNERS {
            return Err(Error::TooManyPartners { partners });
        }
        bar.inc(here.len() as u64);
        Ok(Some(found))
    };
    let parts = scan(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    bar.finish_and_clear();
    let mut found = parts?.0.concat();
    found.sort_unstable_by_key(|partner| (partner.sampled, partner.original));
    Ok(found)
}
