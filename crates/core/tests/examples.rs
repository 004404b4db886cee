//! Runs the examples, which check their own results.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

#[path = "../examples/dedup.rs"]
mod dedup;
#[path = "../examples/fingerprints.rs"]
mod fingerprints;
#[path = "../examples/seen.rs"]
mod seen;
#[path = "../examples/threads.rs"]
mod threads;

#[test]
fn the_shorter_of_two_similar_texts_is_removed() {
    dedup::main().unwrap();
}

#[test]
fn a_text_in_another_order_is_found_within_three_bits() {
    fingerprints::main().unwrap();
}

#[test]
fn a_text_that_came_before_is_found() {
    seen::main().unwrap();
}

#[test]
fn all_threads_find_the_clusters_of_one() {
    threads::main();
}
