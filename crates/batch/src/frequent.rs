//! Frequent shingles, which are counted before a run starts.

use crate::error::Error;
use crate::request::{Dedup, Job, Pairs};
use lookalike_corpus::Inputs;
use lookalike_engine::clock::Clock;
use lookalike_engine::features::frequent::{FrequentSummary, without_frequent};
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::Request;

impl Job {
    /// The same job by a plan without frequent shingles, and what these are. `None` if all shingles count.
    fn settled(
        &self,
        inputs: &Inputs,
        clock: &mut Clock,
        monitor: &Monitor,
    ) -> Result<Option<(Job, FrequentSummary)>, Error> {
        let Some(share) = self.request.drop_frequent else { return Ok(None) };
        let (plan, summary) = without_frequent(&self.request, share, inputs, clock, monitor)?;
        // The frequencies are those of the shingles that count too.
        let request = Request { plan, drop_frequent: None, frequencies: None, ..self.request.clone() };
        Ok(Some((Job { request, ..self.clone() }, summary)))
    }
}

impl Dedup {
    /// The same request by a plan without frequent shingles, and what these are.
    pub(crate) fn settled(
        &self,
        inputs: &Inputs,
        clock: &mut Clock,
        monitor: &Monitor,
    ) -> Result<(Dedup, Option<FrequentSummary>), Error> {
        Ok(match self.job.settled(inputs, clock, monitor)? {
            Some((job, frequent)) => (Dedup { job, ..self.clone() }, Some(frequent)),
            None => (self.clone(), None),
        })
    }
}

impl Pairs {
    /// The same request by a plan without frequent shingles, and what these are.
    pub(crate) fn settled(
        &self,
        inputs: &Inputs,
        clock: &mut Clock,
        monitor: &Monitor,
    ) -> Result<(Pairs, Option<FrequentSummary>), Error> {
        Ok(match self.job.settled(inputs, clock, monitor)? {
            Some((job, frequent)) => (Pairs { job, ..self.clone() }, Some(frequent)),
            None => (self.clone(), None),
        })
    }
}
