use proptest::prelude::*;

use super::text_of;

fn strip(page: &str) -> String {
    let mut text = String::new();
    text_of(page, &mut text);
    text
}

#[test]
fn blocks_break_lines_and_inline_elements_break_nothing() {
    assert_eq!(
        strip("<p>w<b>or</b>d <i>two</i><p>three<br>four<div><div>five</div></div>"),
        "word two\nthree\nfour\nfive"
    );
    assert_eq!(strip("<ul>\n <li>a\n <li>b</ul>c<h1>d</h1>e"), "a\nb\nc\nd\ne");
    assert_eq!(strip("<table><tr><td>a</td> <td> b</td></tr><tr><th>c<th>d</table>"), "a\tb\nc\td");
}

#[test]
fn text_that_no_browser_shows_is_left_out() {
    let page = "<!DOCTYPE html><html><head><title>t &amp; t</title><meta charset=utf-8><style>p > a {}</style>\
                <script>if (a < b) \"<p>x</p>\"</script></head><body>one<!-- no > no -->two<script src=x></script>three\
                <noscript><img src=x>no</noscript><template><p>no<template>no</template>no</p></template>\
                <iframe>no</iframe><SCRIPT>\n<!-- <script> </script> no --></SCRIPT> four</body></html>";
    assert_eq!(strip(page), "onetwothree four");
}

#[test]
fn character_references_are_characters() {
    assert_eq!(
        strip("a&lt;b&gt; &amp;amp; &eacute;&#233;&#x65E5; &nope; AT&T"),
        "a<b> &amp; éé日 &nope; AT&T"
    );
}

#[test]
fn white_space_counts_once_except_in_preformatted_text() {
    assert_eq!(strip("  a \n\t b <b> c </b> d  "), "a b c d");
    assert_eq!(strip("a<pre>b\n  c\n</pre> d"), "a\nb\n  c\n\nd");
    assert_eq!(strip("a\u{a0}\u{a0}b"), "a\u{a0}\u{a0}b");
}

#[test]
fn a_self_closing_script_of_xhtml_hides_nothing() {
    assert_eq!(strip("<head><title/><script src='x'/></head>text"), "text");
}

#[test]
fn broken_markup_keeps_its_text() {
    assert_eq!(strip("a<b c=\"d>e\">f</b"), "af");
    assert_eq!(strip("a < b <3 c"), "a < b <3 c");
    assert_eq!(strip("a\0b</nothing>c</>d<?php x ?>e<![CDATA[x]]>f"), "abcdef");
    assert_eq!(strip("</pre></template></script>a"), "a");
    assert_eq!(strip("<blockquotes-and-more>a</blockquotes-and-more>b"), "ab");
}

/// These pages make other parsers quadratic, or overflow their stacks. Here all of them take a second. A quadratic parser would
/// need most of an hour for a million steps.
#[test]
fn hostile_pages_of_a_million_parts_take_linear_time() {
    const TIMES: usize = 1_000_000;
    let attributes: String = (0..TIMES).map(|number| format!(" a{number}=1")).collect();
    let pages = [
        "<div>".repeat(TIMES),
        format!("<p{attributes}>"),
        "<p a='".repeat(TIMES),
        "<!--".repeat(TIMES),
        "<".repeat(TIMES),
        "</".repeat(TIMES),
        "&".repeat(TIMES),
        "&notit".repeat(TIMES),
        "<title></titl".repeat(TIMES),
        "<script><!--<script>".repeat(TIMES),
        "<template>".repeat(TIMES),
        "<pre> ".repeat(TIMES),
        "\0".repeat(TIMES),
        format!("<{}>", "x".repeat(TIMES)),
    ];
    for page in pages {
        strip(&page);
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn words(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

fn page() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["p", "b", "div", "td", "pre", "li", "a", "x-y", "section"]);
    let leaf = "[a-z &]{0,12}".prop_map(|text| escaped(&text));
    leaf.prop_recursive(5, 60, 5, move |inner| {
        (name.clone(), prop::collection::vec(inner, 0..5), "[a-z>' ]{0,6}")
            .prop_map(|(name, inner, value)| format!("<{name} class=\"{value}\">{}</{name}>", inner.concat()))
    })
}

proptest! {
    #[test]
    fn any_bytes_have_a_text(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        strip(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_markup_has_a_text(parts in prop::collection::vec(
        prop::sample::select(vec!["<", ">", "/", "!--", "--", "script", "title", "pre", "&", "#x", ";", " a=", "'", "\"", "\0", "é", "?", "]]"]), 0..60)) {
        strip(&parts.concat());
    }

    #[test]
    fn the_text_of_escaped_text_is_the_text(text in "[^\0\r]{0,200}") {
        prop_assert_eq!(strip(&escaped(&text)), words(&text));
        prop_assert_eq!(strip(&format!("<pre>{}</pre>", escaped(&text))), text);
    }

    #[test]
    fn the_text_of_well_formed_markup_holds_no_tags(page in page()) {
        let text = strip(&page);
        prop_assert!(!text.contains(['<', '>', '"', '=']), "{} {}", page, text);
    }
}
