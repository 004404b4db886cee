use super::*;
use crate::hash::SplitMix64;
use crate::plan::{Options, Plan};
use crate::{Corpus, Score};

#[test]
fn pairs_that_are_certain_to_be_found_are_all_pairs() {
    assert_eq!(Recall::of_found([(1, 1.0), (1, 1.0), (2, 1.0)], 1.0), Some(Recall::ALL));
    assert_eq!(Recall::of_found([], 0.5), None);
    assert_eq!(Recall::of_sample(&[], 1.0), None);
}

#[test]
fn a_pair_found_with_probability_one_half_stands_for_two() {
    let recall = Recall::of_found((0..1000).map(|cluster| (cluster, 0.5)), 0.5).unwrap();
    assert!((recall.recall - 0.5).abs() < 1e-12);
    assert!(recall.low < 0.5 && recall.high > 0.5 && recall.high - recall.low < 0.05);
}

/// Issue: with probabilities at which few pairs in a hundred are missed, one missed pair lay outside of the interval in
/// up to 16 of 100 cases.
#[test]
fn few_missed_pairs_do_not_follow_a_normal_distribution() {
    let recall = Recall::of_found((0..170).map(|cluster| (cluster, 0.999)), 0.999).unwrap();
    assert!(recall.low <= 170.0 / 171.0, "{recall:?}");
    let sure = Recall::of_found((0..10).map(|cluster| (cluster, 0.9999)), 0.9999).unwrap();
    assert!(sure.low > 0.998, "{sure:?}");
}

#[test]
fn pairs_that_are_hard_to_find_may_exist_though_none_was_found() {
    let pairs = |least| Recall::of_found((0..100).map(|cluster| (cluster, 0.99)), least).unwrap();
    // With a probability of 0.01, 367 of them are missed in one of 40 cases.
    let low = pairs(0.01).low;
    assert!((0.19..0.23).contains(&low), "{low}");
    assert!(pairs(0.9).low > 0.95);
}

#[test]
fn nothing_missed_of_ten_documents_is_no_proof() {
    let recall = Recall::of_sample(&[DocumentPairs { found: 5, all: 5 }; 10], f64::INFINITY).unwrap();
    assert_eq!((recall.recall, recall.high), (1.0, 1.0));
    assert!((0.6..0.8).contains(&recall.low), "{recall:?}");
}

#[test]
fn one_missed_pair_does_not_raise_the_lower_end() {
    for documents in [1, 2, 3, 5, 20, 100] {
        let mut all = vec![DocumentPairs { found: 100, all: 100 }; documents];
        let complete = Recall::of_sample(&all, f64::INFINITY).unwrap();
        all[0].found = 99;
        let missed = Recall::of_sample(&all, f64::INFINITY).unwrap();
        assert!(missed.low <= complete.low + 0.01, "{documents}: {missed:?} {complete:?}");
        assert!(documents > 3 || missed.low < 0.4, "{missed:?}");
    }
}

#[test]
fn a_sample_counts_no_more_than_the_documents_with_most_pairs() {
    let spread = |pairs: &[u64], share| Recall::spread(pairs.iter().map(|&pairs| pairs as f64), share);
    assert_eq!(spread(&[3; 40], 0.5), 20.0);
    // Two documents of a hundred pairs weigh more than 300 of one.
    assert!(spread(&[vec![100; 2], vec![1; 300]].concat(), 0.1) < 2.0);
    let sampled = [DocumentPairs { found: 1, all: 1 }; 30];
    let wide = Recall::of_sample(&sampled, 2.0).unwrap();
    assert!(wide.low < 0.2 && Recall::of_sample(&sampled, 300.0).unwrap().low > 0.85, "{wide:?}");
}

#[test]
fn documents_found_or_missed_as_a_whole_count_as_one_trial_each() {
    let whole: Vec<DocumentPairs> =
        (0..100).map(|document| DocumentPairs { found: 50 * u64::from(document % 5 > 0), all: 50 }).collect();
    let recall = Recall::of_sample(&whole, f64::INFINITY).unwrap();
    // Wilson's interval of 80 of 100.
    assert!((recall.low - 0.711).abs() < 0.01 && (recall.high - 0.867).abs() < 0.01, "{recall:?}");
}

