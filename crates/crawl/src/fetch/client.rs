//! What all requests have in common.

use super::{FetchLimits, USER_AGENT};
use reqwest::dns::Resolve;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue};
use reqwest::{Client, redirect};
use std::sync::Arc;

/// A client that connects to the addresses that a resolver finds.
pub(super) fn client(
    resolver: Arc<dyn Resolve>,
    connections: usize,
    limits: &FetchLimits,
) -> Result<Client, reqwest::Error> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br, zstd"));
    Client::builder()
        .default_headers(headers)
        .user_agent(USER_AGENT)
        .redirect(redirect::Policy::none())
        .dns_resolver(resolver)
        // A proxy of the environment would resolve names by itself.
        .no_proxy()
        .referer(false)
        .tcp_nodelay(true)
        .pool_max_idle_per_host(connections)
        .connect_timeout(limits.connect_time)
        .timeout(limits.page_time)
        .build()
}
