//! What a page says is what a parser of whole documents finds in it.

use lookalike_html::HtmlPage;
use proptest::prelude::*;
use scraper::{Html, Selector};

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn collapsed(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// The body of a well-formed page: nested elements with words and links.
fn body() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z &<]{0,12}".prop_map(|text| escaped(&text)),
        ("[a-z/?=&\"]{1,9}", "[a-z <]{1,9}", any::<bool>()).prop_map(|(href, text, nofollow)| {
            let rel = if nofollow { "rel=\"external nofollow\"" } else { "" };
            format!("<a {rel} href=\"{}\">{}<b>x</b></a>", escaped(&href), escaped(&text))
        }),
    ];
    leaf.prop_recursive(5, 60, 5, |inner| {
        let names =
            vec!["div", "section", "ul", "blockquote", "nav", "main", "article", "footer", "span", "i"];
        (prop::sample::select(names), prop::collection::vec(inner, 0..5))
            .prop_map(|(name, inner)| format!("<{name}>{}</{name}>", inner.concat()))
    })
}

proptest! {
    #[test]
    fn title_canonical_and_links_are_those_of_a_document_parser(
        title in "[a-z &<\n]{0,20}", canonical in "[a-z/?=&]{1,12}", language in "[a-z]{2}", body in body(),
    ) {
        let page = format!(
            "<!doctype html><html lang=\"{language}\"><head><title>{}</title><link rel=\"canonical\" href=\"{}\"></head><body>{body}</body></html>",
            escaped(&title), escaped(&canonical),
        );
        let found = HtmlPage::read(page.as_bytes(), None);
        let document = Html::parse_document(&page);
        let all = |selector: &str| -> Vec<_> {
            let selector = Selector::parse(selector).unwrap();
            document.select(&selector).map(|element| (collapsed(&element.text().collect::<String>()), element)).collect()
        };
        let attribute = |selector: &str, name: &str| all(selector)[0].1.attr(name).map(str::to_owned);
        prop_assert_eq!(found.title.unwrap_or_default(), all("title")[0].0.clone());
        prop_assert_eq!(found.canonical, attribute("link", "href"));
        prop_assert_eq!(found.language, attribute("html", "lang"));
        let links: Vec<_> = found.links.iter().map(|link| (link.href.clone(), link.text.clone(), link.nofollow)).collect();
        let expected: Vec<_> = all("a[href]").into_iter().map(|(text, link)| {
            let nofollow = link.attr("rel").is_some_and(|rel| rel.contains("nofollow"));
            (link.attr("href").unwrap().trim().to_owned(), text, nofollow)
        }).collect();
        prop_assert_eq!(links, expected);
        // The words of the body, wherever its blocks are cut.
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        let blocks: String = found.blocks.iter().map(|block| letters(&block.text)).collect();
        prop_assert_eq!(blocks, letters(&all("body")[0].0));
    }
}
