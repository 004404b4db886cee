//! Connections of clients: how many there are, and how long one may take to send the head of a request.
//!
//! A client that sends nothing, or a byte now and then, holds a connection and no more. It is closed after a while. If there are as many
//! connections as may be, the next ones are answered with 503 and closed.
//!
//! Not for: the time of a request whose head is there. That is for [`crate::routes`].

use crate::problem::Problem;
use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::future::{Future, ready};
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

/// Connections that are answered with 503 at the same time. The ones after these are closed without an answer.
const REFUSED_AT_ONCE: usize = 64;

/// The time that a refused client has to send its request, and to take its answer.
const REFUSAL: Duration = Duration::from_secs(2);

/// The time after which a connection is accepted again, when the system had no room for one.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(20);

/// What clients may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientLimits {
    /// The most connections at the same time.
    pub(crate) connections: usize,
    /// The time in which the head of a request must come.
    pub(crate) head_timeout: Duration,
}

/// Answers on all connections until `stop` is done, and then what was asked before.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ClientLimits,
    stop: impl Future<Output = ()>,
) {
    let ClientLimits { connections, head_timeout } = limits;
    // All places are taken at once in the end, and their number is one of 32 bits.
    let most = u32::try_from(connections.clamp(1, Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
    let (places, refused) =
        (Arc::new(Semaphore::new(most as usize)), Arc::new(Semaphore::new(REFUSED_AT_ONCE)));
    let (stopping, stopped) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let stream = tokio::select! {
            accepted = accept(&listener) => accepted,
            () = &mut stop => break,
        };
        let (router, stopped) = (router.clone(), stopped.clone());
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            tokio::spawn(async move {
                answer(stream, router, head_timeout, stopped).await;
                drop(place);
            });
        } else if let Ok(place) = Arc::clone(&refused).try_acquire_owned() {
            tokio::spawn(async move {
                let _ = tokio::time::timeout(REFUSAL, refuse(stream)).await;
                drop(place);
            });
        }
    }
    drop((listener, stopping));
    // All places are free when all connections have ended.
    let _ = places.acquire_many(most).await;
}

/// The next connection. What is written to it is sent at once: a system that waits for acknowledgements sends the second piece of an answer 40 ms
/// late.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // One that has gone already fails when it is read.
                let _ = stream.set_nodelay(true);
                return stream;
            }
            // It has gone already.
            Err(error) if is_of_the_client(error.kind()) => {}
            // There are too many open files. They become fewer.
            Err(_) => tokio::time::sleep(ACCEPT_AGAIN_AFTER).await,
        }
    }
}

fn is_of_the_client(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(kind, ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers the requests of a connection. When the service stops, only the one that it has.
async fn answer(stream: TcpStream, router: Router, head_timeout: Duration, mut stopped: watch::Receiver<()>) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_timeout)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    // An error is one of the client: it has gone, or does not speak HTTP.
    tokio::select! {
        _ = connection.as_mut() => {}
        // The sender is dropped when the service stops.
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Answers one request with 503, and closes the connection.
async fn refuse(stream: TcpStream) {
    let service = service_fn(|_| ready(Ok::<_, Infallible>(refusal())));
    let _ = http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), service).await;
}

fn refusal() -> Response {
    let detail = "there are too many connections; close some, or try again later";
    let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", detail);
    let mut response = problem.into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

#[cfg(test)]
mod tests;
