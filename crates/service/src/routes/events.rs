//! `GET /v1/events`

use crate::app::App;
use crate::events::Event;
use crate::problem::Problem;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use futures_util::stream::{self, Stream, StreamExt};
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;
use utoipa::IntoParams;

/// Events that are taken from the list at once.
const AT_ONCE: usize = 256;

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct EventStart {
    /// The id of the last event that is known. Events begin behind it, and without it with the next one.
    from: Option<String>,
    /// Without `from`: begin with so many of the latest events.
    last: Option<u32>,
}

/// What happens, as it happens: server-sent events.
///
/// The data of an event is an object in JSON. Its id is taken as `from`, or in the header `Last-Event-ID`, to go on behind it. The latest
/// 65,536 events are kept, until the service stops.
#[utoipa::path(
    get, path = "/v1/events", tag = "service", params(EventStart), security(("key" = [])),
    responses(
        (status = 200, body = Event, content_type = "text/event-stream"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "The events are not kept any more"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn events(
    State(app): State<Arc<App>>,
    Query(EventStart { from, last: latest }): Query<EventStart>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<SseEvent, Infallible>>>, Problem> {
    if let Some(replica) = &app.replica {
        return Err(replica.refusal("events"));
    }
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let from = match from.or(last) {
        Some(id) => behind(&app, &id)?,
        None => app.events.latest(latest.unwrap_or(0)),
    };
    let parts = stream::unfold(from, move |from| {
        let app = Arc::clone(&app);
        async move { next(&app, from).await }
    });
    Ok(Sse::new(parts.flat_map(stream::iter)).keep_alive(KeepAlive::default()))
}

/// The number of the event that follows the one with this id.
fn behind(app: &App, id: &str) -> Result<u64, Problem> {
    let number = id.split_once('-').map(|(started, number)| (started.parse::<u32>(), number.parse::<u64>()));
    let Some((Ok(started), Ok(number))) = number else {
        return Err(Problem::invalid("from must be the id of an event, such as 1764000000-42"));
    };
    let next = number.saturating_add(1);
    match started == app.started && app.events.from(next, 0).is_some() {
        true => Ok(next),
        false => {
            let detail = "the events behind this one are not kept any more; leave from out";
            Err(Problem::new(StatusCode::GONE, "too_old", detail))
        }
    }
}

/// The next events from number `from` on, and the number of the one behind them. `None` if they are not kept any more, or the service stops.
async fn next(app: &App, from: u64) -> Option<(Vec<Result<SseEvent, Infallible>>, u64)> {
    let mut next = app.events.next();
    tokio::select! {
        has_more = next.wait_for(|&next| next > from) => drop(has_more.ok()?),
        () = app.stopped() => return None,
    }
    let events = app.events.from(from, AT_ONCE)?;
    let event = |(number, event): (u64, Arc<Event>)| {
        let data = serde_json::to_string(&*event).unwrap_or_default();
        Ok(SseEvent::default().id(format!("{}-{number}", app.started)).data(data))
    };
    let behind = from + events.len() as u64;
    Some(((from..).zip(events).map(event).collect(), behind))
}
