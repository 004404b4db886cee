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
    let settings = ServiceSettings { mode: DuplicateMode::All, canonical: Canonical::Priority, ..settings() };
    let client = Client::open(&folder.path().join("seen.index"), settings);
    let (mut living, mut count, mut expected) = (Vec::new(), 0, Vec::new());
    // Priorities of documents that are added to one cluster, or removed from it. Another cluster grows meanwhile. Nobody waits
    // for the thread that reports canonical documents: it tells what there was at each change.
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
    }
    let told =
        events(&client, &format!("/v1/events?from={}-0", client.app.started), count as usize - 1).await;
    let told = told.into_iter().map(|(_, data)| data).filter(|data| data["type"] == "canonical");
    assert_eq!(told.collect::<Vec<_>>(), expected);
    client.close();
}

#[tokio::test]
async fn removals_that_go_to_the_disk_together_are_reported_as_they_follow_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ServiceSettings { mode: DuplicateMode::All, canonical: Canonical::Priority, ..settings() };
    let client = Client::open(&folder.path().join("seen.index"), settings);
    let bulk = async |op: &str, lines: Vec<Value>| {
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let request = Request::post(format!("/v1/bulk?op={op}")).body(Body::from(lines)).unwrap();
        assert_eq!(client.send(request).await.0, 200);
    };
    let document = |priority: u64| json!({ "id": priority.to_string(), "text": text(1, priority), "priority": priority });
    bulk("add", [1, 2, 3, 4].map(document).to_vec()).await;
    bulk("remove", ["4", "2", "3"].map(|id| json!({ "id": id })).to_vec()).await;
    let told = events(&client, &format!("/v1/events?from={}-0", client.app.started), 11).await;
    let told = told.into_iter().map(|(_, data)| data).filter(|data| data["type"] == "canonical");
    let told: Vec<Value> = told.map(|data| json!([data["previous"], data["id"]])).collect();
    assert_eq!(told, [["1", "2"], ["2", "3"], ["3", "4"], ["4", "3"], ["3", "1"]].map(|pair| json!(pair)));
    client.close();
}

#[tokio::test]
async fn an_event_tells_which_document_follows_a_canonical_one_that_has_expired() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ServiceSettings { mode: DuplicateMode::All, canonical: Canonical::Priority, ..settings() };
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

#[tokio::test]
async fn a_document_that_connects_clusters_leaves_them_one_canonical_document() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ServiceSettings { mode: DuplicateMode::All, canonical: Canonical::Priority, ..settings() };
    let client = Client::open(&folder.path().join("seen.index"), settings);
    // Each text has 185 of the 200 words of the next one.
    let text = |first: usize| (first..first + 200).map(|word| format!("w{word} ")).collect::<String>();
    for (id, first, priority) in [("low", 0, 1.0), ("high", 30, 9.0), ("between", 15, 5.0)] {
        let document = json!({ "id": id, "text": text(first), "priority": priority });
        assert_eq!(client.ask("POST", "/v1/documents", Some(document)).await.0, 201);
    }
    wait_for_events(&client, 4).await;
    assert_eq!(client.ask("DELETE", "/v1/documents/high", None).await.0, 204);
    let told = events(&client, &format!("/v1/events?from={}-0", client.app.started), 5).await;
    let told = told.into_iter().map(|(_, data)| data).filter(|data| data["type"] == "canonical");
    let expected = [("high", "low"), ("between", "high")];
    let expected =
        expected.map(|(id, previous)| json!({ "type": "canonical", "id": id, "previous": previous }));
    assert_eq!(told.collect::<Vec<_>>(), expected);
    client.close();
}

#[tokio::test]
async fn a_change_is_reported_also_if_its_client_has_gone() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::open(&folder.path().join("seen.index"), settings());
    let mut cut_off = None;
    for number in 0..100 {
        let document = Some(json!({ "id": number.to_string(), "text": text(number, 0) }));
        // It is polled once, and then dropped. The answer may be there by then, though that is rare.
        let is_answered = tokio::select! {
            biased;
            _ = client.ask("POST", "/v1/documents", document) => true,
            () = std::future::ready(()) => false,
        };
        if !is_answered {
            cut_off = Some(number);
            break;
        }
    }
    let number = cut_off.expect("a request is cut off");
    wait_for_events(&client, number + 1).await;
    let told = events(&client, "/v1/events?last=1", 1).await;
    assert_eq!(told[0].1, json!({ "type": "added", "id": number.to_string(), "sequence": number }));
    client.close();
}
