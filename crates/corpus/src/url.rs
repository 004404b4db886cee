//! URLs in one form, so that two spellings of an address are equal.

use std::borrow::Cow;
use url::Url;

/// Parameters that say where a visitor came from, and not what is shown.
const TRACKING: [&str; 10] =
    ["dclid", "fbclid", "gbraid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "wbraid", "yclid"];

/// Parameters that name a visit. A server makes a new value for each visitor, and shows the same page.
const SESSIONS: [&str; 6] = ["aspsessionid", "cfid", "cftoken", "jsessionid", "phpsessid", "zenid"];

/// Parameters that name a visit, or a session of a conference. Only the former have a token as their value.
const SESSIONS_OR_CONTENT: [&str; 2] = ["session_id", "sessionid"];

/// The fewest characters of a token. Servers make 20 to 40.
const TOKEN: usize = 16;

/// The start of a visit's name in a path, as Java servers write it.
const PATH_SESSION: &str = ";jsessionid=";

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
    while let Some(path) = without_session(url.path()) {
        url.set_path(&path);
    }
    url
}

/// A path without the name of a visit, if it has one. The segments behind it stay.
fn without_session(path: &str) -> Option<String> {
    let start = path.to_ascii_lowercase().find(PATH_SESSION)?;
    let behind = &path[start + PATH_SESSION.len()..];
    let rest = &behind[behind.find(['/', ';']).unwrap_or(behind.len())..];
    Some(format!("{}{rest}", &path[..start]))
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
    let kept = parameters(query).filter(|parameter| !is_tracking(name(parameter)) && !is_session(parameter));
    kept.collect::<Vec<_>>().join("&")
}

fn sorted_query(query: &str) -> String {
    let mut kept: Vec<_> = parameters(query).filter(|parameter| !is_tracking(name(parameter))).collect();
    // Parameters of the same name keep their order, which may have a meaning.
    kept.sort_by(|a, b| name(a).cmp(name(b)));
    kept.join("&")
}

/// The parameters of a query in the form in which they are compared.
fn parameters(query: &str) -> impl Iterator<Item = Cow<'_, str>> {
    query.split('&').filter(|parameter| !parameter.is_empty()).map(unreserved_decoded)
}

fn name(parameter: &str) -> &str {
    parameter.split_once('=').map_or(parameter, |(name, _)| name)
}

fn is_session(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let is_one_of = |names: &[&str]| names.iter().any(|session| name.eq_ignore_ascii_case(session));
    is_one_of(&SESSIONS) || (is_one_of(&SESSIONS_OR_CONTENT) && is_token(value))
}

/// Whether a value was drawn at random: hexadecimal digits, or letters and digits without any separator.
fn is_token(value: &str) -> bool {
    let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed = value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && value
            .trim_end_matches("%3D")
            .trim_end_matches('=')
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric());
    value.len() >= TOKEN && (is_hex || is_mixed)
}

fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_") || TRACKING.contains(&name.as_str())
}

/// Decodes what needs no percent-encoding, and puts the rest in upper case. A percent sign without two digits stays, and gets none by decoding.
fn unreserved_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let Some(byte) = encoded_byte(&rest[at..]) else {
            out.push('%');
            rest = &rest[at + 1..];
            continue;
        };
        let is_unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if is_unreserved && !(byte.is_ascii_hexdigit() && lacks_digits(out.as_bytes())) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        rest = &rest[at + 3..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The byte that a percent sign and two digits stand for, if `text` begins with them.
fn encoded_byte(text: &str) -> Option<u8> {
    let digits = text.get(1..3).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

/// Whether `text` ends with a percent sign that has fewer than two digits.
fn lacks_digits(text: &[u8]) -> bool {
    matches!(text, [.., b'%']) || matches!(text, [.., b'%', digit] if digit.is_ascii_hexdigit())
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
            ("https://example.org/%a%30%67", "https://example.org/%a%30g"),
            ("https://example.org/%%34%31%2b%+5", "https://example.org/%%341%2B%+5"),
            ("https://example.org/?%62=1&%75tm_source=x&a=2", "https://example.org/?a=2&b=1"),
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
            (
                "http://example.org/shop;jsessionid=1/item;v=2;JSessionId=3",
                "http://example.org/shop/item;v=2",
            ),
            ("http://example.org/?session_id=0123456789abcdef", "http://example.org/"),
            ("http://example.org/?%50HPSESSID=9&%75tm_source=x&b=1", "http://example.org/?b=1"),
            ("http://example.org/?sessionid=el4ukv0kqbvoirg7nkp4dncpk3&a=1", "http://example.org/?a=1"),
        ] {
            assert_eq!(crawled_url(Url::parse(url).unwrap()).as_str(), expected);
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
        }
    }

    /// Paths and queries with many escapes, whole and broken ones.
    const SPELLINGS: &str = "(%[2-7][0-9a-fA-F]|%[0-9a-f]|utm_|[a-zA-Z_%.~/&=?#;0-9 é]){0,30}";

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
    }
}
