//! The page and the report in Chromium: they show what they should, fit on the screen, work with the keyboard alone, log no
//! error, ask no other host, and show hostile texts harmlessly.
//!
//! Without Chromium, each test prints a line and passes.

use super::chromium::Chromium;
use super::installed::{WIDTHS, browser};
use super::made::{HOSTILE, MadeSite, SCRIPT_URL, encoded};
use super::server::Served;
use lookalike::Sequential;
use lookalike_audit::AuditSettings;
use lookalike_crawl::serve::{CrawlProgress, SeenPair};
use lookalike_report::audit::view::{self, AuditResults, ListQuery};
use lookalike_report::audit::{ReportLimits, report};
use serde_json::json;
use std::time::{Duration, Instant};

/// Pages of the large site: as many as the largest plan of a well-known product allows.
const MANY: usize = 30_000;

/// Pages of that site at an earlier time.
const EARLIER: usize = 300;

/// Checks what holds for all screens at any time.
fn check_screen(chromium: &mut Chromium, own: &str, width: u32) {
    assert_eq!(chromium.complaints, Vec::<String>::new());
    assert!(chromium.requests.iter().all(|request| request.starts_with(own)), "{:?}", chromium.requests);
    assert_eq!(chromium.evaluate("'attacked' in window"), false);
    let scrolls = chromium.evaluate("document.scrollingElement.scrollWidth").as_u64().unwrap();
    let page = chromium.evaluate("location.href");
    assert!(scrolls <= width.into(), "{page} is {scrolls} pixels wide on a screen of {width}");
    let nameless = "[...document.querySelectorAll('input, select, button, a, progress')].filter(one => one.checkVisibility() \
        && !one.labels?.length && !one.ariaLabel && !one.textContent).length";
    assert_eq!(chromium.evaluate(nameless), 0, "{page}: every control has a name");
    assert_eq!(chromium.evaluate("document.querySelectorAll('h1').length"), 1, "{page}");
    let scripts = "[...document.links].filter(link => !/^(https?|file):/.test(link.href)).length";
    assert_eq!(chromium.evaluate(scripts), 0, "{page}: only web addresses are links");
}

/// Shows a screen, and waits until it is complete and has a text.
fn show(chromium: &mut Chromium, hash: &str, text: &str) {
    chromium.evaluate(&format!(
        "document.getElementById('main').textContent = '', location.hash = {}",
        json!(hash)
    ));
    chromium.wait_for(&format!("document.getElementById('main').textContent.includes({})", json!(text)));
    chromium.wait_for("document.querySelector('[aria-busy=true]') === null");
}

