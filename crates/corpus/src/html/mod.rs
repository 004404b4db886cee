//! What an HTML page says to somebody who reads it: its text, a line for each block.
//!
//! A plain strip of tags: menus and footers are text like any other. What no browser shows is left out: the title and all else
//! in the head, scripts, styles, templates, comments. Blocks, table rows and `<br>` end lines, cells are parted by tabs, and
//! other tags part nothing: `w<b>or</b>d` is one word. White space counts once, except in `<pre>`.

pub(crate) mod charset;
mod elements;
mod strip;

pub(crate) use self::strip::text_of;

/// Do these first bytes start an HTML page?
pub(crate) fn is_html(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    let starts_with =
        |start: &[u8]| head.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    starts_with(b"<!doctype html") || starts_with(b"<html")
}
