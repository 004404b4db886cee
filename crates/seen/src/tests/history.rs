//! Histories of many threads, and the model that they are replayed in.

use crate::{Added, Decided, NewText, Seen, Touched};
use lookalike::hash::SplitMix64;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A text of a family, all of whose texts are similar. Texts of different families are not.
pub(crate) fn text(family: u64, variant: u64) -> String {
    let mut generator = SplitMix64(family);
    let mut words: Vec<String> = (0..120).map(|_| format!("w{}", generator.next() % 100_000)).collect();
    words.push(format!("variant{variant}"));
    words.join(" ")
}

/// What a thread asked, and what it was told. Moments are counted, and ascend.
#[derive(Debug)]
pub(crate) struct Event {
    asked: u64,
    told: u64,
    /// The family and variant of a text to be added, or `None` if the document with the id is to be removed or touched.
    text: Option<(u64, u64)>,
    /// The second until which the document with the id is to live.
    touch: Option<u32>,
    id: String,
    now: u32,
    expires: Option<u32>,
    sequence: u64,
    added: Option<Added>,
    /// Whether a document was removed or touched.
    was_removed: bool,
}

/// An index that is changed by one thread at a time, or by many.
pub(crate) trait Changed: Sync {
    fn add(&self, text: NewText, now: u32) -> Decided<Added>;
    fn remove(&self, id: &str) -> Decided<Option<u64>>;
    fn touch(&self, id: &str, expires: u32, now: u32) -> Decided<Option<Touched>>;
}

impl Changed for Seen {
    fn add(&self, text: NewText, now: u32) -> Decided<Added> {
        self.add(text, now).wait().unwrap()
    }

    fn remove(&self, id: &str) -> Decided<Option<u64>> {
        self.remove(id).wait().unwrap()
    }

    fn touch(&self, id: &str, expires: u32, now: u32) -> Decided<Option<Touched>> {
        self.touch(id, expires, now).wait().unwrap()
    }
}

/// What `threads` threads ask, and are told.
pub(crate) fn histories(threads: u64, events: u64, seed: u64, seen: &impl Changed) -> Vec<Event> {
    let (moments, all) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (moments, all) = (&moments, &all);
            scope.spawn(move || {
                let mut generator = SplitMix64(seed ^ thread << 32);
                let mut random = move |below: u64| generator.next() % below;
                for event in 0..events {
                    // Threads are about the same families at about the same time.
                    let family = event / 8 * 4 + random(4);
                    let id = format!("{family}-{}", random(3));
                    let now = event as u32;
                    let expires = (random(4) == 0).then(|| now + random(10) as u32);
                    let asked = moments.fetch_add(1, Ordering::SeqCst);
                    let mut event = Event {
                        asked,
                        told: 0,
                        text: None,
                        touch: None,
                        id: id.clone(),
                        now,
                        expires,
                        sequence: 0,
                        added: None,
                        was_removed: false,
                    };
                    if random(5) == 0 {
                        let removed = seen.remove(&id);
                        (event.sequence, event.was_removed) = (removed.sequence, removed.answer.is_some());
                    } else if random(5) == 0 {
                        let until = now + random(10) as u32;
                        let touched = seen.touch(&id, until, now);
                        (event.touch, event.sequence) = (Some(until), touched.sequence);
                        event.was_removed = touched.answer.is_some();
                    } else {
                        let variant = random(3);
                        event.text = Some((family, variant));
                        let new = NewText { expires, ..NewText::new(id, text(family, variant)) };
                        let added = seen.add(new, now);
                        (event.sequence, event.added) = (added.sequence, Some(added.answer));
                    }
                    event.told = moments.fetch_add(1, Ordering::SeqCst);
                    all.lock().unwrap().push(event);
                }
            });
        }
    });
    all.into_inner().unwrap()
}

#[derive(Clone, Debug)]
pub(crate) struct ModelDocument {
    pub(crate) id: String,
    pub(crate) text: (u64, u64),
    pub(crate) expires: Option<u32>,
    pub(crate) is_removed: bool,
}