/// Versions of texts. Each is an edited copy of an earlier version, so all pairs of a text depend on each other. The
/// first text has `most` versions, and others up to 12.
fn versions(generator: &mut SplitMix64, most: u64) -> Vec<String> {
    let mut below = |bound: u64| generator.next() % bound;
    let mut texts = Vec::new();
    for article in 0..40 {
        let mut versions: Vec<Vec<u64>> = vec![(0..150).map(|_| below(5_000)).collect()];
        let count = if article == 0 { most } else { below(12) };
        for _ in 0..count {
            let mut version = versions[below(versions.len() as u64) as usize].clone();
            for _ in 0..=below(4) {
                let place = below(version.len() as u64) as usize;
                version[place] = 10_000 + below(5_000);
            }
            versions.push(version);
        }
        let text = |words: &Vec<u64>| words.iter().map(|word| format!("a{article}w{word} ")).collect();
        texts.extend(versions.iter().map(text));
    }
    texts
}

fn plan(rows: usize) -> Plan {
    Options { rows: Some(rows), shingle: Some(2), ..Options::default() }.plan().unwrap()
}

fn pairs(plan: &Plan, texts: &[String]) -> Vec<(u32, u32, f64)> {
    let mut corpus = Corpus::new(plan);
    for text in texts {
        corpus.push(text);
    }
    let value = |score: Score| score.similarity().unwrap().value();
    corpus.pairs().iter().map(|pair| (pair.a, pair.b, value(pair.score))).collect()
}

/// Estimates, samples and the truth for corpora of versions, searched by bands that miss many pairs.
fn trials(most: u64, one_in: u64) -> Vec<(Recall, Recall, f64)> {
    let mut generator = SplitMix64(3);
    let mut trials = Vec::new();
    for rows in [9, 13, 16] {
        for _ in 0..10 {
            let texts = versions(&mut generator, most);
            let plan = plan(rows);
            let all = pairs(&plan.exactly().unwrap(), &texts);
            let found = pairs(&plan, &texts);
            let mut sets = crate::cluster::UnionFind::new(texts.len());
            all.iter().for_each(|&(a, b, _)| sets.unite(a, b));
            let roots = sets.roots();
            let chances = found.iter().map(|&(a, _, j)| (roots[a as usize], plan.chance_at(j)));
            let estimate = Recall::of_found(chances, plan.chance_at(plan.threshold())).unwrap();
            let mut documents = vec![DocumentPairs::default(); texts.len()];
            for &(a, b, _) in &all {
                let is_found = found.binary_search_by_key(&(a, b), |pair| (pair.0, pair.1)).is_ok();
                for document in [a, b] {
                    documents[document as usize].all += 1;
                    documents[document as usize].found += u64::from(is_found);
                }
            }
            // The estimated number of pairs of each document.
            let mut weights = vec![0.0; texts.len()];
            for &(a, b, similarity) in &found {
                for document in [a, b] {
                    weights[document as usize] += 1.0 / plan.chance_at(similarity);
                }
            }
            let truth = found.len() as f64 / all.len() as f64;
            for _ in 0..10 {
                let sampled: Vec<DocumentPairs> =
                    documents.iter().copied().filter(|_| generator.next().is_multiple_of(one_in)).collect();
                let share = sampled.len() as f64 / texts.len() as f64;
                let spread = Recall::spread(weights.iter().copied(), share);
                if let Some(sample) = Recall::of_sample(&sampled, spread) {
                    trials.push((estimate, sample, truth));
                }
            }
        }
    }
    trials
}

