//! A service whose index compares signatures alone: answers have estimates, and no similarities.

use super::*;
use lookalike::{Options, Verification};

fn client(path: &Path, stores_texts: bool) -> Client {
    let options = Options { threshold: Some(0.6), ..Options::default() };
    let plan = Options { verify: Some(Verification::Estimate), ..options }.plan().unwrap();
    let settings = ServiceSettings { mode: DuplicateMode::All, ..settings() };
    Client::by_plan(path, NewIndex { stores_texts, ..NewIndex::from(&plan) }, settings, now)
}

#[tokio::test]
async fn every_answer_has_the_estimate_also_if_no_texts_are_stored() {
    every_answer_has_the_estimate(true).await;
    every_answer_has_the_estimate(false).await;
}

async fn every_answer_has_the_estimate(stores_texts: bool) {
    let folder = tempfile::tempdir().unwrap();
    let client = client(&folder.path().join("seen.index"), stores_texts);
    let longer = format!("{HAMLET} of outrageous");
    let document = |id: &str, text: &str| Some(json!({ "id": id, "text": text }));
    client.ask("POST", "/v1/documents", document("hamlet", HAMLET)).await;
    let text = Some(json!({ "text": longer }));
    let (_, checked) = client.ask("POST", "/v1/check", text.clone()).await;
    let found = &checked["match"];
    let [estimate, low, high] =
        ["estimate", "estimate_low", "estimate_high"].map(|field| found[field].as_f64().unwrap());
    assert!(0.6 <= estimate && low < estimate && estimate < high && high < 1.0, "{found}");
    assert_eq!((&checked["status"], &found["similarity"]), (&json!("duplicate"), &Value::Null));
    let (_, copy) = client.ask("POST", "/v1/check", Some(json!({ "text": HAMLET }))).await;
    assert_eq!((&copy["status"], &copy["match"]["estimate"]), (&json!("copy"), &json!(1.0)));
    // A higher threshold, and a lower one.
    for (threshold, status) in [(0.99, "new"), (0.6, "duplicate")] {
        let text = Some(json!({ "text": longer, "threshold": threshold }));
        assert_eq!(client.ask("POST", "/v1/check", text).await.1["status"], status);
    }
    let (_, similar) = client.ask("POST", "/v1/similar", Some(json!({ "text": longer, "least": 0.3 }))).await;
    assert_eq!((&similar["matches"], &similar["least"]), (&json!([found]), &json!(0.3)));
    assert!((0.01..0.7).contains(&similar["recall"].as_f64().unwrap()), "{similar}");

    let (_, added) = client.ask("POST", "/v1/documents", document("longer", &longer)).await;
    assert_eq!(&added["match"], found);
    let (_, cluster) = client.ask("GET", "/v1/documents/longer/cluster", None).await;
    assert_eq!((&cluster["least_estimate"], &cluster["least_similarity"]), (&json!(estimate), &Value::Null));
    assert_eq!(cluster["members"][1]["estimate"], estimate);
    for (id, other) in [("longer", "hamlet"), ("hamlet", "longer")] {
        let (_, similar) = client.ask("POST", "/v1/similar", Some(json!({ "id": id }))).await;
        assert_eq!(
            (&similar["matches"][0]["id"], &similar["matches"][0]["estimate"], &similar["candidates"]),
            (&json!(other), &json!(estimate), &json!(1))
        );
    }
    let two = json!({ "a": { "text": HAMLET }, "b": { "text": longer } });
    let (_, compared) = client.ask("POST", "/v1/compare", Some(two)).await;
    assert_eq!((&compared["estimate"], &compared["threshold"]), (&json!(estimate), &json!(0.6)));
    assert!(compared["sentence"].as_str().unwrap().contains("that their signatures estimate"), "{compared}");
    let texts = [HAMLET, &longer, "something else altogether that nobody has said before in this place"];
    let documents: Vec<Value> = texts.iter().map(|text| json!({ "text": text })).collect();
    let (_, list) = client.ask("POST", "/v1/deduplicate", Some(json!({ "documents": &documents }))).await;
    assert_eq!(list["unique"][0]["stands_for"][0]["estimate"], estimate, "{list}");
    let request = Some(json!({ "documents": documents, "threshold": 0.99 }));
    let (_, list) = client.ask("POST", "/v1/deduplicate", request).await;
    assert_eq!(list["unique"].as_array().unwrap().len(), 3, "{list}");

    let (_, index) = client.ask("GET", "/v1/index", None).await;
    assert_eq!(index["stores_texts"], stores_texts);
    let plan = ["verify", "threshold", "measure"].map(|field| &index["plan"][field]);
    assert_eq!(plan, [&json!("estimate"), &json!(0.6), &json!("jaccard")]);
    assert!((0.4..0.6).contains(&index["plan"]["recall"].as_f64().unwrap()), "{index}");
    client.close();
}
