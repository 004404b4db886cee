//! A search engine of the tests, which does what `_bulk` promises, and fails as it is told to.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::net::TcpListener;

/// What a request or an action meets.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// The whole request has this status.
    Request(u16),
    /// The first action on this id has this status.
    Action(&'static str, u16),
}

#[derive(Debug, Default)]
pub(super) struct Engine {
    pub(super) documents: BTreeMap<String, Value>,
    /// What the next requests meet, one each.
    pub(super) faults: VecDeque<Fault>,
    /// Whether all requests but looks are refused for now.
    pub(super) is_down: bool,
    /// The indexes that are data streams.
    pub(super) data_streams: Vec<&'static str>,
    /// The statuses of the next questions for data streams.
    pub(super) looks: VecDeque<u16>,
    /// The most bytes of a request.
    pub(super) most_bytes: usize,
    pub(super) requests: usize,
    /// The document and the duplicate of each record that was asked for, also again.
    pub(super) recorded: Vec<(String, String)>,
}

/// A search engine that listens.
pub(super) struct Search {
    pub(super) address: String,
    engine: Arc<Mutex<Engine>>,
}

impl Search {
    pub(super) async fn start() -> Self {
        let engine = Arc::new(Mutex::new(Engine { most_bytes: usize::MAX, ..Engine::default() }));
        let router = Router::new()
            .route("/_bulk", post(bulk))
            .route("/_data_stream/{name}", get(look))
            .route("/{index}/_delete_by_query", post(delete));
        let router = router.with_state(Arc::clone(&engine));
        let router = router.layer(axum::extract::DefaultBodyLimit::disable());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Search { address, engine }
    }

    pub(super) fn engine(&self) -> MutexGuard<'_, Engine> {
        self.engine.lock().unwrap()
    }

    /// The ids of all documents, and those of the duplicates that each has.
    pub(super) fn shape(&self) -> Vec<(String, Vec<String>)> {
        let duplicates = |document: &Value| match &document["duplicates"] {
            Value::Array(all) => all.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect(),
            _ => Vec::new(),
        };
        self.engine().documents.iter().map(|(id, document)| (id.clone(), duplicates(document))).collect()
    }
}

async fn bulk(State(engine): State<Arc<Mutex<Engine>>>, body: String) -> impl IntoResponse {
    let mut engine = engine.lock().unwrap();
    engine.requests += 1;
    let fault = engine.faults.pop_front();
    if engine.is_down {
        return (StatusCode::SERVICE_UNAVAILABLE, "down".to_owned());
    }
    if body.len() > engine.most_bytes {
        return (StatusCode::PAYLOAD_TOO_LARGE, "too large".to_owned());
    }
    if let Some(Fault::Request(status)) = fault {
        return (StatusCode::from_u16(status).unwrap(), "{\"error\": \"as told\"}".to_owned());
    }
    let mut lines = body.lines();
    let (mut items, mut refuses) = (
        Vec::new(),
        match fault {
            Some(Fault::Action(id, status)) => Some((id, status)),
            _ => None,
        },
    );
    if has_long_id(&body) {
        return (StatusCode::BAD_REQUEST, "{\"error\": \"id is too long\"}".to_owned());
    }
    while let Some(head) = lines.next() {
        let head: Value = serde_json::from_str(head).unwrap();
        let (action, target) = head.as_object().unwrap().iter().next().unwrap();
        let id = target["_id"].as_str().unwrap().to_owned();
        let source = (action != "delete").then(|| lines.next().unwrap());
        let status = match refuses.take_if(|(refused, _)| *refused == id) {
            Some((_, status)) => json!({ "status": status, "error": { "type": "as_told" } }),
            None => match of_data_stream(&engine, action, target, source) {
                Some(refusal) => refusal,
                None => act(&mut engine, action, &id, source),
            },
        };
        items.push(json!({ action: status }));
    }
    (StatusCode::OK, json!({ "items": items }).to_string())
}

async fn look(State(engine): State<Arc<Mutex<Engine>>>, Path(name): Path<String>) -> impl IntoResponse {
    let mut engine = engine.lock().unwrap();
    let is_data_stream = engine.data_streams.iter().any(|known| *known == name);
    let status = engine.looks.pop_front().unwrap_or(if is_data_stream { 200 } else { 404 });
    let answer = json!({ "data_streams": [{ "name": name }] });
    (StatusCode::from_u16(status).unwrap(), answer.to_string())
}

/// Whether an action has an id that engines do not take. They refuse the whole request.
fn has_long_id(body: &str) -> bool {
    let id = |line: &str| {
        let action: Value = serde_json::from_str(line).unwrap();
        action.as_object()?.values().next()?["_id"].as_str().map(str::len)
    };
    body.lines().filter_map(id).any(|bytes| bytes > 512)
}

