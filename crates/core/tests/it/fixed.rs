//! The configuration of property tests.

use proptest::test_runner::{Config, RngSeed};

/// Takes the same cases in every run. New cases are left to fuzzing.
pub(crate) fn fixed(cases: u32) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Config::default() }
}
