//! Charts of similarities: of removed documents to the kept ones, and of the pairs that the search found.

use super::chart::{Bar, Chart, ChartTable};
use crate::findings::Chances;
use crate::numbers::{count, several};

/// Counts of pairs by similarity or distance, in bins of equal width. Pairs of copies are counted apart. They are often so many that
/// the other bars would be invisible.
#[derive(Clone, Debug)]
pub(crate) struct PairHistogram {
    /// The measure, such as `Jaccard similarity`.
    pub measure: String,
    /// The start of the first bin.
    pub from: f64,
    /// The width of a bin: 1 for distances in bits, otherwise less than 1.
    pub width: f64,
    /// The number of pairs in each bin.
    pub counts: Vec<u64>,
    /// The number of pairs of copies.
    pub same: u64,
    /// The least similarity, or the greatest distance, of two similar documents.
    pub limit: f64,
}

/// A range of bins: `end` is the first bin behind it.
#[derive(Clone, Copy)]
struct BinRange {
    first: usize,
    end: usize,
}

/// The maximum number of labels along the horizontal axis: as many as fit on a telephone.
const LABELS: usize = 6;

impl PairHistogram {
    fn is_in_bits(&self) -> bool {
        self.width >= 1.0
    }

    /// What is not drawn. Equal signatures are no proof of equal texts.
    fn same_in_words(&self) -> String {
        match self.measure.ends_with("estimate") {
            true => format!("{} of estimate 1", count(self.same)),
            false => several(self.same, "copy").replace("copys", "copies"),
        }
    }

