//! One host: what waits for it, and how much it bears.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(super) struct Host {
    /// Numbers of visits, in order.
    pub(super) waiting: VecDeque<u32>,
    pub(super) in_flight: usize,
    /// Requests in flight that it bears.
    pub(super) bears: usize,
    /// The time between two requests.
    pub(super) delay: Duration,
    /// No request is sent before.
    pub(super) not_before: Instant,
    /// The troubles since the last answer.
    pub(super) troubles: u32,
    /// The answers since the last trouble.
    pub(super) answers: u32,
}

impl Host {
    pub(super) fn is_free(&self, now: Instant) -> bool {
        self.in_flight < self.bears && self.not_before <= now
    }

    pub(super) fn start(&mut self, now: Instant) {
        self.in_flight += 1;
        if !self.delay.is_zero() {
            self.not_before = now + self.delay;
        }
    }
}
