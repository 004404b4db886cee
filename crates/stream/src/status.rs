//! Metrics and health over HTTP, for those who watch the stream.

use crate::error::Error;
use crate::run::StreamShared;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::serve::ListenerExt;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Listens for those who watch. Nobody can change anything.
pub(crate) async fn listen(address: SocketAddr) -> Result<TcpListener, Error> {
    TcpListener::bind(address).await.map_err(|source| Error::Listen { address, source })
}

/// Answers until the stream has ended.
pub(crate) async fn answer(listener: TcpListener, shared: Arc<StreamShared>) {
    let health = || async { (StatusCode::OK, "alive\n") };
    let router = Router::new()
        .route("/health", get(health))
        .route("/ready", get(ready))
        .route("/metrics", get(metrics))
        .with_state(shared);
    // What is written is sent at once. A connection that has gone already fails when it is read.
    let listener = listener.tap_io(|stream| _ = stream.set_nodelay(true));
    // It ends with the process.
    let _ = axum::serve(listener, router).await;
}

async fn ready(State(shared): State<Arc<StreamShared>>) -> impl IntoResponse {
    match shared.health.failure() {
        None => (StatusCode::OK, "ready\n".to_owned()),
        Some(failure) => (StatusCode::SERVICE_UNAVAILABLE, failure + "\n"),
    }
}

async fn metrics(State(shared): State<Arc<StreamShared>>) -> impl IntoResponse {
    let form = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, form)], shared.metrics_text().await)
}
