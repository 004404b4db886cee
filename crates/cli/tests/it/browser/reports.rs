//! Reports: no element is wider than the screen, the charts exist, no script runs, and no request is made.
//!
//! A test page holds the reports in frames as wide as a telephone and as a screen. It measures the frames, and the browser prints the result.

use super::installed::{WIDTHS, browser};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Opens all folded parts and measures each frame.
const MEASURE: &str = r#"
const found = [];
addEventListener('load', () => {
  for (const frame of document.querySelectorAll('iframe')) {
    const inside = frame.contentDocument;
    inside.querySelectorAll('details').forEach(details => details.open = true);
    const charts = [...inside.querySelectorAll('figure.chart > svg')].map(chart => {
      const bars = [...chart.querySelectorAll('rect.value')].map(bar => bar.getBoundingClientRect());
      const box = chart.getBoundingClientRect();
      return {
        width: box.width, height: box.height,
        tallest: Math.max(...bars.map(bar => bar.height)),
        within: bars.every(bar => bar.left >= box.left && bar.right <= box.right + 1),
        letters: parseFloat(frame.contentWindow.getComputedStyle(chart.querySelector('text')).fontSize),
      };
    });
    found.push({
      page: frame.dataset.page, width: frame.contentWindow.innerWidth, scrolls: inside.scrollingElement.scrollWidth,
      charts, examples: inside.querySelectorAll('.example .text').length,
      styled: frame.contentWindow.getComputedStyle(inside.body).backgroundColor,
      attacked: 'attacked' in frame.contentWindow,
    });
  }
  document.getElementById('found').textContent = JSON.stringify(found);
});
"#;

/// The document that the browser makes from `page`, and its log.
fn open(browser: &str, folder: &Path, page: &str, options: &[&str]) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        // The sandbox refuses root. The test wrote these pages, so they need no sandbox.
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=10000", "--allow-file-access-from-files"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(options)
        .args(["--window-size=1400,1000", "--dump-dom"])
        .arg(format!("file://{}", folder.join(page).display()))
        .output()
        .unwrap();
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

fn lookalike(folder: &Path, arguments: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lookalike"));
    assert!(
        command.current_dir(folder).args(arguments.split(' ')).status().unwrap().success(),
        "{arguments}"
    );
}

/// Families of texts. Some of them would run a script or be too wide if the page did not escape them.
fn corpus() -> String {
    let mut lines = String::new();
    for family in 0..60 {
        let mut words: Vec<String> = (0..300).map(|word| format!("f{family}w{word}")).collect();
        words[7] =
            "</div></details><script>window.attacked = 1</script><img src=x onerror='attacked=1'>".to_owned();
        words[8] = "\u{202e}\u{0}".to_owned();
        words[9] = "long".repeat(200);
        for version in 0..1 + family % 7 {
            words[20 + 11 * version] = format!("changed{version}");
            let id = format!("<script>attacked={family}</script>{}{version}", "wide".repeat(40));
            lines += &(json!({ "id": id, "text": words.join(" ") }).to_string() + "\n");
        }
    }
    lines
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn pages_fit_on_telephones_and_screens_and_run_no_script() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("in.jsonl"), corpus()).unwrap();
    for (page, method) in [("minhash", "minhash"), ("exact", "exact"), ("simhash", "simhash --hamming 6")] {
        lookalike(folder, &format!("dedup in.jsonl --dry-run -q --report {page}.html --method {method}"));
    }
    std::fs::write(folder.join("none.jsonl"), "{\"text\":\"alone\"}\n").unwrap();
    lookalike(folder, "dedup none.jsonl --dry-run -q --report none.html");
    lookalike(folder, "compare in.jsonl:2 in.jsonl:3 --in in.jsonl -q -o compare.html");
    let pages = [
        ("minhash", 4, true),
        ("exact", 3, true),
        ("simhash", 4, true),
        ("none", 0, false),
        ("compare", 0, false),
    ];
    let frames = pages.iter().flat_map(|(page, ..)| WIDTHS.map(|width| (page, width))).map(|(page, width)| {
        format!("<iframe data-page={page} src={page}.html style='width:{width}px;height:800px;border:0'></iframe>")
    });
    let frames = frames.collect::<String>();
    let measuring = format!("<!doctype html>{frames}<pre id=found></pre><script>{MEASURE}</script>");
    std::fs::write(folder.join("measure.html"), measuring).unwrap();

    let mut backgrounds = Vec::new();
    for scheme in ["1", "0"] {
        let colours = format!("--blink-settings=preferredColorScheme={scheme}");
        let (document, log) = open(browser, folder, "measure.html", &[&colours]);
        assert!(!log.contains("CONSOLE"), "{log}");
        let found = document.split_once("<pre id=\"found\">").unwrap().1.split_once("</pre>").unwrap().0;
        let found: Vec<Value> =
            serde_json::from_str(found).unwrap_or_else(|error| panic!("{error}: {found}; {log}"));
        assert_eq!(found.len(), pages.len() * WIDTHS.len());
        for frame in &found {
            let (_, charts, examples) = pages.iter().find(|(page, ..)| frame["page"] == *page).unwrap();
            let number = |value: &Value| value.as_f64().unwrap();
            assert!(number(&frame["scrolls"]) <= number(&frame["width"]), "wider than the screen: {frame}");
            assert_eq!(frame["attacked"], false, "{frame}");
            assert_eq!(frame["charts"].as_array().unwrap().len(), *charts, "{frame}");
            assert_eq!(number(&frame["examples"]) > 10.0, *examples, "{frame}");
            for chart in frame["charts"].as_array().unwrap() {
                assert!(number(&chart["width"]) > 250.0 && number(&chart["height"]) > 200.0, "{frame}");
                assert!(number(&chart["tallest"]) > 100.0 && chart["within"] == true, "{frame}");
                assert!(number(&chart["letters"]) >= 12.0, "{frame}");
            }
        }
        backgrounds.push(found[0]["styled"].clone());
    }
    assert_eq!(backgrounds, ["rgb(251, 250, 247)", "rgb(23, 24, 26)"], "light, then dark");
}

#[test]
#[ignore = "needs Chromium: ./test servers"]
fn the_browser_logs_requests_that_the_policy_refuses() {
    let browser = browser();
    let folder = tempfile::tempdir().unwrap();
    let page = "<!doctype html><meta http-equiv=Content-Security-Policy content=\"default-src 'none'\"><p style='color:red'>x";
    std::fs::write(folder.path().join("refused.html"), page).unwrap();
    let (_, log) = open(browser, folder.path(), "refused.html", &[]);
    assert!(log.contains("CONSOLE") && log.contains("Content Security Policy"), "{log}");
}
