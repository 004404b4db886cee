//! The parts of a passage: close runs are joined, and a diff finds equal tokens between them.

use super::runs::EqualRun;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The most tokens between two runs of a passage, on either side: about half a sentence.
const GAP: usize = 12;

/// Groups `runs`, which are in the order of the left text, into passages. Runs of a passage follow one another in both
/// texts.
pub(super) fn join(runs: Vec<EqualRun>) -> Vec<Vec<EqualRun>> {
    let mut by_right: Vec<usize> = (0..runs.len()).collect();
    by_right.sort_unstable_by_key(|&index| runs[index].right);
    let mut place = vec![0; runs.len()];
    for (at, index) in by_right.into_iter().enumerate() {
        place[index] = at;
    }
    let mut passages: Vec<Vec<EqualRun>> = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let follows = index > 0 && place[index] == place[index - 1] + 1 && {
            let (left, right) = between(&runs[index - 1], run);
            left.len() <= GAP && right.len() <= GAP
        };
        match passages.last_mut().filter(|_| follows) {
            Some(passage) => passage.push(*run),
            None => passages.push(vec![*run]),
        }
    }
    passages
}

/// The runs of one passage, with the equal tokens that a diff finds between them. Adjacent runs become one.
pub(super) fn fill(left: &[u64], right: &[u64], runs: Vec<EqualRun>) -> Vec<EqualRun> {
    let mut filled: Vec<EqualRun> = Vec::new();
    for run in runs {
        if let Some(last) = filled.last().copied() {
            let (gap_left, gap_right) = between(&last, &run);
            let (from_left, from_right) = (gap_left.start, gap_right.start);
            for op in capture_diff_slices(Algorithm::Lcs, &left[gap_left], &right[gap_right]) {
                if let DiffOp::Equal { old_index, new_index, len } = op {
                    push(
                        &mut filled,
                        EqualRun { left: from_left + old_index, right: from_right + new_index, len },
                    );
                }
            }
        }
        push(&mut filled, run);
    }
    filled
}

fn push(runs: &mut Vec<EqualRun>, run: EqualRun) {
    match runs.last_mut() {
        Some(last) if last.left + last.len == run.left && last.right + last.len == run.right => {
            last.len += run.len
        }
        _ => runs.push(run),
    }
}

fn between(first: &EqualRun, second: &EqualRun) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    (first.left + first.len..second.left, first.right + first.len..second.right)
}
