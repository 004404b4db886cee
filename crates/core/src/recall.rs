//! How much of what is alike was found: from the pairs that were found, or from documents that were looked at one by one.
//!
//! Pairs are not independent: versions of one text are found together or missed together, as each takes part in many pairs. Both
//! intervals therefore treat what hangs together as one.

/// A share of the pairs at or above the threshold, and an interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// The share of them that was found.
    pub recall: f64,
    /// It is not less, ...
    pub low: f64,
    /// ... and not more.
    pub high: f64,
}

/// Two-sided, 95 % of a normal distribution.
const Z: f64 = 1.959_964;

impl Recall {
    /// Everything was found.
    pub const ALL: Recall = Recall { recall: 1.0, low: 1.0, high: 1.0 };

    /// The estimate from the pairs found: each stands for as many as the probability to find it says. `found` has that probability for
    /// each pair, together with a number for the cluster that the pair is in, in any order. `None` if nothing was found.
    ///
    /// The interval is that of pairs that are found or missed cluster by cluster, which is the worst case, and wide for few
    /// clusters.
    ///
    /// Source: Horvitz and Thompson, "A generalization of sampling without replacement from a finite universe", 1952.
    pub fn of_found(found: impl IntoIterator<Item = (u32, f64)>) -> Option<Self> {
        let mut found: Vec<(u32, f64)> = found.into_iter().collect();
        // Sums of the same numbers in the same order, whatever order they came in.
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (mut all, mut variance) = (0.0, 0.0);
        for cluster in found.chunk_by(|a, b| a.0 == b.0) {
            all += cluster.iter().map(|&(_, p)| 1.0 / p).sum::<f64>();
            let deviation: f64 = cluster.iter().map(|&(_, p)| (1.0 - p).max(0.0).sqrt() / p).sum();
            variance += deviation * deviation;
        }
        let (count, error) = (found.len() as f64, Z * variance.sqrt());
        (count > 0.0).then(|| Recall {
            recall: count / all,
            low: count / (all + error),
            high: (count / (all - error).max(count)).min(1.0),
        })
    }

    /// What was measured: of the pairs that sampled documents have, `found` of `all` were found, group by group; a group is made of the
    /// sampled documents that hang together. `None` if they have no pairs.
    ///
    /// A ratio estimate over groups, its variance by linearisation; the interval is Wilson's for as many independent pairs
    /// as would vary as much, and never for more than there are groups where that cannot be told.
    ///
    /// Sources: Cochran, "Sampling techniques", 1977, chapter 6; Wilson, "Probable inference, the law of succession, and statistical
    /// inference", 1927.
    pub fn of_sample(groups: &[Found]) -> Option<Self> {
        let groups: Vec<&Found> = groups.iter().filter(|group| group.all > 0).collect();
        let all: u64 = groups.iter().map(|group| group.all).sum();
        if all == 0 {
            return None;
        }
        let found: u64 = groups.iter().map(|group| group.found).sum();
        let (count, total) = (groups.len() as f64, all as f64);
        let recall = found as f64 / total;
        let residual = |group: &&Found| (group.found as f64 - recall * group.all as f64).powi(2);
        let squares: f64 = groups.iter().map(residual).sum();
        let variance = squares * count / (count - 1.0).max(1.0) / (total * total);
        let effective = recall * (1.0 - recall) / variance;
        // All or nothing found in every group: nothing is known of how they vary.
        let effective = if variance > 0.0 && count > 1.0 { effective.min(total) } else { count };
        let (low, high) = wilson(recall, effective);
        Some(Recall { recall, low, high })
    }
}

/// How many of the pairs of a group were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Pairs found.
    pub found: u64,
    /// All pairs.
    pub all: u64,
}

