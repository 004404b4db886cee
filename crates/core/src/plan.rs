//! What is asked for ([`Options`]) and what is done ([`Plan`]).
//!
//! Options may all be left open. A plan is resolved and valid by construction; its [`PlanId`] changes
//! with every field that changes the bits of a sketch.

use crate::error::PlanError;
use crate::hash::{POLYNOMIAL, fmix64};
use crate::lsh::Banding;
use crate::sketch::Scheme;
use crate::text::Tokens;
use std::fmt;

/// What is asked for; what is `None` is chosen by [`Options::plan`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Jaccard similarity from which two documents are alike, above 0 and up to 1. Default 0.8.
    pub threshold: Option<f64>,
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
}

/// Everything that decides what is found; valid by construction.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    threshold: f64,
    tokens: Tokens,
    shingle: usize,
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
        let banding = match (self.bands, self.rows) {
            (None, None) => Banding::for_recall(threshold, num_perm, recall),
            (bands, Some(rows)) => {
                Banding { bands: bands.unwrap_or(num_perm.checked_div(rows).unwrap_or(0)), rows }
            }
            (Some(bands), None) => {
                let rows = Banding::for_recall(threshold, num_perm, recall).rows;
                Banding { bands, rows: rows.min(num_perm.checked_div(bands).unwrap_or(0)) }
            }
        };
        if banding.bands == 0 || banding.rows == 0 || banding.bands.saturating_mul(banding.rows) > num_perm {
            return Err(PlanError::Banding { bands: banding.bands, rows: banding.rows, num_perm });
        }
        Ok(Plan {
            threshold,
            tokens: self.tokens.unwrap_or_default(),
            shingle,
            num_perm,
            scheme: self.scheme.unwrap_or_default(),
            banding,
            seed: self.seed.unwrap_or(0),
        })
    }
}

impl Default for Plan {
    fn default() -> Self {
        Options::default().plan().expect("the defaults are valid")
    }
}

impl Plan {
    /// Jaccard similarity from which two documents are alike.
    pub fn threshold(&self) -> f64 {
        self.threshold
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

    /// Names the sketch bits this plan makes: two plans with the same id make the same signatures.
    pub fn id(&self) -> PlanId {
        let fields = [
            SKETCH_VERSION,
            self.tokens as u64,
            self.shingle as u64,
            self.num_perm as u64,
            self.scheme as u64,
            self.seed,
        ];
        PlanId(fmix64(fields.iter().fold(0, |sum, &field| fmix64(sum).wrapping_mul(POLYNOMIAL) ^ field)))
    }
}

/// Raised when the same text and plan give other bits than before.
const SKETCH_VERSION: u64 = 1;

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
    }
}
