//! Maximal runs of equal tokens. A token is in one run at most.
//!
//! A seed of the right text is extended at up to [`CANDIDATES`] places of the left text. The longest run is taken, and
//! the search continues behind it. The other candidates cost less than [`CANDIDATES`] times the run. A search therefore
//! takes a fixed number of steps for each token, even if a million lines are equal.
//!
//! Long runs then claim their tokens before short ones. The remaining tokens are searched again, [`ROUNDS`] times at
//! most.

use super::winnow::{Seed, seeds};
use std::cmp::Reverse;

/// `len` equal consecutive tokens, starting at `left` and `right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EqualRun {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) len: usize,
}

/// Places on the left at which a seed is extended. The search tries places behind the last run first, as the texts most
/// likely continue together there.
const CANDIDATES: usize = 16;

/// The most searches. A search without a result is the last. Text that both repeat needs several searches, until each
/// copy has a partner.
const ROUNDS: usize = 8;

/// A text, and a mark on each token that is in a run.
struct SideTokens<'t> {
    tokens: &'t [u64],
    taken: Vec<bool>,
}

/// Runs of at least `least` tokens, in the order of the left text. No token is in two of them.
pub(super) fn find(left: &[u64], right: &[u64], least: usize) -> Vec<EqualRun> {
    let side = |tokens| SideTokens { tokens, taken: vec![false; <[u64]>::len(tokens)] };
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

/// Runs that may overlap on the left, but not on the right.
fn search(
    left: &SideTokens<'_>,
    right: &SideTokens<'_>,
    index: &[Seed],
    searched: &[Seed],
    least: usize,
) -> Vec<EqualRun> {
    let mut runs: Vec<EqualRun> = Vec::new();
    // The end of the last run.
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
        let runs_here = candidates.map(|place| extend(left, right, place.at, seed.at, right_end));
        // The first of equally long runs is taken.
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

/// The longest run through both places that has no taken token, and none before `from` on the right.
fn extend(
    left: &SideTokens<'_>,
    right: &SideTokens<'_>,
    at_left: usize,
    at_right: usize,
    from: usize,
) -> EqualRun {
    let equal = |i: usize, j: usize| left.tokens[i] == right.tokens[j] && !left.taken[i] && !right.taken[j];
    let most = (left.tokens.len() - at_left).min(right.tokens.len() - at_right);
    let after = (0..most).take_while(|&step| equal(at_left + step, at_right + step)).count();
    let most = at_left.min(at_right - from);
    let before = (1..=most).take_while(|&step| equal(at_left - step, at_right - step)).count();
    EqualRun { left: at_left - before, right: at_right - before, len: before + after }
}

/// Claims the tokens of `run` that are still free, in pieces of at least `least` tokens.
fn claim(
    left: &mut SideTokens<'_>,
    right: &mut SideTokens<'_>,
    run: EqualRun,
    least: usize,
    found: &mut Vec<EqualRun>,
) {
    let mut start = 0;
    for offset in 0..=run.len {
        let free = offset < run.len && !left.taken[run.left + offset] && !right.taken[run.right + offset];
        if free {
            continue;
        }
        if offset - start >= least {
            left.taken[run.left + start..run.left + offset].fill(true);
            right.taken[run.right + start..run.right + offset].fill(true);
            found.push(EqualRun { left: run.left + start, right: run.right + start, len: offset - start });
        }
        start = offset + 1;
    }
}
