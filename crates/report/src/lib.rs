//! What was found, in every form: figures, rows of lists, examples, and pages of HTML.
//!
//! `summary` has the figures of each verb, `lists` the rows of its lists, `findings` what a page of it shows, and `page`
//! makes that page. `returned` is what a caller in the same process gets. `comparison` has two compared texts as JSON and
//! as a page, and `audit` the screens, lists and report of a website.
//!
//! Texts are untrusted. They reach a page only through [`Shown`], and its title only through [`visible`]. Both replace
//! characters that could hide or reorder text by their names, and [`Shown`] escapes markup. A page is a string that needs
//! no other file and no network. Its policy names its style, and its script if it has one, by their hashes.
//!
//! Not for: finding near-duplicates (`engine`), giving files their names (`batch`), or serving pages (`crawl`).
#![forbid(unsafe_code)]

#[cfg(feature = "audit")]
pub mod audit;
mod comparison;
mod findings;
mod frame;
mod lists;
mod marked;
mod numbers;
mod page;
mod returned;
mod run;
mod shown;
mod similarity;
mod summary;
mod words;

pub use comparison::{ComparedTexts, ComparisonPage, Figure, NamedText, counted_tokens, figures};
pub use findings::{Findings, ListedPairs, PairFindings};
pub use lists::{
    COLUMNS_OF_CLUSTERS, COLUMNS_OF_INTERVAL, OutputContext, columns_of_pairs, columns_of_removed,
    columns_of_score, score_cells, score_column, score_column_of_removed, write_clusters, write_pairs,
    write_removed,
};
pub use numbers::{count, several};
pub use page::{dedup_page, found_page, pairs_page};
pub use returned::{Details, ReturnedDecisions, ReturnedPairs, ReturnedSketches, SimilarDocument};
pub use shown::{Shown, visible};
pub use similarity::{compared_by, similar_when, sketched_by};
pub use summary::{
    AgainstSummary, CompareSummary, CutSummary, DedupSummary, EffortSummary, FoundSummary,
    FrequenciesSummary, IdsSummary, LooseCluster, NoFigures, PairsSummary, ReadSummary, RecallSummary,
    RemovalSummary, ScanSummary, SimilarSummary, SketchSummary, Skips, SpansSummary, TuneSummary,
    hashed_plan, searched_plan, warnings, weighted_plan,
};
pub use words::{as_typed, frequent_in, percent, removed_text, size};
