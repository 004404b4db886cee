//! The report: one file, in which hostile texts are data.

use super::made::{HOSTILE, MadeSite};
use lookalike_audit::AuditSettings;
use lookalike_report::audit::view::AuditResults;
use lookalike_report::audit::{ReportLimits, report};
use serde_json::Value;

pub(super) fn html(pages: usize, limits: &ReportLimits) -> String {
    let site = MadeSite::new(pages);
    let audit = site.audit(&AuditSettings::default());
    report(&AuditResults::new(site, audit).unwrap(), limits).unwrap()
}

fn data(html: &str) -> Value {
    let (_, data) = html.split_once("id=\"data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn no_text_of_a_page_becomes_markup() {
    let html = html(200, &ReportLimits::default());
    assert!(!html.contains("<img"));
    assert_eq!(html.matches("</script>").count(), 2);
    assert_eq!(html.matches("<script").count(), 2);
    let data = data(&html);
    let titles = data["pages"]["rows"].as_array().unwrap().iter().map(|row| row[1].as_str().unwrap());
    assert!(titles.clone().any(|title| title == HOSTILE), "the data has the text as it is");
    for elsewhere in ["src=\"http", "href=\"http", "url(", "@import"] {
        assert!(!html.contains(elsewhere), "{elsewhere}");
    }
    let policy =
        html.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe"));
}

#[test]
fn what_a_report_leaves_out_is_said() {
    let whole = data(&html(120, &ReportLimits::default()));
    assert_eq!(whole["pages"]["rows"].as_array().unwrap().len(), 120);
    assert_eq!(whole["pages"]["note"], Value::Null);
    let limits = ReportLimits {
        pages: 50,
        rows: 10,
        cluster_bytes: 10_000,
        members: 5,
        texts: 3,
        text_bytes: 100_000,
    };
    let cut = data(&html(120, &limits));
    let rows = |list: &str| cut[list]["rows"].as_array().unwrap().len();
    assert_eq!((rows("pages"), rows("pairs"), rows("skipped")), (50, 10, 10));
    assert_eq!(cut["pages"]["note"], "The report has the first 50 only.");
    let whole = cut["cluster"].as_array().unwrap();
    assert!(!whole.is_empty() && whole.len() < 9, "{}", whole.len());
    assert_eq!(cut["pair"].as_array().unwrap().len(), 3);
    let left_out: Vec<&str> =
        cut["left_out"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(left_out[0], "It has 50 of 120 pages.");
    assert!(
        left_out.iter().any(|sentence| sentence.starts_with("It has the texts of 3 of ")),
        "{left_out:?}"
    );
    let small = ReportLimits { text_bytes: 1_000, ..ReportLimits::default() };
    let texts = data(&html(120, &small))["pair"].as_array().unwrap().len();
    assert!(texts < 3, "{texts}");
}
