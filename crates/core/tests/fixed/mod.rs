//! How properties are tried.

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run; what is new is found by fuzzing.
pub(crate) fn fixed(cases: u32) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Config::default() }
}
