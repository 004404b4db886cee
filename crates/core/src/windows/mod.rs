//! Windows: runs of as many tokens as a passage has at least, and the windows that occur again.
//!
//! # Definitions
//!
//! A *window* is `length` consecutive tokens of one text. A *place* is the position of a window in the whole corpus, in
//! input order. Places of windows in different texts are at least `length` apart.
//!
//! A window is *repeated* if its first occurrence is at least `length` before it, and so does not overlap it. The
//! tokens of all repeated windows are removed. A *span* is a maximal run of removed tokens. A *link* is a run of
//! repeated windows whose first occurrences are also consecutive, and it leads to the first of these: its *source*.
//!
//! # How repeated windows are found without a table of all windows
//!
//! The *anchor* of a window is the leftmost one of its runs of `gram` tokens with the least hash. It depends on the
//! window alone, and neighbours often have the same one: there is an anchor for every 12 tokens of a text, if the
//! length is 50. Anchors with the same hash are a *class*. The windows of an anchor are a run, and this run has a hash.
//!
//! - If all anchors of a class have the same run, then a window is repeated if and only if its anchor is. No window
//!   has to be looked up.
//! - If two runs of a class differ, all windows of the class are looked up one by one.
//!
//! Equal windows have equal anchors at equal offsets, so both are in one class, and nothing is missed. Equal hashes
//! prove nothing: a caller compares the tokens of each link with those of its source.
//!
//! The anchors are those of winnowing: Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document
//! fingerprinting", 2003.
//!
//! Not for: passages that two given texts share, which are in `compare`.

mod anchors;
mod cut;
mod repeats;
mod table;

pub use anchors::{Anchor, AnchorRun, WindowHasher};
pub use cut::TextCutter;
pub use repeats::{KeptOccurrence, Link, Repeats, TextRepeats, TextSpans, WindowPlaces};
pub use table::PlaceTable;
