//! How many requests a second a key may make.

use crate::problem::Problem;
use axum::http::StatusCode;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota};
use std::num::NonZeroU32;
use std::sync::Arc;

/// The rate of a key, or of all who ask without one. In a second without requests, the requests of one second are saved up.
#[derive(Clone, Debug)]
pub(crate) struct Rate(Option<Limit>);

#[derive(Clone, Debug)]
struct Limit {
    a_second: NonZeroU32,
    limiter: Arc<DefaultDirectRateLimiter>,
}

impl Rate {
    /// So many requests a second, or any number.
    pub(crate) fn new(a_second: Option<NonZeroU32>) -> Self {
        let limiter = |a_second| Arc::new(DefaultDirectRateLimiter::direct(Quota::per_second(a_second)));
        Rate(a_second.map(|a_second| Limit { a_second, limiter: limiter(a_second) }))
    }

    /// Counts a request.
    ///
    /// # Errors
    /// A [`Problem`] if there were too many in this second. The request is not counted then.
    pub(crate) fn take(&self) -> Result<(), Problem> {
        match &self.0 {
            Some(Limit { a_second, limiter }) if limiter.check().is_err() => {
                let detail = format!("there may be {a_second} requests a second; try again later");
                Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate", detail))
            }
            _ => Ok(()),
        }
    }

    /// Counts so many lines of a bulk request, and waits until there may be so many.
    pub(crate) async fn wait(&self, lines: u32) {
        let Some(Limit { a_second, limiter }) = &self.0 else { return };
        let mut left = lines;
        while let Some(some) = NonZeroU32::new(left.min(a_second.get())) {
            match limiter.check_n(some) {
                Ok(Err(early)) => {
                    tokio::time::sleep(early.wait_time_from(DefaultClock::default().now())).await
                }
                // There are never more than may be saved up.
                Ok(Ok(())) | Err(_) => left -= some.get(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn no_more_requests_than_the_rate_are_taken_at_once_and_others_are_not_counted() {
        let rate = Rate::new(NonZeroU32::new(3));
        let taken = (0..100).filter(|_| rate.take().is_ok()).count();
        assert!((3..100).contains(&taken), "{taken}");
        let any = Rate::new(None);
        assert!((0..10_000).all(|_| any.take().is_ok()));
    }

    #[tokio::test]
    async fn lines_wait_for_their_second() {
        let (rate, start) = (Rate::new(NonZeroU32::new(1000)), Instant::now());
        // The first thousand are saved up.
        rate.wait(1250).await;
        assert!(start.elapsed() >= Duration::from_millis(240), "{:?}", start.elapsed());
        Rate::new(None).wait(u32::MAX).await;
    }
}
