//! Updates of documents in the search engine. Each script is compiled once: all that changes is in its parameters.
//!
//! By a policy, a document has the field `lookalike_canonical`: the best of itself and its duplicates, and in `own` what it is itself. It is chosen again in each update, so
//! updates may come twice.

use crate::verdict::MessageFacts;
use lookalike::Score;
use lookalike_seen::Canonical;
use serde_json::{Map, Value, json};

/// Adds duplicates to a document that does not have them yet.
const RECORD: &str = "\
if (ctx._source.duplicates == null) { ctx._source.duplicates = []; } \
boolean changed = false; \
Set known = new HashSet(); \
for (def old : ctx._source.duplicates) { known.add(old.id); } \
for (def added : params.duplicates) { if (known.add(added.id)) { ctx._source.duplicates.add(added); changed = true; } } \
if (!changed) { ctx.op = 'noop'; return; } ";

/// Removes a duplicate from the document that it is recorded on.
const FORGET: &str = "\
if (ctx._source.duplicates == null || !ctx._source.duplicates.removeIf(old -> old.id == params.id)) { ctx.op = 'noop'; return; } ";

/// Fills in all but the duplicates.
const MERGE: &str = "\
for (def field : params.document.entrySet()) { if (field.getKey() != 'lookalike_canonical') { ctx._source[field.getKey()] = field.getValue(); } } \
if (ctx._source.lookalike_canonical == null) { ctx._source.lookalike_canonical = [:]; } \
ctx._source.lookalike_canonical.own = params.document.lookalike_canonical.own; ";

/// Chooses the best of a document and its duplicates. The first of equal ones is better.
const CHOOSE: &str = "\
def own = ctx._source.lookalike_canonical == null ? null : ctx._source.lookalike_canonical.own; \
def best = own == null ? null : own; \
if (ctx._source.duplicates != null) { for (def other : ctx._source.duplicates) { \
    if (best == null || (other.cost != null && (best.cost == null || other.cost < best.cost))) { best = other; } \
} } \
if (best != null) { \
    def canonical = ['id': best.id]; \
    if (best.url != null) { canonical.url = best.url; } \
    if (own != null) { canonical.own = own; } \
    ctx._source.lookalike_canonical = canonical; \
}";

/// What updates do to documents, by a policy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scripts {
    chooses: bool,
}

impl Scripts {
    pub(super) fn new(policy: Option<Canonical>) -> Self {
        Scripts { chooses: policy.is_some_and(|policy| policy != Canonical::First) }
    }

    /// A duplicate, as it is recorded.
    pub(super) fn duplicate(self, facts: &MessageFacts, score: Score) -> Value {
        let mut record = self.named(facts);
        match score {
            Score::Similarity(similarity) => record.insert("similarity".to_owned(), json!(similarity)),
            Score::Hamming(distance) => record.insert("hamming".to_owned(), json!(distance)),
            Score::Estimate(estimate) => record.insert("estimate".to_owned(), json!(estimate.similarity())),
        };
        Value::Object(record)
    }

    /// The update that records duplicates. If it `creates`, the document need not be there.
    pub(super) fn record(self, duplicates: &[Value], creates: bool) -> Value {
        let mut update = self.update(RECORD, json!({ "duplicates": duplicates }));
        if creates {
            // The script fills it in.
            update["scripted_upsert"] = json!(true);
            update["upsert"] = json!({});
        }
        update
    }

    /// The update that removes a duplicate.
    pub(super) fn forget(self, id: &str) -> Value {
        self.update(FORGET, json!({ "id": id }))
    }

    /// A new document, an object in JSON.
    pub(super) fn created(self, document: &[u8], facts: &MessageFacts) -> Vec<u8> {
        if !self.chooses {
            return document.to_owned();
        }
        let own = self.named(facts);
        let mut canonical = own.clone();
        canonical.remove("cost");
        canonical.insert("own".to_owned(), Value::Object(own));
        with_field(document, "lookalike_canonical", Value::Object(canonical))
    }

    /// The update that fills in all fields of `document` but the duplicates, or creates the document `new`. Both are what [`Scripts::created`] gives.
    pub(super) fn merged(self, document: &[u8], new: &[u8]) -> Vec<u8> {
        let (update, place) = match self.chooses {
            true => (self.update(MERGE, json!({ "document": null })), "\"document\":null"),
            false => (json!({ "doc": null }), "\"doc\":null"),
        };
        // The documents are put in as they are written.
        let update = update.to_string();
        let at = update.find(place).map_or(0, |at| at + place.len());
        let (head, rest) = (&update[..at - "null".len()], &update[at..update.len() - 1]);
        [head.as_bytes(), document, rest.as_bytes(), b",\"upsert\":", new, b"}"].concat()
    }

    /// What a record says of a message.
    fn named(self, facts: &MessageFacts) -> Map<String, Value> {
        let mut named = Map::from_iter([("id".to_owned(), json!(facts.id))]);
        if let Some(url) = &facts.url {
            named.insert("url".to_owned(), json!(url));
        }
        if let Some(cost) = facts.cost.filter(|_| self.chooses) {
            named.insert("cost".to_owned(), json!(cost));
        }
        named
    }

    fn update(self, script: &str, parameters: Value) -> Value {
        let source = if self.chooses { [script, CHOOSE].concat() } else { script.to_owned() };
        json!({ "script": { "lang": "painless", "source": source, "params": parameters } })
    }
}

/// The same document, an object in JSON that has a field, with one more field. All else stays as it is written.
pub(super) fn with_field(document: &[u8], name: &str, value: Value) -> Vec<u8> {
    let open = document.iter().position(|&byte| byte == b'{').map_or(0, |open| open + 1);
    let (head, rest) = document.split_at(open);
    [head, format!("\"{name}\":{value},").as_bytes(), rest].concat()
}
