//! Failures of requests to servers, with messages that suggest a remedy.

use std::{error::Error as StdError, io};

use object_store::client::{HttpError, HttpErrorKind};

use crate::Interrupted;

/// The reason why a request failed, after all its retries.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum RequestFailure {
    #[error("there is no such object; check the name")]
    Missing,
    #[error("there is no such bucket; check the name, and the endpoint if you set one")]
    NoBucket,
    #[error("there are no credentials; {remedy}")]
    NoCredentials { remedy: &'static str },
    #[error("the server refuses access ({status}); check that the credentials are right and may do this")]
    Refused { status: u16 },
    #[error("the bucket is in another region; set AWS_REGION to the one it is in")]
    OtherRegion,
    #[error("the object changed while it was read")]
    Changed,
    #[error("the server sends whole files only, and no parts of them; download the file first")]
    NoParts,
    #[error("the server cannot be reached ({message}); check the name and the network")]
    Unreachable { message: String },
    #[error("the server does not answer; try again later")]
    Timeout,
    #[error("plain http is refused; set AWS_ALLOW_HTTP=true if you trust the network")]
    PlainHttp,
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    #[error("{message}")]
    Other { message: String },
}

const S3_REMEDY: &str = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (aws configure export-credentials --format env prints \
                         them), or AWS_SKIP_SIGNATURE=true for a public bucket";
const GS_REMEDY: &str = "set GOOGLE_APPLICATION_CREDENTIALS to a key file, run gcloud auth application-default login, or set \
                         GOOGLE_SKIP_SIGNATURE=true for a public bucket";

/// The addresses at which a machine of a cloud asks for its credentials if no other source is configured. If such a request
/// fails, there are no credentials.
const INSTANCES: [(&str, &str); 4] = [
    ("/latest/api/token", S3_REMEDY),
    ("/latest/meta-data", S3_REMEDY),
    ("169.254.170.2", S3_REMEDY),
    ("computeMetadata", GS_REMEDY),
];

impl From<object_store::Error> for RequestFailure {
    fn from(error: object_store::Error) -> RequestFailure {
        let told = error.to_string();
        if let Some((_, remedy)) = INSTANCES.iter().find(|(address, _)| told.contains(address)) {
            return RequestFailure::NoCredentials { remedy };
        }
        if told.contains("NoSuchBucket") {
            return RequestFailure::NoBucket;
        }
        if told.contains("redirect without LOCATION") {
            return RequestFailure::OtherRegion;
        }
        match (&error, status_in(&told)) {
            (object_store::Error::NotSupported { .. }, _) => return RequestFailure::NoParts,
            _ if told.contains("non-partial response") => return RequestFailure::NoParts,
            (object_store::Error::NotFound { .. }, _) | (_, Some(404)) => return RequestFailure::Missing,
            // 416: the object ends before the requested part, so it has changed.
            (object_store::Error::Precondition { .. }, _) | (_, Some(412 | 416)) => {
                return RequestFailure::Changed;
            }
            (_, Some(status @ (401 | 403))) => return RequestFailure::Refused { status },
            (_, Some(301 | 307 | 308)) => return RequestFailure::OtherRegion,
            (_, Some(status)) => {
                return RequestFailure::Other {
                    message: format!("the server answers with an error ({status})"),
                };
            }
            (_, None) => {}
        }
        let deepest = causes(&error).last().map_or(told, ToString::to_string);
        let http = causes(&error).find_map(|cause| cause.downcast_ref::<HttpError>());
        match http.map(HttpError::kind) {
            Some(HttpErrorKind::Timeout) => RequestFailure::Timeout,
            _ if deepest.contains("URL scheme is not allowed") => RequestFailure::PlainHttp,
            Some(HttpErrorKind::Connect | HttpErrorKind::Request | HttpErrorKind::Interrupted) => {
                RequestFailure::Unreachable { message: deepest }
            }
            _ => RequestFailure::Other { message: deepest },
        }
    }
}

/// The status of an answer. The library shows it only in the text of its error.
fn status_in(told: &str) -> Option<u16> {
    let (_, rest) = told.split_once("status code: ")?;
    rest.get(..3)?.parse().ok()
}

/// The error and all its causes.
fn causes<'e>(error: &'e (dyn StdError + 'static)) -> impl Iterator<Item = &'e (dyn StdError + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}

impl From<RequestFailure> for io::Error {
    fn from(failure: RequestFailure) -> io::Error {
        match failure {
            RequestFailure::Interrupted(interrupted) => io::Error::other(interrupted),
            failure => io::Error::other(failure),
        }
    }
}

/// Whether the network failed, or the run was stopped while it waited.
pub(crate) fn is_failure(error: &io::Error) -> bool {
    failure_in(error).is_some() || error.get_ref().is_some_and(|inner| inner.is::<Interrupted>())
}

/// Whether the object has changed since its name was resolved.
pub(crate) fn is_change(error: &io::Error) -> bool {
    matches!(failure_in(error), Some(RequestFailure::Changed))
}

fn failure_in(error: &io::Error) -> Option<&RequestFailure> {
    error.get_ref().and_then(|inner| inner.downcast_ref::<RequestFailure>())
}
