//! URLs in one form, so that two spellings of an address are equal.

mod escapes;
mod parameters;

use self::{
    escapes::one_spelling,
    parameters::{is_of_a_visitor, without_visit},
};
use std::borrow::Cow;
use url::Url;

/// The normalised form of an absolute URL, or `None` if `url` is none.
///
/// Scheme and host are in lower case, and the port is left out if it is that of the scheme. Path segments `.` and `..` are resolved, and
/// percent-encoding is in upper case, and only where it is needed (RFC 3986, section 6.2.2). Characters of the URL Standard's userinfo
/// percent-encode set that separate nothing, such as `[` and `|`, are encoded. User, password and fragment are left out, and so are
/// parameters that name a visitor, such as `utm_source` and `jsessionid`. The other parameters are sorted by their names.
pub fn normalised_url(url: &str) -> Option<String> {
    let url = Url::parse(url.trim()).ok()?;
    if !url.has_host() {
        return None;
    }
    Some(rewritten(url, sorted_query).into())
}

/// The form of `url` in which a crawler asks for it: as [`normalised_url`], but parameters keep their order.
///
/// A server is free to show two pages for two orders. If it shows one, the two URLs are duplicates that an audit has to find.
pub fn crawled_url(url: Url) -> Url {
    rewritten(url, |query| parameters(query).collect::<Vec<_>>().join("&"))
}

fn rewritten(mut url: Url, query: impl Fn(&str) -> String) -> Url {
    url.set_fragment(None);
    // These fail only for URLs without a host.
    let _ = (url.set_username(""), url.set_password(None));
    if let Cow::Owned(path) = one_spelling(url.path()) {
        url.set_path(&path);
    }
    while let Some(path) = without_visit(url.path()) {
        url.set_path(&path);
    }
    if url.query().is_some() {
        let query = url.query().map(query).filter(|query| !query.is_empty());
        url.set_query(query.as_deref());
    }
    url
}

fn sorted_query(query: &str) -> String {
    let mut kept: Vec<_> = parameters(query).collect();
    // Parameters of the same name keep their order, which may have a meaning.
    kept.sort_by(|a, b| name(a).cmp(name(b)));
    kept.join("&")
}

/// The parameters of a query that say what is shown, in the form in which they are compared.
fn parameters(query: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty()).map(one_spelling);
    parameters.filter(|parameter| !is_of_a_visitor(parameter))
}

fn name(parameter: &str) -> &str {
    parameter.split_once('=').map_or(parameter, |(name, _)| name)
}

#[cfg(test)]
mod tests;
