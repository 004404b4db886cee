//! Characters: which are letters, marks or invisible, and the normal form in which case and compatibility do not count.
//!
//! Not for: cutting texts into tokens, which is done in `text` by the kernels of `simd`.

mod classes;
mod normal;
pub(crate) mod unicode;
mod units;
mod visible;

pub(crate) use classes::{CharacterRole, Classes, SHARP_S, final_kind, stays_apart};
pub(crate) use normal::{expansion, is_hidden, normalise};
pub(crate) use units::{composed, unit_at, units};
pub(crate) use visible::{JOINER, invisible_run, joins_emoji};
