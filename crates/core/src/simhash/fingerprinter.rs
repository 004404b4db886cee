//! The fingerprinter: features in, fingerprint out. It reuses its buffers from document to document.

use super::fixed::{idf, log_weight};
use super::terms::Terms;
use super::{Fingerprint, Weights};
use crate::plan::{Bits, Plan, PlanId, SimHash, Tie};
use crate::simd::Level;

/// Makes fingerprints of documents from their features. Each thread has its own.
///
/// ```
/// use lookalike::{Fingerprinter, Method, Options, Sketcher, Weighting, Weights};
///
/// let options = Options { method: Some(Method::SimHash), weighting: Some(Weighting::Tf), ..Options::default() };
/// let plan = options.plan()?;
/// let mut sketcher = Sketcher::new(&plan);
/// let mut fingerprinter = Fingerprinter::new(&plan, &Weights::Tf);
/// let mut of = |text| fingerprinter.fingerprint(sketcher.features(text));
/// let a = of("It was the best of times, it was the worst of times");
/// let b = of("It was the BEST of times: it was the worst of times!");
/// assert_eq!(a.hamming(b), Ok(0));
/// assert!(of("").is_empty());
/// # Ok::<(), lookalike::PlanError>(())
/// ```
pub struct Fingerprinter {
    plan: PlanId,
    pub(super) bits: Bits,
    tie: Tie,
    weights: Weights,
    level: Level,
    /// The weights of counts below [`COMMON`]: counts of a feature in its document for `LogTf`, of documents for
    /// `TfIdf`.
    common: Vec<u32>,
    /// `None` before the first document, and while the terms are in use beside other buffers.
    terms: Option<Terms>,
    factors: Vec<u32>,
    halves: Vec<u64>,
}

/// Nearly all counts are below this. The logarithm of a larger one is computed each time.
const COMMON: u32 = 1024;

impl Fingerprinter {
    /// A fingerprinter for `plan` that uses the fastest instructions of this machine. It has the plan's bits and tie
    /// rule, or the defaults for plans without SimHash.
    ///
    /// # Panics
    /// If `weights` are of another weighting than the plan's.
    pub fn new(plan: &Plan, weights: &Weights) -> Self {
        Self::with_level(plan, weights, Level::detect())
    }

    /// A fingerprinter that uses the instructions of `level`. Every level gives the same bits.
    ///
    /// # Panics
    /// If `weights` are of another weighting than the plan's.
    pub fn with_level(plan: &Plan, weights: &Weights, level: Level) -> Self {
        assert_eq!(weights.weighting(), plan.weighting(), "weights by the weighting of the plan");
        let SimHash { bits, tie, .. } = plan.simhash().unwrap_or_default();
        let common = match weights {
            Weights::LogTf => (0..COMMON).map(|count| log_weight(count.max(1))).collect(),
            Weights::TfIdf(table) => (0..COMMON).map(|count| idf(table.documents(), count)).collect(),
            Weights::Set | Weights::Tf | Weights::Levels(_) => Vec::new(),
        };
        Fingerprinter {
            plan: plan.fingerprint_id(weights),
            bits,
            tie,
            weights: weights.clone(),
            level,
            common,
            terms: None,
            factors: Vec::new(),
            halves: Vec::new(),
        }
    }

    /// The fingerprint of a document with these `features`, in any order and with repetitions.
    ///
    /// # Panics
    /// If there are 2³² features or more.
    pub fn fingerprint(&mut self, features: &[u64]) -> Fingerprint {
        // Taken out while it is used beside other buffers.
        let mut factors = std::mem::take(&mut self.factors);
        let fingerprint = match &self.weights {
            Weights::Tf => self.unweighted(features),
            Weights::Levels(levels) => {
                levels.look_up(features, &mut factors);
                self.weighted(features, &factors)
            }
            Weights::Set | Weights::LogTf | Weights::TfIdf(_) => self.by_terms(features, &mut factors),
        };
        self.factors = factors;
        fingerprint
    }

