use super::*;
use crate::{Options, Plan, Sketcher, Tokens};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn fixed() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() }
}

fn plan(tokens: Tokens) -> Plan {
    Options { tokens: Some(tokens), ..Options::default() }.plan().unwrap()
}

/// The slices of both texts that are marked as equal.
fn marked<'t>(tokens: Tokens, left: &'t str, right: &'t str, least: usize) -> Vec<(&'t str, &'t str)> {
    let plan = plan(tokens);
    let mut sketcher = Sketcher::new(&plan);
    let passages = Passages::of(&sketcher.locate(left), &sketcher.locate(right), least);
    let equal = passages.passages.into_iter().flat_map(|passage| passage.equal);
    equal.map(|equal| (&left[equal.left.bytes], &right[equal.right.bytes])).collect()
}

/// A few words of every script, in many forms with the same normal form.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["one ", "TWO ", "two, ", "ｏｎｅ ", "ﬁne ", "fine ", "of ", "cafe\u{301} ", "café "]),
        4 => prop::sample::select(vec!["東京", "㌔", "キロ", "ｷﾛ", "キ", "ロ", "㍿", "株式", "会社", "ｶﾞ", "ガ", "カ", "タワー"]),
        2 => prop::sample::select(vec!["👍", "👍🏽", "👨\u{200d}👩\u{200d}👧 ", "! ", "\n\n", "…", "½ ", "1⁄2 ", "\u{301}", "\u{327}"]),
        1 => prop::sample::select(vec!["ㅎㅏㄴ", "한", "नक़", "İ", "각", "ไทย", "ﷺ ", "ʼn ", "ŉ ", "ΟΔΟΣ ", "οδος ", "οδοσ "]),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Two texts that share a third text, each with text of its own around it.
fn pairs() -> impl Strategy<Value = (String, String)> {
    let parts = (texts(), texts(), texts(), texts(), texts());
    parts.prop_map(|(a, b, shared, c, d)| (format!("{a}{shared}{b}"), format!("{c}{shared}{d}")))
}

proptest! {
    // Every run takes the same cases. 60,000 others passed when this was written.
    #![proptest_config(ProptestConfig { cases: 1000, ..fixed() })]

    #[test]
    fn marked_slices_are_equal_after_normalisation((left, right) in pairs(), least in 1_usize..7) {
        for (_, tokens) in Tokens::ALL {
            let plan = plan(tokens);
            let mut sketcher = Sketcher::new(&plan);
            for (a, b) in marked(tokens, &left, &right, least) {
                let tokens_of_a: Vec<String> = sketcher.tokens(a).map(str::to_owned).collect();
                let tokens_of_b: Vec<String> = sketcher.tokens(b).map(str::to_owned).collect();
                prop_assert_eq!(tokens_of_a, tokens_of_b, "{:?} and {:?}", a, b);
            }
        }
    }

    #[test]
    fn places_in_characters_agree_with_places_in_bytes((left, right) in pairs()) {
        let plan = Plan::default();
        let mut sketcher = Sketcher::new(&plan);
        let passages = Passages::of(&sketcher.locate(&left), &sketcher.locate(&right), 3);
        let check = |text: &str, stretch: &Stretch| {
            let count = |at: usize| text[..at].chars().count();
            stretch.chars == (count(stretch.bytes.start)..count(stretch.bytes.end))
        };
        for passage in passages.passages {
            prop_assert!(check(&left, &passage.left) && check(&right, &passage.right));
            for equal in passage.equal {
                prop_assert!(check(&left, &equal.left) && check(&right, &equal.right));
            }
        }
    }

    #[test]
    fn no_token_is_in_two_runs_and_each_run_is_equal(
        left in prop::collection::vec(0_u64..5, 0..200),
        right in prop::collection::vec(0_u64..5, 0..200),
        least in 1_usize..8,
    ) {
        let least = least.min(left.len()).min(right.len());
        prop_assume!(least > 0);
        let runs = runs::find(&left, &right, least);
        let (mut in_left, mut in_right) = (vec![0; left.len()], vec![0; right.len()]);
        for run in runs {
            prop_assert!(run.len >= least);
            prop_assert_eq!(&left[run.left..run.left + run.len], &right[run.right..run.right + run.len]);
            in_left[run.left..run.left + run.len].iter_mut().for_each(|count| *count += 1);
            in_right[run.right..run.right + run.len].iter_mut().for_each(|count| *count += 1);
        }
        prop_assert!(in_left.iter().chain(&in_right).all(|&count| count <= 1));
    }

    #[test]
    fn a_shared_part_is_found(
        before in prop::collection::vec(10_u64..1000, 0..60),
        after in prop::collection::vec(1000_u64..2000, 0..60),
        shared in prop::collection::hash_set(2000_u64..9000, 5..60),
    ) {
        let shared: Vec<u64> = shared.into_iter().collect();
        let (left, right) = ([&before[..], &shared].concat(), [&shared[..], &after].concat());
        let run = EqualRun { left: before.len(), right: 0, len: shared.len() };
        prop_assert_eq!(runs::find(&left, &right, 5), [run]);
    }
}

