//! The verbs and their outputs.

mod against;
mod against_fields;
mod compare;
mod dedup;
mod eval;
mod ids_of_lists;
mod keep;
mod only_against;
mod pairs;
mod removal;
mod removed_text;
mod report;
mod report_of_pairs;
mod similar;
mod sketch;
mod spans;
mod templates;
mod text_fields;
mod tune;
