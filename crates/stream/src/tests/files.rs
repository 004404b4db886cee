//! Streams to files.

use super::*;
use lookalike::{Method, Options};
use std::path::Path;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_on_several_lines_goes_on_as_it_came() {
    let place = Place::new().await;
    let large = "{\n  \"id\": \"a\",\r\n  \"text\": \"x\\ny\", \"n\": 123456789012345678901234567890,\n  \"z\": 1.50\n}";
    place.send(&[("a", Some(large.to_owned()))]);
    let to = crate::Destination::File(place.path("unique.jsonl"));
    place.run(StreamSettings { to, duplicates: Duplicates::Drop, ..place.settings() }).await.unwrap();
    let line = std::fs::read_to_string(place.path("unique.jsonl")).unwrap();
    assert_eq!(line, large.replace(['\n', '\r'], " ") + "\n");
}

/// A process is killed when it has written some of its lines, and before the index knows it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_has_each_line_once_wherever_the_process_was_killed() {
    let messages = [
        ("a", page("a", 0)),
        ("b", page("b", 15)),
        ("bad", Some("{".to_owned())),
        ("a", None),
        ("c", page("c", 16)),
        ("c", None),
    ];
    let settings = |place: &Place| {
        let duplicates = Duplicates::Apart(place.path("copies.jsonl").display().to_string());
        let to = crate::Destination::File(place.path("unique.jsonl"));
        StreamSettings { to, duplicates, ..place.settings() }
    };
    let names = ["unique.jsonl", "copies.jsonl", "dead.jsonl"];
    let read = |place: &Place| names.map(|name| std::fs::read(place.path(name)).unwrap());
    let place = Place::new().await;
    place.send(&messages[..1]);
    place.run(settings(&place)).await.unwrap();
    let first = read(&place);
    // The index as it was, when the rest had not arrived.
    let saved = place.path("saved");
    copy_folder(&place.path("seen.index"), &saved);
    place.send(&messages[1..]);
    place.run(settings(&place)).await.unwrap();
    let whole = read(&place);
    for cut in 0..40 {
        copy_folder(&saved, &place.path("seen.index"));
        for ((name, first), whole) in names.iter().zip(&first).zip(&whole) {
            let length = first.len() + (whole.len() - first.len()) * cut / 39;
            std::fs::write(place.path(name), &whole[..length]).unwrap();
        }
        place.run(settings(&place)).await.unwrap();
        assert_eq!(read(&place), whole, "{cut}");
    }
    // A file of somebody else, whose last line has no end.
    std::fs::write(place.path("other.jsonl"), "{}").unwrap();
    place.send(&[("d", page("d", 5000))]);
    let to = crate::Destination::File(place.path("other.jsonl"));
    place.run(StreamSettings { to, duplicates: Duplicates::Drop, ..place.settings() }).await.unwrap();
    let other = std::fs::read_to_string(place.path("other.jsonl")).unwrap();
    assert_eq!(other, format!("{{}}\n{}\n", page("d", 5000).unwrap()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documents_and_duplicates_may_go_to_files() {
    let place = Place::new().await;
    place.send(&[("a", page("a", 0)), ("b", page("b", 15)), ("a", None)]);
    let duplicates = Duplicates::Apart(place.path("copies.jsonl").display().to_string());
    let to = crate::Destination::File(place.path("unique.jsonl"));
    place.run(StreamSettings { to, duplicates, ..place.settings() }).await.unwrap();
    let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
    assert_eq!(read("unique.jsonl"), page("a", 0).unwrap() + "\n{\"id\":\"a\",\"removed\":true}\n");
    let copy: Value = serde_json::from_str(&read("copies.jsonl")).unwrap();
    assert_eq!(
        copy,
        json!({ "id": "b", "url": "https://e.org/b", "duplicate_of": "a", "similarity": 181.0 / 211.0 })
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn duplicates_by_fingerprints_have_their_distance() {
    let place = Place::new().await;
    let plan = Options { method: Some(Method::SimHash), hamming: Some(12), ..Options::default() };
    let index = Index::create(&place.path("seen.index"), &plan.plan().unwrap()).unwrap();
    Seen::open(index).unwrap().1.close().unwrap();
    place.send(&[("a", page("a", 0)), ("b", page("b", 5))]);
    let duplicates = Duplicates::Apart(place.path("copies.jsonl").display().to_string());
    let to = crate::Destination::File(place.path("unique.jsonl"));
    let settings = StreamSettings { to, duplicates, ..place.settings() };
    place.run(settings.clone()).await.unwrap();
    let read = || std::fs::read_to_string(place.path("copies.jsonl")).unwrap();
    let copy: Value = serde_json::from_str(&read()).unwrap();
    assert!(copy["hamming"].as_u64().is_some_and(|distance| distance <= 12), "{copy}");
    assert_eq!((&copy["duplicate_of"], &copy["similarity"]), (&json!("a"), &Value::Null));
    // It comes again, and has the verdict of its mark.
    let before = read();
    place.send(&[("b", page("b", 5))]);
    place.run(settings).await.unwrap();
    assert_eq!(read(), before.repeat(2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_compared_with_the_page_before_it_in_its_batch() {
    let place = Place::new().await;
    let duplicates = Duplicates::Apart(place.path("copies.jsonl").display().to_string());
    let to = crate::Destination::File(place.path("unique.jsonl"));
    let settings = StreamSettings { to, duplicates, ..place.settings() };
    place.send(&[("a", page("a", 0))]);
    place.run(settings.clone()).await.unwrap();
    // The last one is similar to both, and most similar to the one in its batch.
    place.send(&[("b", page("b", 30)), ("c", page("c", 20))]);
    place.run(settings).await.unwrap();
    let copies = std::fs::read_to_string(place.path("copies.jsonl")).unwrap();
    let copy: Value = serde_json::from_str(&copies).unwrap();
    assert_eq!((&copy["id"], &copy["duplicate_of"]), (&json!("c"), &json!("b")), "{copy}");
}

/// Makes `to` a copy of the folder `from`.
fn copy_folder(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
