//! An index by fingerprints alone, beside a comparison with all documents.

use super::*;
use lookalike::hash::SplitMix64;
use lookalike::search::{SketchBuilder, Sketches};
use lookalike::{Bits, Level, Score, Weighting, Weights};

/// A text of a few families, and some words behind it. Each makes one other shingle.
fn page(random: &mut SplitMix64) -> String {
    let own: Vec<String> = (0..random.next() % 7).map(|_| format!("x{}", random.next())).collect();
    format!("{} {}", text(random.next() % 12, 0), own.join(" "))
}

/// The fingerprint of a text, by the builder of a run and not by that of an index.
fn fingerprint(plan: &Plan, weights: &Weights, text: &str) -> u128 {
    let mut sketches = Sketches::new(plan);
    SketchBuilder::new(plan, weights, Level::detect()).sketch_into(text, &mut sketches);
    let Sketches::SimHash(table) = &sketches else { panic!("the plan has fingerprints") };
    let mut bytes = [0; 16];
    let signature = table.bytes_of(0);
    bytes[..signature.len()].copy_from_slice(&signature);
    u128::from_le_bytes(bytes)
}

#[test]
fn all_documents_within_the_distance_are_found_with_it() {
    let weights =
        [(Weighting::Set, Weights::Set), (Weighting::Tf, Weights::Tf), (Weighting::LogTf, Weights::LogTf)];
    for (bits, hamming) in [(Bits::B64, 3), (Bits::B64, 12), (Bits::B128, 6)] {
        for ((weighting, weights), stores_texts) in
            weights.iter().flat_map(|weights| [(weights, true), (weights, false)])
        {
            let method = Some(Method::SimHash);
            let options = Options { method, bits: Some(bits), hamming: Some(hamming), ..Options::default() };
            let plan = Options { weighting: Some(*weighting), ..options }.plan().unwrap();
            let folder = tempfile::tempdir().unwrap();
            let index = Index::create(
                &folder.path().join("seen.index"),
                NewIndex { plan: plan.clone(), stores_texts },
            )
            .unwrap();
            let (seen, closer) = Seen::open(index).unwrap();
            let (mut random, mut model) = (SplitMix64(u64::from(hamming)), Vec::<u128>::new());
            let mut distances = Vec::new();
            for number in 0..150_u64 {
                let text = page(&mut random);
                let asked = fingerprint(&plan, weights, &text);
                let near = (0..).zip(&model).map(|(number, &other)| (number, (asked ^ other).count_ones()));
                let mut near: Vec<(u64, u32)> = near.filter(|&(_, distance)| distance <= hamming).collect();
                near.sort_by_key(|&(number, distance)| (distance, number));
                let found = seen.check(&text, 0.0, 0).unwrap().found;
                let found: Vec<(u64, Score)> =
                    found.iter().map(|found| (found.number, found.score)).collect();
                let scores = near.iter().map(|&(number, distance)| (number, Score::Hamming(distance)));
                assert_eq!(found, scores.collect::<Vec<_>>());
                distances.extend(near.iter().map(|&(_, distance)| distance));
                let new =
                    NewText { on_duplicate: OnDuplicate::Store, ..NewText::new(format!("d{number}"), text) };
                let added = seen.add(new, 0).wait().unwrap().answer;
                match near.first() {
                    None => assert!(matches!(added, Added::New { .. })),
                    Some(&(of, distance)) => {
                        let Added::Duplicate { found, .. } = added else { panic!("{added:?}") };
                        assert_eq!((found.number, found.score), (of, Score::Hamming(distance)));
                    }
                }
                model.push(asked);
            }
            assert!(distances.contains(&hamming) && distances.len() > 30, "{distances:?}");
            let members = seen.cluster(0);
            let scores = seen.scores(&seen.snapshot(), 0, &members).unwrap();
            let distance = |&member: &u64| Score::Hamming((model[0] ^ model[member as usize]).count_ones());
            assert_eq!(scores, members.iter().map(distance).collect::<Vec<_>>());
            drop(seen);
            closer.close().unwrap();
        }
    }
}
