//! A bar chart as SVG, and a table of the same numbers.
//!
//! Horizontal places are percentages, and letters have the size of the page's letters. A chart is therefore readable on a telephone
//! and on a wide screen, without a script.

use super::scale::ChartScale;
use askama::Template;

/// The contents of a chart.
pub(super) struct Chart {
    /// The chart's id within the page.
    pub(super) id: &'static str,
    pub(super) title: String,
    /// A summary for people who cannot see the chart.
    pub(super) description: String,
    pub(super) bars: Vec<Bar>,
    /// The name of the horizontal axis, and its labels with their places from 0 to 1.
    pub(super) across: (String, Vec<(f64, String)>),
    /// The name of the things that the vertical axis counts.
    pub(super) counted: &'static str,
    /// A place along the horizontal axis, such as the threshold, and its name.
    pub(super) limit: Option<(f64, String)>,
    /// The points of a curve, with both coordinates from 0 to 1, and its name.
    pub(super) curve: Option<(Vec<(f64, f64)>, &'static str)>,
    pub(super) table: ChartTable,
}

/// A bar. Its places are from 0 to 1.
pub(super) struct Bar {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) value: f64,
    /// An estimate of the whole, if `value` is a part.
    pub(super) estimated: Option<f64>,
    /// A description of the bar.
    pub(super) label: String,
}

/// The numbers of the chart as a table.
pub(super) struct ChartTable {
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

/// The height of the plot in pixels.
const HEIGHT: f64 = 180.0;

/// A chart whose places are all computed.
#[derive(Template)]
#[template(path = "chart.html")]
struct DrawnChart<'a> {
    chart: &'a Chart,
    scale: ChartScale,
    height: f64,
    bars: Vec<Rectangle<'a>>,
    /// The horizontal lines: distance from the top in pixels, and label.
    lines: Vec<(String, String)>,
    /// The labels of the horizontal axis with their places.
    across: Vec<(String, &'a str)>,
    limit: Option<(String, &'a str)>,
    curve: Option<(String, &'static str)>,
    has_estimates: bool,
}

struct Rectangle<'a> {
    left: String,
    width: String,
    top: String,
    height: String,
    /// The top and height of the part above `value`, up to the estimate.
    more: Option<(String, String)>,
    label: &'a str,
}

fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

fn pixels(share: f64) -> String {
    format!("{:.1}", HEIGHT * share)
}

impl Chart {
    /// The chart and its table as HTML.
    pub(super) fn to_html(&self) -> String {
        let values = self.bars.iter().flat_map(|bar| [Some(bar.value), bar.estimated]).flatten();
        let scale = ChartScale::of(values);
        let rectangle = |bar| {
            let &Bar { from, to, value, estimated, ref label } = bar;
            let height = scale.height(value);
            let more = |whole: f64| {
                let whole = scale.height(whole);
                (pixels(1.0 - whole), pixels((whole - height).max(0.0)))
            };
            Rectangle {
                left: percent(from),
                width: percent(to - from),
                top: pixels(1.0 - height),
                height: pixels(height),
                more: estimated.map(more),
                label,
            }
        };
        let point = |&(x, y): &(f64, f64)| format!("{:.1},{:.1}", 1000.0 * x, 1000.0 * (1.0 - y));
        let drawn = DrawnChart {
            chart: self,
            scale,
            height: HEIGHT,
            bars: self.bars.iter().map(rectangle).collect(),
            lines: scale
                .ticks()
                .into_iter()
                .map(|(line, label)| (pixels(1.0 - scale.height(line)), label))
                .collect(),
            across: self.across.1.iter().map(|(at, label)| (percent(*at), label.as_str())).collect(),
            limit: self.limit.as_ref().map(|(at, label)| (percent(*at), label.as_str())),
            curve: self
                .curve
                .as_ref()
                .map(|(points, label)| (points.iter().map(point).collect::<Vec<_>>().join(" "), *label)),
            has_estimates: self.bars.iter().any(|bar| bar.estimated.is_some()),
        };
        drawn.render().expect("to write into a string cannot fail")
    }
}
