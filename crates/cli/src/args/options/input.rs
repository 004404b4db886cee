//! The documents to read, and how their files are read.

use crate::args::usage::Usage;
use clap::{Args, ValueEnum};
use lookalike::text::SECTION_SEPARATOR;
use lookalike_batch::record_size;
use lookalike_corpus::{Delimiter, Quoting, TextFields};
use lookalike_html::Extract;
use std::convert::Infallible;

#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Files, folders, quoted globs, s3://BUCKET/KEY, gs://BUCKET/KEY, https://HOST/FILE, or - for standard input
    ///
    /// Formats: .jsonl .ndjson .json .parquet .arrow .feather .csv .tsv .warc .wet .arc .wacz .tar .html .htm .txt .md. All but Parquet and Arrow may
    /// be compressed: .gz .zst .bz2 .xz .lz4. A JSON file has an object a line, or one array of objects if it ends in .json. In a WARC file the documents are
    /// successful responses, resources and conversions of HTML or plain text. HTML is compared by its visible text.
    ///
    /// A prefix in a bucket is a folder. Credentials and endpoints come from the usual variables of the environment, such as
    /// AWS_ACCESS_KEY_ID, AWS_REGION, AWS_ENDPOINT_URL and GOOGLE_APPLICATION_CREDENTIALS.
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) fields: FieldArgs,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct FieldArgs {
    /// The field or column of the text, in JSON, Parquet and Arrow also a nested one, such as meta.text; several are separated by commas
    ///
    /// A document of several fields has the texts of all of them, in this order. There, paragraphs[] stands for the texts of a list, and
    /// 'messages[].content' for a field of the objects of a list. No shingle goes from one of these texts to the next, unless --join says so.
    #[arg(long, value_name = "FIELD", value_delimiter = ',', default_value = "text", help_heading = "Input")]
    pub(crate) text_field: Vec<String>,

    /// Join the texts of several fields, or of a list, with TEXT between them, such as ' ' or '\n', so that shingles go on
    #[arg(long, value_name = "TEXT", value_parser = with_line_ends, help_heading = "Input")]
    pub(crate) join: Option<String>,

    /// The field or column of the id; a document without it has the id path:line
    ///
    /// A text file or a page has its path as the id, and a sample of a tar archive its name. In a WARC file the field is a header, and id stands for WARC-Target-URI. A
    /// document without the header has the id path:N, where N is the number of its record.
    #[arg(long, value_name = "FIELD", default_value = "id", help_heading = "Input")]
    pub(crate) id_field: String,

    /// The delimiter of CSV and TSV, one ASCII character or the word tab [default: a comma in .csv, a tab in .tsv]
    #[arg(long, value_name = "CHARACTER", help_heading = "Input")]
    pub(crate) delimiter: Option<Delimiter>,

    /// Read the fields of CSV and TSV without quotes: a quote is text, and each line is a record
    ///
    /// With --escape '\', a backslash makes a delimiter or a line end text: ClickHouse and Miller write such TSV.
    #[arg(long, value_enum, value_name = "none", hide_possible_values = true, help_heading = "Input")]
    pub(crate) quote: Option<QuoteArg>,

    /// In quoted fields of CSV and TSV, take a backslash before a quote or a backslash as an escape, as Spark writes it
    ///
    /// With --quote none, a backslash escapes delimiters, line ends and itself, or begins \t and \n: ClickHouse, Miller, MySQL and
    /// PostgreSQL write so.
    #[arg(long, value_enum, value_name = r"'\'", hide_possible_values = true, help_heading = "Input")]
    pub(crate) escape: Option<EscapeArg>,

    /// The part of the text of HTML pages that is compared, in HTML and WARC files
    ///
    /// A page of a site has its menus and its footer in common with all others. Without them, only the texts that differ are compared.
    #[arg(long, value_enum, default_value_t = ExtractArg::All, help_heading = "Input")]
    pub(crate) extract: ExtractArg,

    /// In WARC files, read also records about the crawl, whose target is no address of http, https or ftp
    ///
    /// Crawlers store their arguments, their log and the text of each page beside the pages: wget under metadata://gnu.org/, Browsertrix
    /// under urn:text:.
    #[arg(long, help_heading = "Input")]
    pub(crate) all_records: bool,

    /// Skip records of more bytes, such as 500MiB, up to 2GiB [default: 240MiB, or 1/32 of --memory if that is less]
    ///
    /// A record is a line, a row, the file of one document, or the content of a WARC record. A longer record is skipped without being
    /// held in memory, and reported. A record may have up to 2 GiB, and its text up to 240 MiB.
    #[arg(long, value_name = "SIZE", value_parser = record_size, help_heading = "Input")]
    pub(crate) max_record: Option<u64>,

    /// Stop at the first bad record instead of skipping it
    #[arg(long, help_heading = "Input")]
    pub(crate) strict: bool,
}

