//! Every measure for two texts, and whether a search would find them as a pair.
//!
//! Not for: what they have in common (`passages`), or a ratio that takes more than linear time (`subsequence`).
//!
//! ```
//! use lookalike::comparison::Comparison;
//! use lookalike::{Level, Plan, Weights};
//!
//! let (left, right) = ("one two three four five six", "one two three four five six seven");
//! let comparison = Comparison::new(&Plan::default(), &Weights::Set, Level::detect(), left, right);
//! // Two shingles of five words, three of the other, two in both.
//! assert_eq!(comparison.shingles.common, 2);
//! assert_eq!(comparison.shingles.jaccard().to_string(), "0.666667");
//! ```

mod verdict;

pub use verdict::{SearchEvidence, Searched, Verdict};

use crate::compare::measure::{Set, cosine};
use crate::compare::verify::{Comparer, Overlap};
use crate::pipeline::Corpus;
use crate::plan::{Banding, Measure, Method, Plan, Weighting};
use crate::simd::Level;
use crate::simhash::{Fingerprint, Fingerprinter, Weights};
use crate::similarity::{Estimate, Score, Similarity};
use crate::sketch::Sketcher;

/// A comparison of two texts by every measure. Sets count each element once. Everything but the MinHash estimate is
/// exact.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The overlap of distinct shingles.
    pub shingles: Overlap,
    /// The overlap of distinct tokens, without stop words.
    pub words: Overlap,
    /// The cosine of shingles, with the plan's weights.
    pub cosine: Similarity,
    /// The SimHash fingerprint of each text.
    pub fingerprints: [Fingerprint; 2],
    /// The number of bits in which the fingerprints differ. `None` if a text has no features of any weight.
    pub distance: Option<u32>,
    /// The comparison of the MinHash signatures.
    pub minhash: MinHash,
    /// Whether a search would find the pair.
    pub verdict: Verdict,
}

/// The comparison of two MinHash signatures.
#[derive(Clone, Debug)]
pub struct MinHash {
    /// Positions at which the signatures agree.
    pub equal: usize,
    /// Values per signature.
    pub num_perm: usize,
    /// The similarity that eight bits of each value estimate, as a search compares them.
    pub bytes: Estimate,
    /// The bands and rows of a signature.
    pub banding: Banding,
    /// The bands in which they agree, counted from 1.
    pub shared_bands: Vec<usize>,
    /// The probability that two texts of this Jaccard similarity share at least one band.
    pub probability: f64,
}

impl MinHash {
    /// The estimated Jaccard similarity of shingles. 0 if a text has none.
    pub fn estimate(&self) -> Similarity {
        Similarity::new(self.equal as f64 / self.num_perm as f64)
    }
}

impl Comparison {
    /// Compares two texts. `weights` must be of the plan's weighting.
    ///
    /// # Panics
    /// If `weights` are of another weighting, or a text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn new(plan: &Plan, weights: &Weights, level: Level, left: &str, right: &str) -> Self {
        let mut sketcher = Sketcher::with_level(plan, level);
        let texts = [left, right];
        let features = texts.map(|text| sketcher.features(text).to_vec());
        let [left_words, right_words] = texts.map(|text| sketcher.token_hashes(text).to_vec());
        let mut comparer = Comparer::with_level(level);
        let shingles = overlap(&mut comparer, features[0].clone(), features[1].clone());
        let words = overlap(&mut comparer, left_words, right_words);
        let minhash = minhash(plan, &mut sketcher, texts, shingles.jaccard());
        let mut fingerprinter = Fingerprinter::with_level(plan, weights, level);
        let cosine = match plan.weighting() {
            Weighting::Set => Measure::Cosine.of(shingles),
            _ => weighed_cosine(&mut fingerprinter, &features),
        };
        let fingerprints = [0, 1].map(|side| fingerprinter.fingerprint(&features[side]));
        let votes = fingerprints.iter().all(|fingerprint| !fingerprint.is_empty());
        let distance = fingerprints[0].hamming(fingerprints[1]).ok().filter(|_| votes);
        let similarity = match plan.measure() {
            Measure::WordJaccard => words.jaccard(),
            Measure::Cosine => cosine,
            measure => measure.of(shingles),
        };
        let search = match plan.simhash() {
            Some(simhash) => {
                SearchEvidence::Distance { distance, within: simhash.hamming, bits: simhash.bits.count() }
            }
            None if plan.method() == Method::Exact => SearchEvidence::Exact,
            None if plan.estimates() => SearchEvidence::Estimate {
                shared: minhash.shared_bands.len(),
                of: minhash.banding.bands,
                estimate: minhash.bytes,
                reaches: plan.accepts(Score::Estimate(minhash.bytes)),
            },
            None => SearchEvidence::Bands { shared: minhash.shared_bands.len(), of: minhash.banding.bands },
        };
        let verdict = Verdict {
            searches: vec![Searched { found: finds(plan, weights, texts), search }],
            nothing: [features[0].is_empty(), features[1].is_empty()],
            similarity: plan.verifies().then_some(similarity),
            reaches: plan.measure().reaches(plan.threshold(), similarity),
            measure: plan.measure(),
            threshold: plan.threshold(),
        };
        Comparison { shingles, words, cosine, fingerprints, distance, minhash, verdict }
    }

    /// Compares two texts if no method was chosen. `plan` is then a plan of MinHash.
    ///
    /// The exact join also searches for the pair where it is defined, as it is the method for small corpora.
    ///
    /// # Panics
    /// Like [`Comparison::new`].
    pub fn of_open_method(plan: &Plan, weights: &Weights, level: Level, left: &str, right: &str) -> Self {
        let mut comparison = Comparison::new(plan, weights, level, left, right);
        if let Some(exact) = plan.exactly() {
            let found = finds(&exact, weights, [left, right]);
            comparison.verdict.searches.insert(0, Searched { found, search: SearchEvidence::Exact });
        }
        comparison
    }
}

