//! HTML and URLs: the text of a page, what its head says, its main content, its character set, and URLs in one form.
//!
//! [`html_text`] gives the visible text of a page, with a line for each block. It is a plain strip of tags, so menus and footers are text too. Text that no browser shows is left out: the title and
//! everything else in the head, scripts, styles, templates and comments. Blocks, table rows and `<br>` end lines, and tabs
//! separate cells. Other tags separate nothing: `w<b>or</b>d` is one word. Runs of white space count once, except in `<pre>`.

#![forbid(unsafe_code)]

mod charset;
mod elements;
mod extract;
mod page;
mod strip;
mod tokens;
mod url;
mod words;

pub use self::extract::{BadExtract, ContentAreas, Extract};
pub use self::page::{Alternate, Area, Block, BlockKind, HtmlLink, HtmlPage, RobotsMeta};
pub use self::url::{crawled_url, normalised_url};

use self::strip::text_of;
use std::borrow::Cow;

/// Puts the visible text of an HTML page into `text`, with a line for each block. The previous content of `text` is removed, and its memory
/// is used again.
///
/// This is the text that a run compares of `.html` files and of pages in WARC files. `page` may have any character set, and no bytes are an
/// error. A byte order mark decides, then the `charset` of `content_type`, which is the header of the HTTP response, and then the page itself.
/// Takes time linear in the length of the page.
///
/// ```
/// let mut text = String::new();
/// lookalike_html::html_text(b"<title>T</title><p>caf\xe9 <b>cr</b>&egrave;me<p>two", Some("text/html; charset=latin1"), &mut text);
/// assert_eq!(text, "café crème\ntwo");
/// ```
pub fn html_text(page: &[u8], content_type: Option<&str>, text: &mut String) {
    html_text_by(Extract::All, page, content_type, text);
}

/// As [`html_text`], with only a part of the text.
pub fn html_text_by(extract: Extract, page: &[u8], content_type: Option<&str>, text: &mut String) {
    text.clear();
    let declared = content_type.and_then(charset::charset_in);
    extract.append(&charset::decode(page, declared, true), text);
}

/// The title of an HTML page, with its white space as one space, if it has one. The body is not read.
///
/// The character set is found as [`html_text`] finds it.
///
/// ```
/// let title = lookalike_html::html_title(b"<!doctype html><TITLE> A &amp;\n B</Title><p>C", None);
/// assert_eq!(title.as_deref(), Some("A & B"));
/// ```
pub fn html_title(page: &[u8], content_type: Option<&str>) -> Option<String> {
    let declared = content_type.and_then(charset::charset_in);
    let page = charset::decode(page, declared, true);
    let is_end = |&end: &usize| {
        page.as_bytes()[end..].get(..7).is_some_and(|tag| tag.eq_ignore_ascii_case(b"</title"))
    };
    let end = memchr::memchr_iter(b'<', page.as_bytes()).find(is_end)?;
    HtmlPage::of_characters(&page[..end]).title
}

/// The characters of a text that is no markup, in the character set of a byte order mark or of `content_type`. Without them the text is
/// UTF-8 or, if it is not valid, in the character set that a detector finds.
pub fn plain_text<'t>(text: &'t [u8], content_type: Option<&str>) -> Cow<'t, str> {
    charset::decode(text, content_type.and_then(charset::charset_in), false)
}

/// Whether these first bytes start an HTML page.
pub fn is_html(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let starts_with =
        |start: &[u8]| head.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    starts_with(b"<!doctype html") || starts_with(b"<html")
}
