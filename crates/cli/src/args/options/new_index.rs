//! Options of an index that is made.

use super::{FrequentArgs, SimilarityArgs, SizeArg, banding_from};
use crate::args::Usage;
use clap::Args;
use lookalike::frequent::FrequentCounts;
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

    /// Whether a new index stores texts. Without them it takes a third or less, cannot show them, and needs --verify=estimate, or --method
    /// simhash without --verify [default: true]
    #[arg(long, value_name = "BOOL", hide_possible_values = true)]
    pub(crate) store_texts: Option<bool>,

    #[command(flatten)]
    pub(crate) frequent: FrequentArgs,
}

impl NewIndexArgs {
    /// Makes those that change sketches options of `similarity`, for a new index or one that is opened.
    pub(crate) fn put_into(&self, similarity: &mut SimilarityArgs) -> Result<(), Usage> {
        self.frequent.put_into(similarity);
        similarity.sign_for(self.plan)
    }

    /// What a new index is made with. The recall is in its bands, and is not asked for again.
    pub(crate) fn new_index(&self, similarity: &mut SimilarityArgs) -> anyhow::Result<NewIndex> {
        let option =
            if similarity.drop_frequent().is_some() { "--drop-frequent" } else { "--weights tf-idf" };
        self.new_index_with(similarity, |_| {
            Err(Usage(format!(
                "{option}: an index needs a table of frequencies that does not change while it grows: make one with lookalike frequencies, and \
                 give it as --frequencies FILE"
            ))
            .into())
        })
    }

    /// The same. Frequencies that no table gives are those that `count` counts.
    pub(crate) fn new_index_with(
        &self,
        similarity: &mut SimilarityArgs,
        count: impl FnOnce(&Plan) -> anyhow::Result<Arc<DocumentFrequencies>>,
    ) -> anyhow::Result<NewIndex> {
        let mut plan = self.new_plan(similarity)?;
        let mut frequencies = similarity.frequencies(&plan)?;
        // A plan that verifies is refused for its weights.
        let by_tf_idf = plan.weighting() == Weighting::TfIdf && !plan.verifies();
        if frequencies.is_none() && (by_tf_idf || similarity.drop_frequent().is_some()) {
            frequencies = Some(count(&plan)?);
        }
        // Both together were refused with the options.
        if let (Some(share), Some(table)) = (similarity.drop_frequent(), frequencies.take_if(|_| !by_tf_idf))
        {
            plan = plan.leaving_out(FrequentCounts::of_table(share, &table)?.features()?)?;
        }
        let new = NewIndex { plan, stores_texts: self.store_texts.unwrap_or(true), frequencies };
        if !new.stores_texts && new.plan.verifies() {
            let message = "--store-texts false: documents without texts can be compared by their sketches alone; add --verify=estimate, \
                           or --method simhash without --verify";
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
        let plan = Options { bands: Some(bands), rows: Some(rows), ..options }.plan()?;
        similarity.forget_recall();
        Ok(plan)
    }
}
