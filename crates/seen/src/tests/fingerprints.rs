//! An index by fingerprints alone, beside a comparison with all documents.

use super::*;
use lookalike::hash::SplitMix64;
use lookalike::search::{SketchBuilder, Sketches};
use lookalike::{Bits, DocumentFrequencies, FeatureLevels, Level, Score, Sketcher, Weighting, Weights};

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

/// The document frequencies of some texts.
fn frequencies() -> Arc<DocumentFrequencies> {
    let plan = Options { method: Some(Method::SimHash), ..Options::default() }.plan().unwrap();
    let (mut random, mut sketcher) = (SplitMix64(9), Sketcher::new(&plan));
    let mut table = DocumentFrequencies::new(plan.feature_id());
    for _ in 0..50 {
        let mut features = sketcher.features(&page(&mut random)).to_vec();
        features.sort_unstable();
        features.dedup();
        table.push(&features);
    }
    Arc::new(table)
}

/// Levels of some features of the families.
fn levels() -> Arc<FeatureLevels> {
    let plan = Options { method: Some(Method::SimHash), ..Options::default() }.plan().unwrap();
    let mut levels = FeatureLevels::new(1).unwrap();
    for (number, &feature) in Sketcher::new(&plan).features(&text(3, 0)).iter().enumerate() {
        levels.insert(feature, 1 + (number % 5) as u8).unwrap();
    }
    Arc::new(levels)
}

#[test]
fn all_documents_within_the_distance_are_found_with_it() {
    let weights =
        [Weights::Set, Weights::Tf, Weights::LogTf, Weights::TfIdf(frequencies()), Weights::Levels(levels())];
    for (bits, hamming) in [(Bits::B64, 3), (Bits::B64, 12), (Bits::B128, 6)] {
        for (weights, stores_texts) in weights.iter().flat_map(|weights| [(weights, true), (weights, false)])
        {
            let method = Some(Method::SimHash);
            let options = Options { method, bits: Some(bits), hamming: Some(hamming), ..Options::default() };
            let mut plan = Options { weighting: Some(weights.weighting()), ..options }.plan().unwrap();
            if let Weights::Levels(levels) = weights {
                plan = plan.with_levels(FeatureLevels::clone(levels));
            }
            let frequencies = matches!(weights, Weights::TfIdf(_)).then(frequencies);
            let folder = tempfile::tempdir().unwrap();
            let index = Index::create(
                &folder.path().join("seen.index"),
                NewIndex { plan: plan.clone(), stores_texts, frequencies },
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

#[test]
fn a_text_of_what_all_documents_have_is_similar_to_its_copies_alone() {
    let options = Options { method: Some(Method::SimHash), shingle: Some(1), ..Options::default() };
    let plan = Options { weighting: Some(Weighting::TfIdf), ..options }.plan().unwrap();
    let mut table = DocumentFrequencies::new(plan.feature_id());
    let mut features = Sketcher::new(&plan).features("the page of a site").to_vec();
    features.sort_unstable();
    (0..9).for_each(|_| table.push(&features));
    let folder = tempfile::tempdir().unwrap();
    let new = NewIndex { frequencies: Some(Arc::new(table)), ..NewIndex::from(&plan) };
    for stores_texts in [true, false] {
        let path = folder.path().join(format!("{stores_texts}.index"));
        weightless(Index::create(&path, NewIndex { stores_texts, ..new.clone() }).unwrap());
    }
}

fn weightless(index: Index) {
    let (seen, closer) = Seen::open(index).unwrap();
    for text in ["the page", "of a site"] {
        let added = seen.add(NewText::new(text, text), 0).wait().unwrap().answer;
        assert!(matches!(added, Added::New { .. }), "{text} weighs nothing");
    }
    let copy = seen.add(NewText::new("copy", "page: the"), 0).wait().unwrap().answer;
    let Added::Duplicate { found, .. } = copy else { panic!("{copy:?}") };
    assert_eq!((&found.id[..], found.score, found.is_copy), ("the page", Score::Hamming(0), true));
    // They are different texts all the same.
    for (text, is_known) in
        [("the page", true), ("of a site", false), ("a page of the site", false), ("", false)]
    {
        let answer = seen.add(NewText::new("the page", text), 0).wait().unwrap().answer;
        assert_eq!(matches!(answer, Added::Unchanged { number: 0 }), is_known, "{answer:?}");
        assert_eq!(matches!(answer, Added::OtherText { number: 0 }), !is_known, "{answer:?}");
    }
    seen.add(NewText::new("other", "another story"), 0).wait().unwrap();
    let found = seen.check("another story of the site", 0.0, 0).unwrap().found;
    assert_eq!(found.iter().map(|found| &found.id[..]).collect::<Vec<_>>(), ["other"]);
    drop(seen);
    closer.close().unwrap();
}
