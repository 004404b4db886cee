use super::*;
use crate::findings::{Example, ExampleCluster, ExampleText};
use lookalike::compare::Passages;
use lookalike::{Plan, Sketcher};
use lookalike::{Score, Similarity};
use scraper::{ElementRef, Html, Selector};

fn figure(name: &'static str) -> Figure {
    Figure { name: name.into(), value: "1 < 2".to_owned(), note: "<b>".to_owned() }
}

fn passages(left: &str, right: &str) -> Passages {
    let plan = Plan::default();
    let mut sketcher = Sketcher::new(&plan);
    Passages::of(&sketcher.locate(left), &sketcher.locate(right), 5)
}

/// Similarities of removed documents: 200 of 0.80, one of 0.9, and 7 copies.
fn similarities() -> PairHistogram {
    let mut counts = vec![0; 100];
    counts[80] = 200;
    counts[90] = 1;
    let measure = "Jaccard similarity".to_owned();
    PairHistogram { measure, from: 0.0, width: 0.01, counts, same: 7, limit: 0.8 }
}

fn chances() -> Chances {
    let curve: Vec<f64> = (0..=100).map(|step| (f64::from(step) / 100.0).powi(4)).collect();
    let estimated = similarities().counts.iter().map(|&count| count as f64 * 1.5).collect();
    Chances { curve, estimated }
}

/// A page whose names are all `id` and whose texts are all `left` and `right`.
fn page(id: &str, left: &str, right: &str) -> String {
    let text = |text: &str| ExampleText { id: id.to_owned(), text: text.to_owned(), characters: 1_000_000 };
    let score = Score::Similarity(Similarity::counted(0.8).expect("a share"));
    let of_pair = Example {
        roles: ExampleRoles::KeptAndRemoved,
        cluster: Some(1),
        texts: [text(left), text(right)],
        score,
        containment: Some(0.9),
        passages: passages(left, right),
        whole: None,
    };
    let listed = Example { roles: ExampleRoles::Listed, cluster: None, containment: None, ..of_pair.clone() };
    let whole =
        ExampleCluster { documents: 1_234, removed: 1_100, mean: 0.9, members: vec![(id.to_owned(), score)] };
    let of_cluster = Example { whole: Some(whole), ..of_pair.clone() };
    let kinds = [
        (ExampleKind::ClosestRemoved, vec![of_pair; 12]),
        (ExampleKind::LargestClusters, vec![of_cluster.clone(); 6]),
        (ExampleKind::LoosestClusters, vec![of_cluster; 6]),
        (ExampleKind::NearestPairs, vec![listed.clone()]),
        (ExampleKind::MedianPairs, vec![listed.clone()]),
        (ExampleKind::MostSimilarPairs, vec![listed]),
    ];
    let sizes = [(2, 3, 1_000), (4, 7, 20), (8, 15, 1)];
    let sizes = sizes.map(|(from, to, groups)| SizeClass { from, to, groups, documents: groups * from });
    let run = RunPage {
        title: "Near-duplicates",
        inputs: &[id.to_owned()],
        done: vec!["Done.".to_owned()],
        figures: vec![figure("Removed")],
        plan: vec![figure("Method")],
        effort: vec![figure("Time")],
        skipped: vec![(id, id)],
        skipped_in_all: 3,
        removed: Some(RemovedScores { scores: similarities(), below: 2 }),
        links: similarities(),
        curve: Some(&chances()),
        search: "By bands.".to_owned(),
        clusters: sizes.to_vec(),
        buckets: sizes.to_vec(),
        examples: kinds.iter().map(|(kind, examples)| ExamplesOfPage { kind: *kind, examples }).collect(),
    };
    run.to_html()
}

fn select<'a>(html: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    html.select(&Selector::parse(selector).unwrap()).collect()
}

fn text_of(element: ElementRef<'_>) -> String {
    element.text().collect()
}

const LEFT: &str =
    "the city council voted on Tuesday to close the old harbour bridge for repairs until March";
const RIGHT: &str =
    "the city council voted on Monday to close the old harbour bridge for repairs until March";

