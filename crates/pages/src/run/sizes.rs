//! Charts of sizes: of clusters, and of buckets.

use super::chart::{Bar, Chart, Table};
use crate::numbers::{count, several};

/// What has a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeKind {
    /// Documents that hang together.
    Cluster,
    /// Documents that share a band, or a fingerprint.
    Bucket,
}

/// Groups of similar size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeClass {
    /// The least number of documents.
    pub from: u64,
    /// The greatest.
    pub to: u64,
    /// How many groups have so many.
    pub groups: u64,
    /// How many documents these hold.
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

/// Sizes that there is room for, however few there are: one bar as wide as the chart looks like a surface.
const LEAST: usize = 6;

/// Sizes that are written out below the chart: as many as fit on a telephone.
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
    // A part of the width is left between bars.
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
            "Bars: {}, the largest of up to {}.",
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
        table: Table {
            columns,
            rows: sizes
                .iter()
                .map(|size| vec![size.label(), count(size.groups), count(size.documents)])
                .collect(),
        },
    }
}

/// A power of two in few letters.
fn short(number: u64) -> String {
    match number {
        0..1_024 => number.to_string(),
        1_024..1_048_576 => format!("{}k", number >> 10),
        _ => format!("{}M", number >> 20),
    }
}
