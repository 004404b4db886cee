//! Tests pairs and clusters against brute force.

use crate::fixed::fixed;
use lookalike::cluster::UnionFind;
use lookalike::compare::{Set, Verifier};
use lookalike::search::{
    FamilyJoin, HammingCandidates, HammingJoin, PairCollector, PairVerifier, Tally, Visited, WorkBlock,
};
use lookalike::{
    Bits, Corpus, FeatureHash, Level, Match, Measure, Method, Options, Plan, Scheme, Score, Sequential,
    Sketcher, Verification, Weighting,
};
use lookalike_reference::simhash;
use lookalike_reference::tokens::{Tokenizer, token_hash, tokens};
use lookalike_reference::{banding, clusters, jaccard, shingles, sketch};
use proptest::prelude::*;

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

/// A plan with one row per band. It misses a pair at 0.5 or above with a probability of at most 2⁻¹²⁸.
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

fn value(pair: &Match) -> f64 {
    pair.score.similarity().unwrap().value()
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn pairs_and_clusters_equal_brute_force(
        texts in corpora(), shingle in 1_usize..6, threshold in prop::sample::select(&[0.5, 0.6, 0.75, 0.8, 1.0][..])
    ) {
        let truth = jaccard::similar_pairs(&feature_sets(&texts, shingle), threshold);
        let pairs: Vec<_> = truth.iter().map(|pair| (pair.a, pair.b, pair.jaccard)).collect();
        let clusters: Vec<Vec<u32>> = clusters::clusters(texts.len(), &truth, clusters::Keep::First)
            .into_iter()
            .map(|cluster| cluster.members.iter().map(|&member| member as u32).collect())
            .collect();
        let certain = certain(threshold, shingle);
        for plan in [certain.exactly().unwrap(), certain] {
            let mut corpus = Corpus::new(&plan);
            for text in &texts {
        corpus.push(text);
    }
            let found = corpus.pairs();
            let found: Vec<_> =
                found.iter().map(|pair| (pair.a as usize, pair.b as usize, value(pair))).collect();
            prop_assert_eq!(&found, &pairs);
            prop_assert_eq!(&corpus.clusters(), &clusters);
        }
    }

    #[test]
    fn every_reported_pair_is_true_under_any_banding(
        texts in corpora(), rows in 1_usize..17, num_perm in 8_usize..200
    ) {
        prop_assume!(rows <= num_perm);
        let plan =
            Options { rows: Some(rows), num_perm: Some(num_perm), ..Options::default() }.plan().unwrap();
        let mut corpus = Corpus::new(&plan);
        for text in &texts {
        corpus.push(text);
    }
        let truth = jaccard::similar_pairs(&feature_sets(&texts, 5), 0.8);
        for pair in corpus.pairs() {
            let same = |t: &&jaccard::Match| (t.a, t.b) == (pair.a as usize, pair.b as usize);
            prop_assert_eq!(truth.iter().find(same).map(|t| t.jaccard), Some(value(&pair)));
        }
    }
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn estimated_pairs_and_their_clusters_are_those_of_the_reference(
        texts in corpora(), rows in 1_usize..6, num_perm in prop::sample::select(&[8_usize, 20, 64, 128, 300][..]),
        threshold in prop::sample::select(&[0.3, 0.5, 0.8, 1.0][..]),
        scheme in prop::sample::select(&[Scheme::Bucketed, Scheme::Classic][..])
    ) {
        let options = Options {
            rows: Some(rows), num_perm: Some(num_perm), threshold: Some(threshold), scheme: Some(scheme), shingle: Some(2),
            verify: Some(Verification::Estimate), ..Options::default()
        };
        let plan = options.plan().unwrap();
        let banding = banding::Banding { bands: num_perm / rows, rows };
        let parameters = sketch::Parameters::new(0, num_perm);
        let signature = |features: &Vec<u64>| match scheme {
            Scheme::Bucketed => sketch::bucketed(features, &parameters),
            Scheme::Classic => sketch::classic(features, &parameters),
        };
        let features = feature_sets(&texts, 2);
        let signatures: Vec<Vec<u32>> = features.iter().map(signature).collect();
        let mut expected = Vec::new();
        for b in 0..texts.len() {
            for a in (0..b).filter(|&a| !features[a].is_empty() && !features[b].is_empty()) {
                let [left, right] = [&signatures[a], &signatures[b]];
                let keys = [left, right].map(|signature| banding::band_keys(signature, banding));
                let equal = left.iter().zip(right).filter(|(x, y)| *x % 256 == *y % 256).count() as f64;
                let estimate = (equal / num_perm as f64 - 1.0 / 256.0) / (255.0 / 256.0);
                if keys[0].iter().zip(&keys[1]).any(|(x, y)| x == y) && estimate >= threshold - 1e-9 {
                    expected.push((a as u32, b as u32, (estimate * 1e9).round()));
                }
            }
        }
        expected.sort_unstable_by_key(|&(a, b, _)| (a, b));
        let mut corpus = Corpus::new(&plan);
        for text in &texts {
            corpus.push(text);
        }
        let found: Vec<_> = corpus.pairs().iter().map(|pair| match pair.score {
            Score::Estimate(estimate) => (pair.a, pair.b, (estimate.similarity().value() * 1e9).round()),
            Score::Similarity(_) | Score::Hamming(_) => panic!("nothing was compared"),
        }).collect();
        let mut sets = UnionFind::new(texts.len());
        found.iter().for_each(|&(a, b, _)| sets.unite(a, b));
        prop_assert_eq!(corpus.clusters(), sets.clusters());
        prop_assert_eq!(found, expected);
    }
}

