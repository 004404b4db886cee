//! Similarity while pages come in: pairs that are probably in the audit.
//!
//! Equal texts are found by a hash, and similar ones by bands of MinHash signatures. Every pair is verified at once, on
//! texts without template areas. Template blocks are not known yet. So an audit may retract pairs, and adds others.

use super::read::block_tokens;
use super::role::{BlockFacts, place_roles};
use super::why::shared_words;
use super::{Audit, AuditSettings, BlockId, BlockRole, PageSource, PairVerdict, SitePage};
use lookalike::{Incompatible, MinHashIndex, Plan, PlanError, Signature, Sketcher};
use std::collections::HashMap;
use std::io;

/// Finds pairs among the pages that came so far.
///
/// A page takes about eight bytes a word and 1,400 more.
pub struct Provisional {
    settings: AuditSettings,
    plan: Plan,
    sketcher: Sketcher,
    index: MinHashIndex,
    /// The first page with each text.
    firsts: HashMap<u64, u32>,
    pages: Vec<ProvisionalPage>,
    pairs: Vec<ProvisionalPair>,
}

/// A page that came.
struct ProvisionalPage {
    url: String,
    words: usize,
    /// The features of its text. Empty for pages that are not in the index.
    features: Vec<u64>,
}

/// A pair that was found while pages came in. Pages are named by the order in which they came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProvisionalPair {
    /// The page that came first.
    pub first: u32,
    /// The other page.
    pub second: u32,
    /// The share of each page's words that are in shared passages, from 0 to 1.
    pub percent: [f64; 2],
    /// Whether their words are equal.
    pub is_exact: bool,
}

/// A provisional pair that the audit does not have.
#[derive(Clone, Debug, PartialEq)]
pub struct Retraction {
    /// The URLs of the pages.
    pub urls: [String; 2],
    /// The provisional pair.
    pub pair: ProvisionalPair,
    /// Why the audit does not have it.
    pub verdict: PairVerdict,
}

/// The most candidates that are verified for a page. On a site of one template, every page is a candidate of every other.
const MOST: usize = 32;

/// A page is left out of the index if so much of it is on an indexed page, and the other way round. Later pages find
/// that one.
const SAME: f64 = 0.95;

impl Provisional {
    /// No pages.
    ///
    /// # Errors
    /// [`PlanError`] if a setting is out of range.
    pub fn new(settings: &AuditSettings) -> Result<Self, PlanError> {
        let plan = settings.provisional_plan()?;
        let (sketcher, index) = (Sketcher::new(&plan), MinHashIndex::new(&plan));
        let (firsts, pages, pairs) = (HashMap::new(), Vec::new(), Vec::new());
        Ok(Provisional { settings: settings.clone(), plan, sketcher, index, firsts, pages, pairs })
    }

    /// The pairs so far.
    pub fn pairs(&self) -> &[ProvisionalPair] {
        &self.pairs
    }

    /// Adds a page, and returns its pairs with earlier pages, the best first. There is at most one pair for each group of
    /// near-identical pages.
    pub fn add(&mut self, page: &SitePage) -> Vec<ProvisionalPair> {
        let number = self.pages.len() as u32;
        let tokens = self.tokens(page);
        let url = page.facts.url.clone();
        self.pages.push(ProvisionalPage { url, words: tokens.len(), features: Vec::new() });
        let first =
            (!tokens.is_empty()).then(|| *self.firsts.entry(BlockId::of(&tokens).0).or_insert(number));
        let pairs = match first {
            None => Vec::new(),
            Some(first) if first != number => {
                vec![ProvisionalPair { first, second: number, percent: [1.0; 2], is_exact: true }]
            }
            Some(_) if tokens.len() < self.settings.least_words as usize => Vec::new(),
            // A signature of this plan has the right length, so the index takes it.
            Some(_) => self.add_text(number, &tokens).unwrap_or_default(),
        };
        self.pairs.extend(&pairs);
        pairs
    }

    fn tokens(&mut self, page: &SitePage) -> Vec<u64> {
        let blocks: Vec<Vec<u64>> =
            page.blocks.iter().map(|block| block_tokens(&block.text, &mut self.sketcher).to_vec()).collect();
        let of_roles = blocks.iter().zip(&page.blocks);
        let placed = of_roles.map(|(tokens, block)| BlockFacts {
            id: BlockId::of(tokens),
            words: tokens.len(),
            area: block.area,
            is_main: block.is_main,
        });
        let roles = place_roles(&placed.collect::<Vec<_>>(), &self.settings);
        let scored = blocks.into_iter().zip(&roles).filter(|(_, role)| **role == BlockRole::Scored);
        scored.flat_map(|(tokens, _)| tokens).collect()
    }

    fn add_text(&mut self, number: u32, tokens: &[u64]) -> Result<Vec<ProvisionalPair>, Incompatible> {
        let features = self.sketcher.features_of_tokens(tokens).to_vec();
        let signature = Signature::new(self.plan.signature_id(), self.sketcher.signature(&features));
        let mut pairs = Vec::new();
        for candidate in self.index.query(&signature)?.into_iter().take(MOST) {
            let other = &self.pages[candidate.id as usize];
            let words = [other.words, tokens.len()];
            let (matched, _) = shared_words([&other.features, &features], words, self.plan.shingle());
            let percent = [0, 1].map(|side| f64::from(matched[side]) / words[side] as f64);
            if percent[0].max(percent[1]) >= self.settings.threshold {
                pairs.push(ProvisionalPair { first: candidate.id, second: number, percent, is_exact: false });
            }
        }
        let mutual = |pair: &ProvisionalPair| pair.percent[0].min(pair.percent[1]);
        pairs.sort_by(|a, b| mutual(b).total_cmp(&mutual(a)).then(a.first.cmp(&b.first)));
        if !pairs.first().is_some_and(|best| mutual(best) >= SAME) {
            self.pages[number as usize].features = features;
            self.index.insert(number, signature)?;
        }
        Ok(pairs)
    }

    /// The number of provisional pairs that `audit` does not have, and the reason for the first `most` of them. `source` is the source that the audit
    /// was made of. Pages that are not in the audit are left out.
    ///
    /// # Errors
    /// If a page cannot be read.
    pub fn retractions<S: PageSource + ?Sized>(
        &self,
        audit: &Audit,
        source: &S,
        most: usize,
    ) -> io::Result<(u64, Vec<Retraction>)> {
        let (mut count, mut retractions) = (0, Vec::new());
        for &pair in &self.pairs {
            let urls = [pair.first, pair.second].map(|page| &self.pages[page as usize].url);
            if let [Some(one), Some(other)] = urls.map(|url| audit.page_of(url))
                && audit.pair(one, other).is_none()
            {
                count += 1;
                if retractions.len() >= most {
                    continue;
                }
                let verdict = audit.verdict(source, one, other)?;
                retractions.push(Retraction { urls: urls.map(String::clone), pair, verdict });
            }
        }
        Ok((count, retractions))
    }
}
