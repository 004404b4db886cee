//! Options that a user gives ([`Options`]) and the plan that follows from them ([`Plan`]).
//!
//! Every option may be left out. A plan is resolved and valid by construction. Its [`PlanId`] changes with every field
//! that changes the bits of a sketch.

mod banding;
mod filter;
mod measure;
mod options;
pub(crate) mod probability;
mod simhash;
mod sketches;
mod stop_words;
#[cfg(feature = "serde")]
mod stored;

pub use banding::Banding;
pub use filter::SignatureFilter;
pub use measure::Measure;
pub use options::{Method, Options, Verification};
pub use simhash::{Bits, SimHash, Tie, Weighting};
pub use sketches::{FeatureHash, Scheme};

use crate::error::PlanError;
use crate::frequent::FrequentFeatures;
use crate::hash::{POLYNOMIAL, fmix64};
use crate::simhash::{FeatureLevels, Weights};
use crate::similarity::{Estimate, Score, Similarity};
use crate::text::{Folds, JiebaWords, Tokens};
use std::{fmt, sync::Arc};

/// Every setting that decides which pairs are found. Valid by construction.
///
/// Immutable and cheap to clone. Types that work with a plan hold a clone of it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "stored::StoredPlan", try_from = "stored::StoredPlan"))]
pub struct Plan {
    threshold: f64,
    measure: Measure,
    tokens: Tokens,
    folds: Folds,
    /// The hashes of tokens that make no features, ascending.
    stop_words: Arc<[u64]>,
    /// Words that are added to the dictionary of jieba.
    jieba_words: Option<Arc<JiebaWords>>,
    /// Features that do not count.
    frequent: Option<Arc<FrequentFeatures>>,
    shingle: usize,
    feature_hash: FeatureHash,
    weighting: Weighting,
    /// The levels of features, for weights by levels.
    levels: Option<Arc<FeatureLevels>>,
    method: Method,
    /// The settings of fingerprints, if pairs are searched by SimHash.
    simhash: Option<SimHash>,
    num_perm: usize,
    scheme: Scheme,
    banding: Banding,
    recall: f64,
    signature_filter: SignatureFilter,
    /// Whether the similarity of pairs by MinHash is estimated, and not counted.
    estimates: bool,
    seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Options::default().plan().expect("the defaults are valid")
    }
}

impl Plan {
    /// The similarity from which two documents are similar.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The measure of similarity.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// The hashes of tokens that make no features, ascending.
    pub fn stop_words(&self) -> &[u64] {
        &self.stop_words
    }

    /// The words that are added to the dictionary of jieba, if there are some.
    pub fn jieba_words(&self) -> Option<&JiebaWords> {
        self.jieba_words.as_deref()
    }

    /// The features that do not count, as too many documents had them, if they were counted.
    pub fn frequent(&self) -> Option<&FrequentFeatures> {
        self.frequent.as_deref()
    }

    /// The same plan, by which the features of `frequent` do not count.
    ///
    /// # Errors
    /// [`PlanError::FrequentWords`] if the measure compares single tokens.
    pub fn leaving_out(&self, frequent: FrequentFeatures) -> Result<Plan, PlanError> {
        match self.measure {
            Measure::WordJaccard => Err(PlanError::FrequentWords),
            _ => Ok(Plan { frequent: Some(Arc::new(frequent)), ..self.clone() }),
        }
    }

    /// The same plan, by which all features count.
    pub fn with_all_features(&self) -> Plan {
        Plan { frequent: None, ..self.clone() }
    }

    /// The hash function that makes features of shingles.
    pub fn feature_hash(&self) -> FeatureHash {
        self.feature_hash
    }

    /// The weighting of features.
    pub fn weighting(&self) -> Weighting {
        self.weighting
    }

    /// The levels of features, if weights by levels have them.
    pub fn levels(&self) -> Option<&Arc<FeatureLevels>> {
        self.levels.as_ref()
    }

    /// The same plan with these levels, for weights by levels.
    pub fn with_levels(self, levels: FeatureLevels) -> Plan {
        Plan { levels: Some(Arc::new(levels)), ..self }
    }

    /// The weights of features, if the plan has all that they need. By TF-IDF they need a table of document frequencies.
    pub fn weights(&self) -> Option<Weights> {
        match self.weighting {
            Weighting::Levels => self.levels.clone().map(Weights::Levels),
            weighting => Weights::without_table(weighting),
        }
    }

