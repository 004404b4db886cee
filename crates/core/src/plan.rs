//! What is asked for ([`Options`]) and what is done ([`Plan`]).
//!
//! Options may all be left open. A plan is resolved and valid by construction; its [`PlanId`] changes
//! with every field that changes the bits of a sketch.

use crate::error::PlanError;
use crate::hash::{POLYNOMIAL, fmix64};
use crate::lsh::{Banding, Likeness};
use crate::measure::Measure;
use crate::simhash::{Bits, SimHash, Tie, Weighting};
use crate::similarity::Similarity;
use crate::sketch::{FeatureHash, Scheme, stop_word_hashes};
use crate::text::Tokens;
use std::fmt;

/// What is asked for; what is `None` is chosen by [`Options::plan`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// How pairs are searched. Default MinHash.
    pub method: Option<Method>,
    /// Similarity from which two documents are alike, above 0 and up to 1. Default 0.8.
    pub threshold: Option<f64>,
    /// What similarity is. Default Jaccard.
    pub measure: Option<Measure>,
    /// How texts are cut into tokens. Default words.
    pub tokens: Option<Tokens>,
    /// Tokens per shingle, from 1 to 1,000. Default 5.
    pub shingle: Option<usize>,
    /// Values per signature, from 8 to 4,096. Default 128.
    pub num_perm: Option<usize>,
    /// How signatures are made. Default bucketed.
    pub scheme: Option<Scheme>,
    /// Bands of the signature; by default as many as the rows leave room for.
    pub bands: Option<usize>,
    /// Values per band; by default as many as the wanted recall allows.
    pub rows: Option<usize>,
    /// Wanted probability that a pair *at* the threshold is found. Default 0.995.
    pub recall: Option<f64>,
    /// The seed of all hash functions. Default 0.
    pub seed: Option<u64>,
    /// Words that make no features. Those that are not one token are passed over. Default none.
    pub stop_words: Option<Vec<String>>,
    /// How much features weigh, in fingerprints and for the cosine. Default set.
    pub weighting: Option<Weighting>,
    /// The hash function that makes features of shingles. Default XXH3; others go with SimHash only.
    pub feature_hash: Option<FeatureHash>,
    /// Bits of a fingerprint. Default 64.
    pub bits: Option<Bits>,
    /// What becomes of a bit with as much weight for it as against it. Default 0.
    pub tie: Option<Tie>,
    /// Bits in which fingerprints may differ, up to 12. Default 3, of 128 bits 6; if pairs are compared, 10 and 12.
    pub hamming: Option<u32>,
    /// Are pairs that SimHash finds compared by the measure? Default no: the distance alone decides.
    pub verify: Option<bool>,
}

/// How pairs are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// By bands of MinHash signatures.
    #[default]
    MinHash,
    /// By the Hamming distance of SimHash fingerprints.
    SimHash,
}

/// Everything that decides what is found; valid by construction.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    threshold: f64,
    measure: Measure,
    tokens: Tokens,
    /// The hashes of tokens that make no features, ascending.
    stop_words: Vec<u64>,
    shingle: usize,
    feature_hash: FeatureHash,
    weighting: Weighting,
    /// How pairs are searched, if not by MinHash.
    simhash: Option<SimHash>,
    num_perm: usize,
    scheme: Scheme,
    banding: Banding,
    seed: u64,
}

