//! Some documents, chosen at random, against all: exactly, and without any search.

use crate::documents::Documents;
use crate::error::Error;
use crate::features::Features;
use crate::job::Job;
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use lookalike::{Compared, Counting, Drafter, Queries, Weights};
use lookalike_corpus::{Chunk, Fields, Inputs, Reader, Scan, Scratch};
use std::sync::atomic::AtomicBool;

/// A sampled document, and another one that is alike to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partner {
    pub(crate) sampled: u32,
    pub(crate) other: u32,
}

/// At most `count` of the documents that have features, ascending; the same ones for the same seed.
pub(crate) fn choose(documents: &Documents, count: usize, seed: u64) -> Vec<u32> {
    let has_features = |&document: &u32| !documents.sketches.content(document).is_empty();
    let mut drawn: Vec<(u64, u32)> = (0..documents.len() as u32)
        .filter(has_features)
        .map(|document| (draw(seed, document), document))
        .collect();
    if count < drawn.len() {
        drawn.select_nth_unstable(count);
        drawn.truncate(count);
    }
    let mut sampled: Vec<u32> = drawn.into_iter().map(|(_, document)| document).collect();
    sampled.sort_unstable();
    sampled
}

/// A number that looks random (SplitMix64; Steele, Lea and Flood, 2014).
fn draw(seed: u64, document: u32) -> u64 {
    let z = seed.wrapping_add(u64::from(document)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Whatever is alike to a document of `sampled`, from `least` on; in order. Reads the inputs twice more.
pub(crate) fn partners(
    job: &Job,
    inputs: &Inputs,
    documents: &Documents,
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
    let work = |(drafter, scratch, counting): &mut State<'_>, chunk: Chunk<'_>| {
        let Some(index) = documents.chunk_index(chunk.id()) else { return Ok(None) };
        let mut loaded = chunk.load(scratch)?;
        let mut found = Vec::new();
        let mut document = documents.chunks[index].first_document;
        loaded.for_each(|record| {
            let Ok(record) = record else { return };
            let compared = Compared::new(drafter, record.text);
            queries.compare(compared.set(), counting, |query, similarity| {
                let sampled = sampled[query as usize];
                if sampled != document && job.plan.measure().reaches(least, similarity) {
                    found.push(Partner { sampled, other: document });
                }
            });
            document += 1;
        });
        bar.inc(u64::from(document - documents.chunks[index].first_document));
        Ok(Some(found))
    };
    let parts = scan(&reader, &monitor.interrupt, &AtomicBool::new(false), state, work);
    bar.finish_and_clear();
    let mut found = parts?.0.concat();
    found.sort_unstable_by_key(|partner| (partner.sampled, partner.other));
    Ok(found)
}
