//! Links: enough similar pairs to connect a group, without comparing all of its pairs.

use crate::similarity::{Match, Score};
use std::collections::HashMap;

/// Appends similar pairs of `members`, enough to connect all documents that their pairs connect. Pairs whose documents
/// are connected already, by `roots` or by the links of this group, are skipped.
///
/// `compare` gets the places of two members, the earlier one first. It also gets a flag whether the later member is
/// held for comparison. All pairs of the later member come one after the other.
///
/// A member is compared with the members of each earlier cluster until one is similar. If none is, it is compared with
/// all.
pub(crate) fn link(
    members: &[u32],
    roots: &[u32],
    mut compare: impl FnMut(u32, u32, &mut bool) -> Option<Score>,
    found: &mut Vec<Match>,
) {
    // Most groups are two documents, or are connected already.
    let root = |member: u32| roots[member as usize];
    if members.windows(2).all(|pair| root(pair[0]) == root(pair[1])) {
        return;
    }
    if let [a, b] = *members {
        found.extend(compare(0, 1, &mut false).map(|score| Match { a, b, score }));
        return;
    }
    // The clusters within the group so far, as lists of places, in the order of their first places.
    let mut clusters: Vec<Vec<u32>> = Vec::new();
    let mut of_root: HashMap<u32, usize> = HashMap::new();
    for (later, &b) in (0_u32..).zip(members) {
        // The cluster that the member is in already. Members connected by `roots` are in one cluster from the start.
        let mut own = of_root.get(&root(b)).copied();
        let mut held = false;
        for cluster in 0..clusters.len() {
            if own == Some(cluster) {
                continue;
            }
            let similar = clusters[cluster]
                .iter()
                .find_map(|&earlier| Some((earlier, compare(earlier, later, &mut held)?)));
            let Some((earlier, score)) = similar else { continue };
            found.push(Match { a: members[earlier as usize], b, score });
            own = Some(match own {
                None => cluster,
                Some(own) => merge(&mut clusters, &mut of_root, own, cluster),
            });
        }
        let own = own.unwrap_or_else(|| {
            clusters.push(Vec::new());
            clusters.len() - 1
        });
        clusters[own].push(later);
        of_root.insert(root(b), own);
    }
}

/// Merges two clusters into the first of the two. The other one becomes empty.
fn merge(clusters: &mut [Vec<u32>], of_root: &mut HashMap<u32, usize>, a: usize, b: usize) -> usize {
    let (first, second) = (a.min(b), a.max(b));
    let moved = std::mem::take(&mut clusters[second]);
    clusters[first].extend(moved);
    of_root.values_mut().filter(|cluster| **cluster == second).for_each(|cluster| *cluster = first);
    first
}