    /// The same plan with other stop words, given by their hashes as in [`Plan::stop_words`]. A stored plan is read
    /// this way.
    #[cfg(feature = "serde")]
    pub(crate) fn with_stop_words(self, mut hashes: Vec<u64>) -> Plan {
        hashes.sort_unstable();
        hashes.dedup();
        Plan { stop_words: hashes.into(), ..self }
    }

    /// The method by which pairs are searched.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The same plan with the exact join as its method. `None` if the join is not defined, as for a cosine of weights.
    pub fn exactly(&self) -> Option<Plan> {
        let plan = Plan { method: Method::Exact, simhash: None, estimates: false, ..self.clone() };
        (!self.compares_weights()).then_some(plan)
    }

    /// The settings of fingerprints. `None` if pairs are not searched by SimHash.
    pub fn simhash(&self) -> Option<SimHash> {
        self.simhash
    }

    /// Whether the measure needs the weights of features.
    pub fn compares_weights(&self) -> bool {
        self.measure == Measure::Cosine && self.weighting != Weighting::Set
    }

    /// What decides about candidates. `None` if the distance of fingerprints decides alone.
    pub fn verification(&self) -> Option<Verification> {
        match self.simhash {
            Some(simhash) => simhash.verified.then_some(Verification::Exact),
            None if self.estimates => Some(Verification::Estimate),
            None => Some(Verification::Exact),
        }
    }

    /// Whether the similarity of pairs is counted. Otherwise sketches decide alone: the distance of fingerprints, or
    /// the estimate of signatures.
    pub fn verifies(&self) -> bool {
        self.verification() == Some(Verification::Exact)
    }

    /// Whether the estimate of signatures decides alone.
    pub fn estimates(&self) -> bool {
        self.verification() == Some(Verification::Estimate)
    }

    /// Whether the distance of fingerprints decides alone. Documents then have no similarity.
    pub fn decides_by_distance(&self) -> bool {
        self.verification().is_none()
    }

    /// The rule that cuts texts into tokens.
    pub fn tokens(&self) -> Tokens {
        self.tokens
    }

    /// What else does not count in texts.
    pub fn folds(&self) -> Folds {
        self.folds
    }

    /// Tokens per shingle.
    pub fn shingle(&self) -> usize {
        self.shingle
    }

    /// Values per signature.
    pub fn num_perm(&self) -> usize {
        self.num_perm
    }

    /// The scheme by which signatures are made.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The bands and rows of a signature.
    pub fn banding(&self) -> Banding {
        self.banding
    }

    /// The wanted probability of finding a pair at the threshold.
    pub fn recall(&self) -> f64 {
        self.recall
    }

    /// The filter that chooses which candidates are compared. By estimates it decides alone.
    pub fn signature_filter(&self) -> &SignatureFilter {
        &self.signature_filter
    }

    /// This plan with another threshold, from above 0 to 1. Sketches and bands are the same, so it searches what this plan has made.
    /// Its recall at a lower threshold is what the bands give: see [`Plan::chance_at`].
    ///
    /// # Errors
    /// [`PlanError::OutOfRange`].
    pub fn with_threshold(&self, threshold: f64) -> Result<Self, PlanError> {
        let jaccard = self.measure.least_jaccard(options::checked_threshold(threshold)?);
        let signature_filter =
            SignatureFilter::of_plan(self.estimates, jaccard, self.num_perm, self.banding, self.recall);
        Ok(Plan { threshold, signature_filter, ..self.clone() })
    }

    /// The probability that MinHash finds two documents of Jaccard similarity `jaccard`.
    ///
    /// They have to share a band and pass the filter. The true probability is a little higher, as documents that share
    /// a band pass the filter more easily.
    pub fn minhash_probability(&self, jaccard: f64) -> f64 {
        self.banding.probability(jaccard) * self.signature_filter.probability(jaccard)
    }

    /// The seed of all hash functions.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether the sketches estimate the measure by which pairs are compared. The recall is then known.
    ///
    /// Otherwise pairs that are similar by the measure, but not by the sketch, are missed in unknown number.
    pub fn recall_is_known(&self) -> bool {
        let sets = self.weighting == Weighting::Set;
        match self.measure {
            _ if self.method == Method::Exact => true,
            Measure::Containment => false,
            Measure::WordJaccard if self.shingle > 1 => false,
            Measure::Jaccard | Measure::WordJaccard => self.simhash.is_none() || sets,
            Measure::Cosine => self.simhash.is_some() || sets,
        }
    }

