//! An index that leaves out frequent features.

use super::*;
use lookalike::frequent::FrequentFeatures;
use lookalike::{Score, Similarity, Sketcher};

#[test]
fn frequent_features_do_not_count_and_a_text_of_them_is_similar_to_its_copies_alone() {
    let plan = Options { shingle: Some(1), ..Options::default() }.plan().unwrap();
    let features = Sketcher::new(&plan).features("the page of a site").to_vec();
    let plan = plan.leaving_out(FrequentFeatures::new(0.5, features).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let (seen, closer) = Seen::open(Index::create(&path, &plan).unwrap()).unwrap();
    let add = |seen: &Seen, id: &str, text: &str| seen.add(NewText::new(id, text), 0).wait().unwrap().answer;
    for text in ["the page", "of a site", "the page: one two three four"] {
        let added = add(&seen, text, text);
        assert!(matches!(added, Added::New { .. }), "{text}: {added:?}");
    }
    drop(seen);
    closer.close().unwrap();
    let index = Index::open_to_add(&path).unwrap();
    assert_eq!(*index.plan(), plan);
    let (seen, closer) = Seen::open(index).unwrap();
    for (text, like, is_copy) in [
        ("page: the", "the page", true),
        ("one two three four of a site", "the page: one two three four", false),
    ] {
        let answer = add(&seen, text, text);
        let Added::Duplicate { found, .. } = answer else { panic!("{text}: {answer:?}") };
        assert_eq!(
            (&found.id[..], found.score, found.is_copy),
            (like, Score::Similarity(Similarity::SAME), is_copy)
        );
    }
    drop(seen);
    closer.close().unwrap();
}
