//! The lines of a bulk request have the answers of single requests that are sent in their order.

use super::*;
use lookalike::hash::SplitMix64;

/// Sends lines in one bulk request. Returns the answers of the lines.
async fn bulk(client: &Client, op: &str, lines: &[Value]) -> Vec<Value> {
    let body: Vec<String> = lines.iter().map(Value::to_string).collect();
    let request = Request::post(format!("/v1/bulk?op={op}")).body(Body::from(body.join("\n"))).unwrap();
    let (_, answers) = client.send(request).await;
    let answers = serde_json::Deserializer::from_slice(&answers).into_iter();
    let mut answers: Vec<Value> = answers.map(Result::unwrap).collect();
    assert_eq!(answers.pop().unwrap()["lines"], lines.len());
    answers
}

/// Words that all texts of a family have, and words that are in this one alone.
fn page(family: u64, shared: u64, own: u64, seed: u64) -> String {
    let shared = (0..shared).map(|word| format!("family{family}word{word}"));
    let words: Vec<String> = shared.chain((0..own).map(|word| format!("own{seed}word{word}"))).collect();
    words.join(" ")
}

#[tokio::test]
async fn a_line_is_compared_with_the_line_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let stored = json!({ "id": "A", "text": page(1, 90, 14, 1) });
    assert_eq!(client.ask("POST", "/v1/documents", Some(stored)).await.0, 201);
    let before = json!({ "id": "B", "text": page(1, 90, 10, 2) });
    let answers = bulk(&client, "add", &[before, json!({ "id": "C", "text": page(1, 90, 0, 3) })]).await;
    assert_eq!((&answers[0]["status"], &answers[0]["sequence"]), (&json!("added"), &json!(1)));
    assert_eq!(
        (&answers[1]["match"]["id"], &answers[1]["sequence"]),
        (&json!("B"), &json!(2)),
        "{}",
        answers[1]
    );
    client.close();
}

/// Documents, many of which are similar to some others, have an id that another one has, or let another one live longer.
fn documents(seed: u64) -> Vec<Value> {
    let mut generator = SplitMix64(seed);
    let mut random = move |below: u64| generator.next() % below;
    let mut document = |number: u64| {
        let text = page(random(150), 90, 2 * random(12), number);
        let mut document = json!({ "id": format!("d{}", random(800)), "text": text, "meta": number });
        if random(4) == 0 {
            (document["on_duplicate"], document["ttl"]) = (json!("touch"), json!(1000 + random(1000)));
        }
        document
    };
    (0..900).map(&mut document).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_a_request_are_answered_as_requests_of_their_own_in_their_order() {
    for seed in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let [in_bulk, one_by_one] =
            ["bulk", "one-by-one"].map(|name| Client::open(&folder.path().join(name), settings()));
        let documents = documents(seed);
        // Some that are similar are stored before.
        let put = |line: &Value| json!({ "id": format!("{}-put", line["meta"]), "text": line["text"] });
        let puts: Vec<Value> = documents[..100].iter().map(put).collect();
        for (line, answer) in puts.iter().zip(bulk(&in_bulk, "put", &puts).await) {
            let path = format!("/v1/documents/{}", line["id"].as_str().unwrap());
            assert_eq!(answer, one_by_one.ask("PUT", &path, Some(json!({ "text": line["text"] }))).await.1);
        }
        for (line, answer) in documents.iter().zip(bulk(&in_bulk, "add", &documents).await) {
            let (_, expected) = one_by_one.ask("POST", "/v1/documents", Some(line.clone())).await;
            assert_eq!(answer, expected, "seed {seed}, document {}", line["meta"]);
        }
        let checks: Vec<Value> = documents.iter().map(|line| json!({ "text": line["text"] })).collect();
        for (line, answer) in checks.iter().zip(bulk(&in_bulk, "check", &checks).await) {
            assert_eq!(answer, one_by_one.ask("POST", "/v1/check", Some(line.clone())).await.1);
        }
        in_bulk.close();
        one_by_one.close();
    }
}
