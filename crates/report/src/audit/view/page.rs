//! One page: its words, its blocks and its pairs.

use super::list::{ListPart, ListQuery};
use super::marks::{MOST_COMPARED, in_characters, marks};
use super::pages::PageRow;
use super::pair::WordRange;
use super::pairs::PairRow;
use super::results::AuditResults;
use lookalike_audit::{Area, PagePair};
use serde::Serialize;
use std::io;

/// Characters of blocks that an answer has.
const MOST_CHARACTERS: usize = 400_000;

/// A page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageView<'r> {
    /// Its figures.
    pub page: PageRow<'r>,
    /// Its words that are compared.
    pub compared: u32,
    /// Its duplicate, common and unique words.
    pub counts: [u64; 3],
    /// The URL that it names as canonical.
    pub canonical: Option<String>,
    /// The way that the site handles it, as a sentence.
    pub handled: Option<String>,
    /// Its pairs, the most similar first.
    pub pairs: ListPart<PairRow<'r>>,
    /// Its blocks, in the order of the page.
    pub blocks: Vec<ShownBlock>,
    /// The number of pages whose parts are marked: the most similar ones.
    pub marked: usize,
    /// What the blocks leave out.
    pub note: Option<String>,
}

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownBlock {
    /// The text.
    pub text: String,
    /// The area of the page that it stands in.
    pub area: &'static str,
    /// Why it is compared or not.
    pub role: &'static str,
    /// Whether it is compared.
    pub compared: bool,
    /// The parts that similar pages have too, in characters.
    pub shared: Vec<WordRange>,
}

/// The name of an area.
pub(super) fn area_name(area: Area) -> &'static str {
    match area {
        Area::Main => "main",
        Area::Navigation => "navigation",
        Area::Header => "header",
        Area::Footer => "footer",
        Area::Aside => "aside",
        Area::Form => "form",
        Area::Body => "body",
    }
}

/// The page with this URL. `query` selects among its pairs.
///
/// # Errors
/// If its text cannot be read.
pub fn page<'r>(results: &'r AuditResults, url: &str, query: &ListQuery) -> io::Result<Option<PageView<'r>>> {
    let Some(number) = results.audit.page_of(url) else { return Ok(None) };
    let page = results.of(number);
    let mut pairs: Vec<PagePair> = results.audit.pairs_of(number).collect();
    pairs.sort_by(|x, y| y.headline().total_cmp(&x.headline()).then((x.a, x.b).cmp(&(y.a, y.b))));
    let (blocks, note) = blocks(results, number, &pairs)?;
    Ok(Some(PageView {
        page: results.row(number),
        compared: page.scored_words,
        counts: [page.words.duplicate, page.words.common, page.words.unique()],
        canonical: results.site.facts(page.source as usize).canonical.clone(),
        handled: results.audit.handled_page(number).map(|handled| handled.to_string()),
        pairs: query.cut(&pairs, pairs.len(), |pair| results.pair_row(pair)),
        blocks,
        marked: pairs.len().min(MOST_COMPARED),
        note,
    }))
}

fn blocks(
    results: &AuditResults,
    number: u32,
    pairs: &[PagePair],
) -> io::Result<(Vec<ShownBlock>, Option<String>)> {
    let page = results.of(number);
    let marks = marks(results, number, pairs)?;
    let (mut blocks, mut left) = (Vec::new(), MOST_CHARACTERS);
    let all = results.site.blocks(page.source as usize)?;
    for (place, (block, &role)) in all.iter().zip(&page.roles).enumerate() {
        if left < block.text.len() {
            let note = "The page goes on. Only the start of its text is shown.";
            return Ok((blocks, Some(note.to_owned())));
        }
        left -= block.text.len();
        let (area, compared) = (area_name(block.area), page.scores(role));
        let shared = marks.get(&place).map_or(Vec::new(), |ranges| in_characters(&block.text, ranges));
        blocks.push(ShownBlock { text: block.text.clone(), area, role: role.name(), compared, shared });
    }
    Ok((blocks, None))
}
