//! Tests the Hamming index against a linear scan of a list.

use crate::codes::{Generator, kinds};
use lookalike::search::{Code, CodePart, HammingLayout};
use lookalike::{HammingIndex, Neighbour, TooFar};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The model of an index: a list of entries.
struct Model<C>(Vec<(C, u32)>);

impl<C: Code> Model<C> {
    fn query(&self, query: C, distance: u32) -> Vec<Neighbour> {
        let near = |&(code, id): &(C, u32)| Neighbour { distance: code.distance(query), id };
        let mut near: Vec<_> = self.0.iter().map(near).filter(|near| near.distance <= distance).collect();
        near.sort();
        near
    }

    fn remove(&mut self, code: C, id: u32) -> bool {
        let place = self.0.iter().position(|&entry| entry == (code, id));
        place.map(|place| self.0.remove(place)).is_some()
    }
}

/// Layouts of every shape for a distance: one to five parts, of even and uneven widths, and the empty layout.
fn layouts<C: Code>(distance: u32) -> Vec<HammingLayout> {
    let mut layouts = vec![HammingLayout::default()];
    for count in 1..=(distance + 1).min(5) {
        for extra in [0, 7] {
            let taus = distance + 1 - count;
            let tau = |part: u32| taus / count + u32::from(part < taus % count);
            let mut parts: Vec<CodePart> =
                (0..count).map(|part| CodePart { bits: C::BITS / count, tau: tau(part) }).collect();
            parts[0].bits += C::BITS % count;
            if count > 1 {
                parts[0].bits += extra;
                parts[1].bits -= extra;
            }
            layouts.push(HammingLayout::of_parts(C::BITS, distance, &parts).unwrap());
        }
    }
    layouts
}

/// Codes of the index, codes near them, and random codes.
fn queries<C: Code>(generator: &mut Generator, codes: &[C]) -> Vec<C> {
    let mut queries: Vec<C> = (0..4).map(|_| generator.code(C::BITS)).collect();
    for flips in [0, 3, 14] {
        for _ in 0..6 {
            let code = codes[generator.below(codes.len() as u64) as usize];
            queries.push(generator.flipped(code, flips));
        }
    }
    queries
}

fn equals_the_model<C: Code>(index: &HammingIndex<C>, model: &Model<C>, queries: &[C]) {
    assert_eq!(index.len(), model.0.len());
    for distance in [0, 1, 2, 3, 5, 7, index.max_distance()] {
        if distance > index.max_distance() {
            continue;
        }
        let expected: Vec<_> = queries.iter().map(|&query| model.query(query, distance)).collect();
        assert_eq!(index.query_many(queries, distance).unwrap(), expected, "{:?}", index.layouts());
        assert_eq!(index.query(queries[0], distance).unwrap(), expected[0]);
    }
    for &query in &queries[..4] {
        let all = model.query(query, index.max_distance());
        for count in [0, 1, 3, 100] {
            assert_eq!(index.nearest(query, count), all[..count.min(all.len())]);
        }
    }
}

fn check_layouts<C: Code>(seed: u64, count: usize) {
    let mut generator = Generator(seed);
    for distance in 0..=12 {
        for (name, codes) in kinds::<C>(&mut generator, count) {
            let ids: Vec<u32> = (0..count as u32).map(|place| place * 7 + 1).collect();
            let model = Model(codes.iter().copied().zip(ids.iter().copied()).collect());
            let mut index = HammingIndex::build(distance, &codes, &ids).unwrap();
            let queries = queries(&mut generator, &codes);
            equals_the_model(&index, &model, &queries);
            for layout in layouts::<C>(distance) {
                assert!(index.lay_out(layout), "{name}");
                equals_the_model(&index, &model, &queries);
            }
        }
    }
}

#[test]
fn every_layout_finds_what_a_linear_scan_finds() {
    check_layouts::<u64>(1, 600);
    check_layouts::<u128>(2, 550);
}

#[test]
fn a_large_index_finds_what_a_linear_scan_finds() {
    let mut generator = Generator(3);
    for (_, codes) in kinds::<u64>(&mut generator, 40_000) {
        let ids: Vec<u32> = (0..codes.len() as u32).collect();
        let model = Model(codes.iter().copied().zip(ids.iter().copied()).collect());
        let index = HammingIndex::build(3, &codes, &ids).unwrap();
        equals_the_model(&index, &model, &queries(&mut generator, &codes));
    }
}