    /// Whether documents with this score are a pair.
    pub fn accepts(&self, score: Score) -> bool {
        match score {
            Score::Similarity(similarity) => self.measure.reaches(self.threshold, similarity),
            Score::Hamming(distance) => self.simhash.is_some_and(|simhash| distance <= simhash.hamming),
            Score::Estimate(estimate) => self.signature_filter.passes(estimate.equal),
        }
    }

    /// The score of two copies of one text.
    pub fn score_of_copies(&self) -> Score {
        let values = self.num_perm as u32;
        match self.verification() {
            Some(Verification::Exact) => Score::Similarity(Similarity::SAME),
            Some(Verification::Estimate) => Score::Estimate(Estimate { equal: values, values }),
            None => Score::Hamming(0),
        }
    }

    /// Names the features that this plan makes. Two plans with the same id make the same features.
    pub fn feature_id(&self) -> u64 {
        self.feature_id_in(SKETCH_VERSION)
    }

    /// Names the sketch bits that this plan makes. Two plans with the same id make the same signatures. They make the
    /// same fingerprints if their weights are from the same table.
    pub fn id(&self) -> PlanId {
        self.id_in(SKETCH_VERSION)
    }

    /// Names the signature bits that this plan makes. Equals [`Plan::id`] for MinHash.
    pub fn signature_id(&self) -> PlanId {
        self.minhash_id(self.feature_id_in(SKETCH_VERSION))
    }

    /// Names the bits of the fingerprints that this plan makes with weights by this table, if there is one.
    pub(crate) fn fingerprint_id_of(&self, table: Option<u64>) -> PlanId {
        let features = self.feature_id_in(SKETCH_VERSION);
        let PlanId(id) = self.simhash_id(features, self.simhash.unwrap_or_default());
        table.map_or(PlanId(id), |table| PlanId(id).with_table(table))
    }

    /// The version before [`SKETCH_VERSION`] in which `id` was this plan's [`Plan::id`] or [`Plan::feature_id`].
    pub fn older_version(&self, id: u64) -> Option<u64> {
        (1..SKETCH_VERSION)
            .find(|&version| [self.id_in(version).0, self.feature_id_in(version)].contains(&id))
    }

    fn feature_id_in(&self, version: u64) -> u64 {
        let fields = [
            version,
            self.tokens as u64,
            self.shingle as u64,
            self.feature_hash as u64,
            self.seed,
            self.stop_words.len() as u64,
        ];
        // Before version 3 there were no folds.
        let folds = (version >= 3).then(|| self.folds.number());
        let words = self.jieba_words().map(JiebaWords::id);
        let frequent =
            self.frequent().map(FrequentFeatures::features).filter(|features| !features.is_empty());
        let frequent = frequent.map(|features| combine(features.iter().copied()));
        let words = words.into_iter().chain(frequent);
        combine(fields.into_iter().chain(folds).chain(self.stop_words.iter().copied()).chain(words))
    }

    fn id_in(&self, version: u64) -> PlanId {
        let features = self.feature_id_in(version);
        match self.simhash {
            None if self.method == Method::Exact => PlanId(combine([features, 2])),
            None => self.minhash_id(features),
            Some(simhash) => self.simhash_id(features, simhash),
        }
    }

    fn minhash_id(&self, features: u64) -> PlanId {
        PlanId(combine([features, 0, self.num_perm as u64, self.scheme as u64]))
    }

    fn simhash_id(&self, features: u64, SimHash { bits, tie, .. }: SimHash) -> PlanId {
        PlanId(combine([features, 1, u64::from(bits.count()), tie as u64, self.weighting as u64]))
    }
}

fn combine(fields: impl IntoIterator<Item = u64>) -> u64 {
    fmix64(fields.into_iter().fold(0, |sum, field| fmix64(sum).wrapping_mul(POLYNOMIAL) ^ field))
}

/// The version of the sketches, a part of every [`PlanId`]. It grows whenever the same text and plan give other bits.
///
/// 2: invisible characters are no part of tokens, except for tokens cut at white space.
/// 3: marks stand in words, case is folded, optional writing does not count. Weights by TF-IDF have finer units. No shingle
/// crosses a separator of sections.
pub const SKETCH_VERSION: u64 = 3;

/// The hash of the fields of a plan that change sketch bits. Printed as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlanId(pub u64);

