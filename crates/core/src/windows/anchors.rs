//! The anchors of a text's windows.

use crate::hash::{GOLDEN_RATIO, POLYNOMIAL, fmix64};

/// Finds the anchors of texts, and hashes their windows. Each thread has its own.
#[derive(Clone, Debug)]
pub struct WindowHasher {
    length: usize,
    gram: usize,
    factor: u64,
    /// `factor` to the power of `gram`.
    top: u64,
    /// The hashes of the runs of `gram` tokens in the block that is worked on.
    grams: Vec<u64>,
}

/// Consecutive windows of a text with the same anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The first of the windows, by its first token.
    pub from: usize,
    /// The one behind the last.
    pub to: usize,
    /// The first token of the anchor.
    pub at: usize,
    /// The hash of the anchor. It is not 0.
    pub key: u64,
}

/// An anchor, and the hashes of its windows.
pub struct AnchorRun<'a> {
    /// The anchor.
    pub anchor: Anchor,
    hasher: &'a WindowHasher,
    /// The first token of the block.
    start: usize,
}

/// So many windows are worked on at once. Their hashes stay in the cache, and a long text takes no more memory.
const BLOCK: usize = 1 << 14;

impl WindowHasher {
    /// Of windows of `length` tokens. Different seeds give different hashes.
    ///
    /// # Panics
    /// If `length` is 0.
    pub fn new(length: usize, seed: u64) -> Self {
        assert!(length > 0, "a window has a token");
        // With shorter runs, templates have many anchors in common. With longer ones, there are more anchors. Measured in
        // bench/results.
        let gram = (3 * length).div_ceil(5);
        // The multiplier keeps its spectral quality only with seed 0, which is the usual one.
        let factor = if seed == 0 { POLYNOMIAL } else { fmix64(POLYNOMIAL ^ seed) | 5 };
        let top = (0..gram).fold(1_u64, |power, _| power.wrapping_mul(factor));
        WindowHasher { length, gram, factor, top, grams: Vec::new() }
    }