/// The options of every test of fingerprints. They use single words, so small edits change few bits.
fn by_fingerprints(weighting: Weighting) -> Options {
    Options {
        method: Some(Method::SimHash),
        shingle: Some(1),
        weighting: Some(weighting),
        ..Options::default()
    }
}

/// The same weighting in the reference.
fn reference_weights(weighting: Weighting) -> simhash::Weights {
    match weighting {
        Weighting::Set => simhash::Weights::Set,
        Weighting::Tf => simhash::Weights::Tf,
        _ => simhash::Weights::LogTf,
    }
}

const WEIGHTINGS: [Weighting; 3] = [Weighting::Set, Weighting::Tf, Weighting::LogTf];

proptest! {
    #![proptest_config(fixed(60))]

    #[test]
    fn pairs_by_distance_have_near_reference_fingerprints(
        texts in corpora(), weighting in prop::sample::select(&WEIGHTINGS[..]), hamming in 0_u32..13, wide in any::<bool>()
    ) {
        let bits = if wide { Bits::B128 } else { Bits::B64 };
        let options = Options { hamming: Some(hamming), bits: Some(bits), ..by_fingerprints(weighting) };
        let plan = options.plan().unwrap();
        let mut corpus = Corpus::new(&plan);
        for text in &texts {
        corpus.push(text);
    }
        let fingerprint = |text: &String| {
            let features = Sketcher::new(&plan).features(text).to_vec();
            let weighed = simhash::weigh(&features, &reference_weights(weighting));
            let high = if wide { simhash::fingerprint128(&weighed, simhash::Tie::Zero) } else { 0 };
            (!features.is_empty()).then(|| if wide { high } else {
                u128::from(simhash::fingerprint64(&weighed, simhash::Tie::Zero))
            })
        };
        let codes: Vec<Option<u128>> = texts.iter().map(fingerprint).collect();
        let mut expected = Vec::new();
        for (b, right) in codes.iter().enumerate() {
            for (a, left) in codes[..b].iter().enumerate() {
                if let (Some(left), Some(right)) = (left, right) {
                    let distance = (left ^ right).count_ones();
                    if distance <= hamming {
                        expected.push((a as u32, b as u32, distance));
                    }
                }
            }
        }
        expected.sort_unstable();
        let found: Vec<_> = corpus.pairs().iter().map(|pair| match pair.score {
            Score::Hamming(distance) => (pair.a, pair.b, distance),
            Score::Similarity(_) | Score::Estimate(_) => panic!("nothing was compared"),
        }).collect();
        let clusters = corpus.clusters();
        let mut sets = UnionFind::new(texts.len());
        found.iter().for_each(|&(a, b, _)| sets.unite(a, b));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(clusters, sets.clusters());
    }

    #[test]
    fn verified_pairs_of_near_fingerprints_reach_the_threshold(
        texts in corpora(), measure in prop::sample::select(&Measure::ALL[..]),
        weighting in prop::sample::select(&WEIGHTINGS[..]), threshold in prop::sample::select(&[0.5, 0.8, 0.9][..])
    ) {
        let options = by_fingerprints(weighting);
        let near = Options { hamming: Some(10), ..options.clone() }.plan().unwrap();
        let verified = Options {
            verify: Some(Verification::Exact), measure: Some(measure.1), threshold: Some(threshold), ..options
        }.plan().unwrap();
        let (mut candidates, mut corpus) = (Corpus::new(&near), Corpus::new(&verified));
        for text in &texts {
            candidates.push(text);
            corpus.push(text);
        }
        let weighed = |document: u32| {
            let features = Sketcher::new(&verified).compared(&texts[document as usize]).to_vec();
            let weights = match measure.1 {
                Measure::Cosine => reference_weights(weighting),
                _ => simhash::Weights::Set,
            };
            simhash::weigh(&features, &weights)
        };
        let similarity = |a: u32, b: u32| {
            let (a, b) = (weighed(a), weighed(b));
            let weight = |set: &[(u64, u64)], feature| {
                set.iter().find(|(other, _)| *other == feature).map_or(0, |&(_, weight)| weight) as f64
            };
            let dot: f64 = a.iter().map(|&(feature, w)| w as f64 * weight(&b, feature)).sum();
            let square = |set: &[(u64, u64)]| set.iter().map(|&(_, w)| (w * w) as f64).sum::<f64>();
            match measure.1 {
                Measure::Jaccard | Measure::WordJaccard => dot / (a.len() as f64 + b.len() as f64 - dot),
                Measure::Cosine => dot / (square(&a) * square(&b)).sqrt(),
                Measure::Containment => dot / a.len().min(b.len()) as f64,
            }
        };
        let expected: Vec<(u32, u32)> = candidates.pairs().iter().map(|pair| (pair.a, pair.b))
            .filter(|&(a, b)| similarity(a, b) >= threshold - 1e-9).collect();
        let found = corpus.pairs();
        for pair in &found {
            prop_assert!((value(pair) - similarity(pair.a, pair.b)).abs() < 1e-12);
        }
        let found: Vec<(u32, u32)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
        let mut sets = UnionFind::new(texts.len());
        found.iter().for_each(|&(a, b)| sets.unite(a, b));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(corpus.clusters(), sets.clusters());
    }
}

