//! What comes out: kept records in the format of the input, and tables of pairs, clusters and removals.
//!
//! Every output is written beside its place and renamed when it is complete.

mod annotation;
mod archive;
mod check;
mod encoder;
mod kept;
mod layout;
mod lines;
mod output;
mod part;
mod queue;
mod quote;
mod rows;
mod sink;
mod table;

pub use self::{
    annotation::Annotation,
    kept::{KeptRows, KeptWriter, Mode},
    output::{Completed, write_whole},
    queue::Queue,
    table::{Cell, ColumnKind, TableWriter},
};