impl PlanId {
    /// Names the fingerprint bits of this plan by a table with the id `table`.
    pub(crate) fn with_table(self, table: u64) -> Self {
        PlanId(combine([self.0, table]))
    }
}

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::PlanError;
    use crate::plan::Tie;
    use crate::text::Fold;

    #[test]
    fn the_default_plan_is_21_bands_of_6_rows() {
        assert_eq!(Plan::default().banding(), Banding { bands: 21, rows: 6 });
    }

    #[test]
    fn options_out_of_range_are_named() {
        let error = Options { threshold: Some(1.5), ..Options::default() }.plan().unwrap_err();
        assert_eq!(error.to_string(), "threshold is 1.5; it must be above 0 and up to 1");
        let error = Options { bands: Some(32), rows: Some(5), ..Options::default() }.plan().unwrap_err();
        assert_eq!(error.to_string(), "32 bands of 5 rows need 160 values, and a signature has 128");
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
    fn estimates_are_of_jaccard_by_minhash() {
        let of = |options: Options| Options { verify: Some(Verification::Estimate), ..options }.plan();
        let plan = of(Options::default()).unwrap();
        assert!(!plan.verifies() && plan.estimates() && !plan.decides_by_distance());
        assert_eq!(plan.id(), Plan::default().id());
        assert_eq!(plan.score_of_copies().to_string(), "1.000000");
        assert!(plan.accepts(plan.score_of_copies()));
        assert!(plan.exactly().unwrap().verifies());
        for method in [Method::SimHash, Method::Exact] {
            let error = of(Options { method: Some(method), ..Options::default() });
            assert_eq!(error, Err(PlanError::EstimatedMethod));
        }
        let error = of(Options { measure: Some(Measure::Cosine), ..Options::default() });
        assert_eq!(error, Err(PlanError::EstimatedMeasure { measure: "cosine" }));
    }

    #[test]
    fn only_what_changes_bits_changes_the_id() {
        let id = Plan::default().id();
        let plan = |options: Options| options.plan().unwrap().id();
        assert_eq!(plan(Options { threshold: Some(0.5), ..Options::default() }), id);
        assert_ne!(plan(Options { seed: Some(1), ..Options::default() }), id);
        assert_ne!(plan(Options { shingle: Some(4), ..Options::default() }), id);
        assert_ne!(plan(Options { tokens: Some(Tokens::Chars), ..Options::default() }), id);
        let fold = Some([Fold::Digits].into_iter().collect());
        assert_ne!(plan(Options { fold, ..Options::default() }), id);
        let whitespace = Options { fold, tokens: Some(Tokens::Whitespace), ..Options::default() };
        assert_eq!(whitespace.plan(), Err(PlanError::FoldedWhitespace));
        assert_ne!(plan(Options { stop_words: Some(vec!["the".into()]), ..Options::default() }), id);
        let simhash = Options { method: Some(Method::SimHash), ..Options::default() };
        assert_ne!(plan(simhash.clone()), id);
        assert_ne!(plan(Options { tie: Some(Tie::One), ..simhash.clone() }), plan(simhash.clone()));
        assert_eq!(plan(Options { hamming: Some(7), ..simhash.clone() }), plan(simhash));
    }

    #[test]
    fn fingerprints_are_named_by_their_table_too() {
        let plan = |weighting| {
            let options =
                Options { method: Some(Method::SimHash), weighting: Some(weighting), ..Options::default() };
            options.plan().unwrap()
        };
        let tf = plan(Weighting::Tf);
        assert_eq!(tf.fingerprint_id(&Weights::Tf), tf.id());
        assert_eq!(Plan::default().signature_id(), Plan::default().id());
        let levels = |others| Weights::Levels(Arc::new(FeatureLevels::new(others).unwrap()));
        let by_levels = plan(Weighting::Levels);
        assert_ne!(by_levels.fingerprint_id(&levels(1)), by_levels.fingerprint_id(&levels(2)));
        assert_eq!(by_levels.fingerprint_id(&levels(1)), by_levels.fingerprint_id(&levels(1)));
    }

    #[test]
    fn ids_of_older_versions_are_known_and_no_others() {
        let plan = Plan::default();
        // The two ids of the default plan, as programs of each version wrote them.
        assert_eq!(plan.older_version(0xa9ba_03f8_992f_e04d), Some(1));
        assert_eq!(plan.older_version(0x8a04_1e6f_6f81_2019), Some(1));
        assert_eq!(plan.older_version(0x9087_4dff_7639_2539), Some(2));
        assert_eq!(plan.older_version(0x8dac_2e39_96a4_3469), Some(2));
        assert_eq!(plan.older_version(plan.id().0), None);
        assert_eq!(plan.older_version(plan.feature_id()), None);
    }
}
