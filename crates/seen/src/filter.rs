//! What signatures say about the similarity of two texts, before their features are compared.

use lookalike::{Estimate, Plan, Score};

/// The number of parts in which two stored signatures are equal: values by MinHash, bits by SimHash. More are nearer.
pub(super) fn equal_parts(plan: &Plan, a: &[u8], b: &[u8]) -> u32 {
    let parts = a.iter().zip(b);
    match plan.simhash() {
        Some(_) => parts.map(|(a, b)| (a ^ b).count_zeros()).sum(),
        None => parts.filter(|(a, b)| a == b).count() as u32,
    }
}

/// The number of bits in which two stored fingerprints differ.
fn distance(a: &[u8], b: &[u8]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// The score of two stored signatures by a plan that does not verify.
pub(super) fn score_of_sketches(plan: &Plan, a: &[u8], b: &[u8]) -> Score {
    match plan.estimates() {
        true => Score::Estimate(Estimate { equal: equal_parts(plan, a, b), values: plan.num_perm() as u32 }),
        false => Score::Hamming(distance(a, b)),
    }
}

/// Whether two texts with these stored signatures are compared by `plan`.
pub(super) fn are_compared(plan: &Plan, a: &[u8], b: &[u8]) -> bool {
    match plan.simhash() {
        Some(simhash) => distance(a, b) <= simhash.hamming,
        None => plan.signature_filter().passes(equal_parts(plan, a, b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::{Method, Options, Verification};

    #[test]
    fn fingerprints_are_compared_up_to_the_distance_of_the_plan() {
        let method = Some(Method::SimHash);
        let plan =
            Options { method, verify: Some(Verification::Exact), hamming: Some(4), ..Options::default() }
                .plan()
                .unwrap();
        let near = |bits: u64| are_compared(&plan, &bits.to_le_bytes(), &7_u64.to_le_bytes());
        assert_eq!([7, 0, 0x37, 0xff].map(near), [true, true, true, false]);
        assert_eq!(equal_parts(&plan, &[0xff; 8], &[0x7f; 8]), 56);
    }
}
