//! An index by the estimates of signatures alone, beside a comparison with all documents.

use super::*;
use lookalike::hash::SplitMix64;
use lookalike::{Estimate, Score, Similarity, Sketcher};

/// A text of a few families, some of whose words are replaced.
fn page(random: &mut SplitMix64) -> String {
    let family = text(random.next() % 12, 0);
    let mut words: Vec<String> = family.split(' ').map(str::to_owned).collect();
    for _ in 0..random.next() % 6 {
        let at = (random.next() % words.len() as u64) as usize;
        words[at] = format!("x{}", random.next());
    }
    words.join(" ")
}

/// The signature and the band keys of a text.
fn signature(plan: &Plan, text: &str) -> (Vec<u32>, Vec<u64>) {
    let mut sketcher = Sketcher::new(plan);
    let sketch = sketcher.sketch(text);
    (sketch.signature.to_vec(), sketch.keys.to_vec())
}

#[test]
fn all_documents_of_a_shared_band_are_found_by_their_estimates() {
    for (stores_texts, asked) in [(true, 0.0), (false, 0.0), (false, 0.9), (false, 0.4)] {
        let plan = estimates(0.7);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen.index");
        let new = NewIndex { stores_texts, ..NewIndex::from(&plan) };
        let (seen, closer) = Seen::open(Index::create(&path, new).unwrap()).unwrap();
        let (mut random, mut model) = (SplitMix64(3), Vec::<(Vec<u32>, Vec<u64>)>::new());
        let least = if asked > 0.0 { asked } else { plan.threshold() };
        let mut estimates = Vec::new();
        for number in 0..200_u64 {
            let text = page(&mut random);
            let (values, keys) = signature(&plan, &text);
            let estimate = |other: &[u32]| {
                let equal = values.iter().zip(other).filter(|&(&a, &b)| a as u8 == b as u8).count() as u32;
                Estimate { equal, values: 64 }
            };
            let mut near: Vec<(u64, Estimate)> = (0..)
                .zip(&model)
                .filter(|(_, (_, others))| keys.iter().zip(others).any(|(a, b)| a == b))
                .map(|(number, (other, _))| (number, estimate(other)))
                .filter(|(_, estimate)| estimate.similarity().value() >= least)
                .collect();
            near.sort_by_key(|&(number, estimate)| (std::cmp::Reverse(estimate.equal), number));
            let found = seen.check(&text, asked, 0).unwrap().found;
            let found: Vec<(u64, Score)> = found.iter().map(|found| (found.number, found.score)).collect();
            let scores = near.iter().map(|&(number, estimate)| (number, Score::Estimate(estimate)));
            assert_eq!(found, scores.collect::<Vec<_>>());
            estimates.extend(near.iter().map(|(_, estimate)| estimate.similarity()));
            let new =
                NewText { on_duplicate: OnDuplicate::Store, ..NewText::new(format!("d{number}"), text) };
            let added = seen.add(new, 0).wait().unwrap().answer;
            if asked == 0.0 {
                assert_eq!(matches!(added, Added::New { .. }), near.is_empty());
            }
            model.push((values, keys));
        }
        let is_near = |similarity: &&Similarity| similarity.value() < least + 0.2;
        let near = estimates.iter().filter(is_near).count();
        assert!(near > 10 && estimates.len() > 50, "{near} of {}, asked {asked}", estimates.len());
        let members = seen.cluster(0);
        let scores = seen.scores(&seen.snapshot(), 0, &members).unwrap();
        let of = |&member: &u64| {
            let values = model[0].0.iter().zip(&model[member as usize].0);
            let equal = values.filter(|&(&a, &b)| a as u8 == b as u8).count() as u32;
            Score::Estimate(Estimate { equal, values: 64 })
        };
        assert!(members.len() > 3);
        assert_eq!(scores, members.iter().map(of).collect::<Vec<_>>());
        drop(seen);
        closer.close().unwrap();
    }
}
