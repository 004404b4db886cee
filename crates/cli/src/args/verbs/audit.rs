//! `lookalike audit`

use super::serve::duration;
use crate::args::options::input::ExtractArg;
use crate::args::options::number::positive;
use crate::args::options::{FoldArg, stop_words};
use clap::{Args, ValueEnum};
use lookalike::text::{Fold, Folds};
use lookalike_audit::ScoreWeights;
use lookalike_crawl::Extent;
use lookalike_report::audit::Condition;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike audit https://example.org/ --report report.html
  lookalike audit https://example.org/docs/ --extent folder --pages pages.csv --pairs pairs.csv
  lookalike audit https://example.org/ --exclude '/tags/*' --max-pages 5000 --links links.xlsx
  lookalike audit https://example.org/ --serve
  lookalike audit public/ --pages pages.jsonl
  lookalike audit http://localhost:8080/ --fail-on 'duplicate>10%' --fail-on 'broken>0'

A figure of --fail-on is duplicate, common (percentages of words), exact, near, pairs, clusters, to-fix,
broken, redirects or skipped. The exit code is 4 if a condition holds.

A killed audit goes on with the same command. It fetches nothing again that is in its folder; --fresh does.
The exit code is 3 if the crawl has not ended, such as by --max-time.";

#[derive(Args, Debug)]
pub(crate) struct SiteAuditArgs {
    /// The site: its start page, such as https://example.org/, a folder of HTML files, or WARC files (a file or a pattern in quotes)
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,

    /// The folder for all that is crawled [default: HOST.audit, or NAME.audit for a folder or a file]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) state: Option<PathBuf>,

    /// Fetch all pages again, in place of what the folder has. Without it, a crawl that has ended is not fetched again
    #[arg(long)]
    pub(crate) fresh: bool,

    /// Stop after so many pages
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = positive::<u32>, help_heading = "Crawl")]
    pub(crate) max_pages: u32,

    /// Follow links up to so many links from the start page [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Crawl")]
    pub(crate) max_depth: Option<u32>,

    /// Stop the crawl after this time: 90s, 15m or 12h. The same command goes on [default: never]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Crawl")]
    pub(crate) max_time: Option<Duration>,

    /// Requests in flight to a host
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = positive::<usize>, help_heading = "Crawl")]
    pub(crate) connections: usize,

    /// Wait this time between two requests to a host, such as 1s. A longer Crawl-delay of robots.txt is kept [default: none]
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Crawl")]
    pub(crate) delay: Option<Duration>,

    /// What belongs to the site
    #[arg(long, value_enum, default_value_t = ExtentArg::Host, help_heading = "Crawl")]
    pub(crate) extent: ExtentArg,

    /// Crawl only pages whose path and query match this glob, such as '/blog/*'. May be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Crawl")]
    pub(crate) include: Vec<String>,

    /// Do not crawl pages whose path and query match this glob. May be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Crawl")]
    pub(crate) exclude: Vec<String>,

    /// Follow so many URLs that differ only in a query, a date or a number. Without limits, calendars and filters have no end [default: by kind]
    #[arg(long, value_name = "N", value_parser = positive::<u32>, help_heading = "Crawl")]
    pub(crate) max_variants: Option<u32>,

    /// Show pages that have hardly any text without their scripts in Chromium, and read them then
    #[arg(long, help_heading = "Crawl")]
    pub(crate) render: bool,

    /// Crawl what robots.txt forbids. Only for a site of your own
    #[arg(long, help_heading = "Crawl")]
    pub(crate) ignore_robots: bool,

    /// Crawl only pages that links lead to
    #[arg(long, help_heading = "Crawl")]
    pub(crate) no_sitemaps: bool,

    /// Follow links that say nofollow
    #[arg(long, help_heading = "Crawl")]
    pub(crate) follow_nofollow: bool,

    /// Report two pages if so much of one of them is on the other, in passages of --shingle words or more. 0.6 is 60%, and 1 is 100%
    #[arg(long, visible_alias = "min-similarity", value_name = "PERCENT", default_value = "60%", value_parser = percentage, help_heading = "Comparison")]
    pub(crate) threshold: f64,

    /// Words per shingle: the shortest passage that counts
    #[arg(long, value_name = "WORDS", default_value_t = 5, help_heading = "Comparison")]
    pub(crate) shingle: usize,

    /// Values of a MinHash signature, for the pairs that are told while the site is crawled. The audit itself is exact [default: 128]
    #[arg(long, value_name = "N", value_parser = positive::<usize>, help_heading = "Comparison")]
    pub(crate) num_perm: Option<usize>,

    /// Bands of such a signature [default: as many as find nearly all pairs from 60% on]
    #[arg(long, value_name = "N", value_parser = positive::<usize>, help_heading = "Comparison")]
    pub(crate) bands: Option<usize>,

    /// Values of such a band
    #[arg(long, value_name = "N", value_parser = positive::<usize>, help_heading = "Comparison")]
    pub(crate) rows: Option<usize>,

    /// The part of each page that is compared, without templates unless it is all
    #[arg(long, value_enum, default_value_t = ExtractArg::Blocks, help_heading = "Comparison")]
    pub(crate) extract: ExtractArg,

    /// What else does not count in texts, separated by commas [default: nothing]
    #[arg(long, value_delimiter = ',', help_heading = "Comparison")]
    fold: Vec<FoldArg>,

    /// Stop words, which do not count: languages (de en es fr it ja nl pl pt ru sv zh) or files of words, separated by commas
    #[arg(long, value_name = "LANG|FILE", value_delimiter = ',', help_heading = "Comparison")]
    stop_words: Vec<String>,

    /// Compare the pages with those of another site, whose crawl is in this folder. Only pairs of pages of different sites are reported
    #[arg(long, value_name = "STATE", conflicts_with = "against", help_heading = "Comparison")]
    pub(crate) across: Option<PathBuf>,

    /// Report pairs of pages with little text but template too
    #[arg(long, help_heading = "Comparison")]
    pub(crate) template_pairs: bool,

    /// Pages with fewer words are too short to judge. They are reported only if their texts are equal
    #[arg(long, value_name = "WORDS", default_value_t = 50, help_heading = "Comparison")]
    pub(crate) least_words: u32,

    /// Report pairs with so many matched words too, whatever their share is, such as 100 [default: none]
    #[arg(long, value_name = "WORDS", help_heading = "Comparison")]
    pub(crate) background: Option<u32>,

    /// The weights of shingle Jaccard, word Jaccard and sequence ratio in the column score
    #[arg(long, value_name = "J,W,S", default_value = "0.5,0.2,0.3", value_parser = weights, help_heading = "Comparison")]
    pub(crate) weights: ScoreWeights,

    /// List all pages: CSV, TSV, JSONL, Parquet or XLSX, by the name of the file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) pages: Option<PathBuf>,

    /// List all pairs
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) pairs: Option<PathBuf>,

    /// List the clusters, with the page to keep and the reason
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) clusters: Option<PathBuf>,

    /// List URLs that were not crawled, with the rule
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) skipped: Option<PathBuf>,

    /// List all links, with the status of their targets
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) links: Option<PathBuf>,

    /// List what has changed: pages that are new, gone or changed, and pairs that are new, fixed or changed
    #[arg(long, value_name = "FILE", requires = "against", help_heading = "Output")]
    pub(crate) changes: Option<PathBuf>,

    /// Write the summary as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) summary: Option<PathBuf>,

    /// Write all results to one HTML file, to send on
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Show the results in a browser, while the crawl runs and afterwards, until Ctrl-C
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "127.0.0.1:0", help_heading = "Output")]
    pub(crate) serve: Option<SocketAddr>,

    /// Say what has changed since an earlier crawl of the same site, which is in this folder
    #[arg(long, value_name = "STATE", help_heading = "Output")]
    pub(crate) against: Option<PathBuf>,

    /// Exit with 4 if this holds, such as 'duplicate>10%'. May be repeated
    #[arg(long, value_name = "CONDITION", help_heading = "Output")]
    pub(crate) fail_on: Vec<Condition>,

    /// Print only errors: no progress, no summary
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl SiteAuditArgs {
    /// What else does not count.
    pub(crate) fn folds(&self) -> Folds {
        self.fold.iter().copied().map(Fold::from).collect()
    }

    /// The words that do not count.
    pub(crate) fn stop_words(&self) -> anyhow::Result<Vec<String>> {
        let lists = self.stop_words.iter().map(|list| stop_words(list));
        Ok(lists.collect::<anyhow::Result<Vec<_>>>()?.concat())
    }
}

