//! Outputs: kept records in the format of the input, and tables of pairs, clusters and removed documents.
//!
//! Every output is written to a temporary file beside its place. All outputs of a run are renamed when all of them are
//! complete.

mod check;
mod encoder;
mod folders;
mod kept;
mod layout;
mod output;
mod part;
mod paths;
mod publish;
mod queue;
mod records;
mod sink;
mod table;
mod tar;
mod whole;

pub use self::{
    kept::KeptWriter,
    publish::Completed,
    queue::Queue,
    records::annotation::Annotation,
    records::mode::{KeptRows, RecordMode},
    table::{Cell, ColumnKind, TableWriter},
    whole::WholeFile,
};
