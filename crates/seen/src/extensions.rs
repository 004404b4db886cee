//! Which documents were made to live longer lately.

use std::collections::VecDeque;

/// Extensions that are remembered. A text that was compared before so many is compared again.
const REMEMBERED: usize = 1024;

/// The last extensions. A text may have been compared when such a document had expired by its clock.
#[derive(Debug, Default)]
pub(super) struct RecentExtensions {
    /// The sequence number of each, and the second at which the document would have expired.
    recent: VecDeque<(u64, u32)>,
    /// Extensions before this sequence number are forgotten.
    forgotten: u64,
}

impl RecentExtensions {
    /// Takes note that a document that would have expired at second `before` lives longer.
    pub(super) fn add(&mut self, sequence: u64, before: u32) {
        if self.recent.len() == REMEMBERED
            && let Some((oldest, _)) = self.recent.pop_front()
        {
            self.forgotten = oldest + 1;
        }
        self.recent.push_back((sequence, before));
    }

    /// Whether a document that had expired by second `now` may live again since the change with this sequence number.
    pub(super) fn may_revive(&self, since: u64, now: u32) -> bool {
        since < self.forgotten
            || self.recent.iter().any(|&(sequence, before)| sequence >= since && before <= now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_revives_what_had_expired_before_it() {
        let mut extensions = RecentExtensions::default();
        extensions.add(7, 100);
        assert!(extensions.may_revive(7, 100) && extensions.may_revive(0, 200));
        assert!(!extensions.may_revive(8, 100) && !extensions.may_revive(0, 99));
        (8..8 + REMEMBERED as u64).for_each(|sequence| extensions.add(sequence, 1000));
        assert!(extensions.may_revive(7, 0), "it is not known any more");
        assert!(!extensions.may_revive(8, 0));
    }
}
