//! Charts over how similar documents are: what was removed, and what was found of what could be found.

use super::chart::{Bar, Chart, Table};
use crate::numbers::{count, several};

/// Counts of pairs by how similar they are, in bins of equal width. Those that are the same are apart, as they are often so many that the
/// others would vanish beside them.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// What is measured, such as `Jaccard similarity`.
    pub measure: String,
    /// Where the first bin starts.
    pub from: f64,
    /// How wide a bin is: 1 for bits, which are counted one by one, otherwise a part of 1.
    pub width: f64,
    /// How many are in which bin.
    pub counts: Vec<u64>,
    /// How many are the same.
    pub same: u64,
    /// From where, or up to where, two documents are similar.
    pub limit: f64,
}

/// How likely a search finds a pair.
#[derive(Clone, Debug)]
pub struct CurveOfPage {
    /// The probability at the start of every bin of the histogram, and at the end of the last.
    pub chances: Vec<f64>,
    /// How many pairs there are likely to be in every bin, found or missed.
    pub estimated: Vec<f64>,
}

/// A part of a histogram: bins from the first to behind the last.
#[derive(Clone, Copy)]
struct Window {
    first: usize,
    end: usize,
}

/// Values along the axis that are written out: as many as fit on a telephone.
const LABELS: usize = 6;

impl Histogram {
    fn is_in_bits(&self) -> bool {
        self.width >= 1.0
    }

    fn bins(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.counts.len()).filter(|&bin| self.counts[bin] > 0)
    }

    fn at(&self, bin: usize) -> f64 {
        self.from + self.width * bin as f64
    }

    /// All that is counted, and something before the limit so that it can be seen.
    fn window(&self) -> Window {
        let bits = self.is_in_bits();
        let limit =
            (((self.limit - self.from) / self.width).round().max(0.0) as usize).min(self.counts.len());
        let first = self.bins().next().unwrap_or(limit).min(limit);
        let last = self.bins().last().unwrap_or(limit).max(limit);
        match bits {
            true => Window { first: 0, end: (last + 2).min(self.counts.len()) },
            false => Window { first: first.saturating_sub(3), end: self.counts.len() },
        }
    }

    fn label(&self, bin: usize) -> String {
        match self.is_in_bits() {
            true => several(self.at(bin) as u64, "bit"),
            false => format!("{:.2} to {:.2}", self.at(bin), self.at(bin + 1)),
        }
    }

    fn place(&self, window: Window, value: f64) -> f64 {
        (value - self.at(window.first)) / (self.width * (window.end - window.first).max(1) as f64)
    }

    /// The axis: its name, and where which values are.
    fn across(&self, window: Window) -> (String, Vec<(f64, String)>) {
        let step = (window.end - window.first).div_ceil(LABELS).max(1);
        // Similarities at 0.05, 0.10 … and the like.
        let step = match self.is_in_bits() {
            true => step,
            false => [1, 2, 5, 10, 20].into_iter().find(|&round| round >= step).unwrap_or(step),
        };
        let bits = self.is_in_bits();
        let bins = (window.first..=window.end).filter(|bin| bin.is_multiple_of(step));
        let label = |bin: usize| match bits {
            // In the middle of the bar that it belongs to.
            true => (self.place(window, self.at(bin) + 0.5), format!("{}", self.at(bin))),
            false => (self.place(window, self.at(bin)), format!("{:.2}", self.at(bin))),
        };
        (self.measure.clone(), bins.filter(|&bin| !bits || bin < window.end).map(label).collect())
    }

    fn limit(&self, window: Window) -> (f64, String) {
        match self.is_in_bits() {
            true => (
                self.place(window, self.limit + 1.0),
                format!("similar up to {}", several(self.limit as u64, "bit")),
            ),
            false => (self.place(window, self.limit), format!("threshold {}", self.limit)),
        }
    }

    fn bar(&self, window: Window, bin: usize, what: &str) -> Bar {
        let (from, to) = (self.place(window, self.at(bin)), self.place(window, self.at(bin + 1)));
        let value = self.counts[bin] as f64;
        let label = format!("{}: {}", self.label(bin), several(self.counts[bin], what));
        Bar { from, to, value, estimated: None, label }
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

    /// The chart of what was removed.
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
                "Bars: {} of a {} {}; {} besides.",
                several(self.total(), what),
                self.measure,
                if self.is_in_bits() { "above 0" } else { "below 1" },
                several(self.same, "copy").replace("copys", "copies"),
            ),
            bars: self.bins().map(|bin| self.bar(window, bin, what)).collect(),
            across: self.across(window),
            counted,
            limit: Some(self.limit(window)),
            curve: None,
            table: Table { columns: vec!["Similar", "Documents"], rows },
        }
    }

    /// The chart of the pairs found, with the chance to find them.
    pub(super) fn chart_of_search(
        &self,
        id: &'static str,
        title: String,
        curve: Option<&CurveOfPage>,
    ) -> Chart {
        let mut window = self.window();
        let Some(curve) = curve else {
            let mut chart = self.chart(id, title, "pair", "pairs found");
            chart.table.columns = vec!["Similar", "Pairs found"];
            return chart;
        };
        // The whole of the curve: from where next to nothing would be found.
        let steep =
            (0..window.first).rev().find(|&bin| curve.chances[bin] < UNLIKELY && bin.is_multiple_of(5));
        window.first = steep.unwrap_or(0);
        let bar = |bin: usize| {
            let plain = self.bar(window, bin, "pair");
            let label =
                format!("{} found, {:.1} with those missed, estimated", plain.label, curve.estimated[bin]);
            Bar { estimated: Some(curve.estimated[bin]), label, ..plain }
        };
        let points = (window.first..=window.end)
            .map(|bin| (self.place(window, self.at(bin)), curve.chances[bin]))
            .collect();
        let row = |bin: usize| {
            vec![
                self.label(bin),
                format!("{:.2} %", 100.0 * curve.chances[bin]),
                count(self.counts[bin]),
                format!("{:.1}", curve.estimated[bin]),
            ]
        };
        let limit = window.end - 1;
        let chance = |at: f64| {
            let bin = ((at - self.from) / self.width).round() as usize;
            100.0 * curve.chances.get(bin).copied().unwrap_or(1.0)
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
            curve: Some((points, "chance to find a pair, from 0 to 100 % (S-curve)")),
            table: Table {
                columns: vec!["Similar", "Chance from", "Pairs found", "With those missed"],
                rows: (window.first..=limit).map(row).collect(),
            },
        }
    }
}

/// A chance below which a pair is seldom found.
const UNLIKELY: f64 = 0.05;