fn overlap(comparer: &mut Comparer, mut left: Vec<u64>, mut right: Vec<u64>) -> Overlap {
    let distinct = comparer.distinct(&mut left);
    left.truncate(distinct);
    let distinct = comparer.distinct(&mut right);
    comparer.hold(&left);
    comparer.overlap(&right[..distinct])
}

fn minhash(plan: &Plan, sketcher: &mut Sketcher, texts: [&str; 2], jaccard: Similarity) -> MinHash {
    let [left, right] = texts.map(|text| {
        let sketch = sketcher.sketch(text);
        (sketch.signature.to_vec(), sketch.keys.to_vec(), sketch.content.is_empty())
    });
    let banding = plan.banding();
    let mut minhash = MinHash {
        equal: 0,
        num_perm: plan.num_perm(),
        bytes: Estimate { equal: 0, values: plan.num_perm() as u32 },
        banding,
        shared_bands: Vec::new(),
        probability: banding.probability(jaccard.value()),
    };
    // All signatures of empty sets are equal.
    if !left.2 && !right.2 {
        let values = || left.0.iter().zip(&right.0);
        minhash.equal = values().filter(|(a, b)| a == b).count();
        minhash.bytes.equal = values().filter(|&(&a, &b)| a as u8 == b as u8).count() as u32;
        minhash.shared_bands = (1..)
            .zip(left.1.iter().zip(&right.1))
            .filter(|(_, (a, b))| a == b)
            .map(|(band, _)| band)
            .collect();
    }
    minhash
}

fn weighed_cosine(fingerprinter: &mut Fingerprinter, features: &[Vec<u64>; 2]) -> Similarity {
    let mut weighed = Vec::new();
    let [left, right] = [0, 1].map(|side| {
        fingerprinter.weigh(&features[side], &mut weighed);
        weighed.iter().copied().unzip::<u64, u32, Vec<u64>, Vec<u32>>()
    });
    cosine(Set { features: &left.0, weights: &left.1 }, Set { features: &right.0, weights: &right.1 })
}