    /// Calls `visit` with each anchor of a text, in order. Together they have all of its windows, and each window once.
    ///
    /// `tokens` are the hashes of the text's tokens.
    pub fn each_anchor(&mut self, tokens: &[u64], mut visit: impl FnMut(AnchorRun<'_>)) {
        let windows = (tokens.len() + 1).saturating_sub(self.length);
        for start in (0..windows).step_by(BLOCK) {
            let end = windows.min(start + BLOCK);
            self.hash_grams(&tokens[start..end + self.length - 1]);
            self.each_of_block(start, end - start, &mut visit);
        }
    }

    fn hash_grams(&mut self, tokens: &[u64]) {
        let WindowHasher { gram, factor, top, .. } = *self;
        let (first, rest) = tokens.split_at(gram);
        let mut hash = first.iter().fold(0_u64, |hash, &token| hash.wrapping_mul(factor).wrapping_add(token));
        self.grams.clear();
        self.grams.reserve(rest.len() + 1);
        self.grams.push(mixed(hash));
        self.grams.extend(rest.iter().zip(tokens).map(|(&new, &old)| {
            hash = hash.wrapping_mul(factor).wrapping_add(new).wrapping_sub(old.wrapping_mul(top));
            mixed(hash)
        }));
    }

    /// Visits the anchors of the block of `windows` windows that begins at the token `start`.
    fn each_of_block(&self, start: usize, windows: usize, visit: &mut impl FnMut(AnchorRun<'_>)) {
        let (grams, in_window) = (&self.grams[..], self.length - self.gram + 1);
        let least = |from: usize| {
            let of_window = &grams[from..from + in_window];
            // The first of equal ones, so that the anchor depends on the window alone.
            let (at, &hash) = of_window.iter().enumerate().min_by_key(|&(_, hash)| hash).unwrap_or((0, &0));
            (from + at, hash)
        };
        let (mut from, (mut at, mut hash)) = (0, least(0));
        while from < windows {
            let leaves = at + 1;
            // The anchor is another one when a lesser hash enters, or when this one leaves.
            let stop = leaves.min(windows);
            let mut to = from + 1;
            while to < stop && grams[to + in_window - 1] >= hash {
                to += 1;
            }
            let anchor = Anchor { from: start + from, to: start + to, at: start + at, key: key_of(hash) };
            visit(AnchorRun { anchor, hasher: self, start });
            if to < windows {
                (at, hash) = match to == leaves {
                    true => least(to),
                    false => (to + in_window - 1, grams[to + in_window - 1]),
                };
            }
            from = to;
        }
    }

    /// The hash of the tokens from `from` to `to` of the block, `gram` or more.
    fn hash(&self, from: usize, to: usize) -> u64 {
        let last = to - self.gram;
        let mut hash = GOLDEN_RATIO;
        for at in (from..last).step_by(self.gram).chain([last]) {
            hash = (hash.rotate_left(25) ^ self.grams[at]).wrapping_mul(POLYNOMIAL);
            hash ^= hash >> 31;
        }
        fmix64(hash)
    }
}

impl AnchorRun<'_> {
    /// The hash of the anchor's window that begins at the token `window`. It is not 0.
    pub fn window(&self, window: usize) -> u64 {
        let from = window - self.start;
        key_of(self.hasher.hash(from, from + self.hasher.length))
    }

    /// The hash of all windows of the anchor, and of its offset in them.
    pub fn run(&self) -> u64 {
        let Anchor { from, to, at, .. } = self.anchor;
        let tokens = self.hasher.hash(from - self.start, to - 1 - self.start + self.hasher.length);
        let offset = ((at - from) as u64) << 32 | (to - from) as u64;
        fmix64(tokens ^ offset.wrapping_mul(GOLDEN_RATIO))
    }
}

/// A quick finaliser. The hash of a run of tokens is not used for more than comparing it.
#[inline]
fn mixed(mut hash: u64) -> u64 {
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

/// 0 marks a free place of a table.
#[inline]
fn key_of(hash: u64) -> u64 {
    hash.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn anchors(length: usize, tokens: &[u64]) -> Vec<(Anchor, u64, Vec<u64>)> {
        let mut found = Vec::new();
        WindowHasher::new(length, 0).each_anchor(tokens, |run| {
            let windows = (run.anchor.from..run.anchor.to).map(|window| run.window(window)).collect();
            found.push((run.anchor, run.run(), windows));
        });
        found
    }

    proptest! {
        #[test]
        fn each_window_has_one_anchor_that_depends_on_the_window_alone(
            length in 1_usize..12, tokens in prop::collection::vec(0_u64..3, 0..200)
        ) {
            let found = anchors(length, &tokens);
            let mut next = 0;
            for (anchor, _, windows) in found {
                prop_assert_eq!(anchor.from, next);
                next = anchor.to;
                for (window, key) in (anchor.from..anchor.to).zip(windows) {
                    prop_assert!(window <= anchor.at);
                    let alone = anchors(length, &tokens[window..window + length]);
                    let expected = Anchor { from: 0, to: 1, at: anchor.at - window, key: anchor.key };
                    prop_assert_eq!((alone[0].0, alone[0].2[0]), (expected, key));
                }
            }
            prop_assert_eq!(next, (tokens.len() + 1).saturating_sub(length));
        }

        #[test]
        fn equal_runs_have_equal_hashes_and_others_do_not(
            length in 1_usize..8, tokens in prop::collection::vec(0_u64..2, 0..120)
        ) {
            let found = anchors(length, &tokens);
            for (a, of_a, _) in &found {
                for (b, of_b, _) in &found {
                    let tokens_of = |anchor: &Anchor| &tokens[anchor.from..anchor.to - 1 + length];
                    let same = tokens_of(a) == tokens_of(b) && a.at - a.from == b.at - b.from;
                    prop_assert_eq!(same, of_a == of_b);
                }
            }
        }
    }

    #[test]
    fn blocks_of_a_long_text_join_without_a_gap() {
        let tokens: Vec<u64> = (0..3 * BLOCK as u64 + 17).map(|token| fmix64(token % 1000)).collect();
        let found = anchors(50, &tokens);
        assert_eq!(
            found.iter().map(|(anchor, ..)| anchor.to - anchor.from).sum::<usize>(),
            tokens.len() - 49
        );
        assert!(found.windows(2).all(|two| two[0].0.to == two[1].0.from));
        // An anchor for every 12 tokens or so.
        assert!(found.len() < tokens.len() / 10, "{}", found.len());
    }
}
