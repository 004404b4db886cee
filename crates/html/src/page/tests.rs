use proptest::prelude::*;

use super::{Alternate, Area, BlockKind, HtmlPage, RobotsMeta};
use crate::Extract;

fn read(page: &str) -> HtmlPage {
    HtmlPage::read(page.as_bytes(), Some("text/html; charset=utf-8"))
}

fn texts(page: &str) -> Vec<String> {
    read(page).blocks.into_iter().map(|block| block.text).collect()
}

fn areas(page: &str) -> Vec<(String, Area)> {
    read(page).blocks.into_iter().map(|block| (block.text, block.area)).collect()
}

#[test]
fn a_page_declares_its_title_canonical_languages_and_robots() {
    let page = read(
        "<!doctype html><html lang=en-GB><head><title> A &amp;\n B</title><base href='/docs/'>\
         <meta name=Description content=' What  it is '><link rel='nofollow CANONICAL' href=' /a '><link rel=canonical href=/b>\
         <link rel=alternate hreflang=de href=/de><link rel=alternate type=application/rss+xml href=/feed>\
         <meta name=ROBOTS content='noindex, follow'><meta name=googlebot content=none><meta name=author content=x>\
         <meta http-equiv=Refresh content='3; url=/c'></head><body><h1></h1><h1>One<br>two</h1><h1>Three</h1>",
    );
    assert_eq!(page.title.as_deref(), Some("A & B"));
    assert_eq!(page.heading.as_deref(), Some("One two"));
    assert_eq!(page.description.as_deref(), Some("What it is"));
    assert_eq!(page.language.as_deref(), Some("en-GB"));
    assert_eq!(page.base.as_deref(), Some("/docs/"));
    assert_eq!(page.canonical.as_deref(), Some("/a"));
    assert_eq!(page.refresh.as_deref(), Some("/c"));
    assert_eq!(page.alternates, [Alternate { language: "de".into(), href: "/de".into() }]);
    let robots = [("robots", "noindex, follow"), ("googlebot", "none")];
    assert_eq!(
        page.robots,
        robots.map(|(agent, content)| RobotsMeta { agent: agent.into(), content: content.into() })
    );
}

#[test]
fn a_drawing_has_no_title_and_no_text() {
    let page = read(
        "<svg><title>no</title><text>no</text><path d=x /></svg>a<svg/>b<svg><g>no<p>c</p><title>yes</title>",
    );
    assert_eq!(page.title.as_deref(), Some("yes"));
    assert_eq!(page.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>(), ["ab", "c"]);
    assert_eq!(texts("a<svg><foreignObject><div>no</div></foreignObject></svg><p>b"), ["a", "b"]);
}

#[test]
fn links_have_their_text_and_their_area() {
    let page = read(
        "<nav><a href=' /a '>Home <b>pa</b>ge</a></nav><a name=x>no link</a><a href='?q=1&amp;r' rel='NoFollow me'>\
         <div>two</div><div>lines</div></a><map><area href=/map></map><footer><a href=/b>unclosed<a href=/c>next</footer>\
         <svg><a href=/no>no</a></svg><template><a href=/no>no</a></template>",
    );
    let links: Vec<_> =
        page.links.iter().map(|link| (&*link.href, &*link.text, link.nofollow, link.area)).collect();
    assert_eq!(
        links,
        [
            ("/a", "Home page", false, Area::Navigation),
            ("?q=1&r", "two lines", true, Area::Body),
            ("/map", "", false, Area::Body),
            ("/b", "unclosed", false, Area::Footer),
            ("/c", "next", false, Area::Footer),
        ]
    );
}

#[test]
fn hidden_elements_have_links_and_no_text() {
    for attribute in ["hidden", "hidden=until-found", "aria-hidden=TRUE", "style='color:red;display: none'"] {
        let page = read(&format!(
            "a<div {attribute}>no<p>no<a href=/b>b</a></div>c<span {attribute}>no<span>no</span>no</span>d"
        ));
        assert_eq!(
            page.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>(),
            ["a", "cd"],
            "{attribute}"
        );
        assert_eq!(page.links[0].text, "b", "{attribute}");
    }
    assert_eq!(texts("<p aria-hidden=false style='display:block' data-hidden>a"), ["a"]);
    // Some pages hide themselves until their scripts have run.
    assert_eq!(texts("<body style='display:none'>a"), ["a"]);
}

#[test]
fn a_page_that_hides_itself_until_its_scripts_have_run_is_shown() {
    assert_eq!(
        texts("<nav>menu</nav><div style='display:none'><p>one two three<p>four five six</div>").len(),
        3
    );
    // React sends late parts in such elements.
    assert_eq!(
        texts("<p>one</p><div hidden id='S:a1'><p>two</div><div hidden id='S:x'>no</div>"),
        ["one", "two"]
    );
    assert_eq!(texts("<p>one two</p><div hidden><p>a closed menu of five words</div>"), ["one two"]);
    // Drawings stay without text.
    assert_eq!(texts("<svg><text>one two three four</svg>"), [""; 0]);
}

