//! From candidates to verified pairs and clusters.

pub mod compare;
pub mod evidence;
pub mod star;
