//! The fields that an index stores beside the text.

use clap::Args;
use lookalike_engine::request::AboutFields;

#[derive(Args, Debug)]
pub(crate) struct AboutArgs {
    /// The field or column of the URL, which the index stores; a URL that is not whole is left out
    ///
    /// The service finds a document by its URL, and may choose the canonical document of a cluster by it. In a WARC file the field is a
    /// header, and url stands for WARC-Target-URI.
    #[arg(long, value_name = "FIELD", default_value = "url", help_heading = "Index")]
    url_field: String,

    /// The field or column of the title, which the index stores
    #[arg(long, value_name = "FIELD", default_value = "title", help_heading = "Index")]
    title_field: String,

    /// The field or column of the priority as canonical document, a number, which the index stores
    #[arg(long, value_name = "FIELD", default_value = "priority", help_heading = "Index")]
    priority_field: String,

    /// The field or column of metadata, which the index stores: any JSON
    ///
    /// A column of a table or of Parquet is a text. A column of structs or lists is left out.
    #[arg(long, value_name = "FIELD", default_value = "meta", help_heading = "Index")]
    meta_field: String,
}

impl AboutArgs {
    pub(crate) fn fields(self) -> AboutFields {
        let AboutArgs { url_field: url, title_field: title, priority_field: priority, meta_field: meta } =
            self;
        AboutFields { url, title, priority, meta }
    }
}
