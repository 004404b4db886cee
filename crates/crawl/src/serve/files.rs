//! The answers with the files of the page, and the headers of all answers.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use lookalike_report::audit::{ICON, PAGE, SCRIPT, STYLE};
use std::sync::LazyLock;

/// Everything comes from the server. Nothing is inline, no text becomes markup, and no site may frame the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The headers of all answers.
pub(super) const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

static INDEX: LazyLock<String> = LazyLock::new(|| {
    let head = "<link rel=\"icon\" href=\"/assets/icon.svg\">\n<link rel=\"stylesheet\" href=\"/assets/audit.css\">\n\
        <script type=\"module\" src=\"/assets/audit.js\"></script>";
    PAGE.replace("{title}", "Audit").replace("{head}", head).replace("{data}", "")
});

/// The file at this path.
pub(super) fn file(path: &str) -> Option<Response> {
    let (kind, content) = match path {
        "/" => ("text/html; charset=utf-8", INDEX.as_str()),
        "/assets/audit.js" => ("text/javascript; charset=utf-8", SCRIPT.as_str()),
        "/assets/audit.css" => ("text/css; charset=utf-8", STYLE.as_str()),
        "/assets/icon.svg" => ("image/svg+xml", ICON),
        _ => return None,
    };
    Some(([(header::CONTENT_TYPE, kind)], content).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_nothing_inline_and_the_script_makes_no_markup_of_text() {
        for inline in ["<style", " style=", " onclick=", "<script>", "{head}", "{title}", "{data}"] {
            assert!(!INDEX.contains(inline), "{inline}");
        }
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "localStorage",
            "import(",
            "\"style\"",
        ] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
        assert!(!SCRIPT.lines().any(|line| line.starts_with("import ") || line.starts_with("export ")));
        assert!(!POLICY.contains("unsafe") && !POLICY.contains("http"));
    }
}