#[test]
fn a_passage_goes_on_over_small_changes() {
    let left = "Preface. The city council voted on Tuesday to close the old harbour bridge for repairs, it was said.";
    let right = "THE CITY COUNCIL voted, on Monday, to close the old harbour bridge for lengthy repairs it was said? More.";
    let expected = [
        ("The city council voted on", "THE CITY COUNCIL voted, on"),
        ("to close the old harbour bridge for", "to close the old harbour bridge for"),
        ("repairs, it was said", "repairs it was said"),
    ];
    assert_eq!(marked(Tokens::Words, left, right, 4), expected);
}

#[test]
fn moved_parts_are_passages_of_their_own() {
    let (first, second) = ("a b c d e f g", "p q r s t u v");
    let (left, right) = (format!("{first} {second}"), format!("{second} {first}"));
    assert_eq!(marked(Tokens::Words, &left, &right, 5), [(first, first), (second, second)]);
}

#[test]
fn half_a_character_is_not_marked() {
    assert_eq!(marked(Tokens::Words, "あ㌔い", "あキい", 1), [("あ", "あ"), ("い", "い")]);
    assert_eq!(marked(Tokens::Words, "あ㌔い", "あキロい", 1), [("あ㌔い", "あキロい")]);
}

#[test]
fn texts_shorter_than_a_run_are_shared_as_a_whole() {
    assert_eq!(marked(Tokens::Words, "Yes!", "no yes no", 5), [("Yes", "yes")]);
    assert!(marked(Tokens::Words, "", "yes", 5).is_empty());
    assert_eq!(marked(Tokens::Words, "👍", " 👍\n", 5), [("👍", "👍")]);
}

/// This would take hours if it were quadratic.
#[test]
fn a_million_equal_lines_take_linear_time() {
    let line: Vec<u64> = (0..5).collect();
    let (same, apart) = (line.repeat(200_000), [&line[..], &[7]].concat().repeat(100_000));
    let found =
        |left: &[u64], right: &[u64]| runs::find(left, right, 5).iter().map(|run| run.len).sum::<usize>();
    assert_eq!(found(&same, &same), same.len());
    assert_eq!(found(&line, &same), 5);
    assert_eq!(found(&same, &line), 5);
    assert!(found(&same, &apart) > 0 && found(&apart, &same) > 0);
    let numbered: Vec<u64> = (0..100_000).flat_map(|number| [0, 1, 2, 3, 4, 1000 + number]).collect();
    assert!(found(&numbered, &same) > 0 && found(&same, &numbered) > 0);
}

#[test]
fn a_seed_is_tried_in_sixteen_places_and_no_more() {
    // On the left, the middle of the phrase also occurs in other phrases before it.
    let found = |phrase: usize, before: usize| {
        let right = format!("p{phrase} x{phrase} y z q{phrase}");
        let others: String = (0..before).map(|other| format!("a{other} x{phrase} y z b{other} ")).collect();
        let left = others + &right;
        marked(Tokens::Words, &left, &right, 5) == [(&*right, &*right)]
    };
    assert!((0..50).all(|phrase| found(phrase, 15)));
    // The hashes decide whether a seed holds more of the phrase than its middle.
    assert!((0..50).any(|phrase| found(phrase, 16)) && !(0..50).all(|phrase| found(phrase, 16)));
}
