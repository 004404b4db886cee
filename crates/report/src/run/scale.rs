//! The vertical scale of a chart: the height of a bar for a count.

use crate::numbers::count;

/// The vertical axis of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ChartScale {
    /// Heights are proportional to counts.
    Linear { most: f64 },
    /// Heights are proportional to the logarithms of counts, from 1 on. The height of 0 is 0.
    Logarithmic { most: f64 },
}

/// The factor between counts above which a linear bar is too small to see: 0.6 % of 180 pixels is one.
const FACTOR: f64 = 150.0;

impl ChartScale {
    /// A scale on which the bars of all `values` are visible.
    pub(super) fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let most = values.clone().fold(1.0, f64::max);
        let least = values.filter(|&value| value > 0.0).fold(most, f64::min);
        if most / least > FACTOR { ChartScale::Logarithmic { most } } else { ChartScale::Linear { most } }
    }

    /// The height of a bar for `value`, from 0 to 1.
    pub(super) fn height(self, value: f64) -> f64 {
        match self {
            ChartScale::Linear { most } => value / most,
            // A bar for 1 must be visible, so the axis starts at 0.5.
            ChartScale::Logarithmic { .. } if value < 0.5 => 0.0,
            ChartScale::Logarithmic { most } => (value / 0.5).ln() / (most / 0.5).ln(),
        }
    }

    /// The counts that get a horizontal line, from below, with their labels.
    pub(super) fn ticks(self) -> Vec<(f64, String)> {
        let (most, step): (f64, fn(f64) -> f64) = match self {
            ChartScale::Linear { most } => {
                // The step is 1, 2 or 5 times a power of ten. It leaves at most five lines above 0.
                let power = 10_f64.powf((most / 5.0).log10().floor()).max(1.0);
                let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
                let step = step.into_iter().find(|step| most / step <= 5.0).unwrap_or(power);
                let lines = (0..).map(|index| index as f64 * step).take_while(|&line| line <= most);
                return lines.map(labelled).collect();
            }
            ChartScale::Logarithmic { most } if most >= 1e5 => (most, |line| line * 100.0),
            ChartScale::Logarithmic { most } => (most, |line| line * 10.0),
        };
        std::iter::successors(Some(1.0), |&line| Some(step(line)))
            .take_while(|&line| line <= most)
            .map(labelled)
            .collect()
    }

    /// The addition to the chart's legend.
    pub(super) fn name(self) -> &'static str {
        match self {
            ChartScale::Linear { .. } => "",
            ChartScale::Logarithmic { .. } => ", on a logarithmic scale",
        }
    }
}

fn labelled(line: f64) -> (f64, String) {
    (line, count(line as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_far_apart_all_have_visible_bars() {
        let scale = ChartScale::of([0.0, 1.0, 100_000.0].into_iter());
        assert!(matches!(scale, ChartScale::Logarithmic { .. }));
        assert_eq!([scale.height(0.0), scale.height(100_000.0)], [0.0, 1.0]);
        assert!(scale.height(1.0) > 0.02);
        assert_eq!(ChartScale::of([].into_iter()), ChartScale::Linear { most: 1.0 });
    }

    proptest! {
        #[test]
        fn heights_keep_the_order_of_values_and_lines_lie_within_the_chart(values in prop::collection::vec(0_u32..2_000_000, 1..20)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let scale = ChartScale::of(values.iter().copied());
            for pair in values.windows(2) {
                prop_assert_eq!(pair[0] < pair[1], scale.height(pair[0]) < scale.height(pair[1]));
            }
            let ticks = scale.ticks();
            prop_assert!((1..=6).contains(&ticks.len()), "{:?}", ticks);
            for value in values.iter().chain(ticks.iter().map(|(line, _)| line)) {
                prop_assert!((0.0..=1.0 + 1e-9).contains(&scale.height(*value)));
            }
        }
    }
}
