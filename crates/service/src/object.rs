//! The body of a request: one object in JSON.

use crate::problem::Problem;
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

/// A body that is an object. An array of values in the order of the fields is none: nobody could read such a request.
#[derive(Debug)]
pub(crate) struct JsonObject<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonObject<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let whole = Request::from_parts(parts.clone(), body);
        let bytes = Bytes::from_request(whole, state).await.map_err(IntoResponse::into_response)?;
        let request = Request::from_parts(parts, Body::from(bytes.clone()));
        match Json::from_request(request, state).await {
            Ok(Json(value)) => check(&bytes).map(|()| JsonObject(value)).map_err(IntoResponse::into_response),
            // Of an array serde would say how many elements it should have.
            Err(JsonRejection::JsonDataError(error)) => match check(&bytes) {
                Err(problem) => Err(problem.into_response()),
                Ok(()) => Err(error.into_response()),
            },
            Err(error) => Err(error.into_response()),
        }
    }
}

/// Checks that this JSON is an object.
pub(crate) fn check(json: &[u8]) -> Result<(), Problem> {
    match json.trim_ascii_start().starts_with(b"{") {
        true => Ok(()),
        false => Err(Problem::invalid("send an object: { and the names and values of fields")),
    }
}
