use super::*;
use lookalike::{Level, Plan, Sketcher, Weights};

fn page(left: &str, right: &str) -> String {
    let plan = Plan::default();
    let comparison = Comparison::new(&plan, &Weights::Set, Level::detect(), left, right);
    let mut sketcher = Sketcher::new(&plan);
    let (located_left, located_right) = (sketcher.locate(left), sketcher.locate(right));
    let passages = Passages::of(&located_left, &located_right, 5);
    let subsequence = Subsequence::of(located_left.hashes(), located_right.hashes(), || true);
    let page = ComparisonPage {
        names: ["<a>.txt", "b.txt"],
        texts: [left, right],
        tokens: [located_left.hashes().len(), located_right.hashes().len()],
        plan: &plan,
        comparison: &comparison,
        subsequence,
        passages: &passages,
    };
    page.to_html()
}

/// The text of one side as a browser shows it: without tags, numbers of passages and marks of their ends.
fn text_of(page: &str, side: &str) -> String {
    let start = page.find(&format!("role=\"group\" aria-labelledby=\"side-{side}\">")).unwrap();
    let inside = page[start..].split_once('>').unwrap().1.split_once("</div>").unwrap().0;
    let mut text = String::new();
    let mut rest = inside;
    while let Some((before, after)) = rest.split_once('<') {
        text += before;
        let (tag, after) = after.split_once('>').unwrap();
        let skipped = tag.starts_with("a ") || tag.starts_with("span class=\"end\"");
        rest = if skipped { after.split_once('<').unwrap().1.split_once('>').unwrap().1 } else { after };
    }
    text + rest
}

const LEFT: &str =
    "Before. The city council voted on Tuesday to close the old harbour bridge for repairs, until March.";
const RIGHT: &str =
    "THE CITY COUNCIL voted on Monday to close the old harbour bridge for repairs until March & longer.";

#[test]
fn a_page_holds_both_texts_whole() {
    let page = page(LEFT, RIGHT);
    assert_eq!(text_of(&page, "a"), LEFT);
    assert_eq!(text_of(&page, "b"), RIGHT.replace('&', "&#38;"));
}

#[test]
fn passages_lead_to_each_other() {
    let page = page(LEFT, RIGHT);
    for (here, there) in [("a1", "b1"), ("b1", "a1")] {
        assert_eq!(page.matches(&format!("id=\"{here}\"")).count(), 1);
        assert!(page.contains(&format!("id=\"{here}\"><a class=\"number\" href=\"#{there}\"")), "{page}");
    }
    assert!(page.contains("<mark>The city council voted on</mark> Tuesday <mark>to close"), "{page}");
}

#[test]
fn the_policy_allows_the_style_and_nothing_else() {
    let page = page("", "");
    let policy = page.split("content=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    // A browser hashes the text between the tags.
    let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    assert_eq!(style, crate::frame::STYLE);
    for active in ["<script", "style=", "http://", "https://", "url(", "onclick", "<img", "<link"] {
        assert!(!page.contains(active), "{active}");
    }
}

#[test]
fn hostile_texts_and_names_are_only_text() {
    let hostile = "</div><script>alert(1)</script><!-- \u{202e}txt.exe \u{0}\u{1b}]0;x\u{7} \" onload='x'";
    let page = page(hostile, hostile);
    assert!(!page.contains("<script") && !page.contains("<!-- ") && !page.contains("<a>.txt"));
    assert!(!page.contains(['\u{202e}', '\u{0}', '\u{1b}', '\u{7}']));
    assert_eq!(page.matches("</div>").count(), 3);
}

#[test]
fn texts_without_words_or_passages_have_a_page() {
    for (left, right, none) in [
        ("", "", "None: one of the texts holds no words."),
        ("a", "", "None: one of the texts holds no words."),
        ("👍", "👎", "None: to be shown, 1 word must be the same in both."),
        ("one two", "three", "None: to be shown, 1 word must be the same in both."),
    ] {
        let page = page(left, right);
        assert!(page.contains("Not a pair") && page.contains(none), "{left} {right}");
    }
}

#[test]
fn a_page_without_passages_says_how_long_a_passage_is() {
    let page = page("one two three four A five", "one two three four B five");
    assert!(page.contains("<p>None: to be shown, 5 words in a row must be the same in both.</p>"), "{page}");
}

#[test]
fn numbers_agree_with_their_words_and_have_separators() {
    let one = page("Yes!", "yes");
    assert!(one.contains("1 word is equal in 1 passage; A has 1, B 1") && !one.contains("1 words"), "{one}");
    let many = "word ".repeat(1_200);
    let page = page(&many, &many);
    assert!(page.contains("</span> 1,200 words:") && page.contains("A 0–5,999"), "{page}");
}
