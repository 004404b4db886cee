//! Pages that show what was found: HTML as strings, each one file that needs no other, no network and no script.
//!
//! Texts are hostile. [`Shown`] is the only way in which they reach a page ([`visible`] in its title): nothing in them is markup, and what could hide or
//! reorder text is written out. The style is one file, named to the browser by its hash, so that a page allows no other style, no
//! script, no picture and no request.
//!
//! Not for: finding anything; that is `lookalike`. Not for serving pages either.
#![forbid(unsafe_code)]

mod comparison;
mod frame;
mod marked;
mod numbers;
mod run;
mod shown;

pub use comparison::{ComparisonPage, Figure, counted_tokens, figures};
pub use numbers::{count, several};
pub use run::{
    ClusterOfPage, CurveOfPage, ExampleKind, ExampleOfPage, ExamplesOfPage, Histogram, MemberOfPage,
    PairOfPage, RemovedScores, RolesOfPair, RunPage, SizeClass, SizeKind, TextOfPage,
};
pub use shown::{Shown, visible};
