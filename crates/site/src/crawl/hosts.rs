//! Which host may be asked now: no host has more requests at a time, or sooner, than it bears.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// The pause after the first sign that a host is busy, if it does not name one. Each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// Answers after which a host that was busy gets one more request at a time.
const RECOVERED: u32 = 20;

/// Why a visit has to be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The server gets more requests than it bears. The pause that it asks for.
    Busy(Option<Duration>),
    /// The connection failed.
    Connection,
}

/// The hosts of a crawl, and the visits that wait for them.
#[derive(Debug)]
pub(super) struct Hosts {
    connections: usize,
    delay: Duration,
    /// By origin.
    hosts: BTreeMap<String, Host>,
}

#[derive(Debug)]
struct Host {
    /// Numbers of visits, in order.
    waiting: VecDeque<u32>,
    in_flight: usize,
    /// Requests in flight that it bears.
    bears: usize,
    /// The time between two requests.
    delay: Duration,
    /// No request is sent before.
    not_before: Instant,
    /// The troubles since the last answer.
    troubles: u32,
    /// The answers since the last trouble.
    answers: u32,
}

impl Hosts {
    pub(super) fn new(connections: usize, delay: Duration) -> Self {
        Hosts { connections: connections.max(1), delay, hosts: BTreeMap::new() }
    }

    /// A visit waits for a host. `delay` is the one of its robots.txt.
    pub(super) fn wait(&mut self, origin: String, number: u32, delay: Option<Duration>) {
        let (bears, least) = (self.connections, self.delay);
        let host = self.hosts.entry(origin).or_insert_with(|| Host {
            waiting: VecDeque::new(),
            in_flight: 0,
            bears,
            delay: least.max(delay.unwrap_or_default()),
            not_before: Instant::now(),
            troubles: 0,
            answers: 0,
        });
        host.waiting.push_back(number);
    }

    /// The next visit that may be made at `now`, with its host. Counts as in flight.
    pub(super) fn next(&mut self, now: Instant, is_due: impl Fn(u32) -> bool) -> Option<u32> {
        let free =
            self.hosts.values_mut().filter(|host| host.in_flight < host.bears && host.not_before <= now);
        let host = free.filter(|host| host.waiting.front().is_some_and(|&number| is_due(number)));
        let host = host.min_by_key(|host| host.waiting.front().copied())?;
        host.in_flight += 1;
        if !host.delay.is_zero() {
            host.not_before = now + host.delay;
        }
        host.waiting.pop_front()
    }

    /// The time at which a host that is not busy with requests may be asked again.
    pub(super) fn next_time(&self) -> Option<Instant> {
        let idle = self.hosts.values().filter(|host| !host.waiting.is_empty() && host.in_flight < host.bears);
        idle.map(|host| host.not_before).min()
    }

    /// A request was answered.
    pub(super) fn answered(&mut self, origin: &str) {
        if let Some(host) = self.hosts.get_mut(origin) {
            host.in_flight -= 1;
            host.troubles = 0;
            host.answers += 1;
            if host.answers >= RECOVERED && host.bears < self.connections {
                (host.bears, host.answers) = (host.bears + 1, 0);
            }
        }
    }

    /// A visit has to be tried again, before all others that wait for its host. The host is left alone for a while, and gets half as many
    /// requests at a time if it was busy.
    pub(super) fn failed(&mut self, origin: &str, number: u32, trouble: Trouble) {
        let Some(host) = self.hosts.get_mut(origin) else { return };
        host.in_flight -= 1;
        let place = host.waiting.partition_point(|&waiting| waiting < number);
        host.waiting.insert(place, number);
        let grown = FIRST_PAUSE * 2_u32.pow(host.troubles.min(6));
        let pause = match trouble {
            Trouble::Busy(Some(pause)) => pause,
            Trouble::Busy(None) | Trouble::Connection => grown,
        };
        let not_before = Instant::now() + pause;
        // Answers to requests that were in flight together are one trouble.
        if not_before > host.not_before {
            (host.troubles, host.answers) = (host.troubles + 1, 0);
            host.not_before = not_before;
            if matches!(trouble, Trouble::Busy(_)) {
                host.bears = (host.bears / 2).max(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_gets_so_many_requests_and_one_after_the_other_with_a_delay() {
        let mut hosts = Hosts::new(2, Duration::ZERO);
        let now = Instant::now() + Duration::from_secs(1);
        for number in 0..3 {
            hosts.wait("a".to_owned(), number, None);
        }
        hosts.wait("b".to_owned(), 3, Some(Duration::from_secs(9)));
        hosts.wait("b".to_owned(), 4, Some(Duration::from_secs(9)));
        let all = |hosts: &mut Hosts, now| -> Vec<u32> {
            std::iter::from_fn(|| hosts.next(now, |_| true)).collect()
        };
        assert_eq!(all(&mut hosts, now), [0, 1, 3]);
        hosts.answered("a");
        assert_eq!(all(&mut hosts, now), [2]);
        assert_eq!(all(&mut hosts, now + Duration::from_secs(10)), [4]);
    }

    #[test]
    fn a_busy_host_is_left_alone_and_asked_for_the_same_visit_first() {
        let mut hosts = Hosts::new(4, Duration::ZERO);
        for number in 0..3 {
            hosts.wait("a".to_owned(), number, None);
        }
        let now = Instant::now();
        assert_eq!(hosts.next(now, |_| true), Some(0));
        hosts.failed("a", 0, Trouble::Busy(Some(Duration::from_secs(60))));
        assert_eq!(hosts.next(now + Duration::from_secs(30), |_| true), None);
        let later = now + Duration::from_secs(70);
        assert!(hosts.next_time().unwrap() <= later);
        let next = [0; 3].map(|_| hosts.next(later, |_| true));
        assert_eq!(next, [Some(0), Some(1), None], "half as many at a time");
    }
}
