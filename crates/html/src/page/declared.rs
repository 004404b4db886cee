//! What the head of a page declares.

use super::{
    Alternate, HtmlPage, RobotsMeta,
    attributes::{Attribute, TagAttributes},
};

/// Puts what a tag declares into `page`. The first declaration of a kind counts.
pub(super) fn declare(page: &mut HtmlPage, tag: &[u8], attributes: &TagAttributes) {
    page.has_body |= !is_in_heads(tag) || !page.blocks.is_empty();
    match tag {
        b"html" => set(&mut page.language, attributes.get(Attribute::Lang)),
        b"base" => set(&mut page.base, attributes.get(Attribute::Href)),
        b"link" => link(page, attributes),
        b"meta" => meta(page, attributes),
        _ => {}
    }
}

/// Whether the start tag may stand in the head of a page. Browsers end the head before all others.
fn is_in_heads(tag: &[u8]) -> bool {
    const IN_HEADS: [&[u8]; 10] = [
        b"html",
        b"head",
        b"title",
        b"base",
        b"link",
        b"meta",
        b"style",
        b"script",
        b"noscript",
        b"template",
    ];
    IN_HEADS.contains(&tag)
}

fn set(declared: &mut Option<String>, value: Option<&str>) {
    if declared.is_none() {
        *declared = value.map(collapsed).filter(|value| !value.is_empty());
    }
}

fn collapsed(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a list of words, such as the value of `rel`, holds a word.
pub(super) fn has_word(words: Option<&str>, word: &str) -> bool {
    words.is_some_and(|words| words.split_ascii_whitespace().any(|other| other.eq_ignore_ascii_case(word)))
}

/// Takes links of the head. Search engines ignore such links in the body, which comments and widgets may have.
fn link(page: &mut HtmlPage, attributes: &TagAttributes) {
    if page.has_body {
        return;
    }
    let (rel, href) = (attributes.get(Attribute::Rel), attributes.get(Attribute::Href));
    if has_word(rel, "canonical") {
        set(&mut page.canonical, href);
    }
    if let (true, Some(language), Some(href)) =
        (has_word(rel, "alternate"), attributes.get(Attribute::HrefLang), href)
    {
        page.alternates.push(Alternate { language: collapsed(language), href: collapsed(href) });
    }
}

fn meta(page: &mut HtmlPage, attributes: &TagAttributes) {
    let Some(content) = attributes.get(Attribute::Content) else {
        return;
    };
    if attributes
        .get(Attribute::HttpEquiv)
        .is_some_and(|header| header.trim().eq_ignore_ascii_case("refresh"))
    {
        set(&mut page.refresh, refresh_url(content));
    }
    let name = attributes.get(Attribute::Name).unwrap_or_default().trim().to_ascii_lowercase();
    if name == "description" {
        set(&mut page.description, Some(content));
    } else if is_bot(&name) {
        page.robots.push(RobotsMeta { agent: name, content: collapsed(content) });
    }
}

/// Whether instructions under this name are for a crawler.
fn is_bot(name: &str) -> bool {
    const OTHERS: [&str; 5] = ["baiduspider", "googleother", "slurp", "teoma", "yandex"];
    name == "robots" || name.ends_with("bot") || name.starts_with("googlebot-") || OTHERS.contains(&name)
}

/// The URL in `5; url='there'`.
fn refresh_url(content: &str) -> Option<&str> {
    let rest = content.trim_start().trim_start_matches(|digit: char| digit.is_ascii_digit() || digit == '.');
    let rest = rest.trim_start_matches(|separator: char| {
        separator.is_ascii_whitespace() || matches!(separator, ';' | ',')
    });
    let url = match rest.get(..3) {
        Some(name) if name.eq_ignore_ascii_case("url") => match rest[3..].trim_start().strip_prefix('=') {
            Some(url) => url.trim_start(),
            None => rest,
        },
        _ => rest,
    };
    match url.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        Some(quote) => url[1..].split(quote).next(),
        None => Some(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refresh_has_its_url_in_any_form() {
        for (content, url) in [
            ("0; url=/a", "/a"),
            ("5;URL='/a b'", "/a b"),
            (" 1.5 , Url = \"/a\" x", "/a"),
            ("0;/a", "/a"),
            ("0; url /a", "url /a"),
            ("0; urls", "urls"),
            ("0;url='/a", "/a"),
            ("3", ""),
            ("", ""),
        ] {
            assert_eq!(refresh_url(content), Some(url), "{content}");
        }
    }

    #[test]
    fn links_of_the_body_declare_nothing() {
        let declared = |page: &str| {
            let page = HtmlPage::read(page.as_bytes(), None);
            (page.canonical.is_some(), page.alternates.len())
        };
        let links = "<link rel=canonical href=/a><link rel=alternate hreflang=de href=/de>";
        for head in ["", "<html><head><script>x</script><noscript><img src=x></noscript>", "<head></head>"] {
            assert_eq!(declared(&format!("{head}{links}<body>text")), (true, 1), "{head}");
        }
        for body in ["<body>", "<head></head><body><p>text</p>", "<head><div>", "text<p>"] {
            assert_eq!(declared(&format!("{body}{links}")), (false, 0), "{body}");
        }
    }

    #[test]
    fn instructions_for_bots_are_known_by_their_name() {
        for name in ["robots", "googlebot", "googlebot-news", "bingbot", "yandex"] {
            assert!(is_bot(name), "{name}");
        }
        for name in ["", "author", "robots-txt", "bottom"] {
            assert!(!is_bot(name), "{name}");
        }
    }
}
