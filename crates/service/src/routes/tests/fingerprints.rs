//! A service whose index compares fingerprints alone: answers have distances, and no similarities.

use super::*;
use lookalike::{Method, Options};

fn client(path: &Path, stores_texts: bool) -> Client {
    let plan =
        Options { method: Some(Method::SimHash), hamming: Some(12), ..Options::default() }.plan().unwrap();
    let settings = ServiceSettings { mode: DuplicateMode::All, ..settings() };
    Client::by_plan(path, NewIndex { stores_texts, ..NewIndex::from(&plan) }, settings, now)
}

#[tokio::test]
async fn every_answer_has_the_distance_also_if_no_texts_are_stored() {
    every_answer_has_the_distance(true).await;
    every_answer_has_the_distance(false).await;
}

async fn every_answer_has_the_distance(stores_texts: bool) {
    let folder = tempfile::tempdir().unwrap();
    let client = client(&folder.path().join("seen.index"), stores_texts);
    let longer = format!("{HAMLET} of outrageous fortune");
    let document = |id: &str, text: &str| Some(json!({ "id": id, "text": text }));
    client.ask("POST", "/v1/documents", document("hamlet", HAMLET)).await;
    let text = Some(json!({ "text": longer }));
    let (_, checked) = client.ask("POST", "/v1/check", text.clone()).await;
    let distance = checked["match"]["hamming"].as_u64().unwrap();
    assert!((1..=12).contains(&distance));
    let found = json!({ "id": "hamlet", "hamming": distance, "copy": false, "meta": null });
    assert_eq!((&checked["status"], &checked["match"]), (&json!("duplicate"), &found));
    let (_, copy) = client.ask("POST", "/v1/check", Some(json!({ "text": HAMLET }))).await;
    assert_eq!((&copy["status"], &copy["match"]["hamming"]), (&json!("copy"), &json!(0)));

    let (_, similar) = client.ask("POST", "/v1/similar", text).await;
    assert_eq!(
        (&similar["matches"], &similar["least"], &similar["recall"]),
        (&json!([found]), &Value::Null, &Value::Null)
    );
    let (_, added) = client.ask("POST", "/v1/documents", document("longer", &longer)).await;
    assert_eq!(added["match"], found);
    let (_, cluster) = client.ask("GET", "/v1/documents/longer/cluster", None).await;
    assert_eq!((&cluster["most_hamming"], &cluster["least_similarity"]), (&json!(distance), &Value::Null));
    assert_eq!(cluster["members"][1]["hamming"], distance);

    for by in [json!({ "id": "longer" }), json!({ "id": "hamlet" })] {
        let other = if by["id"] == "hamlet" { "longer" } else { "hamlet" };
        let (_, similar) = client.ask("POST", "/v1/similar", Some(by)).await;
        let found = json!([{ "id": other, "hamming": distance, "copy": false, "meta": null }]);
        assert_eq!((&similar["matches"], &similar["candidates"]), (&found, &json!(1)));
    }
    let (_, stored) = client.ask("GET", "/v1/documents/longer?include=text", None).await;
    assert_eq!(stored["text"], if stores_texts { json!(longer) } else { Value::Null });
    let two = json!({ "a": { "id": "hamlet" }, "b": { "id": "longer" } });
    let (status, refused) = client.ask("POST", "/v1/compare", Some(two.clone())).await;
    let code = refused["code"].as_str().unwrap_or("answered");
    assert_eq!((status, code), if stores_texts { (200, "answered") } else { (409, "no_texts") });
    let two = if stores_texts { two } else { json!({ "a": { "text": HAMLET }, "b": { "text": longer } }) };
    let (_, compared) = client.ask("POST", "/v1/compare", Some(two)).await;
    let score = [&compared["hamming"], &compared["similarity"], &compared["threshold"], &compared["found"]];
    assert_eq!(score, [&json!(distance), &Value::Null, &Value::Null, &json!(true)]);
    let texts = [HAMLET, &longer, "something else altogether that nobody has said before in this place"];
    let documents: Vec<Value> = texts.iter().map(|text| json!({ "text": text })).collect();
    let (_, list) = client.ask("POST", "/v1/deduplicate", Some(json!({ "documents": documents }))).await;
    assert_eq!(list["unique"].as_array().unwrap().len(), 2);
    assert_eq!(list["unique"][0]["stands_for"], json!([{ "index": 1, "id": null, "hamming": distance }]));

    let (_, index) = client.ask("GET", "/v1/index", None).await;
    assert_eq!(index["stores_texts"], stores_texts);
    let plan = ["method", "hamming", "threshold", "measure", "recall"].map(|field| &index["plan"][field]);
    assert_eq!(plan, [&json!("simhash"), &json!(12), &Value::Null, &Value::Null, &Value::Null]);
    client.close();
}

#[tokio::test]
async fn a_threshold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let client = client(&folder.path().join("seen.index"), true);
    for (path, field) in [("/v1/check", "threshold"), ("/v1/similar", "least")] {
        let (status, answer) = client.ask("POST", path, Some(json!({ "text": HAMLET, field: 0.5 }))).await;
        let detail = answer["detail"].as_str().unwrap();
        assert!(status == 422 && detail.starts_with(&format!("{field} is a similarity")), "{answer}");
    }
    client.close();
}
