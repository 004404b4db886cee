//! The page of a run: its settings, its results and examples.
//!
//! The caller fills in a [`RunPage`]. This module does not know how the results were found.

mod chart;
mod excerpt;
mod histogram;
mod scale;
mod sizes;

pub use histogram::{CurveOfPage, Histogram};
pub use sizes::{SizeClass, SizeKind};

use crate::comparison::Figure;
use crate::marked::{Marked, Side};
use crate::numbers::several;
use crate::shown::Shown;
use askama::Template;
use excerpt::Excerpt;
use lookalike::compare::Passages;

/// The contents of the page of a run.
#[derive(Clone, Debug)]
pub struct RunPage<'a> {
    /// The inputs, as the command line names them.
    pub inputs: &'a [String],
    /// A few sentences that say what the run did.
    pub done: Vec<String>,
    /// The counts of the run.
    pub figures: Vec<Figure>,
    /// The settings of the plan.
    pub plan: Vec<Figure>,
    /// Time and memory. Nothing else on the page differs between runs.
    pub effort: Vec<Figure>,
    /// The first records that were skipped: place and reason.
    pub skipped: Vec<(&'a str, &'a str)>,
    /// The number of all records that were skipped.
    pub skipped_in_all: u64,
    /// Removed documents by their similarity to the kept ones.
    pub removed: Histogram,
    /// The number of removed documents whose similarity to the kept one is below the threshold.
    pub below: u64,
    /// The pairs found, by similarity.
    pub links: Histogram,
    /// The probability that a pair is found, if the search can miss pairs.
    pub curve: Option<CurveOfPage>,
    /// A text on that probability. It is most needed if there is no curve.
    pub search: String,
    /// Clusters by size.
    pub clusters: Vec<SizeClass>,
    /// Buckets by size.
    pub buckets: Vec<SizeClass>,
    /// Removed documents that only just reach the threshold.
    pub closest: Vec<PairOfPage<'a>>,
    /// The largest clusters.
    pub largest: Vec<ClusterOfPage<'a>>,
    /// The clusters whose removed documents are least similar to the kept one.
    pub loosest: Vec<ClusterOfPage<'a>>,
}

/// A cluster as the page shows it.
#[derive(Clone, Debug)]
pub struct ClusterOfPage<'a> {
    /// The number of its documents.
    pub documents: u64,
    /// The mean similarity of removed documents and the kept one.
    pub mean: String,
    /// Some of the removed documents.
    pub members: Vec<MemberOfPage<'a>>,
    /// The kept document and the removed one least similar to it.
    pub pair: PairOfPage<'a>,
}

/// A removed document in the list of a cluster.
#[derive(Clone, Debug)]
pub struct MemberOfPage<'a> {
    /// Its name.
    pub id: &'a str,
    /// Its similarity to the kept one.
    pub score: String,
}

/// A removed document beside the kept one.
#[derive(Clone, Debug)]
pub struct PairOfPage<'a> {
    /// The number of their cluster.
    pub cluster: u64,
    /// The kept document and the removed one.
    pub texts: [TextOfPage<'a>; 2],
    /// Whether the first of them was kept. If no document of the cluster was kept, it was removed too.
    pub stays: bool,
    /// Their similarity or distance.
    pub score: String,
    /// The share of the removed document that the kept one contains, if known.
    pub containment: Option<String>,
    /// The passages that both have.
    pub passages: &'a Passages,
}

/// A text as the page shows it.
#[derive(Clone, Copy, Debug)]
pub struct TextOfPage<'a> {
    /// Its name.
    pub id: &'a str,
    /// The text, or its start.
    pub text: &'a str,
    /// Characters of the whole text.
    pub characters: u64,
}

#[derive(Template)]
#[template(path = "run.html")]
struct Page<'a> {
    run: &'a RunPage<'a>,
    inputs: String,
    charts: Vec<Section>,
    examples: Vec<ExamplesOfPage<'a>>,
    version: &'static str,
}

/// Charts under one heading.
struct Section {
    id: &'static str,
    heading: &'static str,
    text: String,
    /// The charts as HTML.
    charts: Vec<String>,
}

/// Examples of one kind.
struct ExamplesOfPage<'a> {
    id: &'static str,
    heading: &'static str,
    text: &'static str,
    examples: Vec<Example<'a>>,
}

/// An example: a cluster, or a pair.
struct Example<'a> {
    /// The example's id within the page.
    id: String,
    cluster: Option<&'a ClusterOfPage<'a>>,
    pair: &'a PairOfPage<'a>,
    sides: [SideOfExample<'a>; 2],
}

struct SideOfExample<'a> {
    id: String,
    /// Whether it was kept or removed.
    role: &'static str,
    name: Name<'a>,
    excerpt: Excerpt<'a>,
}

/// The start of an id. Ids come from the input and may have any length.
struct Name<'a>(&'a str);

impl Name<'_> {
    const CHARACTERS: usize = 200;
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.char_indices().nth(Self::CHARACTERS) {
            Some((end, _)) => write!(f, "{}…", Shown(&self.0[..end])),
            None => Shown(self.0).fmt(f),
        }
    }
}