#[test]
fn large_groups_of_equal_fingerprints_are_linked_without_comparing_all_pairs() {
    // Two groups of 1,500 documents at a distance of 2, and ten documents near both.
    let documents: Vec<u32> = (0..3_010).collect();
    let code = |document: u32| match document {
        0..1_500 => 0b0000_u64,
        1_500..3_000 => 0b0011,
        other => 1 << (other - 2_990),
    };
    let codes: Vec<u64> = documents.iter().map(|&document| code(document)).collect();
    let join = HammingJoin::new(&codes, 3).unwrap();
    let features: Vec<[u64; 1]> = documents.iter().map(|&document| [u64::from(document % 2)]).collect();
    let set = |document: u32| Set { features: &features[document as usize], weights: &[] };
    for verified in [false, true] {
        let mut verifier = Verifier::new(Level::detect(), Measure::Jaccard, 0.8);
        let (mut sets, mut tally) = (UnionFind::new(documents.len()), Tally::default());
        let mut near = HammingCandidates::new(&documents, join.copies(), &join.pairs());
        if verified {
            near.set_apart(documents.len());
        }
        let of = |document: u32| set(document).features;
        let Ok(families) = FamilyJoin::new(near.families(), of, Measure::Jaccard, 0.8, &Sequential);
        for round in 0..families.rounds() {
            let (roots, mut found) = (sets.roots(), Vec::new());
            let mut collector = PairCollector {
                set,
                may_be_similar: |a, b| near.may_be_similar(a, b),
                verifier: &mut verifier,
                visited: &mut Visited::default(),
                most: usize::MAX,
                found: &mut found,
                tally: Tally::default(),
            };
            (0..families.blocks(round))
                .for_each(|block| families.links(WorkBlock { round, block }, &roots, &mut collector));
            tally += collector.tally;
            found.iter().for_each(|link| sets.unite(link.a, link.b));
        }
        let mut pair_verifier =
            if verified { PairVerifier::Verify(&mut verifier, set) } else { PairVerifier::Sketches };
        for round in near.rounds(usize::MAX) {
            let (roots, mut found) = (sets.roots(), Vec::new());
            for block in round {
                tally += near.links(block, &roots, &mut pair_verifier, &mut found);
            }
            found.iter().for_each(|link| sets.unite(link.a, link.b));
        }
        // With verification, all odd documents are similar, and all even ones.
        let clusters = sets.clusters();
        assert_eq!(clusters.iter().map(Vec::len).sum::<usize>(), 3_010);
        assert_eq!(clusters.len(), if verified { 2 } else { 1 });
        assert!(tally.candidates < 30_000, "{verified}: {tally:?}");
    }
}