/// Replays a history and checks that every answer fits to all changes before it.
pub(crate) fn check_history(events: &[Event]) -> BTreeMap<u64, ModelDocument> {
    let mut ordered: Vec<&Event> = events.iter().collect();
    // Answers that change nothing come before the change that has the same number.
    ordered.sort_by_key(|event| {
        let is_change = matches!(event.added, Some(Added::New { .. })) || event.was_removed;
        // A touch changes nothing if the document lives longer anyway.
        (event.sequence, u8::from(is_change) + u8::from(is_change && event.touch.is_none()))
    });
    let mut model: BTreeMap<u64, ModelDocument> = BTreeMap::new();
    let mut changes = 0;
    for event in ordered {
        let is_there = |document: &ModelDocument, now: Option<u32>| {
            !document.is_removed && document.expires.zip(now).is_none_or(|(at, now)| at > now)
        };
        // What has expired can still be removed, also if it expired at second 0.
        let now = (event.text.is_some() || event.touch.is_some()).then_some(event.now);
        let same_id =
            model.iter().rev().find(|(_, document)| document.id == event.id && is_there(document, now));
        let same_id = same_id.map(|(&number, document)| (number, document.text));
        let similar: Vec<u64> = model
            .iter()
            .filter(|(_, document)| {
                is_there(document, Some(event.now))
                    && event.text.is_some_and(|text| text.0 == document.text.0)
            })
            .map(|(&number, _)| number)
            .collect();
        match &event.added {
            None => {
                assert_eq!(event.was_removed, same_id.is_some(), "{event:?}");
                if let Some((number, _)) = same_id
                    && let Some(until) = event.touch
                {
                    let expires = &mut model.get_mut(&number).unwrap().expires;
                    if expires.is_some_and(|expires| expires < until) {
                        *expires = Some(until);
                        assert_eq!(event.sequence, changes, "each change has a number");
                        changes += 1;
                    }
                } else if let Some((number, _)) = same_id {
                    assert_eq!(event.sequence, changes, "each change has a number");
                    changes += 1;
                    model.get_mut(&number).unwrap().is_removed = true;
                }
            }
            Some(Added::New { number, .. }) => {
                assert_eq!((&similar[..], same_id), (&[][..], None), "{event:?}");
                assert_eq!((*number, event.sequence), (model.len() as u64, changes), "{event:?}");
                changes += 1;
                // One that has expired makes room.
                for document in
                    model.values_mut().filter(|document| document.id == event.id && !document.is_removed)
                {
                    document.is_removed = true;
                    changes += 1;
                }
                let (id, text) = (event.id.clone(), event.text.unwrap());
                model.insert(*number, ModelDocument { id, text, expires: event.expires, is_removed: false });
            }
            Some(Added::Duplicate { found, stored: None }) => {
                assert!(same_id.is_none() && similar.contains(&found.number), "{event:?}");
                let document = &model[&found.number];
                assert_eq!(found.id, document.id);
                assert_eq!(found.is_copy, Some(document.text) == event.text);
            }
            Some(Added::Unchanged { number }) => assert_eq!(same_id, Some((*number, event.text.unwrap()))),
            Some(Added::OtherText { number }) => {
                let (same, text) = same_id.unwrap();
                assert!(same == *number && Some(text) != event.text);
            }
            Some(Added::Duplicate { .. }) => panic!("duplicates are refused: {event:?}"),
        }
    }
    // Whoever was told before another asked has a number that is not larger.
    let mut by_told: Vec<&Event> = events.iter().collect();
    by_told.sort_by_key(|event| event.told);
    let mut by_asked: Vec<&Event> = events.iter().collect();
    by_asked.sort_by_key(|event| event.asked);
    let (mut told, mut largest) = (by_told.into_iter().peekable(), 0);
    for event in by_asked {
        while let Some(before) = told.next_if(|before| before.told < event.asked) {
            largest = largest.max(before.sequence);
        }
        assert!(event.sequence >= largest, "{event:?} comes before one that was told earlier");
    }
    model
}