/// The maximum number of inputs that the page names. It counts the others.
const INPUTS: usize = 5;

impl RunPage<'_> {
    /// The page as HTML, which needs no other file.
    pub fn to_html(&self) -> String {
        let inputs: Vec<String> =
            self.inputs.iter().take(INPUTS).map(|input| Name(input).to_string()).collect();
        let page = Page {
            run: self,
            inputs: inputs.join(", "),
            charts: self.charts(),
            examples: self.examples(),
            version: env!("CARGO_PKG_VERSION"),
        };
        page.render().expect("to write into a string cannot fail")
    }

    fn charts(&self) -> Vec<Section> {
        let measure = &self.removed.measure;
        let mut sections = Vec::new();
        if self.removed.total() + self.removed.same > 0 {
            let same = match self.removed.same {
                0 => String::new(),
                same => {
                    format!(" Not drawn: {} with no difference by this measure.", several(same, "document"))
                }
            };
            let below = match self.below {
                0 => String::new(),
                below => format!(
                    " {} beyond the limit joined a cluster only through other documents.",
                    several(below, "document")
                ),
            };
            sections.push(Section {
                id: "removed",
                heading: "How similar removed documents are to the kept ones",
                text: format!("Each removed document counts once, by its {measure} to the document kept instead.{same}{below}"),
                charts: vec![
                    self.removed
                        .chart("removed-by-score", format!("Removed documents by {measure}"), "document", "documents removed")
                        .to_html(),
                ],
            });
        }
        let links = self.links.total() > 0 || self.curve.is_some();
        sections.push(Section {
            id: "search",
            heading: "How well the search finds pairs, and the pairs it found",
            text: self.search.clone(),
            charts: links
                .then(|| {
                    let title = format!("Pairs found by {measure}");
                    self.links.chart_of_search("pairs-by-score", title, self.curve.as_ref()).to_html()
                })
                .into_iter()
                .collect(),
        });
        sections.extend(self.sizes());
        sections
    }

    /// The section on the sizes of clusters and buckets, if there are any.
    fn sizes(&self) -> Option<Section> {
        let mut sizes = Vec::new();
        if !self.clusters.is_empty() {
            sizes.push(sizes::chart(SizeKind::Cluster, &self.clusters).to_html());
        }
        if !self.buckets.is_empty() {
            sizes.push(sizes::chart(SizeKind::Bucket, &self.buckets).to_html());
        }
        let buckets = "A bucket holds documents that share a band key or a fingerprint, so their pairs are candidates. Buckets of \
                       all bands are counted, except those with a single document. Very large buckets slow a run down. They \
                       often hold texts made from one template.";
        (!sizes.is_empty()).then(|| Section {
            id: "sizes",
            heading: "How large clusters and buckets are",
            text: if self.buckets.is_empty() { String::new() } else { buckets.to_owned() },
            charts: sizes,
        })
    }

    fn examples(&self) -> Vec<ExamplesOfPage<'_>> {
        let of_pairs = self.closest.iter().enumerate().map(|(index, pair)| example("c", index, pair, None));
        let kinds = [
            ExamplesOfPage {
                id: "closest",
                heading: "Removed, but only just",
                text: "The removed document of every cluster that is nearest to the limit, the nearest first. If these documents \
                       should stay, the limit is not strict enough.",
                examples: of_pairs.collect(),
            },
            ExamplesOfPage {
                id: "loosest",
                heading: "The loosest clusters",
                text: "Clusters of three or more documents whose removed documents are least similar to the kept one. The least \
                       similar one is shown beside it. A pair beyond the limit is connected only through other documents of \
                       its cluster.",
                examples: of_clusters("l", &self.loosest),
            },
            ExamplesOfPage {
                id: "largest",
                heading: "The largest clusters",
                text: "Each cluster is shown with the kept document and the removed one least similar to it.",
                examples: of_clusters("g", &self.largest),
            },
        ];
        kinds.into_iter().filter(|kind| !kind.examples.is_empty()).collect()
    }
}

fn of_clusters<'a>(letter: &str, clusters: &'a [ClusterOfPage<'a>]) -> Vec<Example<'a>> {
    let all = clusters.iter().enumerate();
    all.map(|(index, cluster)| example(letter, index, &cluster.pair, Some(cluster))).collect()
}

/// An example whose anchors start with `letter` and its number.
fn example<'a>(
    letter: &str,
    index: usize,
    pair: &'a PairOfPage<'a>,
    cluster: Option<&'a ClusterOfPage<'a>>,
) -> Example<'a> {
    let id = format!("{letter}{}", index + 1);
    let side = |side: Side, index: usize, role| {
        let TextOfPage { id: name, text, characters } = pair.texts[index];
        SideOfExample {
            id: format!("{id}-{}", ["kept", "removed"][index]),
            role,
            name: Name(name),
            excerpt: Excerpt {
                marked: Marked { text, side, passages: &pair.passages.passages, of: format!("{id}-") },
                characters,
            },
        }
    };
    let left = if pair.stays { "kept" } else { "removed too" };
    let sides = [side(Side::Left, 0, left), side(Side::Right, 1, "removed")];
    Example { id, cluster, pair, sides }
}

#[cfg(test)]
mod tests;
