//! Options of an index that is made.

use super::{SimilarityArgs, SizeArg, banding_from};
use crate::args::Usage;
use clap::Args;
use lookalike::search::Banding;
use lookalike::{DocumentFrequencies, Options, Plan, Weighting};
use lookalike_index::NewIndex;
use std::sync::Arc;

/// Options of an index that is made. An index that is there must agree with them.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct NewIndexArgs {
    /// Choose the bands of a new index so that documents from this similarity on are found, for /v1/similar [default: the threshold]
    #[arg(long, value_name = "SIMILARITY")]
    pub(crate) similar_from: Option<f64>,

    /// How much a new index takes [default: normal]
    #[arg(long, value_enum)]
    pub(crate) plan: Option<SizeArg>,

    /// Whether a new index stores texts. Without them it takes a third or less, cannot show them, and needs --method simhash without --verify
    /// [default: true]
    #[arg(long, value_name = "BOOL", hide_possible_values = true)]
    pub(crate) store_texts: Option<bool>,
}

impl NewIndexArgs {
    /// What a new index is made with. The recall is in its bands, and is not asked for again.
    pub(crate) fn new_index(&self, similarity: &mut SimilarityArgs) -> anyhow::Result<NewIndex> {
        self.new_index_with(similarity, |_| {
            let message = "--weights tf-idf: an index needs a table of frequencies that does not change while it grows: make one with lookalike \
                           frequencies, and give it as --frequencies FILE";
            Err(Usage(message.to_owned()).into())
        })
    }

    /// The same. Frequencies that no table gives are those that `count` counts.
    pub(crate) fn new_index_with(
        &self,
        similarity: &mut SimilarityArgs,
        count: impl FnOnce(&Plan) -> anyhow::Result<Arc<DocumentFrequencies>>,
    ) -> anyhow::Result<NewIndex> {
        let plan = self.new_plan(similarity)?;
        let frequencies = match similarity.frequencies(&plan)? {
            // A plan that verifies is refused for its weights.
            None if plan.weighting() == Weighting::TfIdf && !plan.verifies() => Some(count(&plan)?),
            given => given,
        };
        let new = NewIndex { plan, stores_texts: self.store_texts.unwrap_or(true), frequencies };
        if !new.stores_texts && new.plan.verifies() {
            let message = "--store-texts false: documents without texts can be compared by their fingerprints alone; add --method simhash, \
                           without --verify";
            return Err(Usage(message.to_owned()).into());
        }
        Ok(new)
    }

    /// The same, if one of its options is given.
    pub(crate) fn new_index_if_given(
        &self,
        similarity: &mut SimilarityArgs,
    ) -> anyhow::Result<Option<NewIndex>> {
        let is_given = self.similar_from.is_some() || self.store_texts.is_some() || similarity.is_given()?;
        is_given.then(|| self.new_index(similarity)).transpose()
    }

    fn new_plan(&self, similarity: &mut SimilarityArgs) -> anyhow::Result<Plan> {
        let plan = similarity.plan()?;
        let Some(from) = self.similar_from else { return Ok(plan) };
        let options = similarity.options()?;
        if options.bands.is_some() || options.rows.is_some() {
            return Err(Usage("--similar-from chooses --bands and --rows; leave these out".to_owned()).into());
        }
        let Banding { bands, rows } = banding_from(from, &plan)?;
        similarity.forget_recall();
        Ok(Options { bands: Some(bands), rows: Some(rows), ..similarity.options()? }.plan()?)
    }
}
