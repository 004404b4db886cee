//! What is known of the anchors with one hash, and of the windows with one hash.

use lookalike::windows::{PlaceTable, WindowPlaces};

/// The runs of the class occur again.
const AGAIN: u64 = 1 << 63;
/// The class has several runs.
const MANY: u64 = 1 << 62;
const PLACE: u64 = MANY - 1;

/// The values of a class: the hash of its first run, its first place with the marks, and its last place if that counts.
const RUN: usize = 0;
const FIRST: usize = 1;
const LAST: usize = 2;

/// The number of values of a class.
pub(super) fn values(needs_last: bool) -> usize {
    if needs_last { 3 } else { 2 }
}

/// An anchor of a text.
#[derive(Clone, Copy)]
pub(super) struct AnchorEntry {
    pub(super) run: u64,
    pub(super) place: u64,
}

/// Puts an anchor into its class.
pub(super) fn put(table: &mut PlaceTable, key: u64, AnchorEntry { run, place }: AnchorEntry) {
    let (class, is_new) = table.entry(key);
    if is_new {
        (class[RUN], class[FIRST]) = (run, place);
    } else {
        let differs = if class[RUN] == run { 0 } else { MANY };
        let marks = class[FIRST] & !PLACE;
        class[FIRST] = (class[FIRST] & PLACE).min(place) | marks | AGAIN | differs;
    }
    if let Some(last) = class.get_mut(LAST) {
        *last = (*last).max(place);
    }
}

/// Notes that an anchor occurs again, if its class is there.
pub(super) fn touch(table: &mut PlaceTable, key: u64, AnchorEntry { run, .. }: AnchorEntry) {
    if let Some(class) = table.get_mut(key) {
        class[FIRST] |= if class[RUN] == run { AGAIN } else { AGAIN | MANY };
    }
}

/// Puts a window at its place.
pub(super) fn put_window(table: &mut PlaceTable, key: u64, place: u64) {
    let (values, is_new) = table.entry(key);
    values[0] = if is_new { place } else { values[0].min(place) };
    if let Some(last) = values.get_mut(1) {
        *last = (*last).max(place);
    }
}

/// Whether the anchors of a class occur again.
pub(super) fn is_again(class: &[u64]) -> bool {
    class[FIRST] & AGAIN != 0
}

/// Whether the windows of a class must be looked up.
pub(super) fn has_many(class: &[u64]) -> bool {
    class[FIRST] & MANY != 0
}

/// The places of the anchors of a class.
pub(super) fn anchor_places(class: &[u64]) -> WindowPlaces {
    let first = class[FIRST] & PLACE;
    WindowPlaces { first, last: class.get(LAST).copied().unwrap_or(first) }
}

/// The places of a window.
pub(super) fn window_places(values: &[u64]) -> WindowPlaces {
    WindowPlaces { first: values[0], last: values.get(1).copied().unwrap_or(values[0]) }
}
