//! `lookalike dedup`

use crate::args::options::number::{positive, share, some_share};
use crate::args::options::{
    AboutArgs, AuditArgs, FrequentArgs, InputArgs, PageArgs, RunArgs, SimilarityArgs, SpaceArgs, WithinArgs,
};
use clap::{Args, ValueEnum};
use lookalike_engine::request::Keep;
use std::path::PathBuf;
use std::str::FromStr;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike dedup crawl.jsonl -o clean.jsonl
  lookalike dedup shards/ -o clean/ --removed removed.csv
  lookalike dedup 'news-*.parquet' -o clean/ --keep max:score --threshold 0.7 --cluster star
  lookalike dedup 'CC-MAIN-*.warc.gz' -o kept/ --removed removed.csv
  lookalike dedup notes/ -o kept/ --keep longest --min-containment 0.95
  lookalike dedup crawl.jsonl --dry-run --report report.html
  lookalike dedup crawl.jsonl -o clean.jsonl --within dump,language
  lookalike dedup train/ -o clean/ --against tests/ --against-containment 0.8 --removed removed.csv
  lookalike dedup new.jsonl -o rest.jsonl --against have.parquet --against-text-field body --only-against
  lookalike dedup today.jsonl -o new.jsonl --against archive.index --update --removed seen.csv
  lookalike dedup 's3://crawl/2026-*/*.parquet' -o s3://clean/2026/ --removed removed.csv
  zcat pages.jsonl.gz | lookalike dedup - -o - > clean.jsonl

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Also remove documents that are similar to the documents of INPUT; repeat it for several
    ///
    /// INPUT is a file, a folder or a quoted glob in any format, or one index made by lookalike index build. Its documents are
    /// neither written nor removed. They count as kept and come before the inputs, regardless of --keep. Use it for a test set that
    /// must not be in the training data, or for documents that you already have. With --within, an input is compared only with
    /// documents of INPUT that have the same value.
    #[arg(long, value_name = "INPUT", help_heading = "Input")]
    pub(crate) against: Vec<String>,

    /// The field or column of the text in --against, or several [default: the value of --text-field]
    #[arg(long, value_name = "FIELD", value_delimiter = ',', requires = "against", help_heading = "Input")]
    pub(crate) against_text_field: Vec<String>,

    /// The field or column of the id in --against [default: the value of --id-field]
    #[arg(long, value_name = "FIELD", requires = "against", help_heading = "Input")]
    pub(crate) against_id_field: Option<String>,

    /// Remove only documents that are similar to one of --against, and keep copies among the inputs
    ///
    /// A document is removed if it forms a pair with a document of --against, or for --against-containment. Similar documents of the
    /// inputs all stay if none of --against is similar to them.
    #[arg(long, requires = "against", conflicts_with_all = ["keep", "cluster"], help_heading = "Output")]
    pub(crate) only_against: bool,

    /// Add the inputs, kept and removed, to the index of --against when the outputs are written
    ///
    /// The index is then the same as if one run had read its documents and the inputs.
    #[arg(long, requires = "against", conflicts_with = "dry_run", help_heading = "Output")]
    pub(crate) update: bool,

    #[command(flatten)]
    pub(crate) about: AboutArgs,

    /// Also remove a document that contains one of --against, or is contained in one, by this share of the shorter one's shingles
    ///
    /// This finds every test question within a long training document. It reads all inputs once more, and holds the shingles of
    /// --against in memory. If a document is removed for containment, its near-duplicates are not removed with it.
    #[arg(long, value_name = "0..1", value_parser = some_share, requires = "against", help_heading = "Similarity")]
    pub(crate) against_containment: Option<f64>,

    /// Apply --against-containment only if the shorter document has N different shingles or more
    ///
    /// Fewer shingles are often shared by chance. Four shingles of five words are eight words in a row.
    #[arg(
        long,
        value_name = "N",
        default_value = "4",
        value_parser = positive::<u32>,
        requires = "against_containment",
        help_heading = "Similarity"
    )]
    pub(crate) against_shingles: u32,

    /// Write the kept documents to OUT: a file if it has the extension of a format, a folder if it has none or ends in /; - is standard output
    ///
    /// A folder gets a file for each input, with the name of the input. The name for a quoted glob is the path from its first
    /// wildcard on.
    ///
    /// Files that exist are replaced when all outputs are complete. Other files in the folder stay. A file is empty if nothing of its input
    /// is kept.
    ///
    /// All outputs may be at s3://BUCKET/PREFIX or gs://BUCKET/PREFIX.
    ///
    /// The output has the format of the input. Kept JSONL lines are copied byte for byte, and tables keep their delimiter. The extension decides the
    /// compression: .gz .zst .bz2 .xz .lz4. WARC records without a document, such as requests, are copied too, even if they belong to a
    /// removed document. In .warc.gz each record is a gzip member of its own. Pages and text files need a folder as OUT, and the files of a tar
    /// archive may go to another one.
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write only the summary and the report, and no documents and no lists
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Keep every document, and add the fields cluster, kept, kept_id, jaccard, containment and duplicate_count
    ///
    /// The duplicate_count is the number of other documents in the cluster, including the documents of --against. It is 0 if the
    /// document has no near-duplicate.
    ///
    /// With another measure, the field jaccard is called word_jaccard, cosine, overlap, hamming or jaccard_estimate.
    #[arg(long, help_heading = "Output")]
    pub(crate) annotate: bool,

    /// List the removed documents, each with its kept document and its words that no shared shingle covers [formats: .jsonl .csv
    /// .tsv .parquet]
    ///
    /// The columns are id, kept_id, cluster, jaccard (with the kept document), containment (in the kept document), uncovered_words
    /// and uncovered. With another measure, the column jaccard is called word_jaccard, cosine, overlap or hamming. With
    /// --verify=estimate it is jaccard_estimate, and estimate_low and estimate_high follow.
    ///
    /// A word is uncovered if no shingle shared with the kept document covers it. The column uncovered_words has the number of these
    /// words, and uncovered the first 50, with … at each gap, and (+12) for twelve more.
    ///
    /// With --against-containment the list also has against_containment. If the document was removed for containment, this is the
    /// share of the shorter document's shingles that the other one has.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) removed: Option<PathBuf>,

    /// List the members of all clusters of two or more: id, cluster, kept [formats: .jsonl .csv .tsv .parquet]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) clusters: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// Which documents of a cluster to keep: first, last, longest, max:FIELD, min:FIELD, none, or a number
    ///
    /// The longest document has the most bytes. The FIELD of max and min holds a number, exact to 34 digits, or a date or an instant of ISO 8601, possibly as text.
    /// Documents without a number are kept last. Among equals, the first is kept.
    ///
    /// --keep 3 keeps the first three, and compares the others with the first. --keep none removes all documents that have a
    /// near-duplicate. The lists then have no kept_id. The similarity in a row is to the first document of the cluster, and in
    /// the row of the first document to the second. If a cluster has a document of --against, all inputs in it are removed.
    #[arg(long, value_name = "POLICY", default_value = "first", value_parser = Keep::from_str, help_heading = "Output")]
    pub(crate) keep: Keep,

    /// Remove a document only if this share of its shingles is in the kept one
    ///
    /// The documents that the kept one does not contain form another cluster, which keeps one of them, and so on.
    #[arg(long, value_name = "0..1", value_parser = share, help_heading = "Output")]
    pub(crate) min_containment: Option<f64>,

    /// Which documents form a cluster
    #[arg(long, default_value = "union", help_heading = "Similarity")]
    pub(crate) cluster: ClusterArg,

    #[command(flatten)]
    pub(crate) within: WithinArgs,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) frequent: FrequentArgs,

    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClusterArg {
    /// All documents that a chain of pairs connects. A removed document may be less similar to the kept one than the threshold
    Union,
    /// The kept document and every document that forms a pair with it. No other document is removed
    Star,
}
