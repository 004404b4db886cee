//! The interface: one file for each kind of request.

mod admin;
mod bulk;
mod check;
mod cluster;
mod compare;
mod deduplicate;
mod documents;
mod events;
mod guard;
mod lives;
mod pages;
mod selected;
mod similar;
mod status;
mod text;

use crate::app::App;
use crate::problem::Problem;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;
use utoipa::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lookalike",
        description = "Have I seen this document before? Every match is compared exactly, and every answer is on the disk when it is given."
    ),
    components(schemas(Problem, documents::Part, bulk::Operation)),
    tags(
        (name = "documents", description = "Check, add, read and remove documents"),
        (name = "service", description = "The state of the service"),
        (name = "admin", description = "Merge, verify and copy the index")
    )
)]
struct OpenApiDescription;

/// The description of the interface, in OpenAPI 3.1 as JSON.
pub fn openapi() -> String {
    let mut description = requests().split_for_parts().1;
    let components = description.components.get_or_insert_default();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme("key", bearer);
    description.to_pretty_json().unwrap_or_default() + "\n"
}

/// All requests.
fn requests() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(OpenApiDescription::openapi())
        .merge(reading())
        .merge(writing())
        .merge(admin())
        .merge(public())
}

fn reading() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(check::check))
        .routes(routes!(similar::similar))
        .routes(routes!(compare::compare))
        .routes(routes!(deduplicate::deduplicate))
        .routes(routes!(cluster::cluster))
        .routes(routes!(events::events))
        .routes(routes!(crate::replica::log::log))
        .routes(routes!(status::index))
        .routes(routes!(status::metrics))
}

/// Requests that change the index. One route reads: it has the path of others.
fn writing() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(documents::add))
        .routes(routes!(documents::put, documents::get, lives::remove))
        .routes(routes!(lives::touch))
        .routes(routes!(bulk::bulk))
}

fn admin() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(admin::merge))
        .routes(routes!(admin::pack))
        .routes(routes!(admin::verify))
        .routes(routes!(admin::backup))
        .routes(routes!(admin::jobs))
}

fn public() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(status::health))
        .routes(routes!(status::ready))
        .routes(routes!(status::description))
}

/// The service.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (router, _) = requests().split_for_parts();
    let settings = &app.settings;
    let timeout = TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, settings.timeout);
    router
        .merge(pages::router())
        .fallback(guard::no_route)
        .method_not_allowed_fallback(guard::no_method)
        .layer(DefaultBodyLimit::max(settings.most_bytes))
        .layer(from_fn_with_state(Arc::clone(&app), guard::check_key))
        .layer(timeout)
        .layer(CatchPanicLayer::custom(guard::panicked))
        .layer(from_fn_with_state(Arc::clone(&app), guard::problems))
        .layer(from_fn_with_state(Arc::clone(&app), guard::measure))
        .with_state(app)
}

#[cfg(test)]
mod tests;