#[test]
fn estimates_and_intervals_hold_where_pairs_depend_on_each_other() {
    for (most, one_in) in [(12, 3), (60, 3), (60, 10), (25, 30)] {
        let trials = trials(most, one_in);
        let truths: Vec<f64> = trials.iter().map(|trial| trial.2).collect();
        assert!(
            truths.iter().any(|&truth| truth < 0.8) && truths.iter().any(|&truth| truth > 0.95),
            "{truths:?}"
        );
        let count = trials.len() as f64;
        let error = trials.iter().map(|(estimate, _, truth)| estimate.recall - truth).sum::<f64>() / count;
        assert!(error.abs() < 0.02, "{error}");
        let covers = |recall: &Recall, truth: f64| recall.low <= truth && truth <= recall.high;
        let estimates = trials.iter().filter(|(estimate, _, truth)| covers(estimate, *truth)).count() as f64;
        let samples = trials.iter().filter(|(_, sample, truth)| covers(sample, *truth)).count() as f64;
        let (estimates, samples) = (estimates / count, samples / count);
        assert!(estimates >= 0.94 && samples >= 0.94, "{most} 1/{one_in}: {estimates} {samples} of {count}");
        let mean = |width: fn(&(Recall, Recall, f64)) -> f64| trials.iter().map(width).sum::<f64>() / count;
        let (wide, sampled) = (mean(|t| t.0.high - t.0.low), mean(|t| t.1.high - t.1.low));
        assert!(most > 12 || wide < 0.3 && sampled < 0.3, "{wide} {sampled}");
    }
}

/// The pairs of each document in a corpus with one large cluster.
///
/// The cluster has `large` documents. Some of them are found with all others less often than the rest, on average about
/// as often as `found` says. There are also separate pairs, few of them missed, and documents without pairs.
fn one_large_cluster(
    large: usize,
    found: f64,
    pairs: usize,
    generator: &mut SplitMix64,
) -> Vec<DocumentPairs> {
    let mut unit = || (generator.next() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut documents = vec![DocumentPairs::default(); large + 2 * pairs + 1000];
    let mut add = |a: usize, b: usize, is_found: bool| {
        for document in [a, b] {
            documents[document].all += 1;
            documents[document].found += u64::from(is_found);
        }
    };
    let hard: Vec<f64> = (0..large).map(|_| unit()).collect();
    for a in 0..large {
        (0..a).for_each(|b| add(a, b, (hard[a] + hard[b] + 2.0 * unit()) / 4.0 < found));
    }
    (large..).step_by(2).take(pairs).for_each(|a| add(a, a + 1, unit() < 0.95));
    documents
}

/// Issue: the interval of samples held the truth in 88.8 % of cases if one cluster has most of the pairs, and in 50 to
/// 83 % of these cases.
#[test]
fn samples_cover_the_truth_where_one_cluster_has_most_of_the_pairs() {
    let mut generator = SplitMix64(9);
    for (large, found, pairs, size) in [
        (20, 0.4, 100, 100),
        (60, 0.6, 100, 300),
        (60, 0.6, 500, 100),
        (60, 0.8, 500, 300),
        (200, 0.4, 500, 100),
        (200, 0.6, 500, 300),
    ] {
        let (mut covered, mut trials) = (0, 0);
        for _ in 0..400 {
            let mut documents = one_large_cluster(large, found, pairs, &mut generator);
            let (some, all) =
                documents.iter().fold((0, 0), |(some, all), pairs| (some + pairs.found, all + pairs.all));
            let truth = some as f64 / all as f64;
            let estimated = |(place, pairs): (usize, &DocumentPairs)| {
                pairs.found as f64 / if place < large { found } else { 0.95 }
            };
            let share = size as f64 / documents.len() as f64;
            let spread = Recall::spread(documents.iter().enumerate().map(estimated), share);
            for drawn in 0..size {
                let rest = (documents.len() - drawn) as u64;
                documents.swap(drawn, drawn + (generator.next() % rest) as usize);
            }
            let Some(recall) = Recall::of_sample(&documents[..size], spread) else { continue };
            trials += 1;
            covered += u32::from(recall.low <= truth && truth <= recall.high);
        }
        let share = f64::from(covered) / f64::from(trials);
        assert!(trials > 350 && share >= 0.94, "{large} {found} {pairs} {size}: {share} of {trials}");
    }
}

#[test]
fn nothing_is_promised_if_some_pairs_are_never_found() {
    for least in [0.0, 1e-300, 1e-20, 1e-9] {
        let recall = Recall::of_found([(0, 0.99), (1, 0.99)], least).unwrap();
        assert!(recall.low < 0.01 && recall.recall > 0.9, "{least}: {recall:?}");
    }
}