impl Options {
    /// The plan for these options.
    ///
    /// # Errors
    /// [`PlanError`] names the option that is out of its range, or the two that do not go together.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        let threshold = self.threshold.unwrap_or(0.8);
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(PlanError::out_of_range("threshold", threshold, "above 0 and up to 1"));
        }
        let recall = self.recall.unwrap_or(0.995);
        if !(recall > 0.0 && recall < 1.0) {
            return Err(PlanError::out_of_range("recall", recall, "above 0 and below 1"));
        }
        let shingle = self.shingle.unwrap_or(5);
        if !(1..=1_000).contains(&shingle) {
            return Err(PlanError::out_of_range("shingle", shingle, "from 1 to 1000"));
        }
        let num_perm = self.num_perm.unwrap_or(128);
        if !(8..=4_096).contains(&num_perm) {
            return Err(PlanError::out_of_range("num_perm", num_perm, "from 8 to 4096"));
        }
        let measure = self.measure.unwrap_or_default();
        let jaccard = measure.as_jaccard(threshold);
        let banding = match (self.bands, self.rows) {
            (None, None) => Banding::for_recall(jaccard, num_perm, recall),
            (bands, Some(rows)) => {
                Banding { bands: bands.unwrap_or(num_perm.checked_div(rows).unwrap_or(0)), rows }
            }
            (Some(bands), None) => {
                let rows = Banding::for_recall(jaccard, num_perm, recall).rows;
                Banding { bands, rows: rows.min(num_perm.checked_div(bands).unwrap_or(0)) }
            }
        };
        if banding.bands == 0 || banding.rows == 0 || banding.bands.saturating_mul(banding.rows) > num_perm {
            return Err(PlanError::Banding { bands: banding.bands, rows: banding.rows, num_perm });
        }
        let feature_hash = self.feature_hash.unwrap_or_default();
        let simhash = match self.method.unwrap_or_default() {
            Method::SimHash => Some(self.simhash()?),
            Method::MinHash if feature_hash != FeatureHash::Xxh3 => return Err(PlanError::FeatureHash),
            Method::MinHash => None,
        };
        let mut plan = Plan {
            threshold,
            measure,
            tokens: self.tokens.unwrap_or_default(),
            stop_words: Vec::new(),
            shingle,
            feature_hash,
            weighting: self.weighting.unwrap_or_default(),
            simhash,
            num_perm,
            scheme: self.scheme.unwrap_or_default(),
            banding,
            seed: self.seed.unwrap_or(0),
        };
        if let Some(words) = &self.stop_words {
            plan.stop_words = stop_word_hashes(&plan, words);
        }
        Ok(plan)
    }

    fn simhash(&self) -> Result<SimHash, PlanError> {
        let (bits, verified) = (self.bits.unwrap_or_default(), self.verify.unwrap_or(false));
        let hamming = self.hamming.unwrap_or(match (bits, verified) {
            (Bits::B64, false) => 3,
            (Bits::B64, true) => 10,
            (Bits::B128, false) => 6,
            (Bits::B128, true) => 12,
        });
        if hamming > 12 {
            return Err(PlanError::out_of_range("hamming", hamming, "from 0 to 12"));
        }
        Ok(SimHash { bits, tie: self.tie.unwrap_or_default(), hamming, verified })
    }
}

impl Default for Plan {
    fn default() -> Self {
        Options::default().plan().expect("the defaults are valid")
    }
}

impl Plan {
    /// Similarity from which two documents are alike.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// What similarity is.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// The hashes of tokens that make no features, ascending.
    pub fn stop_words(&self) -> &[u64] {
        &self.stop_words
    }

    /// The hash function that makes features of shingles.
    pub fn feature_hash(&self) -> FeatureHash {
        self.feature_hash
    }

    /// How much features weigh.
    pub fn weighting(&self) -> Weighting {
        self.weighting
    }

    /// How fingerprints are made and compared; `None` if pairs are searched by MinHash.
    pub fn simhash(&self) -> Option<SimHash> {
        self.simhash
    }

    /// Does the measure need the weights of features?
    pub fn compares_weights(&self) -> bool {
        self.measure == Measure::Cosine && self.weighting != Weighting::Set
    }

    /// Is the similarity of pairs counted? Not if the distance of fingerprints decides alone.
    pub fn verifies(&self) -> bool {
        self.simhash.is_none_or(|simhash| simhash.verified)
    }

    /// How texts are cut into tokens.
    pub fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// Tokens per shingle.
    pub fn shingle(&self) -> usize {
        self.shingle
    }

    /// Values per signature.
    pub fn num_perm(&self) -> usize {
        self.num_perm
    }

    /// How signatures are made.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// How signatures are cut into bands.
    pub fn banding(&self) -> Banding {
        self.banding
    }

