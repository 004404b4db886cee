//! The name and password in the address that the user typed.

use std::fmt;
use url::{Url, form_urlencoded};

/// A name and a password. They are sent to the server that the user typed, and are stored and shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Credentials {
    pub(crate) name: String,
    pub(crate) password: Option<String>,
}

impl Credentials {
    /// Those of a URL such as `https://name:password@example.org/`.
    pub(crate) fn of(url: &Url) -> Option<Self> {
        let (name, password) = (decoded(url.username()), url.password().map(decoded));
        (!name.is_empty() || password.is_some()).then_some(Credentials { name, password })
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// A text without percent-encoding. The decoder of forms takes `+` for a space.
fn decoded(text: &str) -> String {
    let text = text.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_a_password_are_decoded_and_not_shown() {
        let of = |url: &str| Credentials::of(&Url::parse(url).unwrap());
        let credentials = of("http://me%40work:a+b&c=%25%3A@example.org/").unwrap();
        assert_eq!(
            (credentials.name.as_str(), credentials.password.as_deref()),
            ("me@work", Some("a+b&c=%:"))
        );
        assert_eq!(format!("{credentials:?}"), "Credentials { .. }");
        assert_eq!(of("http://example.org/"), None);
        assert_eq!(of("http://me@example.org/").unwrap().password, None);
    }
}
