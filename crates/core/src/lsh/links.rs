//! Enough pairs to connect a group, without looking at all of its pairs.

use crate::cluster::UnionFind;
use crate::lsh::{Likeness, Match};
use std::collections::HashMap;

/// Members from which on a group is not searched pair by pair where only clusters are wanted. Up to here, the
/// square stays below a few milliseconds a group.
pub(crate) const LED: usize = 1024;

/// Appends pairs of `members` that are alike, enough to connect whatever their pairs connect: pairs whose documents hang
/// together already, by `roots` or by the links of this group, are passed over.
///
/// `compare` is given the places of two members, the earlier one first, and whether the later one is held for comparison:
/// its pairs come one after the other.
///
/// In a group of more than 1,024, each is compared with the first document of every cluster that the group holds so far,
/// and not with all that precede it.
pub(crate) fn link(
    members: &[u32],
    roots: &[u32],
    mut compare: impl FnMut(u32, u32, &mut bool) -> Option<Likeness>,
    found: &mut Vec<Match>,
) {
    // Most groups are two documents, or hang together already.
    let root = |member: u32| roots[member as usize];
    if members.windows(2).all(|pair| root(pair[0]) == root(pair[1])) {
        return;
    }
    if let [a, b] = *members {
        found.extend(compare(0, 1, &mut false).map(|likeness| Match { a, b, likeness }));
        return;
    }
    // The set of each member within the group; members that hang together already start in one set.
    let mut first_of_root = HashMap::new();
    let mut sets = UnionFind::new(members.len());
    for (member, &document) in (0_u32..).zip(members) {
        sets.unite(member, *first_of_root.entry(root(document)).or_insert(member));
    }
    let mut leaders: Vec<u32> = Vec::new();
    for (later, &b) in (0_u32..).zip(members) {
        let mut held = false;
        let mut leads = true;
        for &earlier in &leaders {
            if sets.find(earlier) == sets.find(later) {
                leads = false;
            } else if let Some(likeness) = compare(earlier, later, &mut held) {
                found.push(Match { a: members[earlier as usize], b, likeness });
                sets.unite(earlier, later);
                leads = false;
            }
        }
        if leads || members.len() <= LED {
            leaders.push(later);
        }
    }
}
