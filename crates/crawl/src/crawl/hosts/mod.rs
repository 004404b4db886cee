//! Which host may be asked now: no host has more requests at a time, or sooner, than it bears.

mod host;

use host::Host;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// The pause after the first sign that a host is busy, if it does not name one. Each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// Answers after which a host that was busy gets one more request at a time.
const RECOVERED: u32 = 20;

/// Requests in flight to all hosts together. Many names may be one machine, and each answer may have 16 MB.
const IN_FLIGHT: usize = 32;

/// Why a visit has to be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The server gets more requests than it bears. The pause that it asks for.
    Busy(Option<Duration>),
    /// The connection failed.
    Connection,
}

impl Trouble {
    /// The pause that the server asks for.
    pub(super) fn pause(self) -> Option<Duration> {
        match self {
            Trouble::Busy(pause) => pause,
            Trouble::Connection => None,
        }
    }
}

/// The hosts of a crawl, and the visits that wait for them.
#[derive(Debug)]
pub(super) struct Hosts {
    connections: usize,
    delay: Duration,
    /// By name. HTTP and HTTPS are one host.
    hosts: BTreeMap<String, Host>,
    /// Requests in flight to all hosts.
    in_flight: usize,
}

impl Hosts {
    pub(super) fn new(connections: usize, delay: Duration) -> Self {
        Hosts { connections: connections.max(1), delay, hosts: BTreeMap::new(), in_flight: 0 }
    }

    fn host(&mut self, name: &str) -> &mut Host {
        let (bears, delay) = (self.connections, self.delay);
        self.hosts.entry(name.to_owned()).or_insert_with(|| Host {
            waiting: VecDeque::new(),
            in_flight: 0,
            bears,
            delay,
            not_before: Instant::now(),
            troubles: 0,
            answers: 0,
        })
    }

    /// A visit waits for a host. `delay` is the one of its robots.txt.
    pub(super) fn wait(&mut self, name: &str, number: u32, delay: Option<Duration>) {
        let host = self.host(name);
        host.delay = host.delay.max(delay.unwrap_or_default());
        host.waiting.push_back(number);
    }

    /// The next visit that may be made at `now`. Counts as in flight.
    pub(super) fn next(&mut self, now: Instant, is_due: impl Fn(u32) -> bool) -> Option<u32> {
        if self.is_busy() {
            return None;
        }
        let free = self.hosts.values_mut().filter(|host| host.is_free(now));
        let host = free.filter(|host| host.waiting.front().is_some_and(|&number| is_due(number)));
        let host = host.min_by_key(|host| host.waiting.front().copied())?;
        let number = host.waiting.pop_front();
        host.start(now);
        self.in_flight += 1;
        number
    }

    /// Whether a host may be asked at `now` for something that is no visit. If so, this counts as in flight.
    pub(super) fn take(&mut self, name: &str, now: Instant) -> bool {
        let is_free = !self.is_busy() && self.host(name).is_free(now);
        if is_free {
            self.host(name).start(now);
            self.in_flight += 1;
        }
        is_free
    }

    /// Whether there are as many requests in flight as there may be.
    fn is_busy(&self) -> bool {
        self.in_flight >= IN_FLIGHT.max(self.connections)
    }

    /// The time at which a host that is not busy with requests may be asked again.
    pub(super) fn next_time(&self) -> Option<Instant> {
        let idle = self.hosts.values().filter(|host| !host.waiting.is_empty() && host.in_flight < host.bears);
        idle.map(|host| host.not_before).min()
    }

    /// A request was answered.
    pub(super) fn answered(&mut self, name: &str) {
        let connections = self.connections;
        if let Some(host) = self.ended(name) {
            host.troubles = 0;
            host.answers += 1;
            if host.answers >= RECOVERED && host.bears < connections {
                (host.bears, host.answers) = (host.bears + 1, 0);
            }
        }
    }

    /// A request has ended without an answer, and is not sent again.
    pub(super) fn given_up(&mut self, name: &str) {
        self.ended(name);
    }

    /// A request is not in flight any more.
    fn ended(&mut self, name: &str) -> Option<&mut Host> {
        let host = self.hosts.get_mut(name)?;
        host.in_flight = host.in_flight.saturating_sub(1);
        self.in_flight = self.in_flight.saturating_sub(1);
        Some(host)
    }

    /// A visit has to be tried again, before all others that wait for its host. The host is left alone for a while, and gets half as many
    /// requests at a time if it was busy.
    pub(super) fn failed(&mut self, name: &str, number: u32, trouble: Trouble) {
        let Some(host) = self.ended(name) else { return };
        let place = host.waiting.partition_point(|&waiting| waiting < number);
        host.waiting.insert(place, number);
        let grown = FIRST_PAUSE * 2_u32.pow(host.troubles.min(6));
        let not_before = Instant::now() + trouble.pause().unwrap_or(grown);
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
            hosts.wait("a", number, None);
        }
        hosts.wait("b", 3, Some(Duration::from_secs(9)));
        hosts.wait("b", 4, Some(Duration::from_secs(9)));
        let all = |hosts: &mut Hosts, now| -> Vec<u32> {
            std::iter::from_fn(|| hosts.next(now, |_| true)).collect()
        };
        assert_eq!(all(&mut hosts, now), [0, 1, 3]);
        hosts.answered("a");
        assert_eq!(all(&mut hosts, now), [2]);
        assert_eq!(all(&mut hosts, now + Duration::from_secs(10)), [4]);
    }

    #[test]
    fn all_hosts_together_get_so_many_requests() {
        let mut hosts = Hosts::new(4, Duration::ZERO);
        for number in 0..100 {
            hosts.wait(&format!("{}.example.org", number / 2), number, None);
        }
        let now = Instant::now() + Duration::from_secs(1);
        let sent = std::iter::from_fn(|| hosts.next(now, |_| true)).count();
        assert_eq!((sent, hosts.take("robots.example.org", now)), (IN_FLIGHT, false));
        hosts.answered("0.example.org");
        assert!(hosts.take("robots.example.org", now));
    }

    #[test]
    fn what_is_no_visit_counts_with_the_visits_of_its_host() {
        let mut hosts = Hosts::new(2, Duration::ZERO);
        let now = Instant::now() + Duration::from_secs(1);
        assert!(hosts.take("a", now));
        for number in 0..2 {
            hosts.wait("a", number, Some(Duration::from_secs(5)));
        }
        assert_eq!([hosts.next(now, |_| true), hosts.next(now, |_| true)], [Some(0), None]);
        hosts.answered("a");
        assert!(!hosts.take("a", now) && hosts.take("a", now + Duration::from_secs(5)), "its delay is kept");
    }

    #[test]
    fn a_busy_host_is_left_alone_and_asked_for_the_same_visit_first() {
        let mut hosts = Hosts::new(4, Duration::ZERO);
        for number in 0..3 {
            hosts.wait("a", number, None);
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
