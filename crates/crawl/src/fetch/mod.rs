//! One request: a URL, and the answer of its server.
//!
//! Redirects are not followed here, and answers that are not pages are not read. Every limit holds for a server that means harm.

mod address;
mod answer;
mod client;
mod credentials;
mod limits;
mod resolver;
mod retry_after;

pub(crate) use answer::HttpAnswer;
pub use limits::{FetchFailure, FetchLimits};
pub(crate) use resolver::{PublicOnly, TypedServer};

use client::client;
use credentials::Credentials;
use lookalike_corpus::{Problem, decoded_body};
use reqwest::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use resolver::PrivateName;
use std::borrow::Cow;
use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Instant;
use url::Url;

/// How the crawler introduces itself.
pub(crate) const USER_AGENT: &str = concat!("lookalike/", env!("CARGO_PKG_VERSION"));

/// Which answers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WantedAnswers {
    /// Pages: HTML with a status of success.
    Pages,
    /// Any content with a status of success, up to so many bytes. More bytes are cut off.
    Start(usize),
    /// Any content with a status of success, up to so many bytes. More bytes are an error.
    Whole(usize),
}

/// Sends requests.
#[derive(Clone, Debug)]
pub(crate) struct Fetcher {
    /// The server that the user typed, the client for it, and the name and password that were typed with it.
    typed: TypedServer,
    typed_client: Client,
    credentials: Option<Credentials>,
    /// The client for all others. It connects to public addresses only.
    client: Client,
    limits: FetchLimits,
}

impl Fetcher {
    /// Makes a client that may connect to private addresses only for the server of `start`, and sends the name and password of `start` to this
    /// server only.
    pub(crate) fn new(start: &Url, connections: usize, limits: FetchLimits) -> Result<Self, reqwest::Error> {
        // Another part of the program may have chosen a provider already, and that one works too.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let typed = TypedServer::of(start);
        let client = |resolver| client(resolver, connections, &limits);
        let (typed_client, client) = (client(Arc::new(typed.clone()))?, client(Arc::new(PublicOnly))?);
        Ok(Fetcher { typed, typed_client, credentials: Credentials::of(start), client, limits })
    }

    /// The server that the user typed. What its name first resolved to counts for all clones.
    pub(crate) fn typed(&self) -> &TypedServer {
        &self.typed
    }

    pub(crate) fn limits(&self) -> &FetchLimits {
        &self.limits
    }

    /// Asks for a URL.
    ///
    /// # Errors
    /// [`FetchFailure`], after one try.
    pub(crate) async fn get(&self, url: &Url, wanted: WantedAnswers) -> Result<HttpAnswer, FetchFailure> {
        if let Some(address) = self.typed.private_address(url) {
            return Err(FetchFailure::PrivateAddress { address: address.to_string() });
        }
        let started = Instant::now();
        let sent = self.request(url).send().await;
        let response = sent.map_err(|error| self.failure(&error))?;
        let first_byte = started.elapsed();
        let (status, headers) = (response.status(), response.headers().clone());
        let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let mut answer = HttpAnswer {
            status: status.as_u16(),
            headers,
            body: None,
            first_byte,
            total: first_byte,
            sent: length.unwrap_or_default(),
        };
        if is_wanted(status, &answer, wanted) {
            let limit = match wanted {
                WantedAnswers::Pages => self.limits.page_bytes,
                WantedAnswers::Start(limit) | WantedAnswers::Whole(limit) => limit,
            };
            let (body, cut) = self.read(response, limit, wanted).await?;
            answer.sent = body.len() as u64;
            answer.total = started.elapsed();
            answer.body = Some(decode(&answer, body, cut, limit)?);
        }
        Ok(answer)
    }

    fn request(&self, url: &Url) -> RequestBuilder {
        if !self.typed.has(url) {
            return self.client.get(url.clone());
        }
        let request = self.typed_client.get(url.clone());
        // A password that was typed for HTTPS is not sent in plain text.
        match self.credentials.as_ref().filter(|_| self.typed.is_as_safe(url)) {
            Some(Credentials { name, password }) => request.basic_auth(name, password.as_ref()),
            None => request,
        }
    }

    /// Reads the content as it is sent. An encoded content that is longer than `limit` would be longer still when decoded.
    async fn read(
        &self,
        mut response: Response,
        limit: usize,
        wanted: WantedAnswers,
    ) -> Result<(Vec<u8>, bool), FetchFailure> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failure(&error))? {
            let room = limit - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() > room {
                return match wanted {
                    WantedAnswers::Start(_) => Ok((body, true)),
                    _ => Err(FetchFailure::TooLong { limit: limit as u64 }),
                };
            }
        }
        Ok((body, false))
    }

    fn failure(&self, error: &reqwest::Error) -> FetchFailure {
        let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
        let mut last = String::new();
        while let Some(error) = cause {
            if let Some(private) = error.downcast_ref::<PrivateName>() {
                return FetchFailure::PrivateAddress { address: private.address.to_string() };
            }
            last = error.to_string();
            cause = error.source();
        }
        if error.is_timeout() && !error.is_connect() {
            return FetchFailure::Slow { seconds: self.limits.page_time.as_secs() };
        }
        FetchFailure::Unreachable { reason: last }
    }
}

