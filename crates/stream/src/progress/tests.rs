use super::*;
use crate::batch::Message;
use lookalike::{Score, Similarity};

fn partition(number: i32) -> TopicPartition {
    TopicPartition { topic: "pages".into(), number }
}

fn batch(offsets: &[(i32, i64)]) -> MessageBatch {
    let mut batch = MessageBatch::default();
    for &(number, offset) in offsets {
        let partition = &partition(number);
        batch.push(Message { partition, offset, key: None, value: Some(b"v") });
    }
    batch
}

fn duplicate(of: &str) -> MessageVerdict {
    MessageVerdict::Duplicate {
        of: of.to_owned(),
        score: Score::Similarity(Similarity::counted(0.9).unwrap()),
    }
}

/// The bytes of an earlier program, which knew similarities alone.
#[test]
fn progress_with_similarities_alone_is_read() {
    let stored = r#"{"lookalike_stream": 1, "files": {}, "left": [], "groups": {"g": [{"topic": "pages", "partition": 0, "arrived": 1024,
        "verdicts": {"1030": {"Duplicate": {"of": "page-7", "similarity": 0.9}}}}]}}"#;
    let progress = StreamProgress::read(Some(stored.as_bytes()), "g").unwrap();
    let again: serde_json::Value = serde_json::from_slice(&progress.payload("g")).unwrap();
    let verdict = &again["groups"]["g"][0]["verdicts"]["1030"];
    assert_eq!(*verdict, serde_json::to_value(duplicate("page-7")).unwrap());
}

#[test]
fn verdicts_are_kept_until_their_batch_has_arrived_and_survive_in_the_payload() {
    let (first, second) = (batch(&[(0, 3), (0, 7), (1, 0)]), batch(&[(0, 8), (1, 1)]));
    let mut progress = StreamProgress::default();
    progress.decide(
        &first,
        [MessageVerdict::Unique, duplicate("a"), MessageVerdict::Dead { reason: "r".into() }].iter(),
    );
    progress.decide(&second, [duplicate("b"), MessageVerdict::Unique].iter());
    let verdict =
        |progress: &StreamProgress, number, offset| progress.verdict(&partition(number), offset).cloned();
    for step in ["decided", "read again"] {
        assert_eq!(verdict(&progress, 0, 3), None, "{step}: the index has it");
        assert_eq!(verdict(&progress, 0, 7), Some(duplicate("a")), "{step}");
        assert_eq!(verdict(&progress, 1, 0), Some(MessageVerdict::Dead { reason: "r".into() }), "{step}");
        assert!(!progress.has_arrived(&partition(0), 3), "{step}");
        progress = StreamProgress::read(Some(&progress.payload("g")), "g").unwrap();
    }
    progress.arrive(&first);
    assert_eq!(progress.offsets(), [(partition(0), 8), (partition(1), 1)].into());
    assert!(progress.has_arrived(&partition(0), 7) && !progress.has_arrived(&partition(0), 8));
    assert_eq!((verdict(&progress, 0, 7), verdict(&progress, 0, 8)), (None, Some(duplicate("b"))));
    progress.forget(&second);
    assert_eq!(verdict(&progress, 0, 8), None);
}

#[test]
fn groups_keep_their_progress_apart_in_one_index() {
    let mut mine = StreamProgress::default();
    mine.arrive(&batch(&[(0, 4)]));
    let payload = mine.payload("mine");
    let mut other = StreamProgress::read(Some(&payload), "other").unwrap();
    assert!(other.offsets().is_empty());
    other.arrive(&batch(&[(0, 9)]));
    let payload = other.payload("other");
    assert_eq!(StreamProgress::read(Some(&payload), "mine").unwrap().offsets(), [(partition(0), 5)].into());
    assert_eq!(StreamProgress::read(Some(&payload), "other").unwrap().offsets(), [(partition(0), 10)].into());
}

#[test]
fn a_payload_of_another_version_or_program_is_refused() {
    for payload in [&b"offset 7"[..], b"{}", br#"{"lookalike_stream": 2, "groups": {}}"#] {
        assert!(StreamProgress::read(Some(payload), "g").is_err());
    }
}
