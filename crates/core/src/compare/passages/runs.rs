//! Runs of equal tokens, as long as they can be, one-to-one.
//!
//! A seed of the right text is lengthened beside each of at most [`CANDIDATES`] places that have it on the left; the longest
//! run is taken, and the search goes on behind it. What the others cost is less than that many times the run, so that a
//! search costs a fixed number of steps for each token, also where a million lines are equal. Long runs then claim their tokens
//! before short ones do, and what is left of the texts is searched again, [`ROUNDS`] times at most.

use super::winnow::{Seed, seeds};
use std::cmp::Reverse;

/// `len` tokens in a row that are equal, from `left` and `right` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) len: usize,
}

/// Places on the left that a seed is lengthened beside. They are taken from where the last run ended, where the texts most likely
/// go on together.
const CANDIDATES: usize = 16;

/// Searches. Each that finds nothing is the last; what repeats itself in both texts needs more than one, to find each copy a
/// partner.
const ROUNDS: usize = 8;

/// A text, and which of its tokens are in a run.
struct Side<'t> {
    tokens: &'t [u64],
    taken: Vec<bool>,
}

/// Runs of at least `least` tokens, in the order of the left text; no token is in two of them.
pub(super) fn find(left: &[u64], right: &[u64], least: usize) -> Vec<Run> {
    let side = |tokens| Side { tokens, taken: vec![false; <[u64]>::len(tokens)] };
    let (mut left, mut right) = (side(left), side(right));
    let mut index = seeds(left.tokens, least);
    index.sort_unstable();
    let mut searched = seeds(right.tokens, least);
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let mut runs = search(&left, &right, &index, &searched, least);
        let before = found.len();
        runs.sort_by_key(|run| (Reverse(run.len), run.right));
        for run in runs {
            claim(&mut left, &mut right, run, least, &mut found);
        }
        if found.len() == before {
            break;
        }
        index.retain(|seed| !left.taken[seed.at]);
        searched.retain(|seed| !right.taken[seed.at]);
    }
    found.sort_by_key(|run| run.left);
    found
}

/// Runs that may meet on the left, but not on the right.
fn search(left: &Side<'_>, right: &Side<'_>, index: &[Seed], searched: &[Seed], least: usize) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // Where the last run ended.
    let (mut left_end, mut right_end) = (0, 0);
    for seed in searched.iter() {
        if seed.at < right_end {
            continue;
        }
        let start = index.partition_point(|other| other.hash < seed.hash);
        let same = index[start..].partition_point(|other| other.hash == seed.hash);
        let places = &index[start..start + same];
        let next = places.partition_point(|other| other.at < left_end);
        let (passed, ahead) = places.split_at(next);
        let candidates = ahead.iter().chain(passed).take(CANDIDATES);
        let runs_here = candidates.map(|place| lengthen(left, right, place.at, seed.at, right_end));
        // The first of several that are as long.
        let Some(best) = runs_here.reduce(|best, run| if run.len > best.len { run } else { best }) else {
            continue;
        };
        if best.len >= least {
            (left_end, right_end) = (best.left + best.len, best.right + best.len);
            runs.push(best);
        }
    }
    runs
}

/// The longest run through both places that takes no token of another, nor one before `from` on the right.
fn lengthen(left: &Side<'_>, right: &Side<'_>, at_left: usize, at_right: usize, from: usize) -> Run {
    let equal = |i: usize, j: usize| left.tokens[i] == right.tokens[j] && !left.taken[i] && !right.taken[j];
    let most = (left.tokens.len() - at_left).min(right.tokens.len() - at_right);
    let after = (0..most).take_while(|&step| equal(at_left + step, at_right + step)).count();
    let most = at_left.min(at_right - from);
    let before = (1..=most).take_while(|&step| equal(at_left - step, at_right - step)).count();
    Run { left: at_left - before, right: at_right - before, len: before + after }
}

/// Takes what others have left of `run`, in pieces of at least `least` tokens.
fn claim(left: &mut Side<'_>, right: &mut Side<'_>, run: Run, least: usize, found: &mut Vec<Run>) {
    let mut start = 0;
    for offset in 0..=run.len {
        let free = offset < run.len && !left.taken[run.left + offset] && !right.taken[run.right + offset];
        if free {
            continue;
        }
        if offset - start >= least {
            left.taken[run.left + start..run.left + offset].fill(true);
            right.taken[run.right + start..run.right + offset].fill(true);
            found.push(Run { left: run.left + start, right: run.right + start, len: offset - start });
        }
        start = offset + 1;
    }
}
