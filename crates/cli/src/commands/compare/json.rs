//! A comparison for programs. The schema is a contract: it is in the help of the command.

use lookalike::compare::Passage;
use lookalike::text::Stretch;
use lookalike::{Measure, Method};
use lookalike_batch::Compared;
use lookalike_engine::PlanSummary;
use lookalike_pages::ComparisonPage;
use serde::ser::Error;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct Comparison<'a> {
    a: Text<'a>,
    b: Text<'a>,
    measures: Measures,
    simhash: SimHash,
    minhash: MinHash<'a>,
    verdict: Verdict,
    passages: Vec<Shared>,
    plan: &'a PlanSummary,
}

#[derive(Serialize)]
struct Text<'a> {
    name: &'a str,
    characters: usize,
    tokens: usize,
    shingles: u32,
    words: u32,
    fingerprint: String,
}

#[derive(Serialize)]
struct Measures {
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
struct SimHash {
    bits: u32,
    distance: Option<u32>,
}

#[derive(Serialize)]
struct MinHash<'a> {
    estimate: Six,
    equal_values: usize,
    num_perm: usize,
    bands: usize,
    rows: usize,
    shared_bands: &'a [usize],
    probability: Six,
}

#[derive(Serialize)]
struct Verdict {
    found: bool,
    found_by: Vec<&'static str>,
    missed_by: Vec<&'static str>,
    similarity: Option<Six>,
    measure: &'static str,
    threshold: f64,
    sentence: String,
}

#[derive(Serialize)]
struct Shared {
    tokens: usize,
    a: [usize; 2],
    b: [usize; 2],
    equal: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
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
pub(super) fn write(page: &ComparisonPage<'_>, compared: &Compared) -> anyhow::Result<String> {
    let of = page.comparison;
    let (shingles, words, minhash) = (of.shingles, of.words, &of.minhash);
    let (least, most) = page.subsequence.ratio();
    let text = |side: usize, shingles: u32, words: u32| Text {
        name: page.names[side],
        characters: page.texts[side].chars().count(),
        tokens: page.tokens[side],
        shingles,
        words,
        fingerprint: of.fingerprints[side].to_string(),
    };
    let share = |side: usize| Six(page.passages.tokens as f64 / page.tokens[side].max(1) as f64);
    let comparison = Comparison {
        a: text(0, shingles.left, words.left),
        b: text(1, shingles.right, words.right),
        measures: Measures {
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
        simhash: SimHash { bits: of.fingerprints[0].bits().count(), distance: of.distance },
        minhash: MinHash {
            estimate: Six(minhash.estimate().value()),
            equal_values: minhash.equal,
            num_perm: minhash.num_perm,
            bands: minhash.banding.bands,
            rows: minhash.banding.rows,
            shared_bands: &minhash.shared_bands,
            probability: Six(minhash.probability),
        },
        verdict: Verdict {
            found: of.verdict.is_found(),
            found_by: of.verdict.found_by().map(Method::name).collect(),
            missed_by: of.verdict.missed_by().map(Method::name).collect(),
            similarity: of.verdict.similarity.map(|similarity| Six(similarity.value())),
            measure: Measure::name(of.verdict.measure),
            threshold: of.verdict.threshold,
            sentence: of.verdict.to_string(),
        },
        passages: page.passages.passages.iter().map(shared).collect(),
        plan: &compared.plan,
    };
    Ok(serde_json::to_string(&comparison)? + "\n")
}

fn shared(passage: &Passage) -> Shared {
    let part = |tokens, left: &Stretch, right: &Stretch| Part { tokens, a: chars(left), b: chars(right) };
    Shared {
        tokens: passage.tokens(),
        a: chars(&passage.left),
        b: chars(&passage.right),
        equal: passage.equal.iter().map(|equal| part(equal.tokens, &equal.left, &equal.right)).collect(),
    }
}

fn chars(stretch: &Stretch) -> [usize; 2] {
    [stretch.chars.start, stretch.chars.end]
}
