//! Conditions under which an audit fails, such as `duplicate>10%`, for checks that run by themselves.

use crate::audit::Summary;
use lookalike_audit::PairClass;
use std::fmt;
use std::str::FromStr;

/// A condition under which an audit fails: a figure of the summary that is above a limit, such as `duplicate>10%` or `to-fix>0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    figure: &'static SummaryFigure,
    /// Whether the limit itself fails too.
    is_inclusive: bool,
    limit: f64,
}

/// A figure of the summary.
#[derive(Debug)]
struct SummaryFigure {
    name: &'static str,
    is_percent: bool,
    value: fn(&Summary) -> f64,
}

impl PartialEq for SummaryFigure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

const FIGURES: [SummaryFigure; 10] = [
    SummaryFigure { name: "duplicate", is_percent: true, value: |summary| summary.duplicate_percent },
    SummaryFigure { name: "common", is_percent: true, value: |summary| summary.common_percent },
    SummaryFigure {
        name: "exact",
        is_percent: false,
        value: |summary| summary.of_class(PairClass::Exact) as f64,
    },
    SummaryFigure {
        name: "near",
        is_percent: false,
        value: |summary| summary.of_class(PairClass::Near) as f64,
    },
    SummaryFigure { name: "pairs", is_percent: false, value: |summary| summary.pairs as f64 },
    SummaryFigure { name: "clusters", is_percent: false, value: |summary| summary.clusters as f64 },
    SummaryFigure { name: "to-fix", is_percent: false, value: |summary| summary.to_fix as f64 },
    SummaryFigure { name: "broken", is_percent: false, value: |summary| summary.broken as f64 },
    SummaryFigure { name: "redirects", is_percent: false, value: |summary| summary.redirects as f64 },
    SummaryFigure { name: "skipped", is_percent: false, value: |summary| summary.skipped as f64 },
];

/// A text is not a condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a condition; give one such as duplicate>10% or to-fix>0, with {names}", names = names())]
pub struct BadCondition {
    text: String,
}

fn names() -> String {
    FIGURES.each_ref().map(|figure| figure.name).join(", ")
}

impl FromStr for Condition {
    type Err = BadCondition;

    fn from_str(text: &str) -> Result<Self, BadCondition> {
        let parse = || {
            let (name, limit) = text.split_once('>')?;
            let (is_inclusive, limit) = limit.strip_prefix('=').map_or((false, limit), |limit| (true, limit));
            let figure = FIGURES.iter().find(|figure| figure.name == name.trim())?;
            let limit = limit.trim();
            let number = limit.strip_suffix('%').unwrap_or(limit);
            // Ten of a hundred is 10 %, and never 0.1.
            if limit.len() > number.len() && !figure.is_percent {
                return None;
            }
            let limit: f64 = number.trim_end().parse().ok()?;
            (limit.is_finite() && limit >= 0.0).then_some(Condition { figure, is_inclusive, limit })
        };
        parse().ok_or_else(|| BadCondition { text: text.to_owned() })
    }
}

impl Condition {
    /// The value of the figure, if it fails the audit.
    pub fn failing(&self, summary: &Summary) -> Option<f64> {
        let value = (self.figure.value)(summary);
        let fails = if self.is_inclusive { value >= self.limit } else { value > self.limit };
        fails.then_some(value)
    }

    /// A value of the figure, as a person reads it.
    pub fn shown(&self, value: f64) -> String {
        if self.figure.is_percent { format!("{value:.1}%") } else { format!("{value}") }
    }
}

/// The condition as it is written.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Condition { figure, is_inclusive, limit } = self;
        let (is, percent) =
            (if *is_inclusive { ">=" } else { ">" }, if figure.is_percent { "%" } else { "" });
        write!(f, "{}{is}{limit}{percent}", figure.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_as_they_are_written() {
        for (text, shown) in [
            ("duplicate>10%", "duplicate>10%"),
            (" duplicate > 10 ", "duplicate>10%"),
            ("to-fix>=1", "to-fix>=1"),
            ("broken>0", "broken>0"),
            ("common>2.5%", "common>2.5%"),
        ] {
            assert_eq!(text.parse::<Condition>().unwrap().to_string(), shown);
        }
        for text in
            ["", "duplicate", "duplicates>1", "pairs>3%", "pairs<3", "pairs>x", "pairs>-1", "pairs>NaN"]
        {
            let error = text.parse::<Condition>().unwrap_err().to_string();
            assert!(error.contains("to-fix>0") && error.contains("redirects"), "{error}");
        }
    }
}
