//! Near-duplicate text detection: text in, clusters out.
#![deny(unsafe_code)]

mod error;
mod hash;
mod lsh;
mod plan;
mod simd;
mod sketch;
mod text;

pub use error::PlanError;
pub use lsh::Banding;
pub use plan::{Options, Plan, PlanId};
pub use simd::Level;
pub use sketch::{ContentHash, Scheme, Sketch, Sketcher};
pub use text::Tokens;