/// A text in which `\n` is a line end, and `\t` a tab.
fn with_line_ends(text: &str) -> Result<String, Infallible> {
    Ok(text.replace(r"\n", "\n").replace(r"\t", "\t"))
}

impl FieldArgs {
    /// The fields of the text.
    ///
    /// # Errors
    /// [`Usage`] if a name is empty.
    pub(crate) fn text_fields(&self) -> Result<TextFields, Usage> {
        self.as_text_fields("--text-field", self.text_field.clone())
    }

    /// Refuses `--join` where nothing is to be joined. `others` are the fields of `--against`, if it has others.
    ///
    /// # Errors
    /// [`Usage`].
    pub(crate) fn check_join(&self, others: Option<&TextFields>) -> Result<(), Usage> {
        let fields = self.text_fields()?;
        match self.join.is_some() && !fields.are_several() && !others.is_some_and(TextFields::are_several) {
            true => Err(Usage(format!(
                "--join goes between the texts of several fields or of a list, and --text-field names one text: {fields}"
            ))),
            false => Ok(()),
        }
    }

    /// The fields that `option` names.
    ///
    /// # Errors
    /// [`Usage`] if a name is empty.
    pub(crate) fn as_text_fields(&self, option: &str, names: Vec<String>) -> Result<TextFields, Usage> {
        if names.iter().any(String::is_empty) {
            return Err(Usage(format!("{option} {}: a name is empty", names.join(","))));
        }
        let between = self.join.clone().unwrap_or_else(|| SECTION_SEPARATOR.to_string());
        Ok(TextFields::new(names, between))
    }

    /// How the fields of tables are quoted.
    ///
    /// # Errors
    /// [`Usage`] if the delimiter behind a backslash may be an escape of another character.
    pub(crate) fn quoting(&self) -> Result<Quoting, Usage> {
        Ok(match (self.quote, self.escape) {
            (Some(QuoteArg::None), Some(EscapeArg::Backslash)) => {
                let delimiter = self.delimiter.map(|delimiter| delimiter.to_string()).unwrap_or_default();
                if matches!(delimiter.as_bytes(), [byte] if byte.is_ascii_alphanumeric() || *byte == b'\\') {
                    return Err(Usage(format!(
                        "--delimiter {delimiter} cannot be told from an escape; give another one, or leave out --escape"
                    )));
                }
                Quoting::Backslashes
            }
            (Some(QuoteArg::None), None) => Quoting::None,
            (None, Some(EscapeArg::Backslash)) => Quoting::Escaped,
            (None, None) => Quoting::Doubled,
        })
    }
}

/// The value of `--quote`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum QuoteArg {
    None,
}

/// The value of `--escape`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EscapeArg {
    #[value(name = r"\")]
    Backslash,
}

/// The values of `--extract`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtractArg {
    /// All visible text
    All,
    /// The text outside navigation, header, footer, asides and forms; only <main> and <article> if they hold much of it
    Blocks,
    /// The main content, such as the article without its menus, comments and teasers
    Main,
}

impl ExtractArg {
    pub(crate) fn extract(self) -> Extract {
        match self {
            ExtractArg::All => Extract::All,
            ExtractArg::Blocks => Extract::Blocks,
            ExtractArg::Main => Extract::Main,
        }
    }
}
