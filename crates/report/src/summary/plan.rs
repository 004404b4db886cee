//! The plan of a run, as summaries write it.

use lookalike::{Method, Plan, Weights};
use lookalike_engine::PlanSummary;
use lookalike_engine::search::Choice;

/// A plan with the table of its `weights`.
pub fn weighted_plan(plan: &Plan, weights: &Weights) -> PlanSummary {
    PlanSummary { table: weights.table().map(|id| format!("{id:016x}")), ..PlanSummary::new(plan) }
}

/// The same with the method that was chosen for a search.
pub fn searched_plan(plan: &Plan, choice: Choice, weights: &Weights) -> PlanSummary {
    let exactly = if choice.method == Method::Exact { plan.exactly() } else { None };
    PlanSummary { reason: choice.reason, ..weighted_plan(exactly.as_ref().unwrap_or(plan), weights) }
}
