//! The page of an audit: its files, compiled in. They hold no data.
//!
//! Modules are in `pages/js`. They are joined to one script, which the report has in it too: a page that is opened from a
//! folder cannot load modules.

use std::sync::LazyLock;

/// The page. `{title}` and `{head}` are filled in.
pub const PAGE: &str = include_str!("../../pages/index.html");

/// The icon, as SVG.
pub const ICON: &str = include_str!("../../pages/icon.svg");

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
pub static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let lines = MODULES.iter().flat_map(|(_, module)| module.lines());
    let own = lines
        .filter(|line| !line.starts_with("import "))
        .map(|line| line.strip_prefix("export ").unwrap_or(line));
    own.fold(String::new(), |script, line| script + line + "\n")
});

/// The style of all pages, and that of this one.
pub static STYLE: LazyLock<String> =
    LazyLock::new(|| crate::frame::STYLE.to_owned() + include_str!("../../pages/audit.css"));

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
}
