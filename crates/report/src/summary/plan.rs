//! The plan of a run, as summaries write it.

use lookalike::{FeatureHashes, Method, Plan, Weights};
use lookalike_engine::search::Choice;
use lookalike_engine::{PlanSummary, SearchSummary};

/// A plan with the table of its `weights`.
pub fn weighted_plan(plan: &Plan, weights: &Weights) -> PlanSummary {
    PlanSummary { table: weights.table().map(|id| format!("{id:016x}")), ..PlanSummary::new(plan) }
}

/// The same with the method that was chosen for a search.
pub fn searched_plan(plan: &Plan, choice: Choice, weights: &Weights) -> PlanSummary {
    let exactly = if choice.method == Method::Exact { plan.exactly() } else { None };
    PlanSummary { reason: choice.reason, ..weighted_plan(exactly.as_ref().unwrap_or(plan), weights) }
}

/// A plan with the tables of its `weights` and of the hashes by which features vote, if there is one.
pub fn hashed_plan(plan: &Plan, weights: &Weights, hashes: Option<&FeatureHashes>) -> PlanSummary {
    let mut summary = weighted_plan(plan, weights);
    let Some(hashes) = hashes else { return summary };
    summary.id = hashes.plan_id(plan.id()).to_string();
    if let SearchSummary::Fingerprints { feature_hash, hash_table, .. } = &mut summary.search {
        (*feature_hash, *hash_table) = ("table", Some(format!("{:016x}", hashes.id())));
    }
    summary
}
