//! Errors as `application/problem+json` (RFC 9457).

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lookalike_seen::SeenError;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was not answered.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// The status of the answer.
    #[serde(serialize_with = "status")]
    #[schema(value_type = u16)]
    pub(crate) status: StatusCode,
    /// A word for programs.
    #[schema(example = "unknown_field")]
    pub(crate) code: &'static str,
    /// A sentence for people.
    pub(crate) detail: String,
}

fn status<S: serde::Serializer>(status: &StatusCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(status.as_u16())
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Problem { status, code, detail: detail.into() }
    }

    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", detail)
    }

    pub(crate) fn no_url(url: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_document", format!("no document has the URL {url:?}"))
    }

    pub(crate) fn expired() -> Self {
        Self::new(StatusCode::GONE, "expired", "the document has expired")
    }

    pub(crate) fn no_document(id: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "no_document", format!("no document has the id {id:?}"))
    }
}

impl From<SeenError> for Problem {
    fn from(error: SeenError) -> Self {
        let (status, code) = match &error {
            SeenError::Busy => (StatusCode::TOO_MANY_REQUESTS, "busy"),
            SeenError::NotWritten { is_full: true, .. } => (StatusCode::INSUFFICIENT_STORAGE, "disk_full"),
            SeenError::Unreachable { .. } => (StatusCode::SERVICE_UNAVAILABLE, "unreachable"),
            SeenError::Closed => (StatusCode::SERVICE_UNAVAILABLE, "closing"),
            _ => (StatusCode::INTERNAL_SERVER_ERROR, "index"),
        };
        Problem::new(status, code, error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        match self.status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
