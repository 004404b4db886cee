//! Tests the join of close codes against a comparison of every pair.

use crate::codes::{Generator, kinds};
use crate::executor::Backwards;
use lookalike::TooFar;
use lookalike::search::{Code, HammingJoin, HammingPair};

fn every_pair<C: Code>(codes: &[C], distance: u32) -> Vec<HammingPair> {
    let mut pairs = Vec::new();
    for b in 0..codes.len() as u32 {
        for a in 0..b {
            let between = codes[a as usize].distance(codes[b as usize]);
            if between <= distance {
                pairs.push(HammingPair { a, b, distance: between });
            }
        }
    }
    pairs.sort();
    pairs
}

fn joins<C: Code>(codes: &[C], distance: u32) -> Vec<HammingJoin<'_, C>> {
    let blocks = distance as usize + 1;
    let mut joins = vec![HammingJoin::new(codes, distance).unwrap()];
    joins.extend([2, 3].map(|width| HammingJoin::with_executor(codes, distance, &Backwards(width)).unwrap()));
    joins.extend(
        (blocks..blocks + 4).map(|blocks| HammingJoin::with_blocks(codes, distance, blocks).unwrap()),
    );
    joins
}

fn equals_every_pair<C: Code>(codes: &[C], distance: u32) {
    let expected = every_pair(codes, distance);
    for join in joins(codes, distance) {
        assert_eq!(join.all_pairs(&join.pairs()), expected, "distance {distance}");
        assert_eq!(join.count_all_pairs(&join.pairs()), expected.len() as u64);
    }
}

#[test]
fn all_pairs_equal_brute_force() {
    let mut generator = Generator(1);
    for distance in 0..=12 {
        for (_, codes) in kinds::<u64>(&mut generator, 260) {
            equals_every_pair(&codes, distance);
        }
        for (_, codes) in kinds::<u128>(&mut generator, 130) {
            equals_every_pair(&codes, distance);
        }
    }
}

#[test]
fn pairs_of_few_or_no_codes_are_found() {
    for codes in [&[][..], &[5], &[5, 5], &[5, 4], &[0, u64::MAX]] {
        for distance in [0, 1, 12] {
            equals_every_pair(codes, distance);
        }
    }
}

#[test]
fn pairs_among_more_codes_than_a_bucket_holds_are_found() {
    let mut generator = Generator(2);
    for (_, codes) in kinds::<u64>(&mut generator, 3000) {
        equals_every_pair(&codes, 3);
    }
}

/// Bits that are rarely set, some more rarely than others, and copies. Groups by blocks are then large and are cut
/// again. At distance 12 it is cheaper to compare all pairs.
#[test]
fn pairs_of_uneven_codes_are_found_at_large_distances() {
    fn code<C: Code>(generator: &mut Generator) -> C {
        let fourth = generator.code::<C>(C::BITS) & generator.code(C::BITS);
        fourth & (generator.code::<C>(C::BITS) | C::ones(C::BITS / 2))
    }
    let mut generator = Generator(3);
    let mut codes: Vec<u64> = (0..3000).map(|_| code(&mut generator)).collect();
    for at in (0..3000).step_by(10) {
        let from = generator.below(3000) as usize;
        codes[at] = generator.flipped(codes[from], 2);
    }
    for distance in [6, 9, 12] {
        equals_every_pair(&codes, distance);
    }
    let codes: Vec<u128> = (0..1500).map(|_| code::<u128>(&mut generator) & u128::ones(90)).collect();
    equals_every_pair(&codes, 12);
}

/// A million equal codes are a million links, found at once.
#[test]
fn equal_codes_are_not_paired() {
    let mut codes = vec![7_u64; 1_000_000];
    codes.push(6);
    let join = HammingJoin::new(&codes, 3).unwrap();
    assert_eq!(join.pairs(), [HammingPair { a: 0, b: 1_000_000, distance: 1 }]);
    assert_eq!(join.copies().len(), 999_999);
    assert!(join.copies().iter().all(|link| link.a == 0));
}

/// The values of the tests of seomoz/simhash-cpp, commit 1eb4a0a: 24 pairs for any number of blocks.
#[test]
fn the_test_values_of_simhash_cpp_hold() {
    let codes: Vec<u64> =
        [0, 8, 16, 24].iter().flat_map(|by| [0xFF, 0xEF, 0xEE, 0xCE, 0x33].map(|code| code << by)).collect();
    for blocks in 4..=9 {
        let join = HammingJoin::with_blocks(&codes, 3, blocks).unwrap();
        let pairs = join.pairs();
        assert_eq!(pairs.len(), 24, "{blocks} blocks");
        assert!(pairs.iter().all(|pair| pair.a / 5 == pair.b / 5 && pair.b % 5 != 4), "{pairs:?}");
    }
}

#[test]
fn distances_above_twelve_are_refused() {
    assert_eq!(HammingJoin::new(&[1_u64], 13).unwrap_err(), TooFar { distance: 13, most: 12 });
}
