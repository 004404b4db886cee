//! The pages for people: static files that are compiled in. Their modules ask the same interface as every other client.
//!
//! Each page is `base.html` with a part of its own. The pages hold no data, so they need no key.

use crate::app::App;
use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};
use std::sync::{Arc, LazyLock};

/// Everything comes from the service. No script and no style is in the page itself, no text becomes markup, and no site may frame a page.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// The headers of all pages and assets, except those of the file itself.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    // A browser asks each time whether the file has changed. So the pages always fit to the service.
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
];

const BASE: &str = include_str!("../../pages/base.html");

/// A page: its path, its title, its module, and its own part.
struct ServicePage {
    path: &'static str,
    title: &'static str,
    module: &'static str,
    main: &'static str,
}

const PAGES: [ServicePage; 5] = [
    ServicePage { path: "/", title: "Ask", module: "ask", main: include_str!("../../pages/ask.html") },
    ServicePage {
        path: "/document",
        title: "Document",
        module: "document",
        main: include_str!("../../pages/document.html"),
    },
    ServicePage {
        path: "/compare",
        title: "Compare",
        module: "compare",
        main: include_str!("../../pages/compare.html"),
    },
    ServicePage {
        path: "/index",
        title: "Index",
        module: "index",
        main: include_str!("../../pages/index.html"),
    },
    ServicePage {
        path: "/events",
        title: "Events",
        module: "events",
        main: include_str!("../../pages/events.html"),
    },
];

/// Files that pages load, by their names below `/assets/`.
const ASSETS: [(&str, &str); 15] = [
    ("style.css", include_str!("../../pages/style.css")),
    ("icon.svg", include_str!("../../pages/icon.svg")),
    ("api.js", include_str!("../../pages/js/api.js")),
    ("ask.js", include_str!("../../pages/js/ask.js")),
    ("chart.js", include_str!("../../pages/js/chart.js")),
    ("compare.js", include_str!("../../pages/js/compare.js")),
    ("comparison.js", include_str!("../../pages/js/comparison.js")),
    ("document.js", include_str!("../../pages/js/document.js")),
    ("events.js", include_str!("../../pages/js/events.js")),
    ("index.js", include_str!("../../pages/js/index.js")),
    ("marked.js", include_str!("../../pages/js/marked.js")),
    ("metrics.js", include_str!("../../pages/js/metrics.js")),
    ("requests.js", include_str!("../../pages/js/requests.js")),
    ("show.js", include_str!("../../pages/js/show.js")),
    ("state.js", include_str!("../../pages/js/state.js")),
];

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let assets = ASSETS.iter().map(|(name, content)| File::new(&format!("/assets/{name}"), content));
    PAGES.iter().map(|page| File::new(page.path, &page.html())).chain(assets).collect()
});

impl ServicePage {
    fn html(&self) -> String {
        let link = format!("href=\"{}\"", self.path);
        BASE.replace("{title}", self.title)
            .replace("{module}", self.module)
            .replace(&format!("<a {link}>"), &format!("<a {link} aria-current=\"page\">"))
            .replace("{main}", self.main)
    }
}

/// A file of the pages.
struct File {
    path: String,
    content: String,
    content_type: &'static str,
    /// Its version, in quotes.
    tag: String,
}

impl File {
    fn new(path: &str, content: &str) -> Self {
        let content_type = match path.rsplit_once('.') {
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "svg")) => "image/svg+xml",
            _ => "text/html; charset=utf-8",
        };
        let hash = Sha256::digest(content.as_bytes());
        // 64 bits tell the few versions of a file apart.
        let hex: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        File { path: path.to_owned(), content: content.to_owned(), content_type, tag: format!("\"{hex}\"") }
    }

    fn at(path: &str) -> Option<&'static File> {
        FILES.iter().find(|file| file.path == path)
    }

    /// The file, unless the browser has this version.
    fn answer(&'static self, request: &HeaderMap) -> Response {
        let known = request.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
        let headers = [(header::CONTENT_TYPE, self.content_type), (header::ETAG, &self.tag[..])];
        match known.is_some_and(|tags| tags.contains(&self.tag)) {
            true => (StatusCode::NOT_MODIFIED, HEADERS, headers).into_response(),
            false => (HEADERS, headers, &self.content[..]).into_response(),
        }
    }
}

/// Whether this is the path of a page, or below that of the assets.
pub(super) fn is_public(path: &str) -> bool {
    path.starts_with("/assets/") || PAGES.iter().any(|page| page.path == path)
}

