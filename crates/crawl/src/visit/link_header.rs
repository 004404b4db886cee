//! The header `Link` (RFC 8288).

/// A link of a header.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct HeaderLink<'a> {
    pub(super) href: &'a str,
    pub(super) rel: &'a str,
    pub(super) hreflang: Option<&'a str>,
}

impl HeaderLink<'_> {
    /// Whether it is a link of this kind.
    pub(super) fn is(&self, rel: &str) -> bool {
        self.rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(rel))
    }
}

/// The links of a header.
pub(super) fn header_links(header: &str) -> Vec<HeaderLink<'_>> {
    let (mut links, mut rest) = (Vec::new(), header);
    while let Some((href, behind)) = rest.split_once('<').and_then(|(_, target)| target.split_once('>')) {
        let mut link = HeaderLink { href: href.trim(), ..HeaderLink::default() };
        rest = behind;
        while let Some(parameter) = rest.trim_start().strip_prefix(';') {
            let (name, value, behind) = split_parameter(parameter);
            match name.to_ascii_lowercase().as_str() {
                "rel" if link.rel.is_empty() => link.rel = value,
                "hreflang" => link.hreflang = Some(value),
                _ => {}
            }
            rest = behind;
        }
        links.push(link);
    }
    links
}

/// The name and value of the first parameter, and what follows it.
fn split_parameter(text: &str) -> (&str, &str, &str) {
    let end = text.find(['=', ';', ',']).unwrap_or(text.len());
    let name = text[..end].trim();
    let Some(value) = text[end..].strip_prefix('=') else { return (name, "", &text[end..]) };
    let value = value.trim_start();
    match value.strip_prefix('"') {
        Some(quoted) => {
            let (value, behind) = quoted.split_once('"').unwrap_or((quoted, ""));
            (name, value, behind)
        }
        None => {
            let end = value.find([';', ',']).unwrap_or(value.len());
            (name, value[..end].trim(), &value[end..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_a_target_and_parameters_in_any_order() {
        let header = r#"<https://example.org/a,b;c>; title="x; y, <z>"; rel="canonical nofollow", </de>; hreflang=de;rel=alternate,<x>;rel"#;
        let links = header_links(header);
        assert_eq!((links[0].href, links[0].is("Canonical")), ("https://example.org/a,b;c", true));
        assert_eq!(links[1], HeaderLink { href: "/de", rel: "alternate", hreflang: Some("de") });
        assert_eq!(links[2], HeaderLink { href: "x", ..HeaderLink::default() });
    }

    #[test]
    fn no_header_is_an_error() {
        for header in ["", "<", "<>", "<a", "<a>;", "<a>;=;", "<a>; rel=\"", "é<é>;é=é"] {
            header_links(header);
        }
    }
}
