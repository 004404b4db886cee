//! The measures as text, for pages and terminals.

use super::ComparisonPage;
use crate::numbers::{count, several};
use crate::words::share;
use lookalike::{Plan, Tokens};
use std::borrow::Cow;

/// A measure, its value, and a note on how the value is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name of the measure.
    pub name: Cow<'static, str>,
    /// The value, with its unit.
    pub value: String,
    /// An explanation of the value.
    pub note: String,
}

/// The plural noun for tokens: characters or words.
pub(super) fn passage_units(plan: &Plan) -> &'static str {
    match plan.tokens() {
        Tokens::Chars => "characters",
        _ => "words",
    }
}

/// A number of tokens: "1 word", "2,000 words".
pub fn counted_tokens(plan: &Plan, number: usize) -> String {
    several(number, passage_units(plan).trim_end_matches('s'))
}

/// All measures of a comparison, in the order of the page.
pub fn figures(of: &ComparisonPage<'_>) -> Vec<Figure> {
    let (unit, plan) = (passage_units(of.plan), of.plan);
    let figure = |name: &'static str, value: String, note: String| Figure { name: name.into(), value, note };
    let (shingles, words) = (of.comparison.shingles, of.comparison.words);
    let either = |overlap: lookalike::compare::Overlap| overlap.left + overlap.right - overlap.common;
    let shingle = match plan.shingle() {
        1 => unit.to_owned(),
        length => format!("{length}-{} shingles", unit.trim_end_matches('s')),
    };
    let counted = |part: u32, whole: u32| format!("{} of {}", count(part), count(whole));
    let held = |whole: u32, owner: &str, other: &str| {
        format!("{} different {shingle} of {owner} are in {other}", counted(shingles.common, whole))
    };
    let minhash = &of.comparison.minhash;
    vec![
        figure(
            "Shingle Jaccard",
            shingles.jaccard().to_string(),
            format!("{} different {shingle} are in both", counted(shingles.common, either(shingles))),
        ),
        figure(
            if unit == "words" { "Word Jaccard" } else { "Character Jaccard" },
            words.jaccard().to_string(),
            format!("{} different {unit} are in both", counted(words.common, either(words))),
        ),
        figure("A contained in B", shingles.containment_of_left().to_string(), held(shingles.left, "A", "B")),
        figure(
            "B contained in A",
            shingles.containment_of_right().to_string(),
            held(shingles.right, "B", "A"),
        ),
        figure(
            "Cosine",
            of.comparison.cosine.to_string(),
            format!("of {shingle}, weights {}", plan.weighting().name()),
        ),
        sequence(of, unit),
        passages(of),
        simhash(of),
        figure(
            "MinHash estimate",
            minhash.estimate().to_string(),
            format!(
                "{} of {} values agree; the exact shingle Jaccard is {}",
                count(minhash.equal),
                count(minhash.num_perm),
                shingles.jaccard()
            ),
        ),
        bands(of),
    ]
}

fn passages(of: &ComparisonPage<'_>) -> Figure {
    let [left, right] = of.tokens;
    let shared = of.passages.tokens;
    let note = format!(
        "{} {} equal in {}; A has {}, B {}",
        counted_tokens(of.plan, shared),
        if shared == 1 { "is" } else { "are" },
        several(of.passages.passages.len() as u64, "passage"),
        count(left as u64),
        count(right as u64)
    );
    let value =
        format!("{} of A, {} of B", share(shared as u64, left as u64), share(shared as u64, right as u64));
    Figure { name: "Shared passages".into(), value, note }
}

fn sequence(of: &ComparisonPage<'_>, unit: &str) -> Figure {
    let (least, most) = of.subsequence.ratio();
    let formula = format!("2·M/T: M {unit} in the longest common subsequence, T {unit} in both texts");
    let (value, note) = if of.subsequence.is_known() {
        (least.to_string(), formula)
    } else {
        (
            format!("{least} to {most}"),
            format!("{formula}; stopped at the time limit, so it is between these two"),
        )
    };
    Figure { name: "Sequence ratio".into(), value, note }
}

fn simhash(of: &ComparisonPage<'_>) -> Figure {
    let [left, right] = of.comparison.fingerprints;
    let bits = left.bits().count();
    let value = match of.comparison.distance {
        Some(distance) => format!("{distance} of {bits} bits"),
        None => "none".to_owned(),
    };
    let note = format!("{left} and {right}; unrelated texts differ in {} or so", bits / 2);
    Figure { name: "SimHash distance".into(), value, note }
}

fn bands(of: &ComparisonPage<'_>) -> Figure {
    let minhash = &of.comparison.minhash;
    let shared = &minhash.shared_bands;
    let which = match shared.len() {
        0 => String::new(),
        all if all == minhash.banding.bands => String::new(),
        1 => format!("band {}; ", shared[0]),
        _ => format!("bands {}; ", shared.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    let note = format!(
        "{which}two texts with this shingle Jaccard share at least one of {} of {} with a probability of {:.6}",
        several(minhash.banding.bands, "band"),
        several(minhash.banding.rows, "value"),
        minhash.probability
    );
    let value = format!("{} of {}", count(shared.len()), count(minhash.banding.bands));
    Figure { name: "Shared bands".into(), value, note }
}