#[test]
fn a_page_that_has_its_text_for_browsers_without_scripts_is_read_as_such() {
    let post = "word ".repeat(40);
    let page =
        format!("<p>Loading</p><noscript><div><p>{post}</p><p><a href=/next>next</a></p></div></noscript>");
    let read = read(&page);
    assert_eq!((read.blocks.len(), read.words(), read.links[0].href.as_str()), (3, 42, "/next"));
    assert_eq!(texts(&format!("<p>{post}</p><noscript><p>{post}</noscript>")).len(), 1);
    assert_eq!(texts("<p>Loading</p><noscript>Please enable scripts</noscript>"), ["Loading"]);
}

#[test]
fn blocks_are_what_areas_leave_and_main_if_it_holds_enough() {
    let extracted = |page: &str| -> Vec<String> {
        read(page).extracted(Extract::Blocks).map(|block| block.text.clone()).collect()
    };
    let menus = "<nav>home about</nav><header>site</header><footer>legal</footer><form>search</form><aside>more</aside>";
    assert_eq!(extracted(&format!("{menus}<p>one two three</p>")), ["one two three"]);
    assert_eq!(extracted(&format!("{menus}<p>one</p><main>two three</main>")), ["two three"]);
    // Teasers in articles are not the content.
    assert_eq!(extracted("<p>one two three four five six seven</p><article>eight</article>").len(), 2);
    assert_eq!(extracted("<nav>one</nav><footer>two</footer>"), ["one", "two"]);
    assert_eq!(extracted(""), [""; 0]);
}

#[test]
fn main_content_is_the_article_without_menus_comments_and_teasers() {
    let sentence = "The committee agreed on a plan for the bridge, which had been closed since spring, after a long debate. ";
    let paragraph = format!("<p>{}</p>", sentence.repeat(4));
    let links = |count: usize| "<li><a href=/x>Another story of the day</a></li>".repeat(count);
    let page = format!(
        "<div class=menu><ul>{}</ul></div><div class=content><h1>A bridge opens</h1>{}<h2>What is next</h2>{}</div>\
         <div class=comments><h3>Comments</h3><p>I agree.</p><p>Me too.</p></div><div class=related><ul>{}</ul></div>\
         <div class=footer><p>Copyright by us | Imprint</p></div>",
        links(12),
        paragraph.repeat(5),
        paragraph.repeat(3),
        links(6),
    );
    let read = read(&page);
    let main: Vec<&str> = read.extracted(Extract::Main).map(|block| block.text.as_str()).collect();
    assert_eq!(main.iter().filter(|text| text.starts_with("The committee")).count(), 8, "{main:?}");
    assert!(main.contains(&"A bridge opens") && main.contains(&"What is next"), "{main:?}");
    assert!(
        !main.iter().any(|text| text.contains("Another story") || text.contains("Copyright")),
        "{main:?}"
    );
}

#[test]
fn blocks_are_cut_where_lines_are_and_words_never_joined() {
    assert_eq!(texts("a<p>b<b>c</b> d<div>e</div>f"), ["a", "bc d", "e", "f"]);
    assert_eq!(
        texts("<ul><li>a<li>b<ul><li>c</ul>d</ul><table><tr><td>e<td>f<tr><th>g"),
        ["a", "b", "c", "d", "e", "f", "g"]
    );
    assert_eq!(texts("<p>a<br>b<br/> <br>c</p>"), ["a\nb", "c"]);
    assert_eq!(texts("<pre>\n a\n\n  <b>b</b>\n</pre>"), [" a\n\n  b"]);
    assert_eq!(texts("<p> \u{a0} </p><p>a\u{a0}b"), ["a\u{a0}b"]);
    assert_eq!(texts("<textarea>a <b></textarea>b"), ["a <b>", "b"]);
}

#[test]
fn a_block_knows_what_it_is() {
    let page = read(
        "<h2>a</h2><p>b</p><ul><li><div>c</div><dl><dt>d<dd>e</dl></ul><table><tr><td>f<td><p>g</table><pre>h</pre>\
         <xmp>i</xmp><section>j</section><p>k<div>l",
    );
    let kinds: Vec<_> = page.blocks.iter().map(|block| block.kind).collect();
    use BlockKind::*;
    assert_eq!(
        kinds,
        [
            Heading(2),
            Paragraph,
            ListItem,
            ListItem,
            ListItem,
            Cell,
            Paragraph,
            Code,
            Code,
            Other,
            Paragraph,
            Other
        ]
    );
}

