//! Two pages side by side: every score, every shared passage, and why they are a pair or not.

use super::pairs::PairRow;
use super::results::AuditResults;
use lookalike::compare::Passage;
use lookalike_audit::{PageComparison, PagePair, PairClass};
use serde::Serialize;
use std::io;
use std::ops::Range;

/// A place in a text, in characters (Unicode scalar values): the first one, and the one behind the last.
pub type WordRange = [usize; 2];

/// Two pages, in the order of their URLs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairView<'r> {
    /// The pages.
    pub sides: [SideView<'r>; 2],
    /// Whether the audit reports them.
    pub is_reported: bool,
    /// All scores, whether they are reported or not.
    pub pair: PairRow<'r>,
    /// Why they are a pair, or why not, in sentences.
    pub why: Vec<String>,
    /// The passages that both have, in the order of the first page.
    pub passages: Vec<PassageView>,
}

/// One of two pages.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideView<'r> {
    /// The URL.
    pub url: &'r str,
    /// The title.
    pub title: &'r str,
    /// The text that is compared.
    pub text: String,
    /// Its words.
    pub words: u32,
    /// The words of the page that are not compared.
    pub left_out: u64,
}

/// A passage that both pages have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassageView {
    /// Equal words.
    pub words: usize,
    /// Its places.
    pub places: [WordRange; 2],
    /// The places of its parts that are equal in both.
    pub equal: Vec<[WordRange; 2]>,
}

/// Two pages by their URLs, in any order. `None` if the audit has not both.
///
/// # Errors
/// If a text cannot be read.
pub fn pair<'r>(results: &'r AuditResults, a: &str, b: &str) -> io::Result<Option<PairView<'r>>> {
    let audit = &results.audit;
    let (Some(a), Some(b)) = (audit.page_of(a), audit.page_of(b)) else { return Ok(None) };
    let compared = audit.compare(&*results.site, a, b)?;
    let why = why(results, &compared);
    let PageComparison { pair, verdict, texts: [left, right], passages } = compared;
    let side = |number: u32, text| {
        let page = results.of(number);
        let left_out = page.words.all.saturating_sub(u64::from(page.scored_words));
        SideView {
            url: results.url(number),
            title: results.title(number),
            text,
            words: page.scored_words,
            left_out,
        }
    };
    Ok(Some(PairView {
        sides: [side(pair.a, left.text), side(pair.b, right.text)],
        is_reported: verdict.is_reported(),
        pair: results.pair_row(&pair),
        why,
        passages: passages.passages.iter().map(passage).collect(),
    }))
}

fn passage(passage: &Passage) -> PassageView {
    let place = |range: &Range<usize>| [range.start, range.end];
    let equal = passage.equal.iter();
    PassageView {
        words: passage.tokens(),
        places: [place(&passage.left.chars), place(&passage.right.chars)],
        equal: equal.map(|equal| [place(&equal.left.chars), place(&equal.right.chars)]).collect(),
    }
}

/// What the class of a pair says.
fn class(pair: &PagePair) -> &'static str {
    match pair.class {
        PairClass::Exact => "All words that are compared are equal, in the same order.",
        PairClass::Near => "At least 80 % of each page is in the other.",
        PairClass::Substantial => "At least 60 % of each page is in the other.",
        PairClass::Contained => "One page is nearly all in the other, which has more.",
        PairClass::Reordered => "Most of their words are the same, in another order.",
        PairClass::Partial => "They share a part.",
        PairClass::TemplateOnly => "One of them has little text but template.",
    }
}

fn why(results: &AuditResults, compared: &PageComparison) -> Vec<String> {
    let pair = &compared.pair;
    if !compared.verdict.is_reported() {
        return vec![compared.verdict.to_string()];
    }
    let handled = match results.audit.handled(pair.a, pair.b) {
        Some(handled) => format!("The site handles it. {handled}"),
        None => "To fix: the site does not say which of the two counts.".to_owned(),
    };
    vec![compared.verdict.to_string(), class(pair).to_owned(), handled]
}
