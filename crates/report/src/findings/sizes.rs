//! Clusters by size.

use crate::run::SizeClass;

/// Counts clusters that have so many documents, two at least, in powers of two. The largest one ends the last class.
pub(super) fn cluster_sizes(clusters: impl Iterator<Item = usize>) -> Vec<SizeClass> {
    let (mut sizes, mut largest) = (Vec::<SizeClass>::new(), 0);
    for documents in clusters {
        let class = documents.ilog2() as usize - 1;
        while sizes.len() <= class {
            let from = 2 << sizes.len();
            sizes.push(SizeClass { from, to: 2 * from - 1, groups: 0, documents: 0 });
        }
        sizes[class].groups += 1;
        sizes[class].documents += documents as u64;
        largest = largest.max(documents as u64);
    }
    if let Some(last) = sizes.last_mut() {
        last.to = largest;
    }
    sizes
}
