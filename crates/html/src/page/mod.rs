//! What an HTML page says: its blocks of text, its links, and what it declares about itself.
//!
//! A page is read once, tag by tag, with a stack of the open elements. There is no tree of the document, no recursion, and no page
//! takes more than time linear in its length. Nothing here is fetched or resolved.

mod area;
mod attributes;
mod content;
mod count;
mod declared;
mod group;
mod hints;
mod open;
mod reader;
mod selected;
#[cfg(test)]
mod tests;
mod tree;

pub use area::Area;

use super::{charset, tokens::MarkupTokens};
use reader::{PageReader, ShownParts};
use serde::{Deserialize, Serialize};

/// What an HTML page says. All strings are those of the page, with character references decoded and white space collapsed. URLs
/// are not resolved.
///
/// ```
/// use lookalike_html::{Area, HtmlPage};
///
/// let page = HtmlPage::read(b"<title>T</title><nav><a href=/>Home</a></nav><main><h1>One</h1><p>Two <b>th</b>ree</main>", None);
/// assert_eq!(page.title.as_deref(), Some("T"));
/// assert_eq!(page.links[0].href, "/");
/// let main: Vec<&str> = page.blocks.iter().filter(|block| block.area == Area::Main).map(|block| block.text.as_str()).collect();
/// assert_eq!(main, ["One", "Two three"]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HtmlPage {
    /// The first `<title>`.
    pub title: Option<String>,
    /// The first visible `<h1>` with a text.
    pub heading: Option<String>,
    /// `<meta name=description>`.
    pub description: Option<String>,
    /// The `lang` of the page, such as `en-GB`.
    pub language: Option<String>,
    /// `<base href>`, to which links are relative.
    pub base: Option<String>,
    /// The first `<link rel=canonical>` of the head.
    pub canonical: Option<String>,
    /// The versions of the page in other languages, of the head.
    pub alternates: Vec<Alternate>,
    /// What the page asks of search engines.
    pub robots: Vec<RobotsMeta>,
    /// The URL of `<meta http-equiv=refresh>`. A page that only loads itself again has none.
    pub refresh: Option<String>,
    /// The links, in the order of the page. Links in hidden elements count too: menus are often hidden until they are opened.
    pub links: Vec<HtmlLink>,
    /// The visible text, in the order of the page.
    pub blocks: Vec<Block>,
    /// The number of scripts that run. Data in script tags does not count.
    pub scripts: u32,
    /// Whether the body has started.
    has_body: bool,
    /// The elements around blocks, and the one of each block.
    tree: tree::Tree,
    elements: Vec<u32>,
}

/// A version of a page in another language: `<link rel=alternate hreflang>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternate {
    /// A language such as `de` or `en-GB`, or `x-default`, as written.
    pub language: String,
    /// Its URL, as written.
    pub href: String,
}

/// An instruction for search engines: `<meta name=robots>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RobotsMeta {
    /// `robots`, or the name of one bot, in lower case.
    pub agent: String,
    /// The instruction, such as `noindex, follow`, as written.
    pub content: String,
}

/// A link to another page, or to a place in this one: `<a href>` or `<area href>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HtmlLink {
    /// The URL, as written.
    pub href: String,
    /// The text that is clicked on. Hidden text counts.
    pub text: String,
    /// Whether `rel` holds `nofollow`.
    pub nofollow: bool,
    /// The part of the page that the link is in.
    pub area: Area,
}

/// A run of text that no other block interrupts: a paragraph, a heading, a cell, an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The text. `<br>` ends a line in it, two of them end the block. White space counts once, except in preformatted text.
    pub text: String,
    /// The part of the page that the block is in.
    pub area: Area,
    /// What the block is.
    pub kind: BlockKind,
    /// The number of words. A character of a script that is written without spaces is a word.
    pub words: u32,
    /// The number of words in links.
    pub linked: u32,
    /// A hash of the tag names and classes of the elements around the block, without digits. Blocks of one template have one path.
    pub path: u64,
}

/// What a block is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BlockKind {
    /// `<h1>` to `<h6>`.
    Heading(u8),
    /// `<p>`.
    Paragraph,
    /// `<li>`, `<dt>` or `<dd>`.
    ListItem,
    /// `<td>` or `<th>`.
    Cell,
    /// `<pre>`: white space counts.
    Code,
    /// Text in any other element.
    #[default]
    Other,
}

/// Pages with fewer visible words are suspected to show nothing without their scripts.
const WORDS_WITHOUT_SCRIPTS: u32 = 30;

impl HtmlPage {
    /// Reads a page. It may have any character set, and no bytes are an error. A byte order mark decides, then the `charset` of
    /// `content_type`, which is the header of the HTTP response, and then the page itself.
    ///
    /// The text is the one of [`html_text`](crate::html_text), without what attributes hide: `hidden`, `aria-hidden=true`, and
    /// `display:none` in `style`. Drawings (`<svg>`) have no text here.
    pub fn read(page: &[u8], content_type: Option<&str>) -> HtmlPage {
        let declared = content_type.and_then(charset::charset_in);
        HtmlPage::of_characters(&charset::decode(page, declared, true))
    }

    pub(super) fn of_characters(page: &str) -> HtmlPage {
        let read = |shown| MarkupTokens::read(page, PageReader::showing(shown));
        let reader = read(ShownParts::default());
        match reader.shows_too_little() {
            Some(shown) => read(shown).finish(),
            None => reader.finish(),
        }
    }

    /// The number of visible words.
    pub fn words(&self) -> u32 {
        self.blocks.iter().fold(0, |words, block| words.saturating_add(block.words))
    }

    /// Whether the page has scripts and shows next to nothing. Its text is then probably made by the scripts.
    pub fn needs_scripts(&self) -> bool {
        self.scripts > 0 && self.words() < WORDS_WITHOUT_SCRIPTS
    }
}
