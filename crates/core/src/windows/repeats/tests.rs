//! Against the definitions, on tokens.

use super::super::{PlaceTable, WindowHasher};
use super::*;
use proptest::prelude::*;
use std::collections::HashMap;

/// The removed tokens of each text, by the definitions. No hashes.
fn by_definition(texts: &[Vec<u64>], length: usize, keep: KeptOccurrence, whole: bool) -> Vec<Vec<bool>> {
    let places = places_of(texts, length);
    let mut occurrences: HashMap<&[u64], Vec<u64>> = HashMap::new();
    for (text, base) in texts.iter().zip(&places) {
        for (at, window) in text.windows(length).enumerate() {
            occurrences.entry(window).or_default().push(base + at as u64);
        }
    }
    let far = |a: u64, b: u64| a + length as u64 <= b;
    let removed = texts.iter().zip(&places).map(|(text, base)| {
        let (mut removed, mut stays) = (vec![false; text.len()], vec![false; text.len()]);
        for (at, window) in text.windows(length).enumerate() {
            let (all, place) = (&occurrences[window], base + at as u64);
            let twice = far(all[0], all[all.len() - 1]);
            if match keep {
                KeptOccurrence::First => far(all[0], place),
                KeptOccurrence::None => twice,
            } {
                removed[at..at + length].fill(true);
            }
            if whole && place == all[0] && twice {
                stays[at..at + length].fill(true);
            }
        }
        removed.iter().zip(stays).map(|(removed, stays)| *removed && !stays).collect()
    });
    removed.collect()
}

fn places_of(texts: &[Vec<u64>], length: usize) -> Vec<u64> {
    let ends = texts.iter().scan(0, |end, text| {
        *end += (text.len() + length) as u64;
        Some(*end)
    });
    [0].into_iter().chain(ends).take(texts.len()).collect()
}

/// The spans of each text by anchors and classes, as a caller finds them.
fn by_anchors(texts: &[Vec<u64>], length: usize, keep: KeptOccurrence, whole: bool) -> Vec<TextSpans> {
    const FIRST: usize = 0;
    let places = places_of(texts, length);
    let (mut classes, mut windows) = (PlaceTable::new(4), PlaceTable::new(2));
    let mut hasher = WindowHasher::new(length, 0);
    let widen = |values: &mut [u64], place: u64, is_new: bool| {
        values[FIRST] = if is_new { place } else { values[FIRST].min(place) };
        values[1] = values[1].max(place);
    };
    for (text, base) in texts.iter().zip(&places) {
        hasher.each_anchor(text, |run| {
            let (values, is_new) = classes.entry(run.anchor.key);
            let differs = !is_new && (values[2] != run.run() || values[3] == 1);
            (values[2], values[3]) = (run.run(), u64::from(differs));
            widen(values, base + run.anchor.at as u64, is_new);
        });
    }
    for (text, base) in texts.iter().zip(&places) {
        hasher.each_anchor(text, |run| {
            if classes.get(run.anchor.key).unwrap()[3] == 1 {
                for window in run.anchor.from..run.anchor.to {
                    let (values, is_new) = windows.entry(run.window(window));
                    widen(values, base + window as u64, is_new);
                }
            }
        });
    }
    let mut repeats = Repeats::new(length, keep, whole);
    let mut of_part = |text: &Vec<u64>, base: &u64, part: u64| {
        hasher.each_anchor(text, |run| {
            if run.anchor.key % 2 != part {
                return;
            }
            let Anchored { from, to, at } = Anchored::of(&run.anchor);
            let class = classes.get(run.anchor.key).unwrap();
            if class[3] == 0 {
                let known = WindowPlaces { first: class[0] - (at - from), last: class[1] - (at - from) };
                repeats.add(from as usize..to as usize, base + from, known);
                return;
            }
            for window in from..to {
                let values = windows.get(run.window(window as usize)).unwrap();
                let known = WindowPlaces { first: values[0], last: values[1] };
                repeats.add(window as usize..window as usize + 1, base + window, known);
            }
        });
        repeats.finish()
    };
    // In two parts, as where memory is short.
    let spans = texts.iter().zip(&places).map(|(text, base)| {
        let mut found = of_part(text, base, 1);
        found.join(of_part(text, base, 0), length);
        found.into_spans()
    });
    spans.collect()
}

struct Anchored {
    from: u64,
    to: u64,
    at: u64,
}

impl Anchored {
    fn of(anchor: &super::super::Anchor) -> Self {
        Anchored { from: anchor.from as u64, to: anchor.to as u64, at: anchor.at as u64 }
    }
}

/// Texts with passages of their own, of one another, and with repetitions.
fn texts() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let part = (0_usize..3, 0_usize..40, 1_usize..25, prop::collection::vec(0_u64..3, 1..30));
    prop::collection::vec(prop::collection::vec(part, 0..6), 1..12).prop_map(|texts| {
        let mut all: Vec<Vec<u64>> = Vec::new();
        for parts in texts {
            let mut text = Vec::new();
            for (kind, from, times, tokens) in parts {
                match kind {
                    0 => text.extend(tokens),
                    1 => (0..times).for_each(|_| text.extend(tokens.iter().take(4))),
                    _ => {
                        let other = all.get(from % all.len().max(1)).cloned().unwrap_or_default();
                        text.extend(other.iter().skip(from).take(2 * times));
                    }
                }
            }
            all.push(text);
        }
        all
    })
}

proptest! {
    #[test]
    fn anchors_find_what_the_definition_says(
        texts in texts(), length in 1_usize..14, none in any::<bool>(), whole in any::<bool>()
    ) {
        let keep = if none { KeptOccurrence::None } else { KeptOccurrence::First };
        let expected = by_definition(&texts, length, keep, whole);
        let places = places_of(&texts, length);
        let found = by_anchors(&texts, length, keep, whole);
        for ((text, expected), TextSpans { spans, links }) in texts.iter().zip(expected).zip(found) {
            let mut removed = vec![false; text.len()];
            for span in &spans {
                removed[span.clone()].fill(true);
            }
            prop_assert_eq!(&removed, &expected);
            prop_assert!(spans.windows(2).all(|two| two[0].end < two[1].start));
            // Links cover the spans, and lead to the same tokens at another place.
            let mut linked = vec![false; text.len()];
            for link in &links {
                linked[link.tokens.clone()].fill(true);
                let source = places.partition_point(|base| *base <= link.source) - 1;
                let at = (link.source - places[source]) as usize;
                prop_assert_eq!(&texts[source][at..at + link.tokens.len()], &text[link.tokens.clone()]);
            }
            prop_assert_eq!(linked, removed);
        }
    }
}