    /// The fingerprint by the distinct features.
    fn by_terms(&mut self, features: &[u64], factors: &mut Vec<u32>) -> Fingerprint {
        let mut terms = self.terms.take().unwrap_or_else(Terms::new);
        terms.count(features);
        let distinct = terms.features();
        // If every feature occurs once, all weigh the same.
        let fingerprint = match &self.weights {
            Weights::Set => self.unweighted(distinct),
            Weights::LogTf if distinct.len() == features.len() => self.unweighted(distinct),
            _ => {
                self.weigh_terms(&terms, factors);
                self.weighted(distinct, factors)
            }
        };
        self.terms = Some(terms);
        fingerprint
    }

    /// Fills `weighed` with the distinct features, ascending, each with its weight in this document.
    pub fn weigh(&mut self, features: &[u64], weighed: &mut Vec<(u64, u32)>) {
        let mut terms = self.terms.take().unwrap_or_else(Terms::new);
        terms.count(features);
        let mut factors = std::mem::take(&mut self.factors);
        self.weigh_terms(&terms, &mut factors);
        weighed.clear();
        weighed.extend(terms.features().iter().copied().zip(factors.iter().copied()));
        weighed.sort_unstable();
        self.factors = factors;
        self.terms = Some(terms);
    }

    fn weigh_terms(&self, terms: &Terms, factors: &mut Vec<u32>) {
        factors.clear();
        match &self.weights {
            Weights::Set => factors.resize(terms.features().len(), 1),
            Weights::Tf => factors.extend(terms.counts()),
            Weights::LogTf => factors.extend(terms.counts().map(|count| self.common(count, log_weight))),
            Weights::TfIdf(table) => {
                table.look_up(terms.features(), factors);
                for (factor, count) in factors.iter_mut().zip(terms.counts()) {
                    let idf = self.common(*factor, |frequency| idf(table.documents(), frequency));
                    *factor = count.saturating_mul(idf);
                }
            }
            Weights::Levels(levels) => {
                levels.look_up(terms.features(), factors);
                for (factor, count) in factors.iter_mut().zip(terms.counts()) {
                    *factor = count.saturating_mul(*factor);
                }
            }
        }
    }

    /// The weight of a count, from the table or by `weight`.
    #[inline(always)]
    fn common(&self, count: u32, weight: impl Fn(u32) -> u32) -> u32 {
        self.common.get(count as usize).copied().unwrap_or_else(|| weight(count))
    }

    /// The fingerprint of features with given weights, regardless of this fingerprinter's weighting. A repeated feature
    /// counts with all of its weights.
    ///
    /// # Panics
    /// If the numbers of weights and features differ, or there are 2³² features or more.
    pub fn weighted(&mut self, features: &[u64], weights: &[u32]) -> Fingerprint {
        assert_eq!(features.len(), weights.len(), "a weight for each feature");
        let total = weights.iter().map(|&weight| u64::from(weight)).sum();
        let tie = self.tie;
        self.vote(features, total, |level, features| {
            level.weighted_votes(features, weights, total, tie.least(total))
        })
    }

    fn unweighted(&mut self, features: &[u64]) -> Fingerprint {
        let (total, tie) = (features.len() as u64, self.tie);
        self.vote(features, total, |level, features| level.votes(features, tie.least(total)))
    }

    /// The fingerprint by `votes`, a function that returns 64 bits. It is called only if `total`, the sum of weights,
    /// is not zero.
    fn vote(&mut self, features: &[u64], total: u64, votes: impl Fn(Level, &[u64]) -> u64) -> Fingerprint {
        assert!(u32::try_from(features.len()).is_ok(), "a document has fewer than 2^32 features");
        if total == 0 {
            let all = u128::MAX >> (128 - self.bits.count());
            return Fingerprint::of_nothing(self.plan, self.bits, if self.tie == Tie::One { all } else { 0 });
        }
        let low = u128::from(votes(self.level, features));
        let high = match self.bits {
            Bits::B64 => 0,
            Bits::B128 => {
                self.level.second_half(features, &mut self.halves);
                u128::from(votes(self.level, &self.halves))
            }
        };
        Fingerprint::new(self.plan, self.bits, high << 64 | low)
    }
}
