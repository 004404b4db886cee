//! The visible text of an HTML page, with a line for each block.
//!
//! This is a plain strip of tags, so menus and footers are text too. Text that no browser shows is left out: the title and
//! everything else in the head, scripts, styles, templates and comments. Blocks, table rows and `<br>` end lines, and tabs
//! separate cells. Other tags separate nothing: `w<b>or</b>d` is one word. Runs of white space count once, except in `<pre>`.

pub(crate) mod charset;
mod elements;
mod strip;

pub(crate) use self::strip::text_of;

/// Whether these first bytes start an HTML page.
pub(crate) fn is_html(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let starts_with =
        |start: &[u8]| head.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    starts_with(b"<!doctype html") || starts_with(b"<html")
}