#[test]
fn words_in_links_are_counted() {
    let page = read(
        "<p>one <a href=/>two three</a> four<a href=/>fi</a>ve <a>six</a><p><a href=/>seven<p>eight</a> nine",
    );
    let words: Vec<_> = page.blocks.iter().map(|block| (block.words, block.linked)).collect();
    assert_eq!(words, [(5, 3), (1, 1), (2, 1)]);
    assert_eq!(page.words(), 8);
}

#[test]
fn areas_come_from_elements_and_roles() {
    let page = "<header>h</header><div role=banner>b</div><nav>n<footer>nf</footer></nav><main>m<aside>a<article>aa</article></aside>\
                <form>f</form><div role=navigation>mn</div>m2</main><div role='complementary'>c</div><div role=search>s</div>\
                <article>ar<header>ah</header><footer>af</footer></article><section><header>sh</header></section>\
                <footer role=presentation>p</footer><footer>ft</footer>b2";
    let found = areas(page);
    let area = |text: &str| found.iter().find(|(other, _)| other == text).map(|(_, area)| *area);
    for (text, expected) in [
        ("h", Area::Header),
        ("b", Area::Header),
        ("n", Area::Navigation),
        ("nf", Area::Navigation),
        ("m", Area::Main),
        ("a", Area::Aside),
        ("aa", Area::Aside),
        ("f", Area::Form),
        ("mn", Area::Navigation),
        ("m2", Area::Main),
        ("c", Area::Aside),
        ("s", Area::Form),
        ("ar", Area::Main),
        ("ah", Area::Main),
        ("af", Area::Main),
        ("sh", Area::Body),
        ("p", Area::Body),
        ("ft", Area::Footer),
        ("b2", Area::Body),
    ] {
        assert_eq!(area(text), Some(expected), "{text}");
    }
}

#[test]
fn a_form_around_the_page_is_no_form() {
    let page = read(
        "<form><p>one two three <a href=/>four</a><nav>five</nav></form><form>six <a href=/>seven</a></form>",
    );
    let areas: Vec<_> = page.blocks.iter().map(|block| block.area).collect();
    assert_eq!(areas, [Area::Body, Area::Navigation, Area::Form]);
    assert_eq!(page.links.iter().map(|link| link.area).collect::<Vec<_>>(), [Area::Body, Area::Form]);
}

#[test]
fn end_tags_close_no_more_than_they_should() {
    // The end tags of inline elements do not leave their block, and those of blocks do not leave their cell.
    assert_eq!(areas("<nav><p>a</nav>b"), [("a".into(), Area::Navigation), ("b".into(), Area::Body)]);
    assert_eq!(areas("<b><nav></b>a</nav>b"), [("a".into(), Area::Navigation), ("b".into(), Area::Body)]);
    assert_eq!(areas("<nav><table><td></nav>a</table></nav>b")[0].1, Area::Navigation);
    assert_eq!(
        areas("<main><table><td><nav><p>a</table>b"),
        [("a".into(), Area::Navigation), ("b".into(), Area::Main)]
    );
    assert_eq!(areas("<nav><ul><li>a</li></ul></nav><p>b").last().map(|(_, area)| *area), Some(Area::Body));
    assert_eq!(areas("</nav></body></html><nav>a</body>b")[1].1, Area::Navigation);
    assert_eq!(texts("<p hidden>no<p>a"), ["a"]);
    assert_eq!(texts("<ul><li hidden>no<li>a</ul><dl><dt hidden>no<dd>b</dl>"), ["a", "b"]);
    assert_eq!(texts("<table><tr hidden><td>no<tr><td>a<td hidden>no<td>b</table>"), ["a", "b"]);
    assert_eq!(texts("<select><option hidden>no<option>a</select>"), ["a"]);
}

#[test]
fn blocks_of_one_template_have_one_path() {
    let path = |page: &str| read(page).blocks[0].path;
    assert_eq!(path("<div class='post post-12'><p>a"), path("<div class='post post-7'><p><b>b"));
    assert_ne!(path("<div class=a><p>a"), path("<div class=b><p>a"));
    assert_ne!(path("<div><p>a"), path("<p>a"));
}

#[test]
fn a_page_that_only_scripts_fill_is_recognised() {
    let page = read("<script src=a></script><script type=application/ld+json>{}</script><div id=root></div>");
    assert_eq!((page.scripts, page.words(), page.needs_scripts()), (1, 0, true));
    assert!(!read("short").needs_scripts());
    assert!(!read(&format!("<script></script>{}", "word ".repeat(30))).needs_scripts());
}

