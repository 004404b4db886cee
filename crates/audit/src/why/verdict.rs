//! The verdict on a pair, as a value and as a sentence.

use std::fmt;

/// Whether two pages are reported as a pair, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairVerdict {
    /// They are reported.
    Reported {
        /// The larger share of matched words.
        headline: f64,
        /// The threshold.
        threshold: f64,
    },
    /// They share too little.
    Below {
        /// The larger share of matched words.
        headline: f64,
        /// The threshold.
        threshold: f64,
    },
    /// They share enough only with template blocks, which do not count.
    TemplateOnly {
        /// Shared words of the page that shares more, in template blocks.
        template: u32,
        /// All its shared words.
        shared: u32,
        /// All its words.
        words: u32,
        /// The larger share of matched words without template.
        headline: f64,
        /// The threshold.
        threshold: f64,
    },
    /// One of them has little but common words.
    MostlyCommon {
        /// Its common words.
        common: u64,
        /// All its words.
        words: u64,
    },
    /// One of them has too few scored words to judge.
    TooShort {
        /// Its scored words.
        words: u32,
        /// The words that are enough.
        least: u32,
    },
    /// Only pairs of different sites are compared.
    SameSite,
    /// They are one page.
    SamePage,
}

impl PairVerdict {
    /// Whether the pair is reported.
    pub fn is_reported(&self) -> bool {
        matches!(self, PairVerdict::Reported { .. })
    }
}

/// A share in percent, rounded down: 99.97 % is not shown as 100 %.
fn percent(share: f64) -> f64 {
    (share * 1000.0 + 1e-9).floor() / 10.0
}

/// The verdict as a sentence.
impl fmt::Display for PairVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PairVerdict::Reported { headline, threshold } if headline >= threshold => {
                write!(f, "Reported: {} % matched, at least {} %.", percent(headline), percent(threshold))
            }
            PairVerdict::Reported { headline, .. } => {
                write!(f, "Reported as background: {} % matched.", percent(headline))
            }
            PairVerdict::Below { headline, threshold } => {
                write!(f, "Not reported: {} % matched, below {} %.", percent(headline), percent(threshold))
            }
            PairVerdict::TemplateOnly { template, shared, .. } if template == shared => {
                write!(f, "Not reported: all {shared} words that they share are template.")
            }
            PairVerdict::TemplateOnly { template, shared, headline, threshold, .. } => write!(
                f,
                "Not reported: {template} of {shared} words that they share are template. Without it {} % are \
                 matched, below {} %.",
                percent(headline),
                percent(threshold)
            ),
            PairVerdict::MostlyCommon { common, words } => {
                write!(f, "Not reported: {common} of {words} words of a page are template.")
            }
            PairVerdict::TooShort { words, least } => write!(
                f,
                "Not reported: a page has {words} scored words. With fewer than {least}, only equal pages are."
            ),
            PairVerdict::SameSite => f.write_str("Not reported: only pages of different sites are compared."),
            PairVerdict::SamePage => f.write_str("Not reported: they are one page."),
        }
    }
}
