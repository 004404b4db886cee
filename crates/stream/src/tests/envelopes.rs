//! Rows of databases in envelopes with schemas, as Debezium and the JDBC connector of Kafka Connect write them.

use super::*;

fn column(kind: &str, name: &str) -> Value {
    json!({ "type": kind, "optional": kind == "string", "field": name })
}

/// The schema of a row.
fn row_schema(name: &str) -> Value {
    let columns = [column("int32", "id"), column("string", "body"), column("int32", "views")];
    json!({ "type": "struct", "fields": columns, "optional": true, "name": name })
}

fn row(id: u32, first: usize, views: u32) -> Value {
    json!({ "id": id, "body": text(first), "views": views })
}

/// The key of a row, as the converter to JSON writes it.
fn debezium_key(id: u32) -> String {
    let schema = json!({ "type": "struct", "fields": [column("int32", "id")], "optional": false, "name": "shop.public.pages.Key" });
    json!({ "schema": schema, "payload": { "id": id } }).to_string()
}

fn debezium(operation: &str, before: Value, after: Value) -> Option<String> {
    let [mut old, mut new] = [(); 2].map(|()| row_schema("shop.public.pages.Value"));
    (old["field"], new["field"]) = (json!("before"), json!("after"));
    let fields = [old, new, column("string", "op"), column("int64", "ts_ms")];
    let schema = json!({ "type": "struct", "fields": fields, "optional": false, "name": "shop.public.pages.Envelope", "version": 1 });
    let source = json!({ "version": "2.7.0.Final", "connector": "postgresql", "name": "shop", "ts_ms": 1_795_687_200_000_u64,
        "snapshot": "false", "db": "shop", "sequence": "[null,\"24023128\"]", "schema": "public", "table": "pages", "txId": 555,
        "lsn": 24_023_128, "xmin": null });
    let payload = json!({ "before": before, "after": after, "source": source, "transaction": null, "op": operation,
        "ts_ms": 1_795_687_200_123_u64 });
    Some(json!({ "schema": schema, "payload": payload }).to_string())
}

/// A row that is new, a similar one, an update of another column and of the text, and a deletion with its tombstone.
fn changes(place: &Place, key: impl Fn(u32) -> String) {
    place.send(&[
        (&key(1), debezium("r", Value::Null, row(1, 0, 0))),
        (&key(2), debezium("c", Value::Null, row(2, 15, 0))),
        (&key(1), debezium("u", Value::Null, row(1, 0, 7))),
        (&key(1), debezium("u", Value::Null, row(1, 3000, 7))),
        (&key(2), debezium("d", json!({ "id": 2, "body": null, "views": 0 }), Value::Null)),
        (&key(2), None),
    ]);
}

async fn run(place: &Place, text: &str, id: &str) -> StreamTotals {
    let fields = MessageFields { text: text.to_owned(), id: id.to_owned(), ..MessageFields::default() };
    place.run(StreamSettings { fields, ..place.settings() }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_debezium_have_the_key_as_the_id_and_tombstones_remove_them() {
    // The ids are the keys as they are, or the column, if the connector writes its value as the key.
    let id_of_key: fn(u32) -> String = |id| id.to_string();
    for (id_field, key) in [("id", debezium_key as fn(u32) -> String), ("payload.after.id", id_of_key)] {
        for place in Place::of_each_kind().await {
            changes(&place, key);
            let totals = run(&place, "payload.after.body", id_field).await;
            let expected =
                StreamTotals { new: 1, duplicates: 1, unchanged: 1, removed: 1, dead: 2, ..totals };
            assert_eq!(totals, expected);
            assert_eq!(place.search.shape(), shape(&[(&key(1), &[])]));
            let after = place.search.engine().documents[&key(1)]["payload"]["after"].clone();
            assert_eq!(after, row(1, 0, 7));
            let mut dead = place.dead();
            dead.sort_by_key(|letter| letter["offset"].as_i64());
            let reasons: Vec<&str> = dead.iter().map(|letter| letter["reason"].as_str().unwrap()).collect();
            assert!(reasons[0].starts_with("the index has a document with this id and another text"));
            assert_eq!(reasons[1], "it has no field payload.after.body; it has the fields payload, schema");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_the_jdbc_connector_are_read_by_nested_fields() {
    let place = Place::new().await;
    let envelope = |row: Value| Some(json!({ "schema": row_schema("pages"), "payload": row }).to_string());
    // By default the connector writes no keys.
    place.send(&[
        ("", envelope(row(1, 0, 0))),
        ("", envelope(row(2, 15, 0))),
        ("", envelope(row(3, 1000, 0))),
    ]);
    let totals = run(&place, "payload.body", "payload.id").await;
    assert_eq!(totals, StreamTotals { new: 2, duplicates: 1, ..StreamTotals::default() });
    assert_eq!(place.search.shape(), shape(&[("1", &["2"]), ("3", &[])]));
}
