//! Events about canonical documents, while clusters are compacted after every change.

use super::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// The seconds by which [`later`] is ahead of the time.
static AHEAD: AtomicU32 = AtomicU32::new(0);

fn later() -> u32 {
    now() + AHEAD.load(Ordering::Relaxed)
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

#[tokio::test]
async fn an_event_tells_which_document_follows_a_canonical_one_that_has_expired() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { mode: Mode::All, canonical: Canonical::Priority, ..settings() };
    let client = Client::with_clock(&folder.path().join("seen.index"), settings, later);
    for (id, priority, ttl) in [("a", 1.0, None), ("b", 5.0, Some(9000)), ("c", 9.0, Some(1000))] {
        let document =
            json!({ "id": id, "text": text(1, priority as u64), "priority": priority, "ttl": ttl });
        assert_eq!(client.ask("POST", "/v1/documents", Some(document)).await.0, 201);
    }
    // Three additions, and two canonical documents: b, and then c.
    wait_for_events(&client, 5).await;
    AHEAD.store(5000, Ordering::Relaxed);
    wait_for_events(&client, 6).await;
    let told = events(&client, "/v1/events?last=1", 1).await;
    assert_eq!(told[0].1, json!({ "type": "canonical", "id": "b", "previous": "c" }));
    client.close();
}
