//! What comes out: kept records in the format of the input, and tables of pairs, clusters and removals.
//!
//! Every output is written beside its place and renamed when all of a run are complete.

mod annotation;
mod archive;
mod check;
mod encoder;
mod folders;
mod kept;
mod layout;
mod lines;
mod output;
mod part;
mod publish;
mod queue;
mod quote;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(not(feature = "parquet"))]
#[path = "rows_absent.rs"]
mod rows;
mod sink;
mod table;
mod whole;

pub use self::{
    annotation::Annotation,
    kept::{KeptRows, KeptWriter, Mode},
    publish::Completed,
    queue::Queue,
    table::{Cell, ColumnKind, TableWriter},
    whole::WholeFile,
};
