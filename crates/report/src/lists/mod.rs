//! The lists of `dedup` and `pairs`: their columns and their rows.

mod columns;
mod context;
mod pairs;
mod removed;

pub use columns::{score_cell, score_column, score_column_of_removed};
pub use context::OutputContext;
pub use pairs::{columns_of_pairs, write_pairs};
pub use removed::{COLUMNS_OF_CLUSTERS, columns_of_removed, write_clusters, write_removed};
