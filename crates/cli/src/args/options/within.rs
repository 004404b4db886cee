//! Which documents are compared with each other.

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct WithinArgs {
    /// Compare only documents with the same value in FIELD, or in each of several fields, such as dump,language
    ///
    /// Documents without the field are compared with each other. Empty values and null count as missing. Values are compared as they
    /// are written: 1 is not 1.0. In a WARC file a field is a header.
    #[arg(
        long,
        value_name = "FIELD",
        value_delimiter = ',',
        value_parser = clap::builder::NonEmptyStringValueParser::new(),
        help_heading = "Similarity"
    )]
    pub(crate) within: Vec<String>,
}