    fn bins(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.counts.len()).filter(|&bin| self.counts[bin] > 0)
    }

    fn at(&self, bin: usize) -> f64 {
        self.from + self.width * bin as f64
    }

    /// The bins with pairs, and some space around the limit to show it.
    fn window(&self) -> BinRange {
        let bits = self.is_in_bits();
        let limit =
            (((self.limit - self.from) / self.width).round().max(0.0) as usize).min(self.counts.len());
        let first = self.bins().next().unwrap_or(limit).min(limit);
        let last = self.bins().last().unwrap_or(limit).max(limit);
        match bits {
            true => BinRange { first: 0, end: (last + 2).min(self.counts.len()) },
            false => BinRange { first: first.saturating_sub(3), end: self.counts.len() },
        }
    }

    fn label(&self, bin: usize) -> String {
        match self.is_in_bits() {
            true => several(self.at(bin) as u64, "bit"),
            false => format!("{:.2} to {:.2}", self.at(bin), self.at(bin + 1)),
        }
    }

    fn place(&self, window: BinRange, value: f64) -> f64 {
        (value - self.at(window.first)) / (self.width * (window.end - window.first).max(1) as f64)
    }

    /// The name of the horizontal axis, and its labels with their places.
    fn across(&self, window: BinRange) -> (String, Vec<(f64, String)>) {
        let step = (window.end - window.first).div_ceil(LABELS).max(1);
        // Labels at round similarities, such as 0.05, 0.10 and so on.
        let step = match self.is_in_bits() {
            true => step,
            false => [1, 2, 5, 10, 20].into_iter().find(|&round| round >= step).unwrap_or(step),
        };
        let bits = self.is_in_bits();
        let bins = (window.first..=window.end).filter(|bin| bin.is_multiple_of(step));
        let label = |bin: usize| match bits {
            // The label of a bar of bits stands at its middle.
            true => (self.place(window, self.at(bin) + 0.5), format!("{}", self.at(bin))),
            false => (self.place(window, self.at(bin)), format!("{:.2}", self.at(bin))),
        };
        (self.measure.clone(), bins.filter(|&bin| !bits || bin < window.end).map(label).collect())
    }

    fn limit(&self, window: BinRange) -> (f64, String) {
        match self.is_in_bits() {
            true => (
                self.place(window, self.limit + 1.0),
                format!("similar up to {}", several(self.limit as u64, "bit")),
            ),
            false => (self.place(window, self.limit), format!("threshold {}", self.limit)),
        }
    }

    fn bar(&self, window: BinRange, bin: usize, what: &str) -> Bar {
        let (from, to) = (self.place(window, self.at(bin)), self.place(window, self.at(bin + 1)));
        let value = self.counts[bin] as f64;
        let label = format!("{}: {}", self.label(bin), several(self.counts[bin], what));
        Bar { from, to, value, estimated: None, label }
    }

    fn axis(&self) -> &'static str {
        if self.is_in_bits() { "Distance" } else { "Similarity" }
    }

    fn same_label(&self) -> &'static str {
        if self.is_in_bits() { "0 bits" } else { "1 (the same)" }
    }

    /// Is nothing counted?
    pub(super) fn is_empty(&self) -> bool {
        self.total() + self.same == 0
    }

    /// How many there are in the bins.
    pub(super) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The chart of the removed documents by similarity.
    pub(super) fn chart(
        &self,
        id: &'static str,
        title: String,
        what: &'static str,
        counted: &'static str,
    ) -> Chart {
        let window = self.window();
        let mut rows: Vec<Vec<String>> =
            self.bins().map(|bin| vec![self.label(bin), count(self.counts[bin])]).collect();
        let same = vec![self.same_label().to_owned(), count(self.same)];
        match self.is_in_bits() {
            true => rows.insert(0, same),
            false => rows.push(same),
        }
        Chart {
            id,
            title,
            description: format!(
                "Bars: {} with a {} {}. Not drawn: {}.",
                several(self.total(), what),
                self.measure,
                if self.is_in_bits() { "above 0" } else { "below 1" },
                self.same_in_words(),
            ),
            bars: self.bins().map(|bin| self.bar(window, bin, what)).collect(),
            across: self.across(window),
            counted,
            limit: Some(self.limit(window)),
            curve: None,
            table: ChartTable { columns: vec![self.axis(), "Documents"], rows },
        }
    }

    /// The chart of the pairs found, with the probability that a pair is found.
    pub(super) fn chart_of_search(
        &self,
        id: &'static str,
        title: String,
        chances: Option<&Chances>,
    ) -> Chart {
        let mut window = self.window();
        let Some(Chances { curve, estimated }) = chances else {
            let mut chart = self.chart(id, title, "pair", "pairs found");
            chart.table.columns = vec![self.axis(), "Pairs found"];
            return chart;
        };
        // The window shows the whole curve: it starts where pairs are seldom found.
        let steep = (0..window.first).rev().find(|&bin| curve[bin] < UNLIKELY && bin.is_multiple_of(5));
        window.first = steep.unwrap_or(0);
        let bar = |bin: usize| {
            let plain = self.bar(window, bin, "pair");
            let label = format!("{} found, {:.1} estimated in all", plain.label, estimated[bin]);
            Bar { estimated: Some(estimated[bin]), label, ..plain }
        };
        let points =
            (window.first..=window.end).map(|bin| (self.place(window, self.at(bin)), curve[bin])).collect();
        let row = |bin: usize| {
            vec![
                self.label(bin),
                format!("{:.2} %", 100.0 * curve[bin]),
                count(self.counts[bin]),
                format!("{:.1}", estimated[bin]),
            ]
        };
        let limit = window.end - 1;
        let chance = |at: f64| {
            let bin = ((at - self.from) / self.width).round() as usize;
            100.0 * curve.get(bin).copied().unwrap_or(1.0)
        };
        Chart {
            id,
            title,
            description: format!(
                "Bars: {} found. Curve: a pair at the threshold is found with a probability of {:.2} %.",
                several(self.total(), "pair"),
                chance(self.limit)
            ),
            bars: self.bins().map(bar).collect(),
            across: self.across(window),
            counted: "pairs found",
            limit: Some(self.limit(window)),
            curve: Some((points, "probability that a pair is found, from 0 to 100 % (S-curve)")),
            table: ChartTable {
                columns: vec![self.axis(), "Probability at the start", "Pairs found", "Estimated pairs"],
                rows: (window.first..=limit).map(row).collect(),
            },
        }
    }
}

/// The probability below which a pair counts as seldom found.
const UNLIKELY: f64 = 0.05;