#[test]
fn the_page_is_valid_html_and_all_its_links_have_targets() {
    let html = Html::parse_document(&page("a.txt", LEFT, RIGHT));
    assert!(html.errors.is_empty(), "{:?}", html.errors);
    let mut ids: Vec<&str> =
        select(&html, "[id]").into_iter().filter_map(|element| element.value().id()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "an id is there twice");
    let mut targets: Vec<&str> = select(&html, "a[href]")
        .iter()
        .map(|link| link.attr("href").unwrap().trim_start_matches('#'))
        .collect();
    for element in select(&html, "[aria-labelledby]") {
        targets.extend(element.attr("aria-labelledby").unwrap().split(' '));
    }
    assert!(targets.len() > 100);
    for target in targets {
        assert!(ids.binary_search(&target).is_ok(), "nothing is called {target}");
    }
}

#[test]
fn a_cluster_counts_the_removed_documents_that_it_does_not_name() {
    // 1,100 of 1,234 documents were removed, and one of them is named.
    let html = Html::parse_document(&page("a.txt", LEFT, RIGHT));
    let members = select(&html, "#g1 p.faint").into_iter().map(text_of);
    let members: Vec<String> = members.filter(|text| text.starts_with("Removed:")).collect();
    assert_eq!(members.len(), 1);
    assert!(members[0].ends_with(" and 1,099 more."), "{}", members[0]);
}

#[test]
fn hostile_texts_names_and_problems_are_only_text() {
    let hostile = "</div></details><script>alert(1)</script><!-- \u{202e}txt.exe \u{0}\u{1b}]0;x\u{7} \" onload='x' style=\"x\"";
    let page = page(hostile, hostile, &format!("{hostile} {hostile}"));
    assert!(!page.contains("<script") && !page.contains("<!-- "));
    assert!(!page.contains(['\u{202e}', '\u{0}', '\u{1b}', '\u{7}']));
    let html = Html::parse_document(&page);
    assert!(html.errors.is_empty(), "{:?}", html.errors);
    for element in select(&html, "*") {
        for (name, value) in element.value().attrs() {
            assert!(!name.starts_with("on") && name != "style" && !value.contains("alert"), "{name}={value}");
        }
    }
    let shown = select(&html, "#c1 .text")[0];
    assert!(text_of(shown).contains("div></details><script>alert(1)</script><!--"), "{}", text_of(shown));
}

#[test]
fn the_policy_allows_the_style_and_nothing_else() {
    let page = page("a.txt", LEFT, RIGHT);
    let html = Html::parse_document(&page);
    let policy = select(&html, "meta[http-equiv=Content-Security-Policy]")[0].attr("content").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    assert!(!policy.contains("script") && !policy.contains("unsafe"), "{policy}");
    for active in ["http:", "https:", "url(", "src=", "javascript:", "@import"] {
        assert!(!page.contains(active), "{active}");
    }
    assert!(select(&html, "script, link, img, iframe, object, form, base").is_empty());
}

#[test]
fn every_chart_has_a_description_and_a_table_of_the_same_numbers() {
    let html = Html::parse_document(&page("a.txt", LEFT, RIGHT));
    let charts = select(&html, "figure.chart");
    assert_eq!(charts.len(), 4);
    let inside = |chart: ElementRef<'_>, selector: &str| -> Vec<String> {
        chart.select(&Selector::parse(selector).unwrap()).map(text_of).collect()
    };
    let last_number = |text: &str| -> String {
        text.split(' ')
            .find(|word| word.ends_with(|c: char| c.is_ascii_digit()))
            .unwrap_or_default()
            .to_owned()
    };
    for chart in charts {
        assert!(inside(chart, "svg[role=img] > title")[0].len() > 10 && inside(chart, "desc")[0].len() > 10);
        let cells: Vec<Vec<String>> =
            chart.select(&Selector::parse("tbody tr").unwrap()).map(|row| inside(row, "td")).collect();
        let bars = inside(chart, ".bar title");
        assert!(!bars.is_empty() && !cells.is_empty());
        for bar in bars {
            // "0.80 to 0.81: 200 documents", or "1,000 clusters of 2 to 3 documents".
            let (what, number) = match bar.split_once(": ") {
                Some((what, rest)) => (what.to_owned(), last_number(rest)),
                None => {
                    let (number, what) = bar.split_once(" of ").unwrap();
                    (what.trim_end_matches(" documents").to_owned(), last_number(number))
                }
            };
            let row = cells.iter().find(|row| row[0] == what).unwrap_or_else(|| panic!("{what}: {cells:?}"));
            assert!(row[1..].contains(&number), "{bar}: {row:?}");
        }
    }
}

