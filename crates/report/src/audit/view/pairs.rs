//! The list of pairs.

use super::list::{ListPart, ListQuery, directed};
use super::results::AuditResults;
use super::tally::ListedPair;
use crate::count;
use lookalike_audit::{Band, Handled, PagePair};
use serde::Serialize;

/// A pair, and the pages that it consists of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairRow<'r> {
    /// The URL of the first page.
    pub a: &'r str,
    /// The URL of the second page.
    pub b: &'r str,
    /// The title of the first page.
    pub title_a: &'r str,
    /// The title of the second page.
    pub title_b: &'r str,
    /// The words of each page that the other page has too.
    pub matched: [u32; 2],
    /// Their share of each page's words.
    pub percent: [f64; 2],
    /// The larger share.
    pub headline: f64,
    /// The Jaccard similarity of shingles.
    pub jaccard: f64,
    /// The share of the smaller set of shingles that the other page has.
    pub containment: f64,
    /// The Jaccard similarity of words.
    pub word_jaccard: f64,
    /// The least and the most that the sequence ratio can be.
    pub sequence: [f64; 2],
    /// The combined score.
    pub score: f64,
    /// The class.
    pub class: &'static str,
    /// The band of the headline.
    pub band: &'static str,
    /// The way that the site handles the pair. Nothing if it is to fix.
    pub handled: Option<&'static str>,
    /// The same as a sentence.
    pub handled_sentence: Option<String>,
}

impl AuditResults {
    /// A pair as a row.
    pub(super) fn pair_row(&self, pair: &PagePair) -> PairRow<'_> {
        let handled = self.audit.handled(pair.a, pair.b);
        PairRow {
            a: self.url(pair.a),
            b: self.url(pair.b),
            title_a: self.title(pair.a),
            title_b: self.title(pair.b),
            matched: pair.matched_words,
            percent: pair.percent,
            headline: pair.headline(),
            jaccard: pair.jaccard,
            containment: pair.containment,
            word_jaccard: pair.word_jaccard,
            sequence: [pair.sequence.at_least, pair.sequence.at_most],
            score: pair.score,
            class: pair.class.name(),
            band: pair.band().name(),
            handled: handled.map(Handled::name),
            handled_sentence: handled.map(|handled| handled.to_string()),
        }
    }

    fn is_pair_shown(&self, pair: &ListedPair, show: &str) -> bool {
        match show {
            "" | "all" => true,
            "to-fix" => pair.handled.is_none(),
            "handled" => pair.handled.is_some(),
            kind => {
                let band = Band::of(f64::from(pair.headline) / 1e6);
                pair.class.name() == kind || band.name() == kind
            }
        }
    }
}

/// The list of pairs. `show` is `to-fix`, `handled`, a class or a band.
pub fn pairs<'r>(results: &'r AuditResults, query: &ListQuery) -> ListPart<PairRow<'r>> {
    let tally = &results.tally;
    let found = tally.listed.iter().filter(|pair| {
        let (a, b) = pair.pages;
        results.is_pair_shown(pair, &query.show) && query.finds([results.url(a), results.url(b)])
    });
    let mut found: Vec<&ListedPair> = found.collect();
    let descends = query.descends(true);
    match query.sort.as_str() {
        "url" => found.sort_by(|x, y| directed(x.pages.cmp(&y.pages), query.descends(false))),
        "matched" => found.sort_by(|x, y| directed(x.matched.cmp(&y.matched), descends)),
        "class" => found.sort_by(|x, y| directed(x.class.cmp(&y.class), query.descends(false))),
        "handled" => found.sort_by(|x, y| directed(x.handled.cmp(&y.handled), query.descends(false))),
        _ if !descends => found.reverse(),
        _ => {}
    }
    let mut listed = query.cut(&found, tally.pairs as usize, |pair| {
        let (a, b) = pair.pages;
        results.pair_row(&results.audit.pair(a, b).expect("the audit has the pairs that were counted"))
    });
    if tally.pairs > tally.listed.len() as u64 {
        let (most, all) = (count(tally.listed.len()), count(tally.pairs));
        listed.note = Some(format!("The list has the {most} most similar of {all} pairs."));
    }
    listed
}
