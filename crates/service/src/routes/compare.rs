//! `POST /v1/compare`

use super::selected::{Selected, SelectedText};
use crate::app::App;
use crate::object::JsonObject;
use crate::problem::Problem;
use crate::score::ScoreAnswer;
use axum::Json;
use axum::extract::State;
use lookalike::compare::{Passage, Passages};
use lookalike::comparison::{SearchEvidence, Verdict};
use lookalike::{Comparison, Level, Score, Sketcher};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use utoipa::ToSchema;

/// The fewest tokens in a row that make a passage, even with shorter shingles: one or two common words are none.
const LEAST_PASSAGE: usize = 3;

/// Two texts, or documents of the index.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompareRequest {
    a: Selected,
    b: Selected,
}

/// How two texts compare. All figures are exact.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CompareAnswer {
    a: ComparedText,
    b: ComparedText,
    /// Whether the two are similar, and the index would find it.
    found: bool,
    /// The same in a sentence, with the reason.
    sentence: String,
    /// How near they are. Nothing, if the index has fingerprints and one of them has none.
    #[serde(flatten)]
    score: ScoreAnswer,
    /// The least similarity of similar documents, unless distances decide alone.
    threshold: Option<f64>,
    measures: Measures,
    /// What the two share, in the order of `a`.
    passages: Vec<PassageAnswer>,
}

/// One of two texts.
#[derive(Debug, Serialize, ToSchema)]
struct ComparedText {
    /// The id of the document, if it is one.
    id: Option<String>,
    /// The text.
    text: String,
    /// The number of words or other tokens.
    tokens: usize,
    /// The number of distinct shingles.
    shingles: u32,
}

/// Measures from 0 to 1.
#[derive(Debug, Serialize, ToSchema)]
struct Measures {
    /// The shared shingles, divided by all.
    jaccard: f64,
    /// The shared words, divided by all.
    word_jaccard: f64,
    /// The share of the shingles of `a` that are in `b`.
    containment_of_a: f64,
    /// The share of the shingles of `b` that are in `a`.
    containment_of_b: f64,
    /// The cosine of the shingles.
    cosine: f64,
}

/// A passage that two texts share. Places are in characters (Unicode scalar values): the first one, and the one behind the last.
#[derive(Debug, Serialize, ToSchema)]
struct PassageAnswer {
    /// The number of equal words or other tokens.
    tokens: usize,
    a: [usize; 2],
    b: [usize; 2],
    /// The parts of it that are equal in both.
    equal: Vec<EqualAnswer>,
}

/// Consecutive tokens that are equal in both texts.
#[derive(Debug, Serialize, ToSchema)]
struct EqualAnswer {
    a: [usize; 2],
    b: [usize; 2],
}

/// How similar are two texts, and which passages do they share?
#[utoipa::path(
    post, path = "/v1/compare", tag = "documents", request_body = CompareRequest, security(("key" = [])),
    responses(
        (status = 200, body = CompareAnswer),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "No document has the id or URL"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "It has expired"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn compare(
    State(app): State<Arc<App>>,
    JsonObject(request): JsonObject<CompareRequest>,
) -> Result<Json<CompareAnswer>, Problem> {
    app.run_blocking(|app| Ok(answer(app, request.a.text(app)?, request.b.text(app)?))).await.map(Json)
}

fn answer(app: &App, a: SelectedText, b: SelectedText) -> CompareAnswer {
    let (plan, level) = (app.backend.plan(), Level::detect());
    let comparison = Comparison::new(plan, app.backend.index.weights(), level, &a.text, &b.text);
    let mut sketcher = Sketcher::with_level(plan, level);
    let (left, right) = (sketcher.locate(&a.text), sketcher.locate(&b.text));
    let passages = Passages::of(&left, &right, plan.shingle().max(LEAST_PASSAGE));
    let tokens = [left.hashes().len(), right.hashes().len()];
    let Comparison { shingles, words, cosine, verdict, .. } = comparison;
    CompareAnswer {
        found: verdict.is_found(),
        sentence: verdict.to_string(),
        score: score(&verdict).map(ScoreAnswer::from).unwrap_or_default(),
        threshold: (!plan.decides_by_distance()).then_some(verdict.threshold),
        measures: Measures {
            jaccard: shingles.jaccard().value(),
            word_jaccard: words.jaccard().value(),
            containment_of_a: shingles.containment_of_left().value(),
            containment_of_b: shingles.containment_of_right().value(),
            cosine: cosine.value(),
        },
        passages: passages.passages.iter().map(passage).collect(),
        a: ComparedText { id: a.id, text: a.text, tokens: tokens[0], shingles: shingles.left },
        b: ComparedText { id: b.id, text: b.text, tokens: tokens[1], shingles: shingles.right },
    }
}

/// The similarity of two texts, or what their sketches say if that alone decides.
fn score(verdict: &Verdict) -> Option<Score> {
    let of_sketches = || {
        let distance = verdict.searches.iter().find_map(|searched| match searched.search {
            SearchEvidence::Distance { distance, .. } => distance.map(Score::Hamming),
            _ => None,
        });
        verdict.estimate().map(Score::Estimate).or(distance)
    };
    verdict.similarity.map(Score::Similarity).or_else(of_sketches)
}

fn passage(passage: &Passage) -> PassageAnswer {
    let place = |range: &Range<usize>| [range.start, range.end];
    let equal = passage.equal.iter();
    PassageAnswer {
        tokens: passage.tokens(),
        a: place(&passage.left.chars),
        b: place(&passage.right.chars),
        equal: equal
            .map(|equal| EqualAnswer { a: place(&equal.left.chars), b: place(&equal.right.chars) })
            .collect(),
    }
}
