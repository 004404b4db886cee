//! Events about canonical documents, while clusters are compacted after every change.

use super::*;

/// Waits until there are so many events.
async fn wait_for_events(client: &Client, count: u64) {
    while *client.app.events.next().borrow() < count {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn each_canonical_document_is_reported_however_many_members_are_gone() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { mode: Mode::All, canonical: Canonical::Priority, ..settings() };
    let client = Client::open(&folder.path().join("seen.index"), settings);
    let (mut living, mut count, mut expected) = (Vec::new(), 0, Vec::new());
    // Priorities of documents that are added to one cluster, or removed from it. Another cluster grows meanwhile. Each addition has an event to
    // wait for: the thread looks at the documents that are there when it comes to a change.
    let steps = [
        10, 20, 30, -10, 40, -40, -30, 50, 60, -20, -60, 70, 80, 90, -70, -90, -80, 55, -55, 65, -50, 75, -75,
    ];
    for (step, priority) in steps.into_iter().enumerate() {
        let (before, id) = (living.iter().max().copied(), i32::abs(priority).to_string());
        if priority > 0 {
            let document = json!({ "id": id, "text": text(1, priority as u64), "priority": priority });
            assert_eq!(client.ask("POST", "/v1/documents", Some(document)).await.0, 201);
            living.push(priority);
        } else {
            assert_eq!(client.ask("DELETE", &format!("/v1/documents/{id}"), None).await.0, 204);
            living.retain(|&of| of != -priority);
        }
        let after = living.iter().max().copied();
        count += 1;
        if let (Some(before), Some(after)) = (before, after)
            && before != after
        {
            expected.push(
                json!({ "type": "canonical", "id": after.to_string(), "previous": before.to_string() }),
            );
            count += 1;
        }
        let other = json!({ "id": format!("other {step}"), "text": text(2, step as u64) });
        assert_eq!(client.ask("POST", "/v1/documents", Some(other)).await.0, 201);
        count += 1;
        wait_for_events(&client, count).await;
    }
    let told =
        events(&client, &format!("/v1/events?from={}-0", client.app.started), count as usize - 1).await;
    let told = told.into_iter().map(|(_, data)| data).filter(|data| data["type"] == "canonical");
    assert_eq!(told.collect::<Vec<_>>(), expected);
    client.close();
}
