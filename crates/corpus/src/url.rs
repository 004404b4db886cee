//! URLs in one form, so that two spellings of an address are equal.

use std::borrow::Cow;
use url::Url;

/// Parameters that say where a visitor came from, and not what is shown.
const TRACKING: [&str; 10] =
    ["dclid", "fbclid", "gbraid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "wbraid", "yclid"];

/// Parameters that name a visit. A server makes a new value for each visitor, and shows the same page.
const SESSIONS: [&str; 8] =
    ["aspsessionid", "cfid", "cftoken", "jsessionid", "phpsessid", "session_id", "sessionid", "zenid"];

/// The normalised form of an absolute URL, or `None` if `url` is none.
///
/// Scheme and host are in lower case, and the port is left out if it is that of the scheme. Path segments `.` and `..` are resolved, and
/// percent-encoding is in upper case, and only where it is needed (RFC 3986, section 6.2.2). User, password and fragment are left out, and
/// so are parameters by which visitors are tracked, such as `utm_source` and `gclid`. The other parameters are sorted by their names.
pub fn normalised_url(url: &str) -> Option<String> {
    let url = Url::parse(url.trim()).ok()?;
    if !url.has_host() {
        return None;
    }
    Some(rewritten(url, sorted_query).into())
}

/// The form of `url` in which a crawler asks for it: as [`normalised_url`], but parameters keep their order, and parameters that name a
/// visit, such as `jsessionid`, are left out.
///
/// A server is free to show two pages for two orders. If it shows one, the two URLs are duplicates that an audit has to find.
pub fn crawled_url(url: Url) -> Url {
    let mut url = rewritten(url, ordered_query);
    if let Some((path, _)) = url.path().to_ascii_lowercase().split_once(";jsessionid=") {
        let path = url.path()[..path.len()].to_owned();
        url.set_path(&path);
    }
    url
}

fn rewritten(mut url: Url, query: impl Fn(&str) -> String) -> Url {
    url.set_fragment(None);
    // These fail only for URLs without a host.
    let _ = (url.set_username(""), url.set_password(None));
    if let Cow::Owned(path) = unreserved_decoded(url.path()) {
        url.set_path(&path);
    }
    if url.query().is_some() {
        let query = url.query().map(query).filter(|query| !query.is_empty());
        url.set_query(query.as_deref());
    }
    url
}

fn ordered_query(query: &str) -> String {
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    let kept = parameters.filter(|parameter| !is_tracking(name(parameter)) && !is_session(name(parameter)));
    kept.map(unreserved_decoded).collect::<Vec<_>>().join("&")
}

fn name(parameter: &str) -> &str {
    parameter.split_once('=').map_or(parameter, |(name, _)| name)
}

fn is_session(name: &str) -> bool {
    SESSIONS.iter().any(|session| name.eq_ignore_ascii_case(session))
}

fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_") || TRACKING.contains(&name.as_str())
}

fn sorted_query(query: &str) -> String {
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    let mut parameters: Vec<(&str, Cow<'_, str>)> =
        parameters.map(|parameter| (name(parameter), unreserved_decoded(parameter))).collect();
    parameters.retain(|(name, _)| !is_tracking(name));
    // Parameters of the same name keep their order, which may have a meaning.
    parameters.sort_by_key(|&(name, _)| name);
    let parameters: Vec<Cow<'_, str>> = parameters.into_iter().map(|(_, parameter)| parameter).collect();
    parameters.join("&")
}

/// Decodes what needs no percent-encoding, and puts the rest in upper case.
fn unreserved_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let byte = rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                out.push(char::from(byte))
            }
            Some(byte) => out.push_str(&format!("%{byte:02X}")),
            None => out.push('%'),
        }
        rest = &rest[at + if byte.is_some() { 3 } else { 1 }..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
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
        ] {
            assert_eq!(crawled_url(Url::parse(url).unwrap()).as_str(), expected);
        }
    }

    proptest! {
        #[test]
        fn a_crawled_url_stays_as_it_is(path in "[a-z%.~/&=?#;0-9 é]{0,40}") {
            let url = crawled_url(Url::parse(&format!("https://example.org/{path}")).unwrap());
            prop_assert_eq!(crawled_url(url.clone()), url);
        }

        #[test]
        fn a_normalised_url_stays_as_it_is(path in "[a-z%.~/&=?#0-9 é]{0,40}") {
            let normalised = normalised_url(&format!("https://example.org/{path}")).unwrap();
            prop_assert_eq!(normalised_url(&normalised), Some(normalised));
        }
    }
}
