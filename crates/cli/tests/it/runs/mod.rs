//! Runs as a whole: limits, stops, failures, and the same bytes each time.

mod deterministic;
mod ends;
mod limits;
mod older;
mod refused;
mod remedies;
mod space;
mod stopped;
mod summary;