#[test]
fn layouts_that_would_miss_codes_are_refused() {
    let part = |bits, tau| CodePart { bits, tau };
    assert_eq!(HammingLayout::of_parts(64, 3, &[part(32, 1), part(32, 0)]), None);
    assert_eq!(HammingLayout::of_parts(64, 3, &[part(32, 1), part(30, 1)]), None);
    let layout = HammingLayout::of_parts(64, 3, &[part(32, 1), part(32, 1)]).unwrap();
    assert!(!HammingIndex::<u64>::new(4).unwrap().lay_out(layout.clone()));
    assert!(!HammingIndex::<u128>::new(3).unwrap().lay_out(layout));
}

#[test]
fn distances_above_the_largest_are_refused() {
    assert_eq!(HammingIndex::<u64>::new(13).unwrap_err(), TooFar { distance: 13, most: 12 });
    let index = HammingIndex::<u64>::new(3).unwrap();
    assert_eq!(index.query(0, 4).unwrap_err(), TooFar { distance: 4, most: 3 });
    assert_eq!(index.query(0, 3).unwrap(), []);
}

#[derive(Clone, Debug)]
enum Step {
    Insert(u64, u32),
    Extend(u64, u32),
    Remove(usize),
    Query(u64, u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Few different codes and ids, so that entries repeat.
    let code = prop_oneof![0..40_u64, any::<u64>()];
    let step = prop_oneof![
        8 => (code.clone(), 0..30_u32).prop_map(|(code, id)| Step::Insert(code, id)),
        1 => (any::<u64>(), 500..700_u32).prop_map(|(seed, count)| Step::Extend(seed, count)),
        8 => any::<usize>().prop_map(Step::Remove),
        4 => (code, 0..=3_u32).prop_map(|(code, distance)| Step::Query(code, distance)),
    ];
    prop::collection::vec(step, 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn insertions_and_removals_agree_with_a_list(steps in steps()) {
        let mut index = HammingIndex::new(3).unwrap();
        let mut model = Model(Vec::new());
        for step in steps {
            match step {
                Step::Insert(code, id) => {
                    index.insert(code, id);
                    model.0.push((code, id));
                }
                Step::Extend(seed, count) => {
                    let mut generator = Generator(seed);
                    let codes: Vec<u64> = (0..count).map(|_| generator.code(9)).collect();
                    let ids: Vec<u32> = (0..count).collect();
                    index.extend(&codes, &ids);
                    model.0.extend(codes.into_iter().zip(ids));
                }
                Step::Remove(place) => {
                    // Many removals at once, so that layers become sparse.
                    for turn in 0..20 {
                        let place = place.wrapping_mul(turn + 1);
                        let (code, id) = match model.0.len() {
                            0 => (1, 1),
                            length => model.0[place % length],
                        };
                        let id = if place % 16 == 0 { id + 1 } else { id };
                        prop_assert_eq!(index.remove(code, id), model.remove(code, id));
                    }
                }
                Step::Query(code, distance) => {
                    prop_assert_eq!(index.query(code, distance).unwrap(), model.query(code, distance));
                }
            }
            prop_assert_eq!(index.len(), model.0.len());
            prop_assert_eq!(index.is_empty(), model.0.is_empty());
        }
    }
}

/// Many entries with the same code, one layer after the other.
#[test]
fn equal_codes_cost_no_more_than_their_results() {
    let mut index = HammingIndex::new(3).unwrap();
    (0..200_000).for_each(|id| index.insert(5_u64, id));
    assert_eq!(index.query(!5, 3).unwrap(), []);
    assert_eq!(index.query(4, 3).unwrap().len(), 200_000);
    assert!((0..1000).all(|id| index.remove(5, id)));
    assert_eq!(index.nearest(5, 1)[0].id, 1000);
}

/// Codes with rarely set bits are stored in another order of bits.
#[test]
fn skewed_entries_can_be_removed() {
    let mut generator = Generator(4);
    for (_, codes) in kinds::<u128>(&mut generator, 6000) {
        let ids: Vec<u32> = (0..codes.len() as u32).collect();
        let mut index = HammingIndex::build(5, &codes, &ids).unwrap();
        for (&code, &id) in codes.iter().zip(&ids).take(4000) {
            assert!(index.remove(code, id));
            assert!(!index.remove(code, id));
        }
        let model = Model(codes.iter().copied().zip(ids).skip(4000).collect());
        equals_the_model(&index, &model, &queries(&mut generator, &codes));
    }
}
