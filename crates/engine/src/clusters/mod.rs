//! From candidates to verified pairs and clusters.

pub mod compare;
pub mod grounds;
pub mod star;
