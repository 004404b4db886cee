use super::{AuditArgs, InputArgs, LikenessArgs, RunArgs};
use clap::{Args, ValueEnum};
use lookalike_batch::Keep;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  lookalike dedup crawl.jsonl -o clean.jsonl
  lookalike dedup shards/ -o clean/ --removed removed.csv
  lookalike dedup 'news-*.parquet' -o clean/ --keep max:score --threshold 0.7 --cluster star
  lookalike dedup notes/ -o kept/ --keep longest --min-containment 0.95
  lookalike dedup crawl.jsonl --dry-run --report report.html
  lookalike dedup 's3://crawl/2026-*/*.parquet' -o s3://clean/2026/ --removed removed.csv
  zcat pages.jsonl.gz | lookalike dedup - -o - > clean.jsonl

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Args, Debug)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Where the kept documents go: a file if the name ends like a format, otherwise a folder; - is standard output
    ///
    /// It may be s3://BUCKET/PREFIX or gs://BUCKET/PREFIX, as may all that is written; what is there is replaced when all
    /// is complete, not before.
    ///
    /// The format is that of the input, and kept JSONL lines are copied byte for byte. The name decides the
    /// compression: .gz .zst .bz2 .xz.
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write only the summary and the report, whatever other outputs are named
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// Keep every document, and add the fields cluster, kept, kept_id, jaccard and containment
    ///
    /// With another measure the field is called like it: word_jaccard, cosine, overlap; or hamming.
    #[arg(long, help_heading = "Output")]
    pub(crate) annotate: bool,

    /// List the removed documents: id, kept_id, cluster, jaccard with the kept one, containment in it, and the words that are
    /// lost: uncovered_words, uncovered
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

    /// Which document of a cluster to keep: first, last, longest, max:FIELD or min:FIELD
    #[arg(long, value_name = "POLICY", default_value = "first", value_parser = keep, help_heading = "Output")]
    pub(crate) keep: Keep,

    /// Remove a document only if this share of its shingles is in the kept one
    ///
    /// What the kept document of a cluster does not contain stays: the preferred one of the others is kept too, and so on.
    #[arg(long, value_name = "0..1", value_parser = share, help_heading = "Output")]
    pub(crate) min_containment: Option<f64>,

    /// What makes a cluster of pairs
    #[arg(long, default_value = "union", help_heading = "What is alike")]
    pub(crate) cluster: ClusterArg,

    #[command(flatten)]
    pub(crate) audit: AuditArgs,

    #[command(flatten)]
    pub(crate) likeness: LikenessArgs,

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
        _ => Err("use first, last, longest, max:FIELD or min:FIELD".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "use a number from 0 to 1".to_owned())
}
