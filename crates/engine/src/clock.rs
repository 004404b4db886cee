//! How long did each stage take?

use std::collections::BTreeMap;
use std::time::Instant;

/// Seconds of wall time, by stage; `total` too.
pub type Seconds = BTreeMap<&'static str, f64>;

/// Wall time, stage by stage.
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

    /// What has passed since the last lap was `stage`, or more of it; returns how many seconds that was.
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
