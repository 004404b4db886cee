//! The page that shows what a run did and found.
//!
//! It knows nothing of how that was done: whoever ran it fills in a [`RunPage`].

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

/// What the page of a run shows.
#[derive(Clone, Debug)]
pub struct RunPage<'a> {
    /// What was read: as it was named on the command line.
    pub inputs: &'a [String],
    /// What was done, in a few sentences.
    pub done: Vec<String>,
    /// What was counted.
    pub figures: Vec<Figure>,
    /// By which plan.
    pub plan: Vec<Figure>,
    /// How long it took, and what it took. Nothing else of the page differs from run to run.
    pub effort: Vec<Figure>,
    /// Records that could not be read, the first of them: where, and why.
    pub skipped: Vec<(&'a str, &'a str)>,
    /// How many they are in all.
    pub skipped_in_all: u64,
    /// How similar removed documents and kept ones are.
    pub removed: Histogram,
    /// How many of the removed are similar to the kept one by way of others only.
    pub below: u64,
    /// How similar the pairs are that were found.
    pub links: Histogram,
    /// How likely those were to be found.
    pub curve: Option<CurveOfPage>,
    /// What there is to say of that chance, above all if there is no curve.
    pub search: String,
    /// Clusters by size.
    pub clusters: Vec<SizeClass>,
    /// Buckets by size.
    pub buckets: Vec<SizeClass>,
    /// Removed documents that only just reach the threshold.
    pub closest: Vec<PairOfPage<'a>>,
    /// The largest clusters.
    pub largest: Vec<ClusterOfPage<'a>>,
    /// The clusters that hang together least.
    pub loosest: Vec<ClusterOfPage<'a>>,
}

/// A cluster as the page shows it.
#[derive(Clone, Debug)]
pub struct ClusterOfPage<'a> {
    /// How many documents it has.
    pub documents: u64,
    /// How similar removed ones and the kept one are, on average.
    pub mean: String,
    /// Some of the removed documents.
    pub members: Vec<MemberOfPage<'a>>,
    /// The kept document and the removed one least similar to it.
    pub pair: PairOfPage<'a>,
}

/// A removed document as it is listed.
#[derive(Clone, Debug)]
pub struct MemberOfPage<'a> {
    /// What it is called.
    pub id: &'a str,
    /// How similar it and the kept one are.
    pub score: String,
}

/// A removed document beside the kept one.
#[derive(Clone, Debug)]
pub struct PairOfPage<'a> {
    /// The number of their cluster.
    pub cluster: u64,
    /// What was kept, and what was removed.
    pub texts: [TextOfPage<'a>; 2],
    /// Was the first of them kept? If nothing of the cluster was, it was removed too.
    pub stays: bool,
    /// How similar they are.
    pub score: String,
    /// How much of the removed one the kept one contains, if it is known.
    pub containment: Option<String>,
    /// What they share.
    pub passages: &'a Passages,
}

/// A text as the page shows it.
#[derive(Clone, Copy, Debug)]
pub struct TextOfPage<'a> {
    /// What it is called.
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
    /// HTML.
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
    /// Names it within the page.
    id: String,
    cluster: Option<&'a ClusterOfPage<'a>>,
    pair: &'a PairOfPage<'a>,
    sides: [SideOfExample<'a>; 2],
}

struct SideOfExample<'a> {
    id: String,
    /// What became of it.
    role: &'static str,
    name: Name<'a>,
    excerpt: Excerpt<'a>,
}

/// The start of an id: nobody reads more, and it may be anything.
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

/// Inputs that are named; others are counted.
const INPUTS: usize = 5;

impl RunPage<'_> {
    /// The page as HTML: one file that needs nothing else.
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
                same => format!(
                    " Not drawn: {} in which nothing differs by this measure.",
                    several(same, "document")
                ),
            };
            let below = match self.below {
                0 => String::new(),
                below => format!(
                    " Beyond the limit: {}, which are similar to the kept one only by way of others of their cluster.",
                    several(below, "document")
                ),
            };
            sections.push(Section {
                id: "removed",
                heading: "How similar removed documents are to what was kept",
                text: format!("Each removed document counts once, by its {measure} to the one kept instead of it.{same}{below}"),
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
            heading: "What the search finds, and what it found",
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

    /// How large clusters and buckets are, if there are any.
    fn sizes(&self) -> Option<Section> {
        let mut sizes = Vec::new();
        if !self.clusters.is_empty() {
            sizes.push(sizes::chart(SizeKind::Cluster, &self.clusters).to_html());
        }
        if !self.buckets.is_empty() {
            sizes.push(sizes::chart(SizeKind::Bucket, &self.buckets).to_html());
        }
        let buckets = "A bucket holds documents that the search brings together; of all bands together, those of one document not \
                       counted. Very large ones slow a run down, and tell of texts made from one template.";
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
                text: "Of every cluster the removed document that is nearest to the limit, the nearest first. If these should \
                       stay, the limit is not strict enough.",
                examples: of_pairs.collect(),
            },
            ExamplesOfPage {
                id: "loosest",
                heading: "The loosest clusters",
                text: "Clusters of three or more with the removed documents that are least similar to the kept one; the least similar one is shown \
                       beside it. What is beyond the limit hangs together by way of others.",
                examples: of_clusters("l", &self.loosest),
            },
            ExamplesOfPage {
                id: "largest",
                heading: "The largest clusters",
                text: "Each with the kept document and the removed one that is least similar to it.",
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

/// The example whose anchors start with `letter` and its number.
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
