//! The limits of a request, and how one fails.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Limits of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchLimits {
    /// The bytes of a page, after decompression.
    pub page_bytes: usize,
    /// The time for a connection. A server that lets it pass is not reached, and is asked again.
    pub connect_time: Duration,
    /// The time for a page, from the request to its last byte. A server cannot stretch it by sending a byte now and then.
    pub page_time: Duration,
    /// How often a page is asked for again if the server is busy (429, 502, 503 or 504), or the connection fails.
    pub retries: u32,
    /// The longest pause that a busy server may ask for. A page of a server that asks for more fails.
    pub longest_pause: Duration,
}

impl Default for FetchLimits {
    fn default() -> Self {
        FetchLimits {
            // The longest index of the JDK's documentation has 8 MB.
            page_bytes: 16 << 20,
            connect_time: Duration::from_secs(10),
            page_time: Duration::from_secs(30),
            retries: 4,
            longest_pause: Duration::from_secs(120),
        }
    }
}

/// Why there is no answer, or none that can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FetchFailure {
    #[error("the host is the private address {address}, and is not the one that the audit started with")]
    PrivateAddress { address: String },
    #[error("no answer within {seconds} seconds")]
    Slow { seconds: u64 },
    #[error("the server cannot be reached: {reason}")]
    Unreachable { reason: String },
    #[error("the page has more than {limit} bytes")]
    TooLong { limit: u64 },
    #[error("the page cannot be decoded: {reason}")]
    Undecodable { reason: String },
    #[error("Chromium cannot show the page: {reason}")]
    NotRendered { reason: String },
    #[error("it redirects to itself, as {target}")]
    RedirectsToItself { target: String },
}
