//! Similar documents below the threshold of the index.

use super::*;
use lookalike::Options;

#[tokio::test]
async fn similar_documents_below_the_threshold_come_with_their_recall() {
    let folder = tempfile::tempdir().unwrap();
    let half = "and in the evening the two friends walked along the river to the old mill";
    let wide = Options { bands: Some(42), rows: Some(3), ..Options::default() }.plan().unwrap();
    for (name, plan) in [("usual", Plan::default()), ("wide", wide)] {
        let client = Client::by_plan(&folder.path().join(name), &plan, settings(), now);
        let text = format!("{HAMLET} {half}");
        client.ask("POST", "/v1/documents", Some(json!({ "id": "hamlet", "text": HAMLET }))).await;
        let similar = |least: f64| json!({ "text": text, "least": least });
        let (_, answer) = client.ask("POST", "/v1/similar", Some(similar(0.3))).await;
        let recall = plan.with_threshold(0.3).unwrap().chance_at(0.3);
        assert_eq!((&answer["least"], &answer["recall"]), (&json!(0.3), &json!(recall)));
        if name == "wide" {
            assert!(recall > 0.6, "{recall}");
            let found = &answer["matches"][0];
            assert!(
                found["id"] == "hamlet" && (0.3..0.8).contains(&found["similarity"].as_f64().unwrap()),
                "{answer}"
            );
        }
        // Whether a text is a duplicate is decided by the threshold.
        let (_, answer) = client.ask("POST", "/v1/check", Some(json!({ "text": text }))).await;
        assert_eq!(answer["status"], "new");
        let (_, answer) = client.ask("POST", "/v1/similar", Some(json!({ "text": text }))).await;
        assert_eq!((&answer["matches"], &answer["least"]), (&json!([]), &json!(0.8)));
        for least in [0.0, -0.5, 1.5] {
            let (status, answer) = client.ask("POST", "/v1/similar", Some(similar(least))).await;
            assert!(
                status == 422 && answer["detail"].as_str().unwrap().contains("above 0 and up to 1"),
                "{answer}"
            );
        }
        client.close();
    }
}
