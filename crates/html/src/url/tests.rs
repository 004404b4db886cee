use super::*;
use proptest::prelude::*;

#[test]
fn spellings_of_an_address_are_equal() {
    for (url, expected) in [
        ("HTTP://Example.ORG:80/a/../b/./c#top", "http://example.org/b/c"),
        ("https://user:secret@example.org", "https://example.org/"),
        ("https://example.org/%7Euser/%e4%2f", "https://example.org/~user/%E4%2F"),
        ("https://example.org/?b=2&utm_source=x&a=%41&GCLID=7&a=1", "https://example.org/?a=A&a=1&b=2"),
        ("https://example.org/?utm_medium=mail", "https://example.org/"),
        ("https://example.org/a?", "https://example.org/a"),
        ("https://例え.jp/", "https://xn--r8jz45g.jp/"),
        (" https://example.org/100% ", "https://example.org/100%"),
        ("https://example.org/%a%30%67", "https://example.org/%a%30g"),
        ("https://example.org/%%34%31%2b%+5", "https://example.org/%%341%2B%+5"),
        ("https://example.org/?%62=1&%75tm_source=x&a=2", "https://example.org/?a=2&b=1"),
        ("https://example.org/?filter[name]=a|b", "https://example.org/?filter%5Bname%5D=a%7Cb"),
        ("https://example.org/?filter%5bname%5d=a%7cb", "https://example.org/?filter%5Bname%5D=a%7Cb"),
        ("https://example.org/{a}/^`[1]|2", "https://example.org/%7Ba%7D/%5E%60%5B1%5D%7C2"),
        ("https://example.org/?a={b}^`\\ '\"<>", "https://example.org/?a=%7Bb%7D%5E%60%5C%20%27%22%3C%3E"),
    ] {
        assert_eq!(normalised_url(url).as_deref(), Some(expected), "{url}");
    }
}

#[test]
fn what_is_no_absolute_url_with_a_host_has_none() {
    for text in ["", "/path", "example.org", "mailto:a@example.org", "http://"] {
        assert_eq!(normalised_url(text), None, "{text}");
    }
}

#[test]
fn a_crawled_url_keeps_the_order_of_its_parameters_and_loses_its_visitor() {
    for (url, expected) in [
        ("http://example.org/?b=2&a=1&utm_source=x&PHPSESSID=9#top", "http://example.org/?b=2&a=1"),
        ("http://example.org/a;JSESSIONID=7?b=%7e", "http://example.org/a?b=~"),
        ("http://user@example.org/%7euser/?&&", "http://example.org/~user/"),
        ("http://example.org/shop;jsessionid=1/item;v=2;JSessionId=3", "http://example.org/shop/item;v=2"),
        ("http://example.org/?session_id=0123456789abcdef", "http://example.org/"),
        ("http://example.org/?%50HPSESSID=9&%75tm_source=x&b=1", "http://example.org/?b=1"),
        ("http://example.org/?sessionid=el4ukv0kqbvoirg7nkp4dncpk3&a=1", "http://example.org/?a=1"),
    ] {
        assert_eq!(crawled_url(Url::parse(url).unwrap()).as_str(), expected);
    }
}

#[test]
fn a_visit_is_in_no_form_of_a_url() {
    for parameter in
        ["jsessionid=7", "CFID=1", "cftoken=2", "PHPSESSID=9", "utm_source=x", "sessionid=0123456789abcdef"]
    {
        let url = format!("http://example.org/a;jsessionid=1/b?{parameter}&b=2");
        assert_eq!(normalised_url(&url).as_deref(), Some("http://example.org/a/b?b=2"));
        assert_eq!(crawled_url(Url::parse(&url).unwrap()).as_str(), "http://example.org/a/b?b=2");
    }
}

#[test]
fn sessions_of_a_conference_are_no_visits() {
    for url in [
        "http://example.org/talk?session_id=12",
        "http://example.org/talk?sessionid=introduction-to-rust-2026",
        "http://example.org/talk?session_id",
    ] {
        assert_eq!(crawled_url(Url::parse(url).unwrap()).as_str(), url);
        assert_eq!(normalised_url(url).as_deref(), Some(url));
    }
}

/// Paths and queries with many escapes, whole and broken ones.
const SPELLINGS: &str = r#"(%[2-7][0-9a-fA-F]|%[0-9a-f]|utm_|;jsessionid=|cfid=|[a-zA-Z_%.~/&=?#;0-9 é\[\]{}|^`\\'"<>+:@,]){0,30}"#;

proptest! {
    #[test]
    fn a_crawled_url_stays_as_it_is(path in SPELLINGS) {
        let url = crawled_url(Url::parse(&format!("https://example.org/{path}")).unwrap());
        prop_assert_eq!(crawled_url(url.clone()), url);
    }

    #[test]
    fn a_normalised_url_stays_as_it_is(path in SPELLINGS) {
        let normalised = normalised_url(&format!("https://example.org/{path}")).unwrap();
        prop_assert_eq!(normalised_url(&normalised), Some(normalised));
    }

    #[test]
    fn a_query_has_the_same_form_with_and_without_escapes(
        name in "[a-z0-9\\[\\]{}|^` \"<>é]{1,8}",
        value in "[a-z0-9\\[\\]{}|^` \"<>é]{0,8}",
        encoded in prop::collection::vec(any::<bool>(), 40),
    ) {
        let mut encoded = encoded.into_iter().cycle();
        let mut spelled = |text: &str| text.bytes().map(|byte| match byte.is_ascii() && encoded.next() == Some(false) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02x}"),
        }).collect::<String>();
        let one = format!("https://example.org/{}/?{}={}&z", spelled(&name), spelled(&name), spelled(&value));
        let other = format!("https://example.org/{name}/?{name}={}&z", spelled(&value));
        prop_assert_eq!(normalised_url(&one), normalised_url(&other), "{} {}", one, other);
    }
}