async fn answer(path: &str, headers: HeaderMap) -> Response {
    match File::at(path) {
        Some(file) => file.answer(&headers),
        None => super::guard::no_route().await.into_response(),
    }
}

/// All pages, and what they load.
pub(super) fn router() -> Router<Arc<App>> {
    let asset = |Path(name): Path<String>, headers: HeaderMap| async move {
        answer(&format!("/assets/{name}"), headers).await
    };
    PAGES.iter().fold(Router::new().route("/assets/{file}", get(asset)), |router, page| {
        router.route(page.path, get(|headers: HeaderMap| answer(page.path, headers)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The values of an attribute, or what follows an import.
    fn quoted<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
        text.split(before).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    #[test]
    fn every_file_that_is_referenced_exists_and_every_file_is_referenced() {
        let mut referenced = BTreeSet::new();
        for file in FILES.iter() {
            for path in ["href=\"", "src=\""].iter().flat_map(|before| quoted(&file.content, before)) {
                if let Some(path) = path.strip_prefix('/').filter(|path| !path.starts_with("openapi")) {
                    referenced.insert(format!("/{path}"));
                }
            }
            for module in quoted(&file.content, "from \"./") {
                referenced.insert(format!("/assets/{module}"));
            }
        }
        let files: BTreeSet<String> = FILES.iter().map(|file| file.path.clone()).collect();
        assert_eq!(referenced, files);
    }

    #[test]
    fn pages_have_nothing_inline_and_modules_make_no_markup_of_text() {
        for page in &PAGES {
            let html = page.html();
            for inline in ["<style", " style=", " onclick=", "<script>", "{main}", "{title}", "{module}"] {
                assert!(!html.contains(inline), "{}: {inline}", page.path);
            }
            assert_eq!(html.matches("aria-current").count(), 1, "{}", page.path);
            assert_eq!(html.matches("<h1").count(), 1, "{}", page.path);
        }
        for (name, content) in ASSETS {
            for word in
                ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "localStorage"]
            {
                assert!(!content.contains(word), "{name}: {word}");
            }
        }
    }

    #[test]
    fn a_page_and_its_modules_are_small() {
        for page in &PAGES {
            let (mut loaded, mut next) = (BTreeSet::new(), vec![format!("{}.js", page.module)]);
            while let Some(name) = next.pop() {
                let (_, content) = ASSETS.iter().find(|(asset, _)| *asset == name).unwrap();
                if loaded.insert(name) {
                    next.extend(quoted(content, "from \"./").into_iter().map(str::to_owned));
                }
            }
            let bytes = |name: &String| ASSETS.iter().find(|(asset, _)| asset == name).unwrap().1.len();
            let bytes: usize = loaded.iter().map(bytes).sum();
            assert!(bytes <= 26_000, "{}: {bytes} bytes", page.path);
        }
    }

    #[test]
    fn a_file_has_its_type_and_version_and_allows_nothing_from_elsewhere() {
        for file in FILES.iter() {
            let answer = file.answer(&HeaderMap::new());
            let (status, headers) = (answer.status(), answer.headers());
            assert_eq!(status, StatusCode::OK);
            assert_eq!(headers[header::ETAG], file.tag);
            let content_type = match Path::new(&file.path).extension().and_then(|name| name.to_str()) {
                Some("js") => "text/javascript; charset=utf-8",
                Some("css") => "text/css; charset=utf-8",
                Some(_) => "image/svg+xml",
                None => "text/html; charset=utf-8",
            };
            assert_eq!(headers[header::CONTENT_TYPE], content_type);
            for (name, value) in HEADERS {
                assert_eq!(headers[&name], value, "{}", file.path);
            }
            let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, file.tag.parse().unwrap())]);
            assert_eq!(file.answer(&known).status(), StatusCode::NOT_MODIFIED);
        }
        for part in ["default-src 'self';", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(POLICY.contains(part) && !POLICY.contains("unsafe") && !POLICY.contains("http"));
        }
    }

    #[test]
    fn the_colours_are_those_of_the_reports() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let colours = |path: &str| {
            let style = fs::read_to_string(folder.join(path)).unwrap();
            let colour = |line: &&str| line.trim().starts_with("--") && !line.contains("system-ui");
            style.lines().filter(colour).map(str::to_owned).collect::<Vec<_>>()
        };
        let reports = colours("../report/templates/style.css");
        assert!(reports.len() >= 8);
        assert_eq!(colours("pages/style.css"), reports);
    }
}
