//! Tests that a corpus in memory gives the same results on any executor.

use crate::executor::Backwards;
use lookalike::{Corpus, Measure, Method, Options, Plan, Verification, Weighting};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn plans() -> Vec<Plan> {
    let minhash = Options { threshold: Some(0.5), shingle: Some(2), ..Options::default() };
    let simhash = Options { method: Some(Method::SimHash), ..minhash.clone() };
    let options = [
        Options { method: Some(Method::Exact), ..minhash.clone() },
        Options { measure: Some(Measure::Cosine), weighting: Some(Weighting::Tf), ..minhash.clone() },
        Options { verify: Some(Verification::Exact), ..simhash.clone() },
        Options { verify: Some(Verification::Estimate), ..minhash.clone() },
        minhash,
        simhash,
    ];
    options.into_iter().map(|options| options.plan().unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(5), cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn pairs_and_clusters_are_the_same_on_every_executor(
        texts in prop::collection::vec("([abc] ){0,9}", 0..60), width in 1_usize..5,
    ) {
        for plan in plans() {
            let mut one_by_one = Corpus::new(&plan);
            prop_assert!(one_by_one.is_empty());
            for (number, text) in (0..).zip(&texts) {
                prop_assert_eq!(one_by_one.push(text), number);
            }
            prop_assert_eq!(one_by_one.len(), texts.len());
            let (first, rest) = texts.split_at(texts.len() / 3);
            let mut together = Corpus::new(&plan);
            let end = first.len() as u32;
            prop_assert_eq!(together.extend(first, &Backwards(width)), Ok(0..end));
            prop_assert_eq!(together.extend(rest, &Backwards(width)), Ok(end..texts.len() as u32));
            prop_assert_eq!(together.len(), texts.len());
            prop_assert_eq!(together.pairs_on(&Backwards(width)), Ok(one_by_one.pairs()));
            prop_assert_eq!(together.clusters_on(&Backwards(width)), Ok(one_by_one.clusters()));
        }
    }
}
