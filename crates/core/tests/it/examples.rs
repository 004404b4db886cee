//! Runs the examples, which check their own results.

#[path = "../../examples/compare.rs"]
mod compare;
#[path = "../../examples/dedup.rs"]
mod dedup;
#[path = "../../examples/fingerprints.rs"]
mod fingerprints;
#[path = "../../examples/index.rs"]
mod index;
#[path = "../../examples/merge.rs"]
mod merge;
#[path = "../../examples/seen.rs"]
mod seen;
#[path = "../../examples/threads.rs"]
mod threads;

#[test]
fn a_shared_passage_is_found_where_the_texts_differ_before_and_after() {
    compare::main();
}

#[test]
fn a_removed_signature_is_no_longer_found() {
    index::main().unwrap();
}

#[test]
fn merged_signatures_equal_the_signature_of_the_whole() {
    merge::main().unwrap();
}

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
