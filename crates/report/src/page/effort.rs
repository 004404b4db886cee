//! Time and memory of a run.

use super::figure;
use crate::comparison::Figure;
use crate::numbers::count;
use crate::summary::EffortSummary;
use lookalike_engine::search::Monitoring;

/// The time of each stage, and the memory.
pub(super) fn effort(effort: &EffortSummary, monitoring: &Monitoring) -> Vec<Figure> {
    let stages: Vec<String> = effort
        .seconds
        .iter()
        .filter(|(stage, _)| **stage != "total")
        .map(|(stage, seconds)| format!("{stage} {seconds:.2}"))
        .collect();
    let mut figures = vec![figure("Time", format!("{:.2} s", effort.total()), stages.join(", "))];
    if let Some(speed) = monitoring.compared_per_second {
        figures.push(figure("Compared", count(speed as u64), "pairs a second".to_owned()));
    }
    if let Some(bytes) = effort.peak_memory_bytes {
        figures.push(figure("Memory", format!("{:.0} MB", bytes as f64 / 1e6), "at most".to_owned()));
    }
    figures
}