/// See [`Extent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtentArg {
    /// The host of the start page
    Host,
    /// All hosts of its domain, such as www.example.org and docs.example.org
    Domain,
    /// The pages below the folder of the start page
    Folder,
}

impl From<ExtentArg> for Extent {
    fn from(extent: ExtentArg) -> Self {
        match extent {
            ExtentArg::Host => Extent::Host,
            ExtentArg::Domain => Extent::Domain,
            ExtentArg::Folder => Extent::Folder,
        }
    }
}

/// A share above 0: `60%`, `60`, or `0.6`.
fn percentage(text: &str) -> Result<f64, String> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        // No share is above 1, and hardly anybody means 1 % or less.
        None => text.parse().map(|number: f64| if number > 1.0 { number / 100.0 } else { number }),
    };
    let share = share.ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| {
        "use a percentage above 0 and up to 100, such as 60%, or a share such as 0.6".to_owned()
    })
}

fn weights(text: &str) -> Result<ScoreWeights, String> {
    let weights: Option<Vec<f64>> = text.split(',').map(|weight| weight.trim().parse().ok()).collect();
    match weights.as_deref() {
        Some(&[jaccard, word_jaccard, sequence])
            if [jaccard, word_jaccard, sequence]
                .iter()
                .all(|weight| weight.is_finite() && *weight >= 0.0)
                && jaccard + word_jaccard + sequence > 0.0 =>
        {
            Ok(ScoreWeights { jaccard, word_jaccard, sequence })
        }
        _ => Err("use three numbers from 0, such as 0.5,0.2,0.3".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_and_weights_are_read_and_others_have_a_remedy() {
        assert_eq!((percentage("60%"), percentage("0.6"), percentage("100 %")), (Ok(0.6), Ok(0.6), Ok(1.0)));
        assert_eq!((percentage("60"), percentage("1")), (Ok(0.6), Ok(1.0)));
        for text in ["", "0", "101", "101%", "-1%", "NaN", "x%"] {
            assert!(percentage(text).is_err(), "{text}");
        }
        assert_eq!(weights("1, 0,0.5"), Ok(ScoreWeights { jaccard: 1.0, word_jaccard: 0.0, sequence: 0.5 }));
        for text in ["", "1,1", "0,0,0", "1,-1,1", "1,1,1,1", "1,inf,1"] {
            assert!(weights(text).is_err(), "{text}");
        }
    }
}
