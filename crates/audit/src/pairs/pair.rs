//! A pair of pages with its scores, band and class.

use crate::ScoreWeights;
use lookalike::compare::Overlap;

/// A pair of pages, and what they have in common.
///
/// All shares are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PagePair {
    /// The page whose URL comes first.
    pub a: u32,
    /// The other page.
    pub b: u32,
    /// The words of each page that lie in passages of five words or more that the other page has too.
    pub matched_words: [u32; 2],
    /// The share of each page's scored words that are matched.
    pub percent: [f64; 2],
    /// The Jaccard similarity of shingles of five words.
    pub jaccard: f64,
    /// The share of the smaller set of shingles that the other page has.
    pub containment: f64,
    /// The Jaccard similarity of words, each as often as it occurs.
    pub word_jaccard: f64,
    /// The ratio of the longest common subsequence of words.
    pub sequence: SequenceRatio,
    /// The weighted mean of Jaccard similarity, word Jaccard similarity and sequence ratio.
    pub score: f64,
    /// The class.
    pub class: PairClass,
}

/// Twice the length of the longest common subsequence, as a share of the words of both texts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequenceRatio {
    /// The least that it can be. Scores use this.
    pub at_least: f64,
    /// The most that it can be. It is greater only if the texts are too long to compare to the end.
    pub at_most: f64,
}

impl SequenceRatio {
    /// The ratio, if it is known, and not only bounds of it.
    pub fn exact(self) -> Option<f64> {
        self.is_known().then_some(self.at_least)
    }

    /// Whether the ratio is known, and not only bounds of it.
    pub fn is_known(self) -> bool {
        self.at_least == self.at_most
    }
}

/// The band of a headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Band {
    /// Less than 40 %.
    Background,
    /// 40 to 60 %.
    Partial,
    /// 60 to 80 %.
    Substantial,
    /// 80 to 95 %.
    High,
    /// 95 to 100 %.
    NearIdentical,
}

impl Band {
    /// All bands, the lowest first.
    pub const ALL: [Band; 5] =
        [Band::Background, Band::Partial, Band::Substantial, Band::High, Band::NearIdentical];

    /// The band of a share from 0 to 1.
    pub fn of(share: f64) -> Self {
        match share {
            share if share >= 0.95 => Band::NearIdentical,
            share if share >= 0.8 => Band::High,
            share if share >= 0.6 => Band::Substantial,
            share if share >= 0.4 => Band::Partial,
            _ => Band::Background,
        }
    }

    /// The name in lists.
    pub fn name(self) -> &'static str {
        match self {
            Band::Background => "0-40",
            Band::Partial => "40-60",
            Band::Substantial => "60-80",
            Band::High => "80-95",
            Band::NearIdentical => "95-100",
        }
    }
}

/// The class of a pair: how one page repeats the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PairClass {
    /// Their scored words are equal.
    Exact,
    /// At least 80 % of each is in the other.
    Near,
    /// At least 60 % of each is in the other.
    Substantial,
    /// At least 80 % of one is in the other, and less than 60 % of the other in it.
    Contained,
    /// Most of their words are the same, in another order.
    Reordered,
    /// None of the others.
    Partial,
    /// One of them has little text but template.
    TemplateOnly,
}

impl PairClass {
    /// The name in lists.
    pub fn name(self) -> &'static str {
        match self {
            PairClass::Exact => "exact",
            PairClass::Near => "near",
            PairClass::Substantial => "substantial",
            PairClass::Contained => "contained",
            PairClass::Reordered => "reordered",
            PairClass::Partial => "partial",
            PairClass::TemplateOnly => "template-only",
        }
    }
}

/// The word share from which texts with another order of words are reordered, as 2·M/T like the sequence ratio.
const REORDERED: f64 = 0.8;

/// The least difference between word share and sequence ratio of reordered texts.
const OUT_OF_ORDER: f64 = 0.2;

/// The counts that all scores follow from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairCounts {
    /// The words of each text.
    pub(crate) words: [u32; 2],
    /// The words of each text in shared shingles.
    pub(crate) matched: [u32; 2],
    /// The distinct shingles of each text.
    pub(crate) distinct: [u32; 2],
    /// Distinct common shingles.
    pub(crate) shingles: u32,
    /// Common words, each as often as both have it.
    pub(crate) common_words: u32,
    /// Bounds of the length of the longest common subsequence.
    pub(crate) sequence: [u32; 2],
    /// Whether the two have the same words in the same order.
    pub(crate) is_exact: bool,
    /// Whether one of them has little text but template.
    pub(crate) is_template: bool,
}

impl PairCounts {
    /// The scores of the pages `a` and `b`, which have these counts.
    pub(crate) fn pair(&self, a: u32, b: u32, weights: &ScoreWeights) -> PagePair {
        let ratio = |part: u32, whole: u32| if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) };
        let overlap = |common, [left, right]: [u32; 2]| Overlap { common, left, right };
        let shingles = overlap(self.shingles, self.distinct);
        let jaccard = shingles.jaccard().value();
        let word_jaccard = overlap(self.common_words, self.words).jaccard().value();
        let total = self.words[0] + self.words[1];
        let [at_least, at_most] = self.sequence.map(|length| ratio(2 * length, total));
        let sequence = SequenceRatio { at_least, at_most };
        let percent = [0, 1].map(|side| ratio(self.matched[side], self.words[side]));
        let sum = weights.jaccard + weights.word_jaccard + weights.sequence;
        let weighed =
            weights.jaccard * jaccard + weights.word_jaccard * word_jaccard + weights.sequence * at_least;
        let score = if sum > 0.0 { (weighed / sum).clamp(0.0, 1.0) } else { 0.0 };
        let word_share = ratio(2 * self.common_words, total);
        let class = self.class(percent, word_share, at_most);
        let containment = shingles.containment().value();
        let matched_words = self.matched;
        PagePair { a, b, matched_words, percent, jaccard, containment, word_jaccard, sequence, score, class }
    }

    fn class(&self, percent: [f64; 2], word_share: f64, sequence: f64) -> PairClass {
        let (least, most) = (percent[0].min(percent[1]), percent[0].max(percent[1]));
        if self.is_exact {
            PairClass::Exact
        } else if self.is_template {
            PairClass::TemplateOnly
        } else if word_share >= REORDERED && word_share - sequence >= OUT_OF_ORDER {
            PairClass::Reordered
        } else if least >= 0.8 {
            PairClass::Near
        } else if least >= 0.6 {
            PairClass::Substantial
        } else if most >= 0.8 {
            PairClass::Contained
        } else {
            PairClass::Partial
        }
    }
}

impl PagePair {
    /// The headline: the larger of both shares.
    ///
    /// If all words of a short page are on a long one, the short page says nothing of its own, however small its share
    /// of the long one is. The least of both shares, or their mean, would hide that.
    pub fn headline(&self) -> f64 {
        self.percent[0].max(self.percent[1])
    }

    /// The smaller of both shares: how well each page could stand for the other.
    pub fn mutual(&self) -> f64 {
        self.percent[0].min(self.percent[1])
    }

    /// The band of the headline.
    pub fn band(&self) -> Band {
        Band::of(self.headline())
    }
}