/// These pages make other parsers quadratic, or overflow their stacks. A quadratic parser would take ten seconds or more for each
/// of them.
#[test]
fn hostile_pages_of_a_hundred_thousand_parts_take_linear_time() {
    const TIMES: usize = 100_000;
    let attributes: String = (0..TIMES).map(|number| format!(" a{number}=1")).collect();
    let nested = "<div>".repeat(10_000) + "a" + &"</div>".repeat(10_000);
    assert_eq!(texts(&nested), ["a"]);
    let pages = [
        "<div>".repeat(TIMES),
        "<b>".repeat(TIMES),
        "<b><p>".repeat(TIMES),
        "<li><ul>".repeat(TIMES),
        "<table><td>".repeat(TIMES),
        "<form>a".repeat(TIMES),
        "<a href=b>c".repeat(TIMES),
        "<svg><p>".repeat(TIMES),
        "<svg><foreignobject>".repeat(TIMES),
        "<div>".repeat(510) + &"<i></u>".repeat(TIMES),
        "<i>".repeat(600) + &"</u>".repeat(TIMES),
        "<p>".repeat(600) + "<button>" + &"</p>".repeat(TIMES),
        "<a href=x>".to_owned() + &"a<p>".repeat(TIMES),
        "<a href=x>".to_owned() + &"a ".repeat(TIMES),
        "<br>".repeat(TIMES),
        format!("<p{attributes}>"),
        format!("<p class='{}'>", "a ".repeat(TIMES)),
        "<meta name=robots content=a>".repeat(TIMES),
        "<title>a".repeat(TIMES),
        "<noscript>a </noscript>".repeat(TIMES),
        "<p hidden>a</p>".repeat(TIMES),
        format!("<title>{}</title>{}", "a ".repeat(TIMES), "<p>b c d".repeat(TIMES)),
        "<template>".repeat(TIMES),
    ];
    for page in pages {
        let (name, start) = (page[..30].to_owned(), std::time::Instant::now());
        let page = read(&page);
        page.selected(Extract::Main);
        // Far above what any of them takes, and far below quadratic time.
        assert!(start.elapsed().as_secs() < 5, "{name}");
    }
}

fn visible_words(page: &[u8]) -> (String, String) {
    let mut text = String::new();
    crate::html_text(page, None, &mut text);
    let blocks = HtmlPage::read(page, None).blocks;
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let of_blocks: Vec<String> = blocks.iter().map(|block| words(&block.text)).collect();
    (words(&text), of_blocks.join(" "))
}

/// Tags in any order, without those that hide text by their attributes.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let names = prop::sample::select(vec![
        "p",
        "b",
        "a",
        "div",
        "span",
        "li",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "table",
        "tr",
        "td",
        "th",
        "tbody",
        "caption",
        "h1",
        "h3",
        "pre",
        "nav",
        "main",
        "article",
        "header",
        "footer",
        "aside",
        "form",
        "section",
        "button",
        "option",
        "select",
        "br",
        "hr",
        "img",
        "template",
        "textarea",
        "xmp",
        "script",
        "style",
        "title",
        "body",
        "html",
        "head",
        "x-y",
        "blockquote",
        "dialog",
    ]);
    let part = prop_oneof![
        4 => names.clone().prop_map(|name| format!("<{name}>").into_bytes()),
        2 => names.clone().prop_map(|name| format!("</{name}>").into_bytes()),
        1 => (names, "[a-z]{1,9}", "[a-z/ ]{0,9}").prop_map(|(name, key, value)| format!("<{name} x-{key}='{value}' href=/a class=b />").into_bytes()),
        4 => "[a-z日é &;<\u{a0}]{0,9}".prop_map(String::into_bytes),
        1 => prop::sample::select(vec![&b" \n\t "[..], b"<!-- c -->", b"&egrave;", b"\0", b"\xff"]).prop_map(<[u8]>::to_vec),
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_a_page(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        HtmlPage::read(&bytes, None);
    }

    #[test]
    fn the_words_of_the_blocks_are_those_of_the_text(page in soup()) {
        let (text, blocks) = visible_words(&page);
        prop_assert_eq!(text, blocks);
    }

    #[test]
    fn each_part_is_a_selection_of_the_blocks(page in soup()) {
        let page = HtmlPage::read(&page, None);
        for extract in [Extract::All, Extract::Blocks, Extract::Main] {
            prop_assert_eq!(page.selected(extract).len(), page.blocks.len());
        }
        prop_assert_eq!(page.extracted(Extract::All).count(), page.blocks.len());
        prop_assert!(page.extracted(Extract::Blocks).count() > 0 || page.blocks.is_empty());
    }

    #[test]
    fn a_block_has_no_more_links_than_words_and_no_space_around_it(page in soup()) {
        for block in HtmlPage::read(&page, None).blocks {
            prop_assert!(block.linked <= block.words);
            prop_assert_eq!(block.text.trim_end(), &block.text);
            prop_assert!(!block.text.starts_with('\n'));
        }
    }
}
