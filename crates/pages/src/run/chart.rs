//! A chart of bars as SVG, and the table of the same numbers.
//!
//! Horizontal places are percentages and letters have the size of the page's, so that a chart can be read on a telephone as on a
//! wide screen without any script.

use super::scale::Scale;
use askama::Template;

/// What is drawn.
pub(super) struct Chart {
    /// Names the chart within the page.
    pub(super) id: &'static str,
    pub(super) title: String,
    /// What somebody who cannot see it should know.
    pub(super) description: String,
    pub(super) bars: Vec<Bar>,
    /// What the horizontal axis is, and where along it which values are.
    pub(super) across: (String, Vec<(f64, String)>),
    /// What the vertical axis counts.
    pub(super) counted: &'static str,
    /// A place along the horizontal axis that matters, and what it is.
    pub(super) limit: Option<(f64, String)>,
    /// Points of a curve, both from 0 to 1; and what it shows.
    pub(super) curve: Option<(Vec<(f64, f64)>, &'static str)>,
    pub(super) table: Table,
}

/// A bar: places from 0 to 1.
pub(super) struct Bar {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) value: f64,
    /// A second value, of which the first is a part.
    pub(super) estimated: Option<f64>,
    /// What it is, in words.
    pub(super) label: String,
}

/// The same numbers to be read.
pub(super) struct Table {
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

/// Pixels from the lowest to the highest value.
const HEIGHT: f64 = 180.0;

/// A chart, all its places computed.
#[derive(Template)]
#[template(path = "chart.html")]
struct Drawn<'a> {
    chart: &'a Chart,
    scale: Scale,
    height: f64,
    bars: Vec<Rectangle<'a>>,
    /// Where the lines of counts are, from above, and what they count.
    lines: Vec<(String, String)>,
    /// Where the values along the horizontal axis are.
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
    /// What the second value is more than the first, on top of it.
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
    /// The chart with its table, as HTML.
    pub(super) fn to_html(&self) -> String {
        let values = self.bars.iter().flat_map(|bar| [Some(bar.value), bar.estimated]).flatten();
        let scale = Scale::of(values);
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
        let drawn = Drawn {
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
