//! Characters: which are letters, which are invisible, and what each becomes in lower case.
//!
//! Not for: cutting texts into tokens, which is done in `text` by the kernels of `simd`.

mod classes;
pub(crate) mod unicode;
mod visible;

pub(crate) use classes::{Classes, Kind, final_kind, folded, lower_sigma, stays_apart};
pub(crate) use unicode::SIGMA;
pub(crate) use visible::{JOINER, invisible_run, joins_emoji, visible};
