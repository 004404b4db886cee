//! The lists of `dedup` and `pairs`: their columns and their rows.

mod columns;
mod context;
mod decisions;
mod pairs;

pub use columns::{
    COLUMNS_OF_INTERVAL, columns_of_score, score_cells, score_column, score_column_of_removed,
};
pub use context::OutputContext;
pub use decisions::{COLUMNS_OF_CLUSTERS, columns_of_removed, write_clusters, write_removed};
pub use pairs::{columns_of_pairs, write_pairs};
