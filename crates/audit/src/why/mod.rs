//! Why two pages are reported as a pair, or why not.
//!
//! Any two pages of an audit can be asked about. Their texts are read again, and compared directly.

mod direct;
mod verdict;

#[cfg(test)]
pub(super) use direct::compare;
pub(super) use direct::shared_words;
pub use verdict::PairVerdict;

use super::pairs::PairCounts;
use super::read::block_tokens;
use super::{Audit, BlockRole, PagePair, PageSource};
use lookalike::Sketcher;
use lookalike::compare::Passages;
use std::io;
use std::ops::Range;

/// Two pages side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct PageComparison {
    /// Their scores, whether they are reported or not. The sequence ratio is always exact here.
    pub pair: PagePair,
    /// Whether they are reported, and why.
    pub verdict: PairVerdict,
    /// The scored text of each page.
    pub texts: [ScoredPageText; 2],
    /// The passages that the scored texts share, with their places in [`ScoredPageText::text`].
    pub passages: Passages,
}

/// The scored text of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoredPageText {
    /// The scored blocks, one a line.
    pub text: String,
    /// The scored blocks by their places in the page, each with its bytes in the text.
    pub blocks: Vec<(usize, Range<usize>)>,
}

impl Audit {
    /// Compares two pages of the audit. `source` is the source that it was made of. The page with the lower number is on
    /// the left.
    ///
    /// # Errors
    /// If a page cannot be read.
    pub fn compare<S: PageSource + ?Sized>(
        &self,
        source: &S,
        one: u32,
        other: u32,
    ) -> io::Result<PageComparison> {
        let mut sketcher = self.sketcher()?;
        let (pair, texts) = self.scored(source, &mut sketcher, [one.min(other), one.max(other)])?;
        let verdict = self.verdict_on(source, &mut sketcher, &pair)?;
        let [left, right] = &texts;
        let least = sketcher.plan().shingle();
        let passages = Passages::of(&sketcher.locate(&left.text), &sketcher.locate(&right.text), least);
        Ok(PageComparison { pair, verdict, texts, passages })
    }

    /// Whether two pages of the audit are reported as a pair, and why. `source` is the source that it was made of.
    ///
    /// # Errors
    /// If a page cannot be read.
    pub fn verdict<S: PageSource + ?Sized>(
        &self,
        source: &S,
        one: u32,
        other: u32,
    ) -> io::Result<PairVerdict> {
        let mut sketcher = self.sketcher()?;
        let (pair, _) = self.scored(source, &mut sketcher, [one.min(other), one.max(other)])?;
        self.verdict_on(source, &mut sketcher, &pair)
    }

    fn sketcher(&self) -> io::Result<Sketcher> {
        // The plan was made once already, from the same settings.
        Ok(Sketcher::new(&self.settings.plan().map_err(io::Error::other)?))
    }

    /// The scores of two pages, and their scored texts.
    fn scored<S: PageSource + ?Sized>(
        &self,
        source: &S,
        sketcher: &mut Sketcher,
        pages: [u32; 2],
    ) -> io::Result<(PagePair, [ScoredPageText; 2])> {
        let [left, right] = pages.map(|page| self.text_of(source, page, |page, role| page.scores(role)));
        let texts = [left?, right?];
        // A reported pair has the same scores wherever it is shown.
        if let Some(pair) = self.pair(pages[0], pages[1]) {
            return Ok((pair, texts));
        }
        let is_template = pages.iter().any(|&page| self.pages[page as usize].is_mostly_common);
        let counts = PairCounts { is_template, ..self.direct(sketcher, &texts) };
        Ok((counts.pair(pages[0], pages[1], &self.settings.weights), texts))
    }

    /// The text of those blocks of a page that `includes` names, given their roles.
    fn text_of<S: PageSource + ?Sized>(
        &self,
        source: &S,
        page: u32,
        includes: impl Fn(&super::AuditedPage, BlockRole) -> bool,
    ) -> io::Result<ScoredPageText> {
        let page = &self.pages[page as usize];
        let mut scored = ScoredPageText::default();
        for (place, (block, &role)) in
            source.blocks(page.source as usize)?.iter().zip(&page.roles).enumerate()
        {
            if includes(page, role) {
                let start = scored.text.len();
                scored.text += &block.text;
                scored.blocks.push((place, start..scored.text.len()));
                scored.text.push('\n');
            }
        }
        Ok(scored)
    }

    fn direct(&self, sketcher: &mut Sketcher, texts: &[ScoredPageText; 2]) -> PairCounts {
        let [left, right] = [0, 1].map(|side| {
            let blocks = texts[side].blocks.iter().map(|(_, range)| &texts[side].text[range.clone()]);
            blocks.flat_map(|block| block_tokens(block, sketcher).to_vec()).collect::<Vec<u64>>()
        });
        direct::compare(sketcher, &left, &right)
    }

    /// Whether the pages of `pair` are a pair of the audit, and why.
    fn verdict_on<S: PageSource + ?Sized>(
        &self,
        source: &S,
        sketcher: &mut Sketcher,
        pair: &PagePair,
    ) -> io::Result<PairVerdict> {
        let threshold = self.settings.threshold;
        if self.pair(pair.a, pair.b).is_some() {
            return Ok(PairVerdict::Reported { headline: pair.headline(), threshold });
        }
        let pages = [pair.a, pair.b].map(|page| &self.pages[page as usize]);
        if pair.a == pair.b {
            return Ok(PairVerdict::SamePage);
        }
        if self.settings.scope == super::PairScope::Across && pages[0].site == pages[1].site {
            return Ok(PairVerdict::SameSite);
        }
        if let Some(page) = pages.iter().find(|page| page.is_mostly_common) {
            return Ok(PairVerdict::MostlyCommon { common: page.words.common, words: page.words.all });
        }
        if let Some(page) = pages.iter().find(|page| page.is_short) {
            let (words, least) = (page.scored_words, self.settings.least_words);
            return Ok(PairVerdict::TooShort { words, least });
        }
        // The same pages with their template blocks.
        let with = [pair.a, pair.b].map(|page| {
            self.text_of(source, page, |_, role| matches!(role, BlockRole::Scored | BlockRole::Template))
        });
        let [left, right] = with;
        let counts = self.direct(sketcher, &[left?, right?]);
        let all = counts.pair(pair.a, pair.b, &self.settings.weights);
        if all.headline() >= threshold {
            let side = usize::from(all.percent[1] > all.percent[0]);
            let (shared, words) = (counts.matched[side], counts.words[side]);
            let template = shared.saturating_sub(pair.matched_words[side]);
            return Ok(PairVerdict::TemplateOnly {
                template,
                shared,
                words,
                headline: pair.headline(),
                threshold,
            });
        }
        Ok(PairVerdict::Below { headline: pair.headline(), threshold })
    }
}
