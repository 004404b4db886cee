//! The first few of many.

use std::cmp::Ordering;

/// The first `count` of `items` in this `order`, and at most one of each `group`. No more than these are held.
pub(super) fn first_of_groups<T, G: PartialEq>(
    items: impl Iterator<Item = T>,
    count: usize,
    order: impl Fn(&T, &T) -> Ordering,
    group: impl Fn(&T) -> G,
) -> Vec<T> {
    let mut found: Vec<T> = Vec::with_capacity(count + 1);
    for item in items {
        let at = found.partition_point(|before| order(before, &item).is_le());
        let of_group = found.iter().position(|other| group(other) == group(&item));
        match of_group {
            // A better one of this group is among them.
            Some(other) if other < at => continue,
            Some(other) => drop(found.remove(other)),
            None => {}
        }
        if at < count {
            found.insert(at, item);
            found.truncate(count);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_group_gives_its_best_and_the_best_come_first() {
        let items = [(5, 'a'), (1, 'b'), (4, 'c'), (3, 'a'), (2, 'b'), (0, 'd'), (9, 'd')];
        let first = |count| first_of_groups(items.into_iter(), count, |a, b| a.0.cmp(&b.0), |item| item.1);
        assert_eq!(first(3), [(0, 'd'), (1, 'b'), (3, 'a')]);
        assert_eq!(first(9), [(0, 'd'), (1, 'b'), (3, 'a'), (4, 'c')]);
        assert_eq!(first(0), []);
    }
}
