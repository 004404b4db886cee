//! What comes out: kept records in the format of the input, and tables of pairs, clusters and removals.
//!
//! Every output is written beside its place and renamed when all of a run are complete.

mod check;
mod encoder;
mod folders;
mod kept;
mod layout;
mod output;
mod part;
mod publish;
mod queue;
mod records;
mod sink;
mod table;
mod whole;

pub use self::{
    kept::KeptWriter,
    publish::Completed,
    queue::Queue,
    records::annotation::Annotation,
    records::mode::{KeptRows, Mode},
    table::{Cell, ColumnKind, TableWriter},
    whole::WholeFile,
};
