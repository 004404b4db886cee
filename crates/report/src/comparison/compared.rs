//! Two texts that were compared.

use super::{ComparisonPage, json};
use crate::summary::CompareSummary;
use lookalike::compare::{Passages, Subsequence};
use lookalike::{Comparison, Plan};
use lookalike_engine::PlanSummary;

/// A text and its name.
#[derive(Clone, Debug)]
pub struct NamedText {
    /// Its id or path.
    pub name: String,
    /// The text.
    pub text: String,
}

/// How two texts compare.
#[derive(Clone, Debug)]
pub struct ComparedTexts {
    /// The texts.
    pub texts: [NamedText; 2],
    /// How many tokens each has, stop words too.
    pub tokens: [usize; 2],
    /// The measures.
    pub comparison: Comparison,
    /// The tokens in the same order in both, as far as the time limit allowed to find them.
    pub subsequence: Subsequence,
    /// The passages that they share.
    pub passages: Passages,
    /// The plan of the comparison.
    pub plan: PlanSummary,
    /// The summary, if ids were looked up.
    pub summary: Option<CompareSummary>,
}

impl ComparedTexts {
    /// What the pages of the comparison show. The `plan` is the one that it was made by.
    pub fn page<'a>(&'a self, plan: &'a Plan) -> ComparisonPage<'a> {
        let [left, right] = &self.texts;
        ComparisonPage {
            names: [&left.name, &right.name],
            texts: [&left.text, &right.text],
            tokens: self.tokens,
            plan,
            comparison: &self.comparison,
            subsequence: self.subsequence,
            passages: &self.passages,
        }
    }

    /// The comparison as one JSON object, as `lookalike compare --format json` prints it.
    ///
    /// # Errors
    /// The comparison cannot be written, because a figure is no number.
    pub fn to_json(&self, plan: &Plan) -> serde_json::Result<String> {
        json::write(&self.page(plan), &self.plan)
    }
}
