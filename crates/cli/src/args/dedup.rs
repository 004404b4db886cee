use super::{AuditArgs, InputArgs, RunArgs, SimilarityArgs, SpaceArgs, WithinArgs};
use clap::{Args, ValueEnum};
use lookalike_engine::request::Keep;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  lookalike dedup crawl.jsonl -o clean.jsonl
  lookalike dedup shards/ -o clean/ --removed removed.csv
  lookalike dedup 'news-*.parquet' -o clean/ --keep max:score --threshold 0.7 --cluster star
  lookalike dedup 'CC-MAIN-*.warc.gz' -o kept/ --removed removed.csv
  lookalike dedup notes/ -o kept/ --keep longest --min-containment 0.95
  lookalike dedup crawl.jsonl --dry-run --report report.html
  lookalike dedup crawl.jsonl -o clean.jsonl --within dump,language
  lookalike dedup train/ -o clean/ --against tests/ --against-containment 0.8 --removed removed.csv
  lookalike dedup today.jsonl -o new.jsonl --against archive.index --update --removed seen.csv
  lookalike dedup 's3://crawl/2026-*/*.parquet' -o s3://clean/2026/ --removed removed.csv
  zcat pages.jsonl.gz | lookalike dedup - -o - > clean.jsonl

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Remove what is like these documents too, of which none is written or removed; several as --against X --against Y
    ///
    /// A file, a folder or a quoted glob, in any format; or an index of lookalike index build, alone. It is as if they came before the inputs and were kept in any case,
    /// whatever --keep says: a test set of which nothing may be in the training data, or what you have already.
    #[arg(long, value_name = "INPUT", help_heading = "Input")]
    pub(crate) against: Vec<String>,

    /// Add the inputs to the index that --against names, when the outputs are written: those too that are removed
    ///
    /// The index is then as if its documents and the inputs had been read in one run.
    #[arg(long, requires = "against", conflicts_with = "dry_run", help_heading = "Output")]
    pub(crate) update: bool,

    /// Remove a document also if it contains one of --against, or is contained in one: this share of the shorter one's shingles is
    /// in the other
    ///
    /// Finds the test question in the long training document. None is missed; it takes one more reading of all inputs, and
    /// memory for the shingles of --against. What is removed so is kept for no other document.
    #[arg(long, value_name = "0..1", value_parser = some_share, requires = "against", help_heading = "What is similar")]
    pub(crate) against_containment: Option<f64>,

    /// With --against-containment: how many different shingles the shorter one has at least
    ///
    /// Fewer are often shared by chance. Four of five words each are eight words in a row.
    #[arg(
        long,
        value_name = "N",
        default_value = "4",
        value_parser = clap::value_parser!(u32).range(1..),
        requires = "against_containment",
        help_heading = "What is similar"
    )]
    pub(crate) against_shingles: u32,

    /// Where the kept documents go: a file if the name ends like a format, otherwise a folder; - is standard output
    ///
    /// In a folder each input has a file of its own name; of a quoted glob that is the path from the first wildcard on.
    ///
    /// It may be s3://BUCKET/PREFIX or gs://BUCKET/PREFIX, as may all that is written; what is there is replaced when all
    /// is complete, not before.
    ///
    /// The format is that of the input, and kept JSONL lines are copied byte for byte. The name decides the
    /// compression: .gz .zst .bz2 .xz. Of a WARC file all records are copied that are no documents, also those that belong to
    /// a removed one; in .warc.gz each record is a gzip member of its own. Pages and text files are copied to a folder.
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write only the summary and the report, whatever other outputs are named
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Keep every document, and add the fields cluster, kept, kept_id, jaccard, containment and duplicate_count
    ///
    /// The duplicate_count of a document is how many other documents its cluster has, those of --against too: 0 if it has no near-duplicate.
    ///
    /// With another measure the field is called like it: word_jaccard, cosine, overlap; or hamming.
    #[arg(long, help_heading = "Output")]
    pub(crate) annotate: bool,

    /// List the removed documents: id, kept_id, cluster, jaccard with the kept one, containment in it, and the words that are
    /// lost: uncovered_words, uncovered
    ///
    /// With --against-containment there is a column against_containment, too: how much of the shorter of the two is in the other,
    /// if that is why the document was removed.
    ///
    /// Uncovered are the words that no shingle shared with the kept document covers: how many, and the first 50 of them, with
    /// … between those that do not follow one another, and (+12) for twelve more.
    ///
    /// Format by the name: .jsonl .csv .tsv .parquet.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) removed: Option<PathBuf>,

    /// List the members of all clusters of two or more: id, cluster, kept
    ///
    /// Format by the name: .jsonl .csv .tsv .parquet.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) clusters: Option<PathBuf>,

    /// Write a page to look at: numbers, charts, and examples with both texts side by side
    ///
    /// One HTML file, which needs no network and no script. It holds parts of documents.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Which documents of a cluster to keep: first, last, longest, max:FIELD, min:FIELD, none, or a number
    ///
    /// The longest one has the most bytes. Fields hold numbers, also as text, exact to 15 digits; documents without a number are kept last.
    /// Of equals the first one is kept.
    ///
    /// --keep 3 keeps the first three; the others are compared with the first. --keep none removes all documents that have a near-duplicate.
    /// The lists then have no kept_id, and compare each document with the first of its cluster, and that with the second. Either way, where a
    /// document of --against is in a cluster, no other one is kept.
    #[arg(long, value_name = "POLICY", default_value = "first", value_parser = keep, help_heading = "Output")]
    pub(crate) keep: Keep,

    /// Remove a document only if this share of its shingles is in the kept one
    ///
    /// What the kept document of a cluster does not contain stays: the preferred one of the others is kept too, and so on.
    #[arg(long, value_name = "0..1", value_parser = share, help_heading = "Output")]
    pub(crate) min_containment: Option<f64>,

    /// What makes a cluster of pairs
    #[arg(long, default_value = "union", help_heading = "What is similar")]
    pub(crate) cluster: ClusterArg,

    #[command(flatten)]
    pub(crate) within: WithinArgs,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ClusterArg {
    /// Whatever hangs together by pairs: a removed document may be less like the kept one than the threshold
    Union,
    /// A kept document and what makes a pair with it: nothing else is removed
    Star,
}

fn keep(text: &str) -> Result<Keep, String> {
    match text.split_once(':') {
        Some(("max", field)) if !field.is_empty() => Ok(Keep::Max(field.to_owned())),
        Some(("min", field)) if !field.is_empty() => Ok(Keep::Min(field.to_owned())),
        None if text == "first" => Ok(Keep::First),
        None if text == "last" => Ok(Keep::Last),
        None if text == "longest" => Ok(Keep::Longest),
        None if text == "none" => Ok(Keep::None),
        _ => match text.parse() {
            Ok(number) => Ok(Keep::Count(number)),
            Err(_) => {
                Err("use first, last, longest, max:FIELD, min:FIELD, none, or a number from 1".to_owned())
            }
        },
    }
}

fn some_share(text: &str) -> Result<f64, String> {
    share(text).ok().filter(|&share| share > 0.0).ok_or_else(|| "use a number above 0, up to 1".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "use a number from 0 to 1".to_owned())
}