/// Whether the content of an answer is read. A page without a type is read: a browser would show it.
fn is_wanted(status: StatusCode, answer: &HttpAnswer, wanted: WantedAnswers) -> bool {
    let is_page = || match answer.header(CONTENT_TYPE) {
        Some(content_type) => is_html(&content_type),
        None => true,
    };
    status.is_success() && (wanted != WantedAnswers::Pages || is_page())
}

/// Whether a content type is that of a page.
pub(crate) fn is_html(content_type: &str) -> bool {
    let media = content_type.split(';').next().unwrap_or_default().trim();
    ["text/html", "application/xhtml+xml"].iter().any(|html| media.eq_ignore_ascii_case(html))
}

fn decode(answer: &HttpAnswer, body: Vec<u8>, cut: bool, limit: usize) -> Result<Vec<u8>, FetchFailure> {
    match decoded_body(&answer.list(CONTENT_ENCODING), &body, cut, limit) {
        Ok(Cow::Owned(decoded)) => Ok(decoded),
        Ok(Cow::Borrowed(_)) => Ok(body),
        Err(Problem::DecodedTooLong { limit }) => Err(FetchFailure::TooLong { limit: limit as u64 }),
        Err(problem) => Err(FetchFailure::Undecodable { reason: problem.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn several_headers_of_encodings_are_one_list() {
        use reqwest::header::{HeaderMap, HeaderValue};
        use std::io::Write;
        let gzip = |bytes: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        let mut headers = HeaderMap::new();
        headers.append(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        headers.append(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        let answer = HttpAnswer {
            status: 200,
            headers,
            body: None,
            first_byte: std::time::Duration::ZERO,
            total: std::time::Duration::ZERO,
            sent: 0,
        };
        let body = decode(&answer, gzip(&gzip(b"<p>page")), false, 1 << 20);
        assert_eq!(body.ok().as_deref(), Some(&b"<p>page"[..]));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_name_that_resolves_to_this_machine_is_connected_to_only_if_it_was_typed() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let target =
            Url::parse(&format!("http://localhost:{}/", listener.local_addr().unwrap().port())).unwrap();
        let fetcher = |start: &str| {
            let limits =
                FetchLimits { page_time: std::time::Duration::from_millis(300), ..FetchLimits::default() };
            Fetcher::new(&Url::parse(start).unwrap(), 1, limits).unwrap()
        };
        // Another port of the machine is another server.
        for start in ["http://example.org/", "http://127.0.0.1/", "http://localhost:1/"] {
            let refused = fetcher(start).get(&target, WantedAnswers::Pages).await;
            assert!(matches!(refused, Err(FetchFailure::PrivateAddress { .. })), "{refused:?}");
            assert!(listener.accept().is_err(), "no connection was made");
        }
        let slow = fetcher(&target.as_str().to_uppercase().replacen("HTTP", "http", 1))
            .get(&target, WantedAnswers::Pages)
            .await;
        assert!(matches!(slow, Err(FetchFailure::Slow { .. })), "{slow:?}");
        assert!(listener.accept().is_ok());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_server_that_takes_no_connection_is_not_reached_and_one_that_says_nothing_is_slow() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let limits = FetchLimits {
            connect_time: std::time::Duration::from_millis(100),
            page_time: std::time::Duration::from_millis(300),
            ..FetchLimits::default()
        };
        let url = Url::parse(&format!("http://{address}/")).unwrap();
        let fetcher = Fetcher::new(&url, 1, limits.clone()).unwrap();
        let slow = fetcher.get(&url, WantedAnswers::Pages).await;
        assert!(matches!(slow, Err(FetchFailure::Slow { .. })), "{slow:?}");
        // Nobody accepts: behind as many connections as the listener keeps waiting, the system answers no other.
        let mut waiting = Vec::new();
        while let Ok(stream) = std::net::TcpStream::connect_timeout(&address, limits.connect_time) {
            waiting.push(stream);
        }
        let refused = Fetcher::new(&url, 1, limits).unwrap().get(&url, WantedAnswers::Pages).await;
        assert!(matches!(refused, Err(FetchFailure::Unreachable { .. })), "{refused:?}");
    }
}
