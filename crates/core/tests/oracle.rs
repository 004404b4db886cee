//! Pairs and clusters against brute force.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use lookalike::{Corpus, Options, Plan};
use lookalike_reference::tokens::{Tokenizer, token_hash, tokens};
use lookalike_reference::{clusters, jaccard, shingles};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Documents of words from a small vocabulary, many of them edited copies of others.
fn corpora() -> impl Strategy<Value = Vec<String>> {
    let base = prop::collection::vec(prop::collection::vec(0_u32..400, 0..80), 1..8);
    let edits =
        prop::collection::vec((any::<prop::sample::Index>(), 0_usize..80, 0_u32..400, 0_usize..4), 0..30);
    (base, edits).prop_map(|(mut documents, edits)| {
        for (of, at, word, kind) in edits {
            let mut copy = of.get(&documents).clone();
            match kind {
                0 => {}
                1 if at < copy.len() => copy[at] = word,
                2 if at < copy.len() => drop(copy.remove(at)),
                _ => copy.insert(at.min(copy.len()), word),
            }
            documents.push(copy);
        }
        let words = |document: Vec<u32>| document.iter().map(|w| format!("w{w} ")).collect::<String>();
        documents.into_iter().map(words).collect()
    })
}

/// One row a band: a pair at 0.5 or above is missed with a probability of at most 2⁻¹²⁸.
fn certain(threshold: f64, shingle: usize) -> Plan {
    let options = Options {
        threshold: Some(threshold),
        shingle: Some(shingle),
        rows: Some(1),
        bands: Some(128),
        ..Options::default()
    };
    options.plan().unwrap()
}

fn feature_sets(texts: &[String], shingle: usize) -> Vec<Vec<u64>> {
    let features = |text: &String| {
        let hashes: Vec<u64> =
            tokens(text, Tokenizer::Words).iter().map(|token| token_hash(token, 0)).collect();
        shingles::feature_set(&shingles::features(&hashes, shingle))
    };
    texts.iter().map(features).collect()
}

/// The same cases in every run; what is new is found by fuzzing.
fn fixed(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn pairs_and_clusters_equal_brute_force(
        texts in corpora(), shingle in 1_usize..6, threshold in prop::sample::select(&[0.5, 0.6, 0.75, 0.8, 1.0][..])
    ) {
        let plan = certain(threshold, shingle);
        let mut corpus = Corpus::new(&plan);
        texts.iter().for_each(|text| corpus.push(text));

        let truth = jaccard::similar_pairs(&feature_sets(&texts, shingle), threshold);
        let expected: Vec<_> = truth.iter().map(|pair| (pair.a, pair.b, pair.jaccard)).collect();
        let pairs = corpus.pairs();
        let found: Vec<_> =
            pairs.iter().map(|pair| (pair.a as usize, pair.b as usize, pair.jaccard.value())).collect();
        prop_assert_eq!(found, expected);

        let expected: Vec<Vec<u32>> = clusters::clusters(texts.len(), &truth, clusters::Keep::First)
            .into_iter()
            .map(|cluster| cluster.members.iter().map(|&member| member as u32).collect())
            .collect();
        prop_assert_eq!(corpus.clusters(), expected);
    }

    #[test]
    fn a_pair_that_is_reported_is_in_the_truth_whatever_the_banding(
        texts in corpora(), rows in 1_usize..17, num_perm in 8_usize..200
    ) {
        prop_assume!(rows <= num_perm);
        let plan =
            Options { rows: Some(rows), num_perm: Some(num_perm), ..Options::default() }.plan().unwrap();
        let mut corpus = Corpus::new(&plan);
        texts.iter().for_each(|text| corpus.push(text));
        let truth = jaccard::similar_pairs(&feature_sets(&texts, 5), 0.8);
        for pair in corpus.pairs() {
            let same = |t: &&jaccard::Match| (t.a, t.b) == (pair.a as usize, pair.b as usize);
            prop_assert_eq!(truth.iter().find(same).map(|t| t.jaccard), Some(pair.jaccard.value()));
        }
    }
}

#[test]
fn documents_without_tokens_are_alike_to_nothing_and_emoji_only_to_their_like() {
    let plan = Plan::default();
    let mut corpus = Corpus::new(&plan);
    for text in ["", "  \n", "", "😀 😀", "😀 😃", "😀 😀", "word", "Word", "!", "?"] {
        corpus.push(text);
    }
    assert_eq!(corpus.clusters(), [[3, 5], [6, 7]]);
}

#[test]
fn a_cluster_larger_than_the_pairwise_limit_is_found_whole() {
    // 1,500 variants of one page: a bucket of more than 1,024 is led, not searched pair by pair.
    let plan = Plan::default();
    let mut corpus = Corpus::new(&plan);
    let page: Vec<String> = (0..200).map(|i| format!("w{i}")).collect();
    for variant in 0..1500 {
        corpus.push(&format!("{} tail{variant}", page.join(" ")));
    }
    let clusters = corpus.clusters();
    assert_eq!(clusters.len(), 1);
    assert_eq!(clusters[0].len(), 1500);
}
