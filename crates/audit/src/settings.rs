//! The settings of an audit. All of them can be changed without a new crawl.

use super::BlockId;
use lookalike::text::Folds;
use lookalike::{Options, Plan, PlanError};
use lookalike_html::Extract;
use std::collections::BTreeMap;

/// The settings of an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditSettings {
    /// The share of a page's words, above 0 and up to 1, that another page must have in common passages. The pair is
    /// then reported. It is enough if this holds for one of the two pages.
    pub threshold: f64,
    /// Pairs with so many matched words are reported too, whatever their share is. 100 is a good number.
    pub background: Option<u32>,
    /// Pages with fewer scored words are too short to judge. They are reported only if their texts are equal.
    pub least_words: u32,
    /// The part of a page that is compared.
    pub content: Extract,
    /// What else does not count in texts.
    pub folds: Folds,
    /// Words that do not count, in any of the crate's languages or the user's.
    pub stop_words: Vec<String>,
    /// Blocks that the user switched on (`true`) or off. This overrides tags and votes.
    pub blocks: BTreeMap<BlockId, bool>,
    /// The rule that finds template blocks.
    pub template: TemplateSettings,
    /// The weights of the combined score.
    pub weights: ScoreWeights,
    /// The pairs that are compared.
    pub scope: PairScope,
    /// Whether to report pairs of pages that have little text but common content.
    pub template_pairs: bool,
    /// The words of a shingle, from 1 to 1,000: common passages have as many or more.
    pub shingle: usize,
    /// How pairs are found while a site is crawled.
    pub provisional: ProvisionalBands,
}

/// The MinHash signatures of pages while a site is crawled. The audit of all pages is exact, and has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProvisionalBands {
    /// The values of a signature, or 128.
    pub num_perm: Option<usize>,
    /// The bands of a signature, or as many as find nearly all pairs of similarity 0.6.
    pub bands: Option<usize>,
    /// The values of a band, likewise.
    pub rows: Option<usize>,
}

/// The pairs that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairScope {
    /// All pairs of pages.
    #[default]
    All,
    /// Pairs of pages of different sites only.
    Across,
}

/// The rule that finds template blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemplateSettings {
    /// The least number of clusters that have a template block. 0 switches template detection off.
    pub least_clusters: u32,
    /// The least share of the clusters in a group of pages that have a template block. Of all clusters of the site that
    /// have the block, this share must be in such groups.
    pub least_share: f64,
    /// The least number of pages in a group. In smaller groups only tags decide.
    pub least_pages: u32,
    /// The Jaccard similarity from which two pages are in the same cluster and have one vote.
    pub similarity: f64,
    /// Two pages with at least so many words that the other does not have are in different clusters. Pages of much
    /// template are.
    pub own_words: u32,
    /// A page that would keep fewer words keeps its template blocks.
    pub least_words: u32,
    /// A page that would keep a smaller share of its words keeps its template blocks.
    pub least_kept: f64,
    /// The members of a group that vote.
    pub voters: Voters,
    /// The part of a page in which blocks may be template.
    pub within: TemplatePlace,
}

/// The part of a page in which blocks may be template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TemplatePlace {
    /// Before and after the content. Labels between paragraphs stay.
    #[default]
    Edges,
    /// Everywhere.
    Anywhere,
}

/// The members of a group of pages that vote on its template blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Voters {
    /// Each cluster of near-duplicate pages has one vote.
    #[default]
    Clusters,
    /// Each page has one vote. A large cluster of duplicates then looks like a template. For comparisons only.
    Pages,
}

/// The weights of the measures in the combined score. They need not add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreWeights {
    /// The Jaccard similarity of shingles.
    pub jaccard: f64,
    /// The Jaccard similarity of words, each as often as it occurs.
    pub word_jaccard: f64,
    /// The ratio of the longest common subsequence. Most of the time of an audit goes there. With 0 it is not computed,
    /// and only bounds of it are known.
    pub sequence: f64,
}

/// The Jaccard similarity at which the bands of a crawl find nearly all pairs.
const PROVISIONAL_SIMILARITY: f64 = 0.6;

impl Default for AuditSettings {
    fn default() -> Self {
        AuditSettings {
            threshold: 0.6,
            background: None,
            least_words: 50,
            content: Extract::Blocks,
            folds: Folds::default(),
            stop_words: Vec::new(),
            blocks: BTreeMap::new(),
            template: TemplateSettings::default(),
            weights: ScoreWeights::default(),
            scope: PairScope::default(),
            template_pairs: false,
            shingle: 5,
            provisional: ProvisionalBands::default(),
        }
    }
}

impl Default for TemplateSettings {
    fn default() -> Self {
        TemplateSettings {
            least_clusters: 3,
            least_share: 0.8,
            least_pages: 20,
            similarity: 0.6,
            own_words: 50,
            least_words: 30,
            least_kept: 0.2,
            voters: Voters::default(),
            within: TemplatePlace::default(),
        }
    }
}

impl Default for ScoreWeights {
    fn default() -> Self {
        // Shingles say most about copied text. The other two see what is left after an edit.
        ScoreWeights { jaccard: 0.5, word_jaccard: 0.2, sequence: 0.3 }
    }
}

impl AuditSettings {
    /// The plan by which texts are cut and hashed.
    ///
    /// # Errors
    /// [`PlanError`] if the threshold or the shingle is out of range, or a stop word is several tokens.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        self.options(self.threshold).plan()
    }

    /// The plan by which pairs are found while a site is crawled.
    ///
    /// # Errors
    /// As [`AuditSettings::plan`], and if there are no such bands.
    pub fn provisional_plan(&self) -> Result<Plan, PlanError> {
        let ProvisionalBands { num_perm, bands, rows } = self.provisional;
        Options { num_perm, bands, rows, ..self.options(PROVISIONAL_SIMILARITY) }.plan()
    }

    fn options(&self, threshold: f64) -> Options {
        Options {
            threshold: Some(threshold),
            fold: Some(self.folds),
            stop_words: Some(self.stop_words.clone()),
            shingle: Some(self.shingle),
            ..Options::default()
        }
    }
}
