//! The plan that the options make.

use super::arguments::SimilarityArgs;
use super::tables;
use super::values::{MeasureArg, MethodArg, SizeArg, TokensArg, VerifyArg, WeightsArg};
use crate::args::Usage;
use clap::ValueEnum;
use lookalike::frequent::FrequentFeatures;
use lookalike::search::Banding;
use lookalike::text::Fold;
use lookalike::{DocumentFrequencies, FeatureHashes, FeatureLevels, Options, Plan, Weighting};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl SimilarityArgs {
    /// The plan.
    pub(crate) fn plan(&self) -> anyhow::Result<Plan> {
        let plan = self.options()?.plan()?;
        match self.levels_for(&plan)? {
            Some(levels) => Ok(plan.with_levels(levels)),
            None => Ok(plan),
        }
    }

    /// The options of the plan.
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        self.refuse_options_without_effect()?;
        let stop_words = self.stop_words.iter().map(|list| tables::stop_words(list));
        let stop_words = stop_words.collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Options {
            method: self.method.map(Into::into),
            threshold: self.threshold,
            measure: self.measure.map(Into::into),
            tokens: self.tokens.map(Into::into),
            fold: (!self.fold.is_empty()).then(|| self.fold.iter().copied().map(Fold::from).collect()),
            shingle: self.shingle,
            num_perm: self.num_perm,
            scheme: self.scheme.map(Into::into),
            bands: self.bands,
            rows: self.rows,
            recall: self.recall,
            seed: self.seed,
            jieba_dict: self.jieba_lines()?,
            stop_words: (!stop_words.is_empty()).then(|| stop_words.concat()),
            weighting: self.weights.map(Into::into),
            feature_hash: self.feature_hash.map(Into::into),
            bits: self.bits,
            tie: self.tie.map(Into::into),
            hamming: self.hamming,
            verify: self.verify.map(Into::into),
        })
    }

    /// The table of `--levels`. It is read once, as its words are told.
    pub(crate) fn levels_for(&self, plan: &Plan) -> anyhow::Result<Option<FeatureLevels>> {
        let Some(path) = &self.levels else { return Ok(None) };
        if let Some((features, levels)) = self.read.levels.get()
            && *features == plan.feature_id()
        {
            return Ok(Some(levels.clone()));
        }
        let levels = tables::levels(path, plan)?;
        let _ = self.read.levels.set((plan.feature_id(), levels.clone()));
        Ok(Some(levels))
    }

    /// Whether an option of the plan is given.
    pub(crate) fn is_given(&self) -> anyhow::Result<bool> {
        Ok(self.options()? != Options::default() || self.drop_frequent.is_some())
    }

    /// The options of a run that uses an index of this `plan`, which has the method.
    pub(crate) fn options_beside(&self, plan: &Plan) -> anyhow::Result<Options> {
        // A copy of the options has what was read.
        self.jieba_lines()?;
        let mut given = self.clone();
        if given.frequencies.is_some() {
            given.drop_frequent = given.drop_frequent.or(plan.frequent().map(FrequentFeatures::share));
        }
        if given.jieba_dict.is_some() {
            given.tokens = given.tokens.or(TokensArg::from_str(plan.tokens().name(), false).ok());
        }
        // Estimates differ from such an index, and the check says so.
        let estimates = self.verify == Some(VerifyArg::Estimate);
        if plan.simhash().is_some()
            && !estimates
            && matches!(self.method, None | Some(MethodArg::Auto | MethodArg::Simhash))
        {
            given.method = Some(MethodArg::Simhash);
            given.verify = given.verify.or(plan.verifies().then_some(VerifyArg::Exact));
            if plan.weighting() == Weighting::TfIdf && given.frequencies.is_some() {
                given.weights.get_or_insert(WeightsArg::TfIdf);
            }
            if plan.weighting() == Weighting::Levels && given.levels.is_some() {
                given.weights.get_or_insert(WeightsArg::Levels);
            }
        }
        given.options()
    }

    /// Does the program choose the method?
    pub(crate) fn is_auto(&self) -> bool {
        let banded =
            [self.num_perm, self.bands, self.rows].iter().any(Option::is_some) || self.scheme.is_some();
        let banded = banded || self.verify == Some(VerifyArg::Estimate);
        matches!(self.method, None | Some(MethodArg::Auto)) && !banded
    }

    /// Without a threshold, finds every document that shares a feature. Without a shingle, compares single words.
    pub(crate) fn list_all(&mut self) {
        if self.verify == Some(VerifyArg::Exact) || !matches!(self.method, Some(MethodArg::Simhash)) {
            self.threshold.get_or_insert(f64::MIN_POSITIVE);
        }
        // A sentence has few shingles in common with a page.
        self.shingle.get_or_insert(1);
    }

    /// Is the measure the Jaccard similarity of shingles?
    pub(crate) fn is_by_jaccard(&self) -> bool {
        matches!(self.measure, None | Some(MeasureArg::Jaccard))
    }

    /// Makes signatures of a new index, or of one that is opened, as small as `--plan` says.
    pub(crate) fn sign_for(&mut self, plan: Option<SizeArg>) -> Result<(), Usage> {
        match plan {
            Some(_) if matches!(self.method, Some(MethodArg::Simhash)) => Err(Usage(
                "--plan chooses the size of MinHash signatures; give --bits with --method simhash".to_owned(),
            )),
            Some(_) if self.num_perm.is_some() => {
                Err(Usage("--plan chooses --num-perm; leave one of them out".to_owned()))
            }
            Some(size) => {
                self.num_perm = Some(size.num_perm());
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Leaves `--recall` out: bands were chosen by it.
    pub(crate) fn forget_recall(&mut self) {
        self.recall = None;
    }

    /// Without `--num-perm`, makes signatures of 100 values, which divide into bands in many ways.
    pub(crate) fn sign_with_a_hundred(&mut self) {
        self.num_perm.get_or_insert(100);
    }

    /// The options of tokens and measure, as they were typed.
    pub(crate) fn typed(&self) -> Vec<String> {
        let name =
            |value: Option<clap::builder::PossibleValue>| value.map(|value| value.get_name().to_owned());
        let folds: Vec<&str> = self.fold.iter().map(|&fold| Fold::from(fold).name()).collect();
        let lists = (!self.stop_words.is_empty()).then(|| self.stop_words.join(","));
        let given = [
            ("--measure", name(self.measure.and_then(|measure| measure.to_possible_value()))),
            ("--tokens", name(self.tokens.and_then(|tokens| tokens.to_possible_value()))),
            ("--fold", (!self.fold.is_empty()).then(|| folds.join(","))),
            ("--stop-words", lists),
            ("--jieba-dict", self.jieba_dict.as_ref().map(|path| path.display().to_string())),
            ("--seed", self.seed.map(|seed| seed.to_string())),
        ];
        let given = given.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?]));
        given.flatten().collect()
    }

    /// Allows the options of MinHash and weights with every method and measure, because the output shows both.
    pub(crate) fn show_all(&mut self) {
        self.shows_all = true;
    }

    /// Leaves out the shingles of more than this share of the documents.
    pub(crate) fn leave_out(&mut self, share: Option<f64>) {
        self.drop_frequent = share;
    }

    /// The share of `--drop-frequent`.
    pub(crate) fn drop_frequent(&self) -> Option<f64> {
        self.drop_frequent
    }

    /// Do the weights need document frequencies that no table gives?
    pub(crate) fn counts_frequencies(&self) -> bool {
        matches!(self.weights, Some(WeightsArg::TfIdf)) && self.frequencies.is_none()
    }

    /// Refuses estimates where texts are read anyway.
    pub(crate) fn refuse_estimates(&self, verb: &str) -> Result<(), Usage> {
        match self.verify {
            Some(VerifyArg::Estimate) => {
                Err(Usage(format!("{verb} compares texts that it reads; leave out --verify=estimate")))
            }
            _ => Ok(()),
        }
    }

    /// The Hamming distance of `--hamming`.
    pub(crate) fn hamming(&self) -> Option<u32> {
        self.hamming
    }

    /// The files that the options name.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let lists = self.stop_words.iter().filter(|list| !tables::is_language(list)).map(PathBuf::from);
        lists
            .chain(self.frequencies.clone())
            .chain(self.levels.clone())
            .chain(self.jieba_dict.clone())
            .collect()
    }

    /// The table of `--frequencies`.
    pub(crate) fn frequencies(&self, plan: &Plan) -> anyhow::Result<Option<Arc<DocumentFrequencies>>> {
        let Some(path) = &self.frequencies else { return Ok(None) };
        if let Some(table) = self.read.frequencies.get().filter(|table| table.plan() == plan.feature_id()) {
            return Ok(Some(Arc::clone(table)));
        }
        let table = Arc::new(tables::frequencies(path, plan)?);
        Ok(Some(Arc::clone(self.read.frequencies.get_or_init(|| table))))
    }

    /// The lines of `--jieba-dict`.
    fn jieba_lines(&self) -> anyhow::Result<Option<Vec<String>>> {
        let Some(path) = &self.jieba_dict else { return Ok(None) };
        if self.read.jieba_dict.get().is_none() {
            let _ = self.read.jieba_dict.set(tables::jieba_dict(path)?);
        }
        Ok(self.read.jieba_dict.get().cloned())
    }

    /// The table of feature hashes in a file. It takes the place of `--feature-hash`.
    pub(crate) fn feature_hashes(&self, path: &Path, plan: &Plan) -> anyhow::Result<Arc<FeatureHashes>> {
        if plan.simhash().is_none() {
            return Err(Usage("--feature-hash-table needs --method simhash".to_owned()).into());
        }
        if self.feature_hash.is_some() {
            let message = "--feature-hash-table takes the place of --feature-hash; leave one of them out";
            return Err(Usage(message.to_owned()).into());
        }
        Ok(Arc::new(tables::feature_hashes(path, plan)?))
    }
}

/// The bands that find documents of this similarity in an index of `plan`.
pub(crate) fn banding_from(from: f64, plan: &Plan) -> Result<Banding, Usage> {
    if plan.simhash().is_some() {
        return Err(Usage(
            "--similar-from chooses bands of MinHash; leave it out with --method simhash".to_owned(),
        ));
    }
    let threshold = plan.threshold();
    if !(from > 0.0 && from <= threshold) {
        return Err(Usage(format!(
            "--similar-from is {from}; it must be above 0 and up to the threshold of {threshold}"
        )));
    }
    let jaccard = plan.measure().least_jaccard(from);
    // A plan keeps the recall that its own bands were chosen for.
    Ok(Banding::for_recall(jaccard, plan.num_perm(), plan.recall()))
}
