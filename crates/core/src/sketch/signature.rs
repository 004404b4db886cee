//! MinHash signatures as values that can be stored, compared and merged.

use crate::error::Incompatible;
use crate::plan::PlanId;
use crate::similarity::Similarity;

/// A MinHash signature, with the id of the plan that made it.
///
/// ```
/// use lookalike::{Plan, Sketcher};
///
/// let mut sketcher = Sketcher::new(&Plan::default());
/// let mut seen = sketcher.minhash("It was the best of times, it was the worst of times");
/// let again = sketcher.minhash("It was the BEST of times: it was the worst of times!");
/// assert_eq!(seen.jaccard(&again)?.value(), 1.0);
/// let other = sketcher.minhash("Call me Ishmael. Some years ago, never mind how long precisely");
/// assert_eq!(seen.jaccard(&other)?.value(), 0.0);
/// seen.merge(&other)?;
/// # Ok::<(), lookalike::Incompatible>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    plan: PlanId,
    values: Box<[u32]>,
}

/// Every value of the signature of an empty feature set. No other signature has it at every position.
const NOTHING: u32 = u32::MAX;

impl Signature {
    /// A stored signature, from its [`Signature::plan`] and its [`Signature::values`].
    pub fn new(plan: PlanId, values: impl Into<Box<[u32]>>) -> Self {
        Signature { plan, values: values.into() }
    }

    /// The [`Plan::signature_id`](crate::Plan::signature_id) of the plan that made it.
    pub fn plan(&self) -> PlanId {
        self.plan
    }

    /// The values, `num_perm` of them.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Whether this is the signature of an empty feature set. Such a document is similar to none.
    pub fn is_empty(&self) -> bool {
        self.values.iter().all(|&value| value == NOTHING)
    }

    /// Estimates the Jaccard similarity of the two feature sets: the share of positions at which the signatures agree.
    ///
    /// The standard error is at most `sqrt(j * (1 - j) / num_perm)`, about 0.035 at `j = 0.8` and 128 values. Nothing
    /// is similar to an empty set.
    ///
    /// # Errors
    /// [`Incompatible`] if they were made by different plans.
    ///
    /// Source: Broder, "On the resemblance and containment of documents", 1997.
    pub fn jaccard(&self, other: &Signature) -> Result<Similarity, Incompatible> {
        self.check_compatible(other)?;
        let agree = |(a, b): &(&u32, &u32)| a == b && **a != NOTHING;
        let equal = self.values.iter().zip(&other.values).filter(agree).count();
        Ok(Similarity::ratio(equal as u32, self.values.len() as u32))
    }

    /// Merges `other` into this signature, which becomes the signature of the union of both feature sets.
    ///
    /// # Errors
    /// [`Incompatible`] if they were made by different plans.
    pub fn merge(&mut self, other: &Signature) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        self.values.iter_mut().zip(&other.values).for_each(|(value, &other)| *value = other.min(*value));
        Ok(())
    }

    fn check_compatible(&self, other: &Signature) -> Result<(), Incompatible> {
        Incompatible::unless_equal("plan", self.plan, other.plan)?;
        // Equal plans make signatures of equal length, but stored signatures may be wrong.
        Incompatible::unless_equal("length", self.values.len(), other.values.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_of_different_plans_or_lengths_are_not_compared() {
        let of = |plan, values: &[u32]| Signature::new(PlanId(plan), values);
        let error = of(1, &[5, 6]).jaccard(&of(2, &[5, 6])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "made in different ways: plan 0000000000000001 and plan 0000000000000002"
        );
        assert_eq!(of(1, &[5]).merge(&of(1, &[5, 6])).unwrap_err().field, "length");
        assert_eq!(of(1, &[5, 6]).jaccard(&of(1, &[5, 7])).unwrap().value(), 0.5);
    }

    #[test]
    fn nothing_is_similar_to_nothing() {
        let nothing = Signature::new(PlanId(1), [NOTHING; 8]);
        assert!(nothing.is_empty());
        assert_eq!(nothing.jaccard(&nothing).unwrap().value(), 0.0);
    }
}
