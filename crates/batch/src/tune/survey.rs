//! A corpus that was read once, and a sample of its documents.

use super::distribution::Distribution;
use crate::error::Error;
use lookalike::search::{ComparedFeatures, Counting, Queries, SketchBuilder};
use lookalike::{Plan, Sketcher, Weights};
use lookalike_corpus::Inputs;
use lookalike_engine::documents::Documents;
use lookalike_engine::documents::Scanned;
use lookalike_engine::progress::Monitor;
use lookalike_engine::recall::choose;
use lookalike_engine::request::Request;
use rayon::prelude::*;
use serde::Serialize;

/// The corpus.
#[derive(Clone, Debug, Serialize)]
pub struct CorpusSummary {
    /// Documents read.
    pub documents: u64,
    /// Documents with features that are no copies of earlier ones. Only these are compared and drawn.
    pub different: u64,
    /// Size of the input files, as they are stored.
    pub bytes: u64,
    /// Shingles of all documents, with repetitions.
    pub shingles: u64,
    /// The median number of tokens of a document of the sample.
    pub median_tokens: u64,
}

/// A corpus and its sample, which answer all questions.
pub(super) struct Survey<'a> {
    pub(super) scanned: Scanned<'a>,
    pub(super) corpus: CorpusSummary,
    /// Does a document, by number, take part?
    pub(super) population: Vec<bool>,
    /// The documents of the sample, in random order.
    pub(super) sample: Vec<u32>,
    pub(super) texts: Vec<String>,
}

/// The most shingles that all documents together may share with the sample: about ten seconds of processor time. A corpus of
/// one template shares more, and gets a smaller sample.
const MOST_VISITS: u64 = 5_000_000_000;

/// The sample is not made smaller than this.
const LEAST_SAMPLE: usize = 50;

impl<'a> Survey<'a> {
    /// Draws `count` documents and reads them.
    pub(super) fn new(
        request: &'a Request,
        inputs: &'a Inputs,
        documents: &'a Documents,
        count: usize,
        monitor: &'a Monitor,
    ) -> Result<Self, Error> {
        let scanned = Scanned { request, inputs, documents, monitor };
        let originals = documents.sketches.originals(1);
        let mut population = vec![false; documents.len()];
        scanned
            .with_features()
            .filter(|&document| originals[document as usize] == document)
            .for_each(|document| population[document as usize] = true);
        let numbers = || (0..documents.len() as u32).filter(|&document| population[document as usize]);
        let sample = choose(numbers(), count, request.plan.seed());
        let mut wanted = vec![false; documents.len()];
        sample.iter().for_each(|&document| wanted[document as usize] = true);
        let found = scanned.visit(
            "sample",
            |document| wanted[document as usize],
            Vec::new,
            |texts: &mut Vec<(u32, String)>, document, text| {
                texts.push((document, text.to_owned()));
                Ok(())
            },
        )?;
        let mut found: Vec<(u32, String)> = found.into_iter().flatten().collect();
        found.sort_unstable_by_key(|(document, _)| *document);
        let text = |document: &u32| {
            let at = found.binary_search_by_key(document, |(document, _)| *document);
            at.map(|at| std::mem::take(&mut found[at].1)).unwrap_or_default()
        };
        let texts: Vec<String> = sample.iter().map(text).collect();
        let mut tokens = counts_of_tokens(&request.plan, &texts);
        tokens.sort_unstable();
        let corpus = CorpusSummary {
            documents: documents.len() as u64,
            different: numbers().count() as u64,
            bytes: inputs.bytes(),
            shingles: documents.features,
            median_tokens: tokens.get(tokens.len() / 2).copied().unwrap_or(0),
        };
        Ok(Survey { scanned, corpus, population, sample, texts })
    }

    /// The sets that the measure compares, of the first `count` texts.
    pub(super) fn sets(&self, plan: &Plan, count: usize) -> Vec<ComparedFeatures> {
        let level = self.scanned.request.level;
        let set = |builder: &mut SketchBuilder, text: &String| ComparedFeatures::new(builder, text);
        self.texts[..count]
            .par_iter()
            .map_init(|| SketchBuilder::new(plan, &Weights::Set, level), set)
            .collect()
    }

    /// Compares the sample with all other documents, by the features, measure and threshold of each plan. The sample is made
    /// smaller if that takes too long.
    pub(super) fn compare(&mut self, plans: &[Plan]) -> Result<Vec<Distribution>, Error> {
        let indices = |survey: &Self| -> Vec<Queries> {
            plans
                .iter()
                .map(|plan| Queries::new(plan.measure(), survey.sets(plan, survey.sample.len())))
                .collect()
        };
        let mut queries = indices(self);
        let visits: u64 =
            queries.iter().map(Queries::visits).sum::<u64>().saturating_mul(self.corpus.different);
        if visits > MOST_VISITS {
            let share = MOST_VISITS as f64 / visits as f64;
            let size = ((self.sample.len() as f64 * share) as usize).max(LEAST_SAMPLE);
            self.sample.truncate(size);
            self.texts.truncate(size);
            queries = indices(self);
        }
        let new = |plan: &Plan| Distribution::new(self.sample.len(), plan.measure(), plan.threshold());
        let level = self.scanned.request.level;
        let state = || -> Vec<View<'_>> {
            let view = |(plan, queries)| View {
                builder: SketchBuilder::new(plan, &Weights::Set, level),
                queries,
                counting: Counting::default(),
                distribution: new(plan),
            };
            plans.iter().zip(&queries).map(view).collect()
        };
        let work = |views: &mut Vec<View<'_>>, document: u32, text: &str| {
            views.iter_mut().for_each(|view| view.compare(&self.sample, document, text));
            Ok(())
        };
        let states =
            self.scanned.visit("compare", |document| self.population[document as usize], state, work)?;
        let mut all: Vec<Distribution> = plans.iter().map(new).collect();
        for view in states.iter().flat_map(|views| views.iter().enumerate()) {
            all[view.0].merge(&view.1.distribution);
        }
        Ok(all)
    }

    /// How many pairs of the corpus one pair of the sample and the corpus stands for. A pair is met from both its ends.
    pub(super) fn scale(&self) -> f64 {
        self.corpus.different as f64 / (2.0 * self.sample.len() as f64).max(1.0)
    }

    /// How many tokens each text of the sample has.
    pub(super) fn tokens(&self) -> Vec<u64> {
        counts_of_tokens(&self.scanned.request.plan, &self.texts)
    }
}

/// The state of one thread for one plan.
struct View<'a> {
    builder: SketchBuilder,
    queries: &'a Queries,
    counting: Counting,
    distribution: Distribution,
}

impl View<'_> {
    fn compare(&mut self, sample: &[u32], document: u32, text: &str) {
        let View { builder, queries, counting, distribution } = self;
        let compared = ComparedFeatures::new(builder, text);
        let features = compared.set().features;
        distribution.features += features.len() as u64;
        queries.overlaps(features, counting, |query, overlap| {
            // No document is similar to itself.
            if sample[query as usize] != document {
                distribution.add(query, overlap);
            }
        });
    }
}

fn counts_of_tokens(plan: &Plan, texts: &[String]) -> Vec<u64> {
    let mut sketcher = Sketcher::new(plan);
    texts.iter().map(|text| sketcher.token_hashes(text).len() as u64).collect()
}