/// All screens, each with a text that it must have.
fn screens(results: &AuditResults) -> Vec<(String, &'static str)> {
    let first =
        |sort: &str| ListQuery { sort: sort.into(), order: "asc".into(), size: 1, ..ListQuery::default() };
    let pair = view::pairs(results, &first("")).rows.remove(0);
    let [a, b] = [pair.a, pair.b].map(encoded);
    let cluster = encoded(view::clusters(results, &first("least")).rows[0].primary);
    let hostile = results.audit().pages().iter().find(|page| page.url.contains('"')).unwrap();
    let hostile = encoded(&hostile.url);
    vec![
        ("#/overview".into(), "and search engines are not told"),
        ("#/clusters".into(), "Least similarity"),
        (format!("#/cluster?of={cluster}"), "Similarity matrix"),
        ("#/pairs?show=exact".into(), "exact copy"),
        (format!("#/pair?a={a}&b={b}&passage=1"), "Passage 1 of"),
        (format!("#/pair?a={a}&b={hostile}"), "Not reported"),
        ("#/pages?sort=words&order=desc".into(), "Page 1 of 600"),
        (format!("#/page?url={hostile}"), "U+202E"),
        ("#/blocks".into(), "by the audit"),
        ("#/skipped".into(), "Disallow: /private/"),
        ("#/links".into(), "U+202E"),
        ("#/changes?show=pair-new".into(), "none → "),
        ("#/settings".into(), "Audit again"),
    ]
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn every_screen_of_30000_pages_is_right_at_both_widths_in_light_and_dark() {
    let browser = browser();
    let served = Served::start();
    served.live.compare_with(MadeSite::new(EARLIER));
    served.live.audit(MadeSite::new(MANY)).unwrap();
    let results = served.live.results().unwrap();
    let own = format!("http://{}/", served.host);
    let mut chromium = Chromium::start(browser);
    chromium.open(&served.url);
    chromium.wait_for_text("Duplicate content of");
    assert_eq!(chromium.evaluate("location.search"), "", "the token is out of the address");
    for width in WIDTHS {
        for scheme in ["light", "dark"] {
            chromium.set_screen(width, scheme);
            for (hash, text) in screens(&results) {
                show(&mut chromium, &hash, text);
                check_screen(&mut chromium, &own, width);
            }
        }
    }
    assert!(!chromium.evaluate("document.body.innerText").as_str().unwrap().contains('\u{202e}'));
    let script_links =
        format!("[...document.links].filter(link => link.href.includes({})).length", json!(SCRIPT_URL));
    assert_eq!(chromium.evaluate(&script_links), 0);
    // Sorting, filtering and turning the page take less than a second, and are in the address.
    show(&mut chromium, "#/pages", "Page 1 of 600");
    let steps = [
        ("document.querySelector('[data-column=words]').click()", "sort=words"),
        ("document.querySelector('[data-column=words]').click()", "order=asc"),
        (
            "[...document.querySelectorAll('.pager button')].find(one => one.textContent === 'Last').click()",
            "page=600",
        ),
        (
            "{ const show = document.getElementById('pages-show'); show.value = 'to-fix'; show.dispatchEvent(new Event('change')); }",
            "show=to-fix",
        ),
    ];
    for (step, in_address) in steps {
        let start = Instant::now();
        chromium.evaluate(step);
        chromium.wait_for("document.querySelector('[aria-busy=true]') === null");
        let took = start.elapsed();
        assert!(took < Duration::from_secs(1), "{step}: {took:?}");
        let hash = chromium.evaluate("location.hash");
        assert!(hash.as_str().unwrap().contains(in_address), "{hash}");
    }
    assert_eq!(chromium.evaluate("document.querySelector('[aria-sort]').textContent.trim()"), "Words ▲");
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn a_pair_is_read_with_the_keyboard_alone_and_both_texts_scroll_in_step() {
    let browser = browser();
    let served = Served::start();
    served.live.audit(MadeSite::new(300)).unwrap();
    let results = served.live.results().unwrap();
    let mut chromium = Chromium::start(browser);
    chromium.set_screen(1280, "light");
    chromium.open(&served.url);
    chromium.wait_for_text("Duplicate content of");
    chromium.tab_to("skip");
    chromium.press("Enter");
    assert_eq!(chromium.evaluate("document.activeElement.id"), "main");
    let (hash, _) = &screens(&results)[4];
    show(&mut chromium, hash.split("&passage").next().unwrap(), "shared passage");
    chromium.press("n");
    chromium.wait_for_text("Passage 1 of");
    assert_eq!(chromium.evaluate("document.querySelectorAll('.passage.current').length"), 2);
    assert!(chromium.evaluate("location.hash").as_str().unwrap().ends_with("&passage=1"));
    // Boxes of two lines make the texts long.
    let scrolled = "(async () => { const [a, b] = document.querySelectorAll('.side .text'); \
        for (const box of [a, b]) { box.style.maxHeight = '60px'; box.scrollTop = 0; } await new Promise(done => setTimeout(done, 200)); \
        a.scrollTop = 60; await new Promise(done => setTimeout(done, 200)); return b.scrollTop; })()";
    assert!(chromium.evaluate(scrolled).as_u64().unwrap() > 0);
    assert_eq!(chromium.complaints, Vec::<String>::new());
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn the_page_follows_a_crawl_and_an_audit_with_other_settings() {
    let browser = browser();
    let served = Served::start();
    let progress =
        |fetched, is_running| CrawlProgress { found: 500, fetched, is_running, ..CrawlProgress::default() };
    served.live.set_progress(progress(120, true));
    let mut chromium = Chromium::start(browser);
    chromium.set_screen(390, "dark");
    chromium.open(&served.url);
    chromium.wait_for_text("120 URLs of 500 found");
    chromium.wait_for_text("There are no results yet.");
    served.live.add_pairs([SeenPair { a: HOSTILE.into(), b: SCRIPT_URL.into(), similarity: 0.91 }]);
    chromium.wait_for_text("91 %");
    check_screen(&mut chromium, &format!("http://{}/", served.host), 390);
    served.live.audit(MadeSite::new(300)).unwrap();
    chromium.wait_for_text("These results are provisional.");
    chromium.wait_for_text("Duplicate content of");
    served.live.set_progress(progress(500, false));
    chromium.wait_for("document.getElementById('progress').hidden");
    show(&mut chromium, "#/settings", "Audit again");
    chromium.evaluate("document.getElementById('threshold').value = 97, [...document.querySelectorAll('button')].at(-1).click()");
    chromium.wait_for_text("All screens show its results.");
    show(&mut chromium, "#/overview", "threshold");
    chromium.wait_for_text("threshold 97 %");
    show(&mut chromium, "#/blocks", "by the audit");
    chromium.evaluate("{ const use = document.querySelector('tbody select'); use.value = 'true'; use.dispatchEvent(new Event('change')); }");
    chromium.wait_for_text("Switched on in the settings.");
    check_screen(&mut chromium, &format!("http://{}/", served.host), 390);
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn a_report_opens_from_a_folder_and_has_the_same_screens() {
    let browser = browser();
    let site = MadeSite::new(MANY);
    let audit = site.audit(&AuditSettings::default());
    let earlier = MadeSite::new(EARLIER).audit(&AuditSettings::default());
    let Ok(results) = AuditResults::new(site, audit).unwrap().compared_with(earlier, &Sequential);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    std::fs::write(&file, report(&results, &ReportLimits::default()).unwrap()).unwrap();
    let address = format!("file://{}", file.display());
    let mut chromium = Chromium::start(browser);
    chromium.open(&address);
    chromium.wait_for_text("This report is a file.");
    for width in WIDTHS {
        for scheme in ["light", "dark"] {
            chromium.set_screen(width, scheme);
            for (hash, text) in screens(&results) {
                let text = match text {
                    // Of the server only: a form, a reason for pages that are no pair, and texts of any page.
                    "Audit again" => "The audit was made with these settings.",
                    "Similarity matrix" => "The report does not have the similarities of this cluster.",
                    "Not reported" => "The report does not have this.",
                    "Passage 1 of" => "side",
                    text => text,
                };
                if text != "side" {
                    show(&mut chromium, &hash, text);
                    check_screen(&mut chromium, &address, width);
                }
            }
        }
    }
    // The first clusters and pairs are whole.
    let first = |chromium: &mut Chromium, link: &str| {
        let data = "JSON.parse(document.getElementById('data').textContent)";
        let hash = chromium.evaluate(&format!("(({{ cluster, pair }}) => {link})({data})"));
        hash.as_str().unwrap().to_owned()
    };
    let hash = first(&mut chromium, "'#/cluster?' + new URLSearchParams({ of: cluster[0].primary })");
    show(&mut chromium, &hash, "Similarity matrix");
    let hash = first(
        &mut chromium,
        "'#/pair?' + new URLSearchParams({ a: pair[0].sides[0].url, b: pair[0].sides[1].url, passage: 1 })",
    );
    show(&mut chromium, &hash, "Passage 1 of");
    check_screen(&mut chromium, &address, 1280);
}
