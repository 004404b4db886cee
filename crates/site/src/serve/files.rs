//! The files of the page. They are compiled in, and hold no data.
//!
//! Modules are in `pages/js`. They are joined to one script, which the report has in it too: a page that is opened from a
//! folder cannot load modules.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
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

/// The page. `{title}` and `{head}` are filled in.
pub(crate) const PAGE: &str = include_str!("../../pages/index.html");

const ICON: &str = include_str!("../../pages/icon.svg");

/// The modules, each behind those that it imports.
const MODULES: [(&str, &str); 19] = [
    ("show", include_str!("../../pages/js/show.js")),
    ("state", include_str!("../../pages/js/state.js")),
    ("file", include_str!("../../pages/js/file.js")),
    ("source", include_str!("../../pages/js/source.js")),
    ("words", include_str!("../../pages/js/words.js")),
    ("table", include_str!("../../pages/js/table.js")),
    ("chart", include_str!("../../pages/js/chart.js")),
    ("marked", include_str!("../../pages/js/marked.js")),
    ("clusters", include_str!("../../pages/js/clusters.js")),
    ("pairs", include_str!("../../pages/js/pairs.js")),
    ("changes", include_str!("../../pages/js/changes.js")),
    ("overview", include_str!("../../pages/js/overview.js")),
    ("pages", include_str!("../../pages/js/pages.js")),
    ("page", include_str!("../../pages/js/page.js")),
    ("pair", include_str!("../../pages/js/pair.js")),
    ("lists", include_str!("../../pages/js/lists.js")),
    ("settings", include_str!("../../pages/js/settings.js")),
    ("live", include_str!("../../pages/js/live.js")),
    ("main", include_str!("../../pages/js/main.js")),
];

/// All modules as one.
pub(crate) static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let lines = MODULES.iter().flat_map(|(_, module)| module.lines());
    let own = lines
        .filter(|line| !line.starts_with("import "))
        .map(|line| line.strip_prefix("export ").unwrap_or(line));
    own.fold(String::new(), |script, line| script + line + "\n")
});

/// The style of all pages, and that of this one.
pub(crate) static STYLE: LazyLock<String> =
    LazyLock::new(|| lookalike_pages::STYLE.to_owned() + include_str!("../../pages/audit.css"));

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
    use std::collections::BTreeSet;

    /// The names that a module declares at its top, exported or not.
    fn declared(module: &str) -> impl Iterator<Item = &str> {
        let lines = module.lines().map(|line| line.strip_prefix("export ").unwrap_or(line));
        lines.filter_map(|line| {
            let declares = ["const ", "let ", "function ", "async function ", "class "];
            let rest = declares.iter().find_map(|word| line.strip_prefix(word))?;
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
        })
    }

    #[test]
    fn no_two_modules_declare_the_same_name() {
        let mut names = BTreeSet::new();
        for (module, content) in MODULES {
            for name in declared(content) {
                assert!(names.insert(name), "{module}: {name} is declared elsewhere too");
            }
        }
        assert!(names.len() > 60);
    }

    #[test]
    fn modules_import_only_exported_names_of_modules_before_them() {
        for (place, (module, content)) in MODULES.iter().enumerate() {
            for line in content.lines().filter(|line| line.starts_with("import ")) {
                let (names, from) = line.split_once(" from \"./").unwrap();
                let from = from.trim_end_matches(".js\";");
                let (_, source) =
                    MODULES[..place].iter().find(|(name, _)| *name == from).unwrap_or_else(|| {
                        panic!("{module} imports {from}, which is not before it");
                    });
                for name in
                    names.trim_start_matches("import {").trim_end_matches('}').split(',').map(str::trim)
                {
                    let exports = source.lines().filter_map(|line| line.strip_prefix("export "));
                    assert!(exports.flat_map(declared).any(|exported| exported == name), "{module}: {name}");
                }
            }
        }
    }

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
