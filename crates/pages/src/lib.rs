//! HTML pages of results. Each page is a string, and needs no other file, no network and no script.
//!
//! Texts are untrusted. They reach a page only through [`Shown`], and its title only through [`visible`]. Both replace characters
//! that could hide or reorder text by their names, and [`Shown`] escapes markup. The style is one file. The page's policy names it
//! by its hash, and allows no other style, no script, no picture and no request.
//!
//! Not for: finding near-duplicates (that is `lookalike`), or serving pages.
#![forbid(unsafe_code)]

mod comparison;
mod frame;
mod marked;
mod numbers;
mod run;
mod shown;

pub use comparison::{ComparisonPage, Figure, counted_tokens, figures};
pub use frame::STYLE;
pub use numbers::{count, several};
pub use run::{
    ClusterOfPage, CurveOfPage, ExampleKind, ExampleOfPage, ExamplesOfPage, MemberOfPage, PairHistogram,
    PairOfPage, RemovedScores, RolesOfPair, RunPage, SizeClass, SizeKind, TextOfPage,
};
pub use shown::{Shown, visible};
