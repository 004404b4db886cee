//! A comparison for programs. The schema is a contract: it is in the help of the command.

use super::ComparisonPage;
use lookalike::compare::Passage;
use lookalike::text::Stretch;
use lookalike::{Estimate, Measure, Method};
use lookalike_engine::PlanSummary;
use serde::ser::Error;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct ComparisonJson<'a> {
    a: TextJson<'a>,
    b: TextJson<'a>,
    measures: MeasuresJson,
    simhash: SimHashJson,
    minhash: MinHashJson<'a>,
    verdict: VerdictJson,
    passages: Vec<PassageJson>,
    plan: &'a PlanSummary,
}

#[derive(Serialize)]
struct TextJson<'a> {
    name: &'a str,
    characters: usize,
    tokens: usize,
    shingles: u32,
    words: u32,
    fingerprint: String,
}

#[derive(Serialize)]
struct MeasuresJson {
    jaccard: Six,
    word_jaccard: Six,
    containment_of_a: Six,
    containment_of_b: Six,
    cosine: Six,
    sequence_ratio: Option<Six>,
    sequence_ratio_at_least: Six,
    sequence_ratio_at_most: Six,
    shared_of_a: Six,
    shared_of_b: Six,
}

#[derive(Serialize)]
struct SimHashJson {
    bits: u32,
    distance: Option<u32>,
}

#[derive(Serialize)]
struct MinHashJson<'a> {
    estimate: Six,
    equal_values: usize,
    num_perm: usize,
    bands: usize,
    rows: usize,
    shared_bands: &'a [usize],
    probability: Six,
}

#[derive(Serialize)]
struct VerdictJson {
    found: bool,
    found_by: Vec<&'static str>,
    missed_by: Vec<&'static str>,
    similarity: Option<Six>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Six>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate_low: Option<Six>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate_high: Option<Six>,
    measure: &'static str,
    threshold: f64,
    sentence: String,
}

#[derive(Serialize)]
struct PassageJson {
    tokens: usize,
    a: [usize; 2],
    b: [usize; 2],
    equal: Vec<PassagePart>,
}

#[derive(Serialize)]
struct PassagePart {
    tokens: usize,
    a: [usize; 2],
    b: [usize; 2],
}

/// A share with six decimals, as in all outputs. It is rounded like text, half to even.
struct Six(f64);

impl Serialize for Six {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rounded = format!("{:.6}", self.0).parse().map_err(S::Error::custom)?;
        serializer.serialize_f64(rounded)
    }
}

/// The comparison as one JSON object.
pub(super) fn write(page: &ComparisonPage<'_>, plan: &PlanSummary) -> serde_json::Result<String> {
    let of = page.comparison;
    let (shingles, words, minhash) = (of.shingles, of.words, &of.minhash);
    let (least, most) = page.subsequence.ratio();
    let text = |side: usize, shingles: u32, words: u32| TextJson {
        name: page.names[side],
        characters: page.texts[side].chars().count(),
        tokens: page.tokens[side],
        shingles,
        words,
        fingerprint: of.fingerprints[side].to_string(),
    };
    let share = |side: usize| Six(page.passages.tokens as f64 / page.tokens[side].max(1) as f64);
    let estimate = of.verdict.estimate();
    let interval = estimate.map(Estimate::interval);
    let comparison = ComparisonJson {
        a: text(0, shingles.left, words.left),
        b: text(1, shingles.right, words.right),
        measures: MeasuresJson {
            jaccard: Six(shingles.jaccard().value()),
            word_jaccard: Six(words.jaccard().value()),
            containment_of_a: Six(shingles.containment_of_left().value()),
            containment_of_b: Six(shingles.containment_of_right().value()),
            cosine: Six(of.cosine.value()),
            sequence_ratio: page.subsequence.is_known().then(|| Six(least.value())),
            sequence_ratio_at_least: Six(least.value()),
            sequence_ratio_at_most: Six(most.value()),
            shared_of_a: share(0),
            shared_of_b: share(1),
        },
        simhash: SimHashJson { bits: of.fingerprints[0].bits().count(), distance: of.distance },
        minhash: MinHashJson {
            estimate: Six(minhash.estimate().value()),
            equal_values: minhash.equal,
            num_perm: minhash.num_perm,
            bands: minhash.banding.bands,
            rows: minhash.banding.rows,
            shared_bands: &minhash.shared_bands,
            probability: Six(minhash.probability),
        },
        verdict: VerdictJson {
            found: of.verdict.is_found(),
            found_by: of.verdict.found_by().map(Method::name).collect(),
            missed_by: of.verdict.missed_by().map(Method::name).collect(),
            similarity: of.verdict.similarity.map(|similarity| Six(similarity.value())),
            estimate: estimate.map(|estimate| Six(estimate.similarity().value())),
            estimate_low: interval.map(|[low, _]| Six(low.value())),
            estimate_high: interval.map(|[_, high]| Six(high.value())),
            measure: Measure::name(of.verdict.measure),
            threshold: of.verdict.threshold,
            sentence: of.verdict.to_string(),
        },
        passages: page.passages.passages.iter().map(shared).collect(),
        plan,
    };
    Ok(serde_json::to_string(&comparison)? + "\n")
}

fn shared(passage: &Passage) -> PassageJson {
    let part =
        |tokens, left: &Stretch, right: &Stretch| PassagePart { tokens, a: chars(left), b: chars(right) };
    PassageJson {
        tokens: passage.tokens(),
        a: chars(&passage.left),
        b: chars(&passage.right),
        equal: passage.equal.iter().map(|equal| part(equal.tokens, &equal.left, &equal.right)).collect(),
    }
}

fn chars(stretch: &Stretch) -> [usize; 2] {
    [stretch.chars.start, stretch.chars.end]
}
