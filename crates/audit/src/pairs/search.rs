//! The search for pairs of texts.

use super::scores::{fill_words, steps_for};
use crate::read::{DistinctTexts, SiteText};
use crate::shingles::{PartnerFinder, RunWeight, SharedShingles};
use crate::{AuditSettings, PairScope};
use lookalike::Executor;
use std::sync::{Mutex, PoisonError};

/// What two texts have in common, `a` before `b`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextPair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// The words of each that are in shared shingles.
    pub(crate) matched: [u32; 2],
    /// Distinct common shingles.
    pub(crate) shingles: u32,
    /// Common words, each as often as both have it.
    pub(crate) words: u32,
    /// Bounds of the length of the longest common subsequence.
    pub(crate) sequence: [u32; 2],
}

/// Properties of texts that decide whether they are compared.
pub(crate) struct ComparedPages<'a> {
    /// Whether each text is compared. Texts that are too short are not.
    pub(crate) is_compared: &'a [bool],
    /// The lowest and the highest site of the pages with each text.
    pub(crate) sites: &'a [(u32, u32)],
}

impl ComparedPages<'_> {
    fn pairs(&self, a: u32, b: u32, scope: PairScope) -> bool {
        let (one, other) = (self.sites[a as usize], self.sites[b as usize]);
        let is_across = one.0 != one.1 || one != other;
        self.is_compared[b as usize] && (scope == PairScope::All || is_across)
    }
}

/// Parts for each thread. With so many, no thread waits long for the last one.
const PARTS: usize = 8;

/// The reported pairs of `texts`, sorted.
pub(crate) fn search<E: Executor>(
    site: &SiteText,
    texts: &DistinctTexts,
    shared: &SharedShingles,
    compared: &ComparedPages<'_>,
    settings: &AuditSettings,
    executor: &E,
) -> Result<Vec<TextPair>, E::Stopped> {
    let parts = executor.width().max(1) * PARTS;
    let found = executor.map(parts, |part| {
        let mut partners = PartnerFinder::new(shared);
        let mut found = Vec::new();
        // Neighbours in the order of URLs are often similar, so parts take every n-th text and have about equal work.
        for text in (part..texts.len()).step_by(parts).filter(|&text| compared.is_compared[text]) {
            executor.check()?;
            partners_of(text as u32, shared, compared, settings, &mut partners, &mut found);
        }
        Ok(found)
    });
    let found = found.into_iter().collect::<Result<Vec<_>, E::Stopped>>()?;
    let mut pairs: Vec<TextPair> = Vec::with_capacity(found.iter().map(Vec::len).sum());
    found.into_iter().for_each(|part| pairs.extend(part));
    pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
    let steps = if settings.weights.sequence > 0.0 { steps_for(pairs.len()) } else { 0 };
    // Millions of pairs are most of the memory of an audit, so they are scored where they are.
    let size = pairs.len().div_ceil(parts).max(1);
    let chunks: Vec<Mutex<&mut [TextPair]>> = pairs.chunks_mut(size).map(Mutex::new).collect();
    let scored = executor.map(chunks.len(), |chunk| {
        let mut counts = vec![0; site.vocabulary()];
        let mut chunk = chunks[chunk].lock().unwrap_or_else(PoisonError::into_inner);
        for same in chunk.chunk_by_mut(|one, other| one.a == other.a) {
            executor.check()?;
            fill_words(site, texts, same, &mut counts, steps);
        }
        Ok(())
    });
    scored.into_iter().collect::<Result<(), E::Stopped>>()?;
    Ok(pairs)
}

/// The matched words from which a text of so many words is reported.
pub(crate) fn needed(words: u32, settings: &AuditSettings) -> u32 {
    // The margin is for rounding: a share that equals the threshold is enough.
    let needed = (settings.threshold * f64::from(words) - 1e-6).ceil().max(1.0) as u32;
    settings.background.map_or(needed, |background| needed.min(background.max(1)))
}

/// Adds the pairs in which enough of `text` is in the other. If that holds for both, the first of them adds the pair.
fn partners_of(
    text: u32,
    shared: &SharedShingles,
    compared: &ComparedPages<'_>,
    settings: &AuditSettings,
    partners: &mut PartnerFinder<'_>,
    found: &mut Vec<TextPair>,
) {
    let need = needed(shared.words(text), settings);
    let candidates = partners.candidates(text, RunWeight::Words, need).to_vec();
    for other in candidates.into_iter().filter(|&other| compared.pairs(text, other, settings.scope)) {
        let overlap = partners.overlap(text, other);
        let reaches = overlap.left.words >= need;
        let other_reaches = overlap.right.words >= needed(shared.words(other), settings);
        if reaches && (text < other || !other_reaches) {
            let mut matched = [overlap.left.words, overlap.right.words];
            if other < text {
                matched.reverse();
            }
            let (a, b) = (text.min(other), text.max(other));
            found.push(TextPair { a, b, matched, shingles: overlap.left.shingles, ..TextPair::default() });
        }
    }
}