/// The interval of a share of `count` independent trials.
fn wilson(share: f64, count: f64) -> (f64, f64) {
    let square = Z * Z / count;
    let middle = share + square / 2.0;
    let spread = Z * (share * (1.0 - share) / count + square / count / 4.0).sqrt();
    (
        ((middle - spread) / (1.0 + square)).clamp(0.0, share),
        ((middle + spread) / (1.0 + square)).clamp(share, 1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;
    use crate::plan::{Options, Plan};
    use crate::{Corpus, Likeness};

    #[test]
    fn pairs_that_are_surely_found_are_all_there_are() {
        assert_eq!(Recall::of_found([(1, 1.0), (1, 1.0), (2, 1.0)]), Some(Recall::ALL));
        assert_eq!(Recall::of_found([]), None);
        assert_eq!(Recall::of_sample(&[]), None);
    }

    #[test]
    fn a_pair_found_by_half_a_chance_stands_for_two() {
        let recall = Recall::of_found((0..1000).map(|cluster| (cluster, 0.5))).unwrap();
        assert!((recall.recall - 0.5).abs() < 1e-12);
        assert!(recall.low < 0.5 && recall.high > 0.5 && recall.high - recall.low < 0.05);
    }

    #[test]
    fn nothing_missed_in_ten_groups_is_no_proof() {
        let recall = Recall::of_sample(&[Found { found: 5, all: 5 }; 10]).unwrap();
        assert_eq!((recall.recall, recall.high), (1.0, 1.0));
        assert!((0.65..0.8).contains(&recall.low), "{recall:?}");
    }

    /// Versions of texts: each is an edited one of a version before, so that all pairs of a text depend on each other.
    fn versions(generator: &mut SplitMix64) -> Vec<String> {
        let mut below = |bound: u64| generator.next() % bound;
        let mut texts = Vec::new();
        for article in 0..40 {
            let mut versions: Vec<Vec<u64>> = vec![(0..150).map(|_| below(5_000)).collect()];
            for _ in 0..below(12) {
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
        texts.iter().for_each(|text| corpus.push(text));
        let value = |likeness: Likeness| likeness.similarity().unwrap().value();
        corpus.pairs().iter().map(|pair| (pair.a, pair.b, value(pair.likeness))).collect()
    }

    /// Estimates, samples and the truth for corpora of versions, searched by bands that miss much.
    fn trials() -> Vec<(Recall, Recall, f64)> {
        let mut generator = SplitMix64(3);
        let mut trials = Vec::new();
        for rows in [9, 13, 16] {
            for _ in 0..10 {
                let texts = versions(&mut generator);
                let plan = plan(rows);
                let all = pairs(&plan.exactly().unwrap(), &texts);
                let found = pairs(&plan, &texts);
                let mut sets = crate::UnionFind::new(texts.len());
                all.iter().for_each(|&(a, b, _)| sets.unite(a, b));
                let roots = sets.roots();
                let root = |document: u32| roots[document as usize];
                let chance = |similarity: f64| plan.banding().probability(similarity);
                let estimate = Recall::of_found(found.iter().map(|&(a, _, j)| (root(a), chance(j)))).unwrap();
                let sampled: Vec<bool> = texts.iter().map(|_| generator.next().is_multiple_of(3)).collect();
                let mut groups = vec![Found::default(); texts.len()];
                for &(a, b, _) in &all {
                    for document in [a, b].into_iter().filter(|&document| sampled[document as usize]) {
                        let group = &mut groups[root(document) as usize];
                        group.all += 1;
                        group.found += u64::from(found.iter().any(|pair| (pair.0, pair.1) == (a, b)));
                    }
                }
                let truth = found.len() as f64 / all.len() as f64;
                trials.push((estimate, Recall::of_sample(&groups).unwrap(), truth));
            }
        }
        trials
    }

    #[test]
    fn estimates_are_near_the_truth_and_intervals_cover_it_where_pairs_depend_on_each_other() {
        let trials = trials();
        let truths: Vec<f64> = trials.iter().map(|trial| trial.2).collect();
        assert!(
            truths.iter().any(|&truth| truth < 0.8) && truths.iter().any(|&truth| truth > 0.95),
            "{truths:?}"
        );
        let mean = |error: fn(&(Recall, Recall, f64)) -> f64| {
            trials.iter().map(error).sum::<f64>().abs() / trials.len() as f64
        };
        assert!(mean(|(estimate, _, truth)| estimate.recall - truth) < 0.01);
        assert!(mean(|(_, sample, truth)| sample.recall - truth) < 0.01);
        let covers = |recall: &Recall, truth: f64| recall.low <= truth && truth <= recall.high;
        let estimates = trials.iter().filter(|(estimate, _, truth)| covers(estimate, *truth)).count();
        let samples = trials.iter().filter(|(_, sample, truth)| covers(sample, *truth)).count();
        assert!(estimates >= 28 && samples >= 27, "{estimates} and {samples} of {}", trials.len());
        let wide = trials.iter().map(|(estimate, ..)| estimate.high - estimate.low).fold(0.0, f64::max);
        assert!(wide < 0.4, "{wide}");
    }
}
