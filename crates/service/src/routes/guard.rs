//! What happens before and after every request: keys, metrics, and errors of the framework in our form.

use super::pages;
use crate::app::App;
use crate::keys::Role;
use crate::problem::Problem;
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::any::Any;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// The role that a request needs, or `None` if everybody may ask.
fn needed(method: &Method, uri: &Uri) -> Option<Role> {
    match uri.path() {
        "/health" | "/ready" | "/openapi.json" => None,
        path if pages::is_public(path) => None,
        "/metrics" | "/v1/check" | "/v1/similar" | "/v1/compare" | "/v1/deduplicate" => Some(Role::Read),
        path if path.starts_with("/v1/admin/") => Some(Role::Admin),
        // It has documents that were removed, as a backup has.
        "/v1/log" => Some(Role::Admin),
        "/v1/bulk" if uri.query() == Some("op=check") => Some(Role::Read),
        _ if [Method::GET, Method::HEAD].contains(method) => Some(Role::Read),
        _ => Some(Role::Write),
    }
}

/// Whether a page of another site has made the request. A browser would send it, and so the page could change an index without keys. A site
/// may also give its own name the address of this machine, so the host must be one that only this machine has.
fn is_of_another_site(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    let origin = text(header::ORIGIN).map(|origin| origin.split_once("://").map_or(origin, |(_, host)| host));
    let name = host.rsplit_once(':').map_or(host, |(name, port)| {
        if port.bytes().all(|byte| byte.is_ascii_digit()) { name } else { host }
    });
    let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_local = address.map_or(name.eq_ignore_ascii_case("localhost"), |address| address.is_loopback());
    origin.is_some_and(|origin| !is_local || !origin.eq_ignore_ascii_case(host))
}

/// Refuses requests without a key that allows them, and requests of a key that makes too many.
pub(super) async fn check_key(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let Some(needed) = needed(request.method(), request.uri()) else { return next.run(request).await };
    if !app.access.has_keys() && is_of_another_site(request.headers()) {
        let detail = "a page of another site may not use a service without keys";
        return Problem::new(StatusCode::FORBIDDEN, "other_site", detail).into_response();
    }
    let header = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let key = header
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    match app.access.of(key.map(|(_, key)| key.trim())) {
        Some((role, rate)) if role >= needed => match rate.take().and(may_change(&app, needed)) {
            Ok(()) => {
                // The lines of a bulk request count too.
                request.extensions_mut().insert(rate.clone());
                next.run(request).await
            }
            Err(problem) => problem.into_response(),
        },
        Some(_) => {
            let detail = format!("this key does not allow that; a key with the role {} does", needed.name());
            Problem::new(StatusCode::FORBIDDEN, "forbidden", detail).into_response()
        }
        None => {
            let detail = match key {
                Some(_) => "the service does not have this key",
                None => "send a key: Authorization: Bearer KEY",
            };
            Problem::new(StatusCode::UNAUTHORIZED, "no_key", detail).into_response()
        }
    }
}

/// Refuses changes of a read-only copy.
fn may_change(app: &App, needed: Role) -> Result<(), Problem> {
    let replica = app.replica.as_ref().filter(|_| needed == Role::Write);
    replica.map_or(Ok(()), |replica| Err(replica.refusal("changes")))
}

/// The seconds since a read-only copy last had all changes, or `unknown`.
const LAG: HeaderName = HeaderName::from_static("x-lookalike-lag");

/// Counts answers and their time, and says how old the answers of a copy may be.
pub(super) async fn measure(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    // Any word may be sent as a method, and each route is a series of figures.
    let method = match request.method() {
        method @ (&Method::GET | &Method::HEAD | &Method::POST | &Method::PUT | &Method::DELETE) => {
            method.as_str()
        }
        _ => "other",
    };
    let route = format!("{method} {}", path.as_deref().unwrap_or("other"));
    let mut response = next.run(request).await;
    app.metrics.answered(&route, response.status().as_u16(), start.elapsed());
    if let Some(replica) = &app.replica {
        let lag = replica.lag().map_or_else(|| "unknown".to_owned(), |lag| lag.as_secs().to_string());
        // Digits and letters are a valid value.
        response.headers_mut().extend(HeaderValue::try_from(lag).ok().map(|lag| (LAG, lag)));
    }
    response
}

/// What sentences of the framework start with, and what ours do.
const IN_PLAIN_WORDS: [(&str, &str); 4] = [
    ("Failed to deserialize the JSON body into the target type: ", ""),
    ("Failed to parse the request body as JSON: ", "the body is not JSON: "),
    ("Failed to deserialize query string: ", "the query is wrong: "),
    ("Invalid URL: ", "the path is wrong: "),
];

/// Gives errors of the framework, which are plain text, the form of all others.
pub(super) async fn problems(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let content_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_ours = content_type.is_some_and(|content_type| content_type.contains("json"));
    if !(status.is_client_error() || status.is_server_error()) || is_ours {
        return response;
    }
    let detail = to_bytes(response.into_body(), 1 << 16).await.unwrap_or_default();
    let detail = String::from_utf8_lossy(&detail);
    let code = match status {
        StatusCode::BAD_REQUEST if detail.contains("query string") || detail.starts_with("Invalid URL") => {
            "invalid"
        }
        StatusCode::BAD_REQUEST => "not_json",
        StatusCode::PAYLOAD_TOO_LARGE => "too_large",
        StatusCode::REQUEST_TIMEOUT => "timeout",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "media_type",
        StatusCode::UNPROCESSABLE_ENTITY => "invalid",
        _ => "error",
    };
    let detail = match status {
        StatusCode::REQUEST_TIMEOUT => "the request took too long".to_owned(),
        StatusCode::PAYLOAD_TOO_LARGE => {
            format!("the body has more than {} bytes, the most of a request", app.settings.most_bytes)
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "send the header Content-Type: application/json".to_owned(),
        _ if detail.is_empty() => status.canonical_reason().unwrap_or("error").to_owned(),
        _ => in_plain_words(&detail),
    };
    Problem::new(status, code, detail).into_response()
}

fn in_plain_words(detail: &str) -> String {
    let ours = |&(theirs, ours): &(&str, &str)| Some(format!("{ours}{}", detail.strip_prefix(theirs)?));
    IN_PLAIN_WORDS.iter().find_map(ours).unwrap_or_else(|| detail.to_owned())
}

pub(super) fn panicked(_: Box<dyn Any + Send>) -> Response<Body> {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the service has a bug; its log has more")
        .into_response()
}

pub(super) async fn no_route() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "no_route", "there is no such path; /openapi.json lists all")
}

pub(super) async fn no_method() -> Problem {
    let detail = "this path does not have this method; /openapi.json lists all";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "no_method", detail)
}
