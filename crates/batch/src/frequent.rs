//! Frequent shingles, which are counted before a run starts.

use crate::error::Error;
use crate::request::Job;
use lookalike_corpus::Inputs;
use lookalike_engine::clock::Clock;
use lookalike_engine::features::frequent::{FrequentSummary, leave_out_frequent};
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::Request;

impl Job {
    /// The same job by a plan that leaves out frequent shingles, and what these are. `None` if all shingles count.
    pub(crate) fn leaving_out_frequent(
        &self,
        inputs: &Inputs,
        clock: &mut Clock,
        monitor: &Monitor,
    ) -> Result<Option<(Job, FrequentSummary)>, Error> {
        let Some(share) = self.request.drop_frequent else { return Ok(None) };
        let (plan, summary) = leave_out_frequent(&self.request, share, inputs, clock, monitor)?;
        // The table has other features than the new plan.
        let request = Request { plan, drop_frequent: None, frequencies: None, ..self.request.clone() };
        Ok(Some((Job { request, ..self.clone() }, summary)))
    }
}
