//! The pauses before something is tried again.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);

const LONGEST: Duration = Duration::from_secs(10);

/// The pauses before something is tried again: each is twice as long as the one before.
#[derive(Debug)]
pub(crate) struct Backoff {
    next: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff { next: FIRST }
    }
}

impl Backoff {
    /// Waits, at least as long as the server has asked for.
    pub(crate) async fn wait(&mut self, asked: Option<Duration>) {
        tokio::time::sleep(self.next.max(asked.unwrap_or_default())).await;
        self.next = (2 * self.next).min(LONGEST);
    }
}
