//! The page of a run: its settings, its results and examples.
//!
//! [`page`](crate::page) fills in a [`RunPage`]. This module lays it out.

mod chart;
mod examples;
mod excerpt;
mod histogram;
mod scale;
mod sizes;

pub(crate) use examples::{ExampleKind, ExamplesOfPage};
pub(crate) use histogram::PairHistogram;
pub(crate) use sizes::{SizeClass, SizeKind};

use crate::comparison::Figure;
use crate::findings::{Chances, ExampleRoles};
use crate::numbers::several;
use crate::shown::Shown;
use askama::Template;
use examples::ExamplesSection;

/// The contents of the page of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunPage<'a> {
    /// The title of the page in a browser.
    pub title: &'static str,
    /// The inputs, as they were named on the command line.
    pub inputs: &'a [String],
    /// A few sentences that say what the run did.
    pub done: Vec<String>,
    /// Counts.
    pub figures: Vec<Figure>,
    /// The plan.
    pub plan: Vec<Figure>,
    /// Time and memory. Nothing else of the page differs from run to run.
    pub effort: Vec<Figure>,
    /// The first records that could not be read: place and reason.
    pub skipped: Vec<(&'a str, &'a str)>,
    /// How many records could not be read.
    pub skipped_in_all: u64,
    /// How similar removed documents are to the kept ones, if some were removed.
    pub removed: Option<RemovedScores>,
    /// How similar the found pairs are.
    pub links: PairHistogram,
    /// How likely the search finds a pair.
    pub curve: Option<&'a Chances>,
    /// The search in words, above all if there is no curve.
    pub search: String,
    /// Clusters by size.
    pub clusters: Vec<SizeClass>,
    /// Buckets by size.
    pub buckets: Vec<SizeClass>,
    /// Examples, kind by kind. A kind without examples is not shown.
    pub examples: Vec<ExamplesOfPage<'a>>,
}

/// How similar removed documents are to the kept ones.
#[derive(Clone, Debug)]
pub(crate) struct RemovedScores {
    /// Counts of removed documents.
    pub scores: PairHistogram,
    /// Removed documents that are connected to the kept one by other documents only.
    pub below: u64,
}

#[derive(Template)]
#[template(path = "run.html")]
struct RunHtml<'a> {
    run: &'a RunPage<'a>,
    inputs: String,
    charts: Vec<Section>,
    examples: Vec<ExamplesSection<'a>>,
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

/// The start of an id: nobody reads more, and it may be anything.
struct IdStart<'a>(&'a str);

impl IdStart<'_> {
    const CHARACTERS: usize = 200;
}

impl std::fmt::Display for IdStart<'_> {
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
    pub(crate) fn to_html(&self) -> String {
        let inputs: Vec<String> =
            self.inputs.iter().take(INPUTS).map(|input| IdStart(input).to_string()).collect();
        let page = RunHtml {
            run: self,
            inputs: inputs.join(", "),
            charts: self.charts(),
            examples: self
                .examples
                .iter()
                .filter(|kind| !kind.examples.is_empty())
                .map(ExamplesSection::new)
                .collect(),
            version: env!("CARGO_PKG_VERSION"),
        };
        page.render().expect("to write into a string cannot fail")
    }

    fn charts(&self) -> Vec<Section> {
        let mut sections: Vec<Section> =
            self.removed.iter().filter(|removed| !removed.scores.is_empty()).map(removed_section).collect();
        let has_chart = self.links.total() > 0 || self.curve.is_some();
        let chart = || {
            let title = format!("Pairs found by {}", self.links.measure);
            self.links.chart_of_search("pairs-by-score", title, self.curve).to_html()
        };
        sections.push(Section {
            id: "search",
            heading: "How well the search finds pairs, and the pairs it found",
            text: self.search.clone(),
            charts: has_chart.then(chart).into_iter().collect(),
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
}

/// The chart of removed documents.
fn removed_section(RemovedScores { scores, below }: &RemovedScores) -> Section {
    let measure = &scores.measure;
    let same = match scores.same {
        0 => String::new(),
        same => {
            format!(" Not drawn: {} in which nothing differs by this measure.", several(same, "document"))
        }
    };
    let below = match *below {
        0 => String::new(),
        1 => " 1 document is no pair with the kept one: other documents of its cluster connect them."
            .to_owned(),
        below => format!(
            " {} are no pair with the kept one: other documents of their cluster connect them.",
            several(below, "document")
        ),
    };
    let chart = scores.chart(
        "removed-by-score",
        format!("Removed documents by {measure}"),
        "document",
        "documents removed",
    );
    Section {
        id: "removed",
        heading: "How similar removed documents are to what was kept",
        text: format!(
            "Each removed document counts once, by its {measure} to the one kept instead of it.{same}{below}"
        ),
        charts: vec![chart.to_html()],
    }
}

#[cfg(test)]
mod tests;