/// Whether a search among the two texts finds them. The search is run, not predicted.
fn finds(plan: &Plan, weights: &Weights, texts: [&str; 2]) -> bool {
    let mut corpus = Corpus::with_weights(plan, weights);
    for text in texts {
        corpus.push(text);
    }
    !corpus.pairs().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, Options};

    fn compare(options: Options, left: &str, right: &str) -> Comparison {
        let plan = options.plan().unwrap();
        let weights = Weights::without_table(plan.weighting()).unwrap();
        Comparison::new(&plan, &weights, Level::detect(), left, right)
    }

    fn by_words() -> Options {
        Options { shingle: Some(1), ..Options::default() }
    }

    #[test]
    fn measures_are_their_formulas() {
        let of = compare(by_words(), "a b c d a", "c d e f g");
        assert_eq!(of.shingles, Overlap { common: 2, left: 4, right: 5 });
        assert_eq!(of.words, of.shingles);
        assert_eq!(of.shingles.jaccard().value(), 2.0 / 7.0);
        assert_eq!(of.cosine.value(), 2.0 / 20_f64.sqrt());
        assert_eq!(of.minhash.probability, of.minhash.banding.probability(2.0 / 7.0));
        let weighed = compare(Options { weighting: Some(Weighting::Tf), ..by_words() }, "a a b", "a c");
        assert!((weighed.cosine.value() - 2.0 / 10_f64.sqrt()).abs() < 1e-12);
        let shingles = compare(Options { shingle: Some(2), ..Options::default() }, "a b c", "b c d");
        assert_eq!((shingles.shingles.common, shingles.words.common), (1, 2));
    }

    #[test]
    fn equal_texts_agree_in_everything() {
        let of = compare(Options::default(), "Call me Ishmael.", "CALL ME ISHMAEL");
        assert_eq!((of.minhash.equal, of.minhash.shared_bands.len(), of.distance), (128, 21, Some(0)));
        assert_eq!(of.minhash.shared_bands[0], 1);
        assert_eq!((of.cosine, of.minhash.estimate()), (Similarity::SAME, Similarity::SAME));
        assert!(of.verdict.is_found() && (of.minhash.probability - 1.0).abs() < 1e-12);
    }

    #[test]
    fn empty_texts_are_similar_to_nothing() {
        for (left, right) in [("", ""), ("", "a word"), (" ", "\n")] {
            let of = compare(Options::default(), left, right);
            assert_eq!((of.minhash.equal, of.distance, of.verdict.is_found()), (0, None, false));
            assert_eq!((of.cosine.value(), of.shingles.jaccard().value()), (0.0, 0.0));
        }
    }

    #[test]
    fn the_verdict_names_the_reason() {
        let say = |options, left, right| compare(options, left, right).verdict.to_string();
        let same = say(by_words(), "a b", "b a");
        assert_eq!(
            same,
            "Found as a pair: their Jaccard similarity of 1.000000 reaches 0.8, and they share 21 of 21 bands."
        );
        let other = say(by_words(), "a b", "c d");
        assert_eq!(
            other,
            "Not a pair: their Jaccard similarity of 0.000000 is below 0.8. A chain of other documents may still put both into one cluster."
        );
        let empty = say(by_words(), "a b", "");
        assert_eq!(empty, "Not a pair: B has no features.");
        assert_eq!(say(by_words(), "", " "), "Not a pair: neither text has features.");
        let missed = Options { threshold: Some(0.1), bands: Some(1), rows: Some(128), ..by_words() };
        let missed = say(missed, "a b c d", "a b e f");
        assert_eq!(
            missed,
            "Missed: their Jaccard similarity of 0.333333 reaches 0.1, but they share none of 1 band."
        );
        let simhash = Options { method: Some(Method::SimHash), ..by_words() };
        let near = say(simhash.clone(), "a b", "b a");
        assert_eq!(near, "Found as a pair: their fingerprints differ in 0 of 64 bits, and up to 3 are near.");
        let verified = Options { verify: Some(crate::Verification::Exact), hamming: Some(0), ..simhash };
        let far = say(Options { threshold: Some(0.5), ..verified }, "a b c d", "a b c e");
        assert!(far.starts_with("Missed: their Jaccard similarity of 0.600000 reaches 0.5, but"), "{far}");
        let exact = Options { method: Some(Method::Exact), threshold: Some(0.1), ..by_words() };
        assert_eq!(
            say(exact.clone(), "a b c d", "a b e f"),
            "Found as a pair: their Jaccard similarity of 0.333333 reaches 0.1, and exact search misses nothing."
        );
        let other = say(exact, "a b", "c d");
        assert_eq!(
            other,
            "Not a pair: their Jaccard similarity of 0.000000 is below 0.1. A chain of other documents may still put both into one cluster."
        );
    }

    #[test]
    fn an_open_method_has_a_verdict_of_both_searches() {
        let of = |options: Options, left, right| {
            let plan = options.plan().unwrap();
            let weights = Weights::without_table(plan.weighting()).unwrap();
            Comparison::of_open_method(&plan, &weights, Level::detect(), left, right).verdict
        };
        let narrow = Options { threshold: Some(0.1), bands: Some(1), rows: Some(128), ..by_words() };
        let missed = of(narrow, "a b c d", "a b e f");
        assert_eq!(
            missed.to_string(),
            "A pair: their Jaccard similarity of 0.333333 reaches 0.1. Exact search, taken for small corpora, finds it; MinHash, \
             taken for large ones, misses it: they share none of 1 band."
        );
        let methods = |verdict: &Verdict| (verdict.found_by().collect(), verdict.missed_by().collect());
        assert_eq!(methods(&missed), (vec![Method::Exact], vec![Method::MinHash]));
        let same = of(by_words(), "a b", "b a");
        assert_eq!(
            same.to_string(),
            "Found as a pair: their Jaccard similarity of 1.000000 reaches 0.8. Exact search, taken for small corpora, finds it; \
             MinHash, taken for large ones, finds it too: they share 21 of 21 bands."
        );
        assert_eq!(methods(&same), (vec![Method::Exact, Method::MinHash], vec![]));
        let other = of(by_words(), "a b", "c d");
        assert_eq!(
            other.to_string(),
            "Not a pair: their Jaccard similarity of 0.000000 is below 0.8. A chain of other documents may still put both into one cluster."
        );
        assert_eq!(methods(&other), (vec![], vec![]));
        assert_eq!(methods(&of(by_words(), "", "")), (vec![], vec![]));
        // The exact join is not defined for a cosine of weights.
        let weighed =
            Options { measure: Some(Measure::Cosine), weighting: Some(Weighting::Tf), ..by_words() };
        assert_eq!(of(weighed, "a b", "b a").searches.len(), 1);
    }
}