async fn delete(State(engine): State<Arc<Mutex<Engine>>>, body: String) {
    let query: Value = serde_json::from_str(&body).unwrap();
    let (field, range) = query["query"]["range"].as_object().unwrap().iter().next().unwrap();
    let last = range["lte"].as_u64().unwrap();
    let has_expired = |document: &Value| document[field].as_u64().is_some_and(|second| second <= last);
    engine.lock().unwrap().documents.retain(|_, document| !has_expired(document));
}

/// Why a data stream does not do an action, if it does not.
fn of_data_stream(engine: &Engine, action: &str, target: &Value, source: Option<&str>) -> Option<Value> {
    let index = target["_index"].as_str().unwrap();
    if !engine.data_streams.contains(&index) {
        return None;
    }
    let reason = match source {
        _ if action != "create" => "only write ops with an op_type of create are allowed in data streams",
        Some(source) if !source.contains("@timestamp") => "data stream timestamp field is missing",
        _ => return None,
    };
    Some(json!({ "status": 400, "error": { "type": "illegal_argument_exception", "reason": reason } }))
}

fn act(engine: &mut Engine, action: &str, id: &str, source: Option<&str>) -> Value {
    let source = source.map(|source| serde_json::from_str::<Value>(source).unwrap());
    let failed =
        |status: u16, kind: &str| json!({ "status": status, "error": { "type": kind, "reason": "r" } });
    match (action, source) {
        ("create", Some(_)) if engine.documents.contains_key(id) => {
            failed(409, "version_conflict_engine_exception")
        }
        (_, Some(source))
            if [&source, &source["doc"], &source["upsert"]].iter().any(|source| source["n"].is_string()) =>
        {
            failed(400, "mapper_parsing_exception")
        }
        ("create" | "index", Some(source)) => {
            engine.documents.insert(id.to_owned(), source);
            json!({ "status": 201 })
        }
        ("update", Some(source)) => {
            update(engine, id, &source).unwrap_or_else(|| failed(404, "document_missing_exception"))
        }
        ("delete", None) => match engine.documents.remove(id) {
            Some(_) => json!({ "status": 200 }),
            None => json!({ "status": 404 }),
        },
        other => panic!("{other:?}"),
    }
}

/// Does what an update says, in place of the scripts. `None` if the document is not there.
fn update(engine: &mut Engine, id: &str, update: &Value) -> Option<Value> {
    let done = Some(json!({ "status": 200 }));
    let may_be_missing = update["doc_as_upsert"] == true || update["upsert"].is_object();
    if !engine.documents.contains_key(id) && may_be_missing {
        let new = if update["scripted_upsert"] == true { json!({}) } else { update["upsert"].clone() };
        let new = if new.is_null() { json!({}) } else { new };
        engine.documents.insert(id.to_owned(), new);
    }
    let document = engine.documents.get_mut(id)?;
    let (script, parameters) = (&update["script"], &update["script"]["params"]);
    let merged = if update["doc"].is_object() { &update["doc"] } else { &parameters["document"] };
    if let Value::Object(fields) = merged {
        for (name, value) in fields.iter().filter(|(name, _)| *name != "lookalike_canonical") {
            document[name] = value.clone();
        }
        if fields.contains_key("lookalike_canonical") {
            document["lookalike_canonical"]["own"] = fields["lookalike_canonical"]["own"].clone();
        }
    } else {
        if document["duplicates"].is_null() {
            document["duplicates"] = json!([]);
        }
        let old = document["duplicates"].as_array_mut().unwrap();
        if let Value::String(forgotten) = &parameters["id"] {
            old.retain(|old| old["id"] != **forgotten);
        }
        for added in parameters["duplicates"].as_array().into_iter().flatten() {
            engine.recorded.push((id.to_owned(), added["id"].as_str().unwrap().to_owned()));
            if !old.iter().any(|old| old["id"] == added["id"]) {
                old.push(added.clone());
            }
        }
    }
    if script["source"].as_str().is_some_and(|source| source.contains("best")) {
        choose(document);
    }
    done
}

/// Names the best of a document and its duplicates.
fn choose(document: &mut Value) {
    let own = document["lookalike_canonical"]["own"].clone();
    let duplicates = document["duplicates"].as_array().cloned().unwrap_or_default();
    let all = [own.clone()].into_iter().chain(duplicates).filter(Value::is_object);
    let cost = |one: &Value| one["cost"].as_f64().unwrap_or(f64::INFINITY);
    if let Some(best) = all.min_by(|a, b| cost(a).total_cmp(&cost(b))) {
        document["lookalike_canonical"] = json!({ "id": best["id"], "url": best["url"], "own": own });
    }
}
