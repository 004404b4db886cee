//! Which part of the text of a page is compared.

use std::{fmt, str::FromStr};

use super::{page::Area, page::HtmlPage, text_of};

/// The share of the content's words in the main area from which nothing else counts.
const MAIN_PERCENT: u64 = 30;

/// The part of the text of an HTML page that is compared.
///
/// It is parsed from its name: `all`, `blocks` or `main`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Extract {
    /// All visible text, menus and footers too.
    #[default]
    All,
    /// The text outside navigation, header, footer, asides and forms, as elements and ARIA roles name them. If `<main>` and
    /// `<article>` have at least three tenths of its words, only their text. All text, if there is no other.
    Blocks,
    /// The main content: the part of the page that it is there for, found by the form of its text.
    Main,
}

impl Extract {
    /// The names of all of them.
    pub const NAMES: [&str; 3] = ["all", "blocks", "main"];

    /// The areas of a page that [`Extract::Blocks`] takes, given the words of its `<main>` and `<article>` elements, and those of all blocks that
    /// may be content.
    pub fn areas(main: u64, content: u64) -> ContentAreas {
        match content {
            0 => ContentAreas::All,
            // With fewer words they are teasers.
            _ if main > 0 && main * 100 >= content * MAIN_PERCENT => ContentAreas::Main,
            _ => ContentAreas::Content,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Extract::NAMES[self as usize]
    }

    /// Appends the text of a decoded page.
    pub(crate) fn append(self, page: &str, text: &mut String) {
        if self == Extract::All {
            return text_of(page, text);
        }
        for block in HtmlPage::of_characters(page).extracted(self) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&block.text);
        }
    }
}

/// The areas of a page that [`Extract::Blocks`] takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentAreas {
    /// All: the page has nothing outside navigation, header, footer, asides and forms.
    All,
    /// `<main>` and `<article>`.
    Main,
    /// All that may be content.
    Content,
}

impl ContentAreas {
    /// Whether blocks of this area are taken.
    pub fn take(self, area: Area) -> bool {
        match self {
            ContentAreas::All => true,
            ContentAreas::Main => area == Area::Main,
            ContentAreas::Content => area.is_content(),
        }
    }
}

impl fmt::Display for Extract {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The error for a text that names no [`Extract`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("use all, blocks or main")]
pub struct BadExtract;

impl FromStr for Extract {
    type Err = BadExtract;

    fn from_str(name: &str) -> Result<Extract, BadExtract> {
        let all = [Extract::All, Extract::Blocks, Extract::Main];
        all.into_iter().find(|extract| extract.name() == name).ok_or(BadExtract)
    }
}