#[test]
fn a_thousand_documents_with_nearly_one_fingerprint_are_one_cluster() {
    // 1,500 rotations of the same words. No two texts are equal.
    let plan = Options {
        shingle: Some(2),
        feature_hash: Some(FeatureHash::Fnv1a64),
        ..by_fingerprints(Weighting::Set)
    };
    let plan = Options { hamming: Some(12), verify: Some(Verification::Exact), threshold: Some(0.7), ..plan }
        .plan()
        .unwrap();
    let mut corpus = Corpus::new(&plan);
    for turned in 0..1500 {
        let words: Vec<String> = (0..1500).map(|i| format!("w{}", (i + turned) % 1500)).collect();
        corpus.push(&words.join(" "));
    }
    let clusters = corpus.clusters();
    assert_eq!(clusters.iter().map(Vec::len).collect::<Vec<_>>(), [1500]);
}

#[test]
fn stop_words_make_no_features() {
    let stop_words = Some(["the", "of", "o'clock", "unused"].map(str::to_owned).to_vec());
    for feature_hash in [FeatureHash::Xxh3, FeatureHash::Murmur3] {
        let options = Options { feature_hash: Some(feature_hash), ..by_fingerprints(Weighting::Set) };
        let plain = options.plan().unwrap();
        let stopped = Options { stop_words: stop_words.clone(), ..options }.plan().unwrap();
        let expected = Sketcher::new(&plain).features("king two road words").to_vec();
        assert_eq!(
            Sketcher::new(&stopped).features("The king o'clock of the two, of The road! words"),
            expected
        );
        assert!(Sketcher::new(&stopped).features("of the").is_empty());
    }
}

#[test]
fn documents_without_tokens_match_nothing_and_emoji_match_only_equal_texts() {
    let plan = Plan::default();
    let mut corpus = Corpus::new(&plan);
    for text in ["", "  \n", "", "😀 😀", "😀 😃", "😀 😀", "word", "Word", "!", "?"] {
        corpus.push(text);
    }
    assert_eq!(corpus.clusters(), [[3, 5], [6, 7]]);
}

#[test]
fn a_cluster_in_a_large_bucket_is_found_whole() {
    // 1,500 variants of one page: such a bucket is searched as a family, and not pair by pair.
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