    /// The seed of all hash functions.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What copies of one text are to one another.
    pub fn likeness_of_copies(&self) -> Likeness {
        if self.verifies() { Likeness::Similarity(Similarity::SAME) } else { Likeness::Hamming(0) }
    }

    /// Names the features this plan makes: two plans with the same one make the same features.
    pub fn feature_id(&self) -> u64 {
        let fields = [
            FEATURE_VERSION,
            self.tokens as u64,
            self.shingle as u64,
            self.feature_hash as u64,
            self.seed,
            self.stop_words.len() as u64,
        ];
        combine(fields.into_iter().chain(self.stop_words.iter().copied()))
    }

    /// Names the sketch bits this plan makes: two plans with the same id make the same signatures, or the same
    /// fingerprints if their weights are from the same table.
    pub fn id(&self) -> PlanId {
        PlanId(match self.simhash {
            None => combine([self.feature_id(), 0, self.num_perm as u64, self.scheme as u64]),
            Some(SimHash { bits, tie, .. }) => {
                let bits = u64::from(bits.count());
                combine([self.feature_id(), 1, bits, tie as u64, self.weighting as u64])
            }
        })
    }
}

fn combine(fields: impl IntoIterator<Item = u64>) -> u64 {
    fmix64(fields.into_iter().fold(0, |sum, field| fmix64(sum).wrapping_mul(POLYNOMIAL) ^ field))
}

/// Raised when the same text and plan give other bits than before.
const FEATURE_VERSION: u64 = 1;

/// The hash of the fields of a plan that change sketch bits; shown as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlanId(pub u64);

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_plan_is_21_bands_of_6_rows() {
        assert_eq!(Plan::default().banding(), Banding { bands: 21, rows: 6 });
    }

    #[test]
    fn options_out_of_range_are_named() {
        let error = Options { threshold: Some(1.5), ..Options::default() }.plan().unwrap_err();
        assert_eq!(error.to_string(), "threshold is 1.5; it must be above 0 and up to 1");
        let error = Options { bands: Some(32), rows: Some(5), ..Options::default() }.plan().unwrap_err();
        assert_eq!(
            error.to_string(),
            "32 bands of 5 rows do not fit a signature of 128 values; raise num_perm"
        );
        let bands_only = Options { bands: Some(32), ..Options::default() }.plan().unwrap();
        assert_eq!(bands_only.banding(), Banding { bands: 32, rows: 4 });
        let far = Options { method: Some(Method::SimHash), hamming: Some(13), ..Options::default() };
        assert_eq!(far.plan().unwrap_err().to_string(), "hamming is 13; it must be from 0 to 12");
        let murmur = Options { feature_hash: Some(FeatureHash::Murmur3), ..Options::default() };
        assert_eq!(murmur.plan(), Err(PlanError::FeatureHash));
        assert!(Options { rows: Some(0), ..Options::default() }.plan().is_err());
        assert!(Options { threshold: Some(f64::NAN), ..Options::default() }.plan().is_err());
    }

    #[test]
    fn only_what_changes_bits_changes_the_id() {
        let id = Plan::default().id();
        let plan = |options: Options| options.plan().unwrap().id();
        assert_eq!(plan(Options { threshold: Some(0.5), ..Options::default() }), id);
        assert_ne!(plan(Options { seed: Some(1), ..Options::default() }), id);
        assert_ne!(plan(Options { shingle: Some(4), ..Options::default() }), id);
        assert_ne!(plan(Options { tokens: Some(Tokens::Chars), ..Options::default() }), id);
        assert_ne!(plan(Options { stop_words: Some(vec!["the".into()]), ..Options::default() }), id);
        let simhash = Options { method: Some(Method::SimHash), ..Options::default() };
        assert_ne!(plan(simhash.clone()), id);
        assert_ne!(plan(Options { tie: Some(Tie::One), ..simhash.clone() }), plan(simhash.clone()));
        assert_eq!(plan(Options { hamming: Some(7), ..simhash.clone() }), plan(simhash));
    }
}
