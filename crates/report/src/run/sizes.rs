//! Charts of the sizes of clusters and of buckets.

use super::chart::{Bar, Chart, ChartTable};
use crate::numbers::{count, several};

/// The kind of group whose sizes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizeKind {
    /// Clusters: documents that are similar, directly or through others.
    Cluster,
    /// Buckets: documents that share a band key or a fingerprint.
    Bucket,
}

/// Groups of similar size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SizeClass {
    /// The least number of documents in a group.
    pub from: u64,
    /// The greatest number of documents in a group.
    pub to: u64,
    /// The number of groups of these sizes.
    pub groups: u64,
    /// The number of documents in these groups.
    pub documents: u64,
}

impl SizeClass {
    fn label(&self) -> String {
        match self.from == self.to {
            true => count(self.from),
            false => format!("{} to {}", count(self.from), count(self.to)),
        }
    }
}

/// The minimum number of bars that the chart has room for. A single bar as wide as the chart would not look like a bar.
const LEAST: usize = 6;

/// The maximum number of labels below the chart: as many as fit on a telephone.
const LABELS: usize = 7;

/// The chart of `sizes`.
pub(super) fn chart(kind: SizeKind, sizes: &[SizeClass]) -> Chart {
    let (id, title, what, counted, columns) = match kind {
        SizeKind::Cluster => (
            "cluster-sizes",
            "Clusters by size",
            "cluster",
            "clusters",
            vec!["Documents in a cluster", "Clusters", "Documents in all"],
        ),
        SizeKind::Bucket => (
            "bucket-sizes",
            "Buckets by size",
            "bucket",
            "buckets",
            vec!["Documents in a bucket", "Buckets", "Documents in all"],
        ),
    };
    let count_of = sizes.len().max(LEAST) as f64;
    // A fifth of the width is left free between bars.
    let bar = |(index, size): (usize, &SizeClass)| Bar {
        from: (index as f64 + 0.1) / count_of,
        to: (index as f64 + 0.9) / count_of,
        value: size.groups as f64,
        estimated: None,
        label: format!("{} of {} documents", several(size.groups, what), size.label()),
    };
    let step = sizes.len().div_ceil(LABELS).max(1);
    let middles = sizes.iter().enumerate().step_by(step);
    Chart {
        id,
        title: title.to_owned(),
        description: format!(
            "Bars: {}. The largest has {}.",
            several(sizes.iter().map(|size| size.groups).sum::<u64>(), what),
            several(sizes.last().map_or(0, |size| size.to), "document")
        ),
        bars: sizes.iter().enumerate().map(bar).collect(),
        across: (
            "documents, from".to_owned(),
            middles.map(|(index, size)| ((index as f64 + 0.5) / count_of, short(size.from))).collect(),
        ),
        counted,
        limit: None,
        curve: None,
        table: ChartTable {
            columns,
            rows: sizes
                .iter()
                .map(|size| vec![size.label(), count(size.groups), count(size.documents)])
                .collect(),
        },
    }
}

/// A power of two in few characters.
fn short(number: u64) -> String {
    match number {
        0..1_024 => number.to_string(),
        1_024..1_048_576 => format!("{}k", number >> 10),
        _ => format!("{}M", number >> 20),
    }
}
