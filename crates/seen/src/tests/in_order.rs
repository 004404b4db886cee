//! Texts that are prepared before others are decided are answered as if each was sent after the answer to the one before.

use super::*;
use lookalike::hash::SplitMix64;
use std::sync::mpsc::{Receiver, channel};

/// A shared passage, and `count` words of its own.
fn page(shared: u64, own: u64, count: u64) -> String {
    let own: Vec<String> = (0..count).map(|word| format!("own{own}word{word}")).collect();
    text(shared, 0) + " " + &own.join(" ")
}

#[test]
fn a_text_is_compared_with_texts_that_were_submitted_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let (seen, closer) = create(&folder.path().join("seen.index"));
    seen.add(NewText::new("stored", page(1, 1, 20)), 0).wait().unwrap();
    // Each is similar to both documents, which are not similar to each other.
    let group = vec![NewText::new("before", page(1, 2, 14)), NewText::new("same group", page(1, 3, 0))];
    let next = vec![NewText::new("next group", page(1, 4, 0))];
    let prepared = [group, next].map(|texts| seen.prepare(texts, 0).unwrap());
    let answers = prepared.map(|texts| submitted(&seen, texts)).map(|answers| answers.recv().unwrap());
    let answers: Vec<Decided<Added>> = answers.into_iter().flatten().map(Result::unwrap).collect();
    assert_eq!(answers[0], Decided { answer: Added::New { number: 1, is_capped: false }, sequence: 1 });
    for Decided { answer, sequence } in &answers[1..] {
        assert!(matches!(answer, Added::Duplicate { found, .. } if found.id == "before"), "{answer:?}");
        assert_eq!(*sequence, 2);
    }
    drop(seen);
    closer.close().unwrap();
}

fn submitted(seen: &Seen, prepared: PreparedTexts) -> Receiver<Answers<Added>> {
    let (sender, answers) = channel();
    let then = move |given| sender.send(given).unwrap();
    assert!(seen.submit(prepared, then).is_ok());
    answers
}

/// What is sent together.
#[derive(Clone, Debug)]
enum Group {
    Add(Vec<NewText>),
    Remove(String),
}

/// Groups of texts that are more or less similar, of which some have the same id, expire, or are copies; and removals.
fn groups(seed: u64, modes: &[OnDuplicate]) -> Vec<Group> {
    let mut generator = SplitMix64(seed);
    let mut random = move |below: u64| generator.next() % below;
    let new = |now: u64, random: &mut dyn FnMut(u64) -> u64| NewText {
        on_duplicate: modes[random(modes.len() as u64) as usize],
        expires: (random(3) == 0).then(|| (now + random(6)) as u32),
        ..NewText::new(format!("d{}", random(40)), page(random(4), random(12), 2 * random(9)))
    };
    let group = |now| match random(6) {
        0 => Group::Remove(format!("d{}", random(40))),
        _ => Group::Add((0..=random(4)).map(|_| new(now, &mut random)).collect()),
    };
    (0..60).map(group).collect()
}

/// The answers to groups that are sent while those before them are decided. Up to five are prepared before the first of them is decided.
fn answers_together(seen: &Seen, groups: &[Group]) -> Vec<String> {
    let mut shown = Vec::new();
    for (start, groups) in groups.chunks(5).enumerate() {
        let prepare = |(number, group): (usize, &Group)| match group {
            Group::Add(texts) => Ok(seen.prepare(texts.clone(), (5 * start + number) as u32).unwrap()),
            Group::Remove(id) => Err(id.clone()),
        };
        let prepared: Vec<Result<PreparedTexts, String>> = groups.iter().enumerate().map(prepare).collect();
        let submit = |prepared: Result<PreparedTexts, String>| match prepared {
            Ok(texts) => Ok(submitted(seen, texts)),
            Err(id) => Err(seen.remove(&id)),
        };
        for answers in prepared.into_iter().map(submit).collect::<Vec<_>>() {
            match answers {
                Ok(answers) => {
                    shown.extend(
                        answers.recv().unwrap().into_iter().map(|answer| format!("{:?}", answer.unwrap())),
                    );
                }
                Err(removed) => shown.push(format!("{:?}", removed.wait().unwrap())),
            }
        }
    }
    shown
}

/// The answers to texts each of which is sent when the one before is answered.
fn answers_one_by_one(seen: &Seen, groups: &[Group]) -> Vec<String> {
    let answers = groups.iter().enumerate().flat_map(|(now, group)| match group {
        Group::Add(texts) => {
            let add = |text: &NewText| format!("{:?}", seen.add(text.clone(), now as u32).wait().unwrap());
            texts.iter().map(add).collect()
        }
        Group::Remove(id) => vec![format!("{:?}", seen.remove(id).wait().unwrap())],
    });
    answers.collect()
}

#[test]
fn texts_that_are_sent_together_get_the_answers_of_texts_that_are_sent_one_by_one() {
    let mixed = [OnDuplicate::Refuse, OnDuplicate::Touch, OnDuplicate::Ignore, OnDuplicate::Refuse];
    for seed in 0..12 {
        let modes = if seed % 3 == 0 { &mixed[..1] } else { &mixed };
        let groups = groups(seed, modes);
        let folder = tempfile::tempdir().unwrap();
        let (together, first) = create(&folder.path().join("together.index"));
        let (one_by_one, second) = create(&folder.path().join("one-by-one.index"));
        let answers = answers_together(&together, &groups);
        assert_eq!(answers, answers_one_by_one(&one_by_one, &groups), "seed {seed}");
        assert!(answers.iter().filter(|answer| answer.contains("Duplicate")).count() > 5);
        drop((together, one_by_one));
        first.close().unwrap();
        second.close().unwrap();
    }
}
