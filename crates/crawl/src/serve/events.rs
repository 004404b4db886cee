//! Server-sent events: what changes, as it changes.

use super::live::Live;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The least time between two events: four a second are as many as a reader can follow.
const BETWEEN: Duration = Duration::from_millis(250);

/// The events of a page. An event has all that changed since the last one, so none is missed and none is repeated. Its id
/// is the number of the last change, which a browser sends when it connects again.
pub(super) async fn events(
    State(live): State<Arc<Live>>,
    headers: HeaderMap,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let events = stream::unfold((last.unwrap_or(0), true), move |(last, is_first)| {
        let live = Arc::clone(&live);
        async move {
            if !is_first {
                tokio::time::sleep(BETWEEN).await;
            }
            if !live.changed(last).await {
                return None;
            }
            let (number, snapshot) = live.since(last);
            let event = Event::default().id(number.to_string()).json_data(snapshot).unwrap_or_default();
            Some((Ok(event), (number, false)))
        }
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}
