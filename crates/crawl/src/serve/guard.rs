//! Who may ask: people at this machine, who have the token.
//!
//! A page of another site may give its own name the address of this machine, so the host of a request must be an address
//! or `localhost`. It may also send requests here, so every request needs the token. Browsers get the token in the
//! printed address, and keep it in a cookie that no other site's request carries. A page at another port of this machine
//! counts as the same site, so the origin is checked too.

use super::files::HEADERS;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The header in which programs send the token.
const HEADER: &str = "x-lookalike-token";

/// The token, and the hosts that are this machine.
#[derive(Debug)]
pub(super) struct Guard {
    address: SocketAddr,
    /// The hash of the token. How long it takes to compare hashes says nothing about the token.
    token: [u8; 32],
    cookie: HeaderValue,
}

/// Where a request has its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    Address,
    Header,
    Cookie,
}

fn text(headers: &HeaderMap, name: impl header::AsHeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

impl Guard {
    pub(super) fn new(address: SocketAddr, token: &str) -> Self {
        let cookie = format!("{}={token}; Path=/; HttpOnly; SameSite=Strict", Self::cookie_name(address));
        let cookie = HeaderValue::try_from(cookie).expect("a token has hexadecimal digits only");
        Guard { address, token: Sha256::digest(token).into(), cookie }
    }

    /// Cookies are for all ports of a machine, so the port is in the name.
    fn cookie_name(address: SocketAddr) -> String {
        format!("lookalike-audit-{}", address.port())
    }

    /// Whether this host is this machine: an address and the port, or `localhost`.
    fn is_own_host(&self, host: &str) -> bool {
        // Browsers leave out the port 80.
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse()),
            _ => (host, Ok(80)),
        };
        let own_port = port == Ok(self.address.port());
        let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
        let is_loopback = self.address.ip().is_loopback();
        own_port
            && match address {
                Ok(address) => address.is_loopback() || !is_loopback,
                Err(_) => name.eq_ignore_ascii_case("localhost"),
            }
    }

    fn is_token(&self, token: &str) -> bool {
        Sha256::digest(token)[..] == self.token
    }

    fn proof(&self, request: &Request) -> Option<Proof> {
        let headers = request.headers();
        let is_token = |token: &&str| self.is_token(token);
        let parameters = request.uri().query().unwrap_or_default().split('&');
        let mut in_address = parameters.filter_map(|parameter| parameter.strip_prefix("token="));
        if request.uri().path() == "/" && in_address.any(|token| self.is_token(token)) {
            return Some(Proof::Address);
        }
        if text(headers, HEADER).filter(is_token).is_some() {
            return Some(Proof::Header);
        }
        let name = Self::cookie_name(self.address);
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut values = cookies
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().strip_prefix(name.as_str())?.strip_prefix('='));
        values.any(|token| self.is_token(token)).then_some(Proof::Cookie)
    }

    /// Whether the page that sent the request is the page of this server, as far as the browser says.
    fn is_own_page(headers: &HeaderMap, host: &str, is_read: bool) -> bool {
        let origin = text(headers, header::ORIGIN).map(|origin| origin == format!("http://{host}"));
        let site = text(headers, "sec-fetch-site").is_none_or(|site| ["same-origin", "none"].contains(&site));
        site && origin.unwrap_or(is_read)
    }

    /// The reason why a request is refused, or the proof that it may ask.
    fn check(&self, request: &Request) -> Result<Proof, &'static str> {
        let headers = request.headers();
        let host = text(headers, header::HOST).filter(|host| self.is_own_host(host));
        let Some(host) = host else {
            return Err("This server answers to addresses of its own machine only.");
        };
        let Some(proof) = self.proof(request) else {
            return Err("The token is missing. Open the address that the program has printed.");
        };
        let is_file = super::files::file(request.uri().path()).is_some();
        let is_read = [Method::GET, Method::HEAD].contains(request.method());
        match proof {
            Proof::Cookie if !is_file && !Self::is_own_page(headers, host, is_read) => {
                Err("The request comes from a page of another server.")
            }
            proof => Ok(proof),
        }
    }
}

/// Refuses requests from elsewhere, and gives all answers their headers.
pub(super) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(&request) {
        Ok(proof) => {
            let mut response = next.run(request).await;
            if proof == Proof::Address {
                response.headers_mut().insert(header::SET_COOKIE, guard.cookie.clone());
            }
            response
        }
        Err(sentence) => (StatusCode::FORBIDDEN, sentence).into_response(),
    };
    response.headers_mut().extend(HEADERS);
    response
}
