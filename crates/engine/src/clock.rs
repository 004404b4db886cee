//! The time of each stage.

use std::collections::BTreeMap;
use std::time::Instant;

/// Seconds of wall time, by stage and in `total`.
pub type Seconds = BTreeMap<&'static str, f64>;

/// Measures wall time, stage by stage.
pub struct Clock {
    started: Instant,
    last: Instant,
    seconds: Seconds,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Self {
        let now = Instant::now();
        Clock { started: now, last: now, seconds: Seconds::new() }
    }

    /// Adds the time since the last lap to `stage`. Returns it in seconds.
    pub fn lap(&mut self, stage: &'static str) -> f64 {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        *self.seconds.entry(stage).or_default() += seconds;
        self.last = now;
        seconds
    }

    /// The seconds of all stages, and `total`.
    pub fn finish(mut self) -> Seconds {
        self.seconds.insert("total", self.started.elapsed().as_secs_f64());
        self.seconds
    }
}