#[test]
fn the_heights_of_bars_follow_their_numbers() {
    let html = Html::parse_document(&page("a.txt", LEFT, RIGHT));
    let heights: Vec<f64> = select(&html, "#cluster-sizes rect.value")
        .iter()
        .map(|bar| bar.attr("height").unwrap().parse().unwrap())
        .collect();
    // 1,000, 20 and 1 on a logarithmic scale.
    assert_eq!(heights[0], 180.0);
    assert!(heights[0] > heights[1] && heights[1] > heights[2] && heights[2] > 10.0, "{heights:?}");
    assert!(text_of(select(&html, "#cluster-sizes .legend")[0]).contains("logarithmic"));
    let estimated = select(&html, "#pairs-by-score rect.estimated");
    assert_eq!(estimated.len(), 2);
}

#[test]
fn the_threshold_is_drawn_where_its_bin_starts() {
    let html = Html::parse_document(&page("a.txt", LEFT, RIGHT));
    let limit = select(&html, "#removed-by-score line.limit")[0].attr("x1").unwrap();
    let bar = select(&html, "#removed-by-score rect.value")[0].attr("x").unwrap();
    assert_eq!(limit, bar);
}

#[test]
fn a_run_that_found_nothing_has_a_page() {
    let mut none = similarities();
    none.counts.fill(0);
    none.same = 0;
    let run = RunPage {
        title: "Near-duplicates",
        inputs: &[],
        done: vec!["No near-duplicates were found.".to_owned()],
        figures: Vec::new(),
        plan: Vec::new(),
        effort: Vec::new(),
        skipped: Vec::new(),
        skipped_in_all: 0,
        removed: Some(RemovedScores { scores: none.clone(), below: 0 }),
        links: none,
        curve: None,
        search: String::new(),
        clusters: Vec::new(),
        buckets: Vec::new(),
        examples: Vec::new(),
    };
    let html = Html::parse_document(&run.to_html());
    assert!(html.errors.is_empty() && select(&html, "figure, details").is_empty());
    let with_curve = RunPage { curve: Some(&chances()), ..run };
    let html = Html::parse_document(&with_curve.to_html());
    assert_eq!(select(&html, "polyline").len(), 1);
}

#[test]
fn distances_are_drawn_bit_by_bit() {
    let measure = "distance in bits".to_owned();
    let distances =
        PairHistogram { measure, from: 1.0, width: 1.0, counts: vec![5, 0, 9, 1], same: 3, limit: 3.0 };
    let chart = distances.chart("x", "Title".to_owned(), "document", "documents").to_html();
    let html = Html::parse_fragment(&chart);
    let titles: Vec<String> = select(&html, ".bar title").into_iter().map(text_of).collect();
    assert_eq!(titles, ["1 bit: 5 documents", "3 bits: 9 documents", "4 bits: 1 document"]);
    let rows: Vec<String> =
        select(&html, "tbody tr").into_iter().map(|row| text_of(row).replace('\n', "")).collect();
    assert_eq!(rows, ["0 bits3", "1 bit5", "3 bits9", "4 bits1"]);
    assert_eq!(select(&html, "line.limit")[0].attr("x1"), Some("75.00%"));
}

#[test]
fn a_page_of_the_worst_texts_stays_below_three_megabytes() {
    let worst = "\u{202e}<&\u{7}\"".repeat(13_000);
    assert!(page(&worst, &worst, &worst).len() < 3_000_000);
    let worst: String = (0..8_000).map(|word| format!("a b c d e {word} ")).collect();
    assert!(page("a", &worst, &worst.replace('5', "6")).len() < 3_000_000);
}
