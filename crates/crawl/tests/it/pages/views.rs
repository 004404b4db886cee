//! What the screens say about a made site.

use super::made::{HOSTILE, MadeSite};
use lookalike::Sequential;
use lookalike_audit::{AuditSettings, BlockId};
use lookalike_html::Extract;
use lookalike_report::audit::view::{
    self, AuditResults, ListQuery, SettingsError, SettingsView, WeightsView,
};
use serde_json::json;

fn results(pages: usize) -> AuditResults {
    let site = MadeSite::new(pages);
    let audit = site.audit(&AuditSettings::default());
    AuditResults::new(site, audit).unwrap()
}

fn query(value: serde_json::Value) -> ListQuery {
    serde_json::from_value(value).unwrap()
}

#[test]
fn the_overview_adds_up() {
    let results = results(400);
    let summary = view::overview(&results);
    assert_eq!(summary.pages, 400);
    assert_eq!(summary.counts.iter().sum::<u64>(), summary.words);
    assert!((summary.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    for counts in [&summary.classes, &summary.bands] {
        assert_eq!(counts.iter().map(|count| count.count).sum::<u64>(), summary.pairs);
    }
    assert_eq!(summary.histogram.iter().sum::<u64>(), summary.pairs);
    let handled: u64 = summary.handled.iter().map(|count| count.count).sum();
    assert_eq!(summary.to_fix + handled, summary.repeated);
    let clusters = results.audit().clusters();
    assert_eq!(
        summary.repeated as usize,
        clusters.iter().map(|cluster| cluster.pages.len() - 1).sum::<usize>()
    );
    assert_eq!(summary.to_fix, clusters.iter().map(|cluster| u64::from(cluster.to_fix)).sum::<u64>());
    assert!(summary.to_fix > 0 && handled > 0 && summary.template_blocks > 0);
    assert_eq!((summary.short, summary.needs_scripts, summary.more_links), (1, 1, 1));
}

/// The results of a site that had `before` pages earlier.
fn compared(pages: usize, before: usize) -> AuditResults {
    let before = MadeSite::new(before).audit(&AuditSettings::default());
    let Ok(results) = results(pages).compared_with(before, &Sequential);
    results
}

#[test]
fn changes_are_those_since_the_earlier_audit_new_pairs_first() {
    let later = compared(60, 45);
    let list = |results, wanted| {
        let list = view::changes(results, &query(wanted));
        (list.total, list.all, list.rows.iter().map(|row| row.change).collect::<Vec<_>>())
    };
    let (total, all, kinds) = list(&later, json!({ "size": 1000 }));
    assert_eq!((total, kinds.len() as u64), (all, all));
    assert_eq!(kinds[0], "pair-new");
    assert!(kinds.is_sorted_by(|a, b| a >= b), "{kinds:?}");
    assert_eq!(kinds.iter().filter(|kind| **kind == "page-added").count(), 15);
    let counts = view::overview(&later).changes.unwrap();
    assert_eq!(counts.iter().map(|count| count.count).sum::<u64>(), all);
    for count in counts {
        let (total, _, kinds) = list(&later, json!({ "show": count.name, "size": 1000 }));
        assert!(total == count.count && kinds.iter().all(|kind| *kind == count.name), "{count:?}");
    }
    assert_eq!(list(&later, json!({ "q": "/00050.html", "show": "page-added" })).0, 1);
    // The other way round, these pages are gone, and their pairs are fixed.
    let smaller = compared(45, 60);
    let rows = view::changes(&smaller, &query(json!({ "size": 1000 }))).rows;
    let gone = |change: &str| rows.iter().filter(|row| row.change == change && !row.is_there).count();
    assert_eq!(gone("page-removed"), 15);
    assert!(gone("pair-fixed") > 0);
    let none = results(45);
    assert_eq!(list(&none, json!({})).1, 0);
    assert_eq!(view::overview(&none).changes, None);
}

/// The order of two cells of a column.
fn ascending(a: &serde_json::Value, b: &serde_json::Value) -> std::cmp::Ordering {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => (a.as_bool(), a.as_str()).cmp(&(b.as_bool(), b.as_str())),
    }
}

#[test]
fn every_column_sorts_both_ways_and_the_pages_of_a_list_are_all_of_it() {
    let results = results(300);
    for column in view::PageCells::COLUMNS {
        for order in ["asc", "desc"] {
            let list = |page| {
                view::pages(
                    &results,
                    &query(json!({ "sort": column, "order": order, "page": page, "size": 70 })),
                )
            };
            let lists: Vec<_> = (1..=5).map(list).collect();
            let rows: Vec<_> = lists.iter().flat_map(|list| &list.rows).collect();
            assert_eq!((rows.len(), lists[0].total, lists[4].rows.len()), (300, 300, 20));
            let values = rows.iter().map(|row| serde_json::to_value(row).unwrap()[column].clone());
            let values: Vec<serde_json::Value> = values.collect();
            let mut sorted = values.clone();
            sorted.sort_by(|a, b| if order == "asc" { ascending(a, b) } else { ascending(b, a) });
            assert_eq!(values, sorted, "{column} {order}");
            let first = &values[0];
            assert!(
                *column == "status" || values.iter().any(|value| value != first),
                "{column} has one value only"
            );
        }
    }
    let last = view::pages(&results, &query(json!({ "page": 1000 })));
    assert_eq!((last.page, last.rows.len()), (6, 50), "a page behind the last is the last");
}

#[test]
fn filters_find_what_they_name() {
    let results = results(300);
    let states = |show: &str| {
        let list = view::pages(&results, &query(json!({ "show": show, "size": 300 })));
        list.rows.iter().map(|row| row.state).collect::<Vec<_>>()
    };
    let to_fix = states("to-fix");
    assert!(!to_fix.is_empty() && to_fix.iter().all(|state| *state == Some("to-fix")));
    let handled = states("handled");
    assert!(
        handled.iter().all(|state| !matches!(state, None | Some("to-fix" | "primary")))
            && !handled.is_empty()
    );
    let found = view::pages(&results, &query(json!({ "q": "SHOP/00003" })));
    assert_eq!((found.total, found.all, found.rows[0].url), (1, 300, "https://made.example/shop/00003.html"));
    let exact = view::pairs(&results, &query(json!({ "show": "exact" })));
    assert!(exact.total > 0 && exact.rows.iter().all(|pair| pair.class == "exact"));
    let broken = view::links(&results, &query(json!({ "show": "broken" })));
    assert_eq!(broken.total, 21);
    assert_eq!(view::skipped(&results, &query(json!({ "show": "scheme" }))).rows[0].detail, HOSTILE);
}

#[test]
fn cells_are_the_values_of_the_row() {
    let results = results(60);
    for row in view::pages(&results, &ListQuery::default()).rows {
        let cells = serde_json::to_value(view::PageCells(row.clone())).unwrap();
        let row = serde_json::to_value(row).unwrap();
        assert_eq!(cells.as_array().unwrap().len(), row.as_object().unwrap().len());
        for (name, cell) in view::PageCells::COLUMNS.iter().zip(cells.as_array().unwrap()) {
            let value = &row[name];
            let same = match value {
                serde_json::Value::Bool(flag) => *cell == u8::from(*flag),
                serde_json::Value::Number(number) => {
                    (number.as_f64().unwrap() - cell.as_f64().unwrap()).abs() <= 1e-4
                }
                value => value == cell,
            };
            assert!(same, "{name}: {value} {cell}");
        }
    }
}

#[test]
fn a_cluster_has_its_primary_page_first_and_a_matrix_of_both_directions() {
    let results = results(200);
    let of = results.audit().pages()[results.audit().clusters()[0].pages[3] as usize].url.clone();
    let cluster = view::cluster(&results, &of, &ListQuery::default()).unwrap();
    assert_eq!(cluster.pages, 40);
    assert!(cluster.members.rows[0].is_primary && !cluster.members.rows[1].is_primary);
    assert_eq!(cluster.matrix.urls[0], cluster.primary);
    assert_eq!(cluster.matrix.shares.len(), 24, "larger matrices cannot be read");
    assert_eq!(cluster.matrix.note.as_deref(), Some("It has the first 24 of 40 pages."));
    assert!(cluster.action.starts_with("Redirect"), "{}", cluster.action);
    let near = view::clusters(&results, &query(json!({ "sort": "least" }))).rows[0].clone();
    let near = view::cluster(&results, near.primary, &ListQuery::default()).unwrap();
    let shares = &near.matrix.shares;
    assert!(shares.iter().flatten().flatten().any(|&share| share < 1.0));
    let member = &near.members.rows[1];
    assert_eq!(member.percent.unwrap(), [shares[1][0].unwrap(), shares[0][1].unwrap()]);
    assert!(view::cluster(&results, "https://made.example/nowhere", &ListQuery::default()).is_none());
}

#[test]
fn passages_of_a_pair_are_equal_in_both_texts_and_any_two_pages_have_a_reason() {
    let results = results(200);
    let partial = view::pairs(&results, &query(json!({ "order": "asc" }))).rows[0].clone();
    let pair = view::pair(&results, partial.b, partial.a).unwrap().unwrap();
    assert!(pair.is_reported && !pair.passages.is_empty() && pair.why.len() == 3);
    let characters = pair.sides.each_ref().map(|side| side.text.chars().collect::<Vec<_>>());
    for passage in &pair.passages {
        for equal in &passage.equal {
            let [a, b] = [0, 1]
                .map(|side| characters[side][equal[side][0]..equal[side][1]].iter().collect::<String>());
            assert_eq!(a, b);
        }
    }
    let url = |page: usize| results.audit().pages()[page].url.as_str();
    let others = (0..200).flat_map(|a| [(a, (a + 1) % 200), (a, a)]);
    let not = others
        .filter_map(|(a, b)| view::pair(&results, url(a), url(b)).unwrap().filter(|pair| !pair.is_reported));
    let reasons: Vec<String> = not.flat_map(|pair| pair.why).collect();
    assert!(
        reasons.iter().any(|why| why.contains("below")) && reasons.iter().any(|why| why.contains("one page"))
    );
    assert!(reasons.iter().all(|why| why.starts_with("Not reported")));
}

#[test]
fn a_page_shows_its_blocks_with_their_roles() {
    let results = results(100);
    let url = &results.audit().pages()[9].url;
    let page = view::page(&results, url, &ListQuery::default()).unwrap().unwrap();
    assert_eq!(page.blocks[0].role, "area");
    assert_eq!(page.blocks[1].role, "template");
    assert!(page.blocks.iter().any(|block| block.compared));
    // The page has the text of 39 others, and nothing else is compared.
    let whole = page.blocks.iter().filter(|block| block.compared && !block.text.is_empty());
    assert!(whole.clone().count() > 0 && page.marked == 10);
    for block in whole {
        assert_eq!(block.shared, [[0, block.text.chars().count()]]);
    }
    assert_eq!(page.counts.iter().sum::<u64>(), page.page.words);
    assert_eq!(page.pairs.total, u64::from(page.page.pairs));
}

#[test]
fn settings_change_only_what_they_name_and_refuse_what_makes_no_sense() {
    let settings = AuditSettings::default();
    let change = |value: serde_json::Value| {
        serde_json::from_value::<SettingsView>(value).unwrap().applied_to(&settings)
    };
    let changed =
        change(json!({ "threshold": 0.8, "content": "main", "blocks": { "00000000000000ff": false } }))
            .unwrap();
    assert_eq!(
        (changed.threshold, changed.content, changed.least_words),
        (0.8, Extract::Main, settings.least_words)
    );
    assert_eq!(changed.blocks.get(&BlockId(255)), Some(&false));
    let back = json!({ "blocks": { "00000000000000ff": null } });
    let back: SettingsView = serde_json::from_value(back).unwrap();
    assert!(back.applied_to(&changed).unwrap().blocks.is_empty());
    for threshold in [0.0, -1.0, 1.01] {
        assert_eq!(change(json!({ "threshold": threshold })), Err(SettingsError::Threshold));
    }
    assert_eq!(change(json!({ "content": "some" })), Err(SettingsError::Content));
    assert_eq!(change(json!({ "shingle": 0 })), Err(SettingsError::Shingle));
    assert_eq!(change(json!({ "fold": ["umlauts"] })), Err(SettingsError::Fold));
    assert_eq!(change(json!({ "stop_words": ["\u{56e0}\u{4e3a}"] })), Err(SettingsError::StopWords));
    // What is shown may be sent back as it is.
    let all = json!({ "shingle": 3, "fold": ["digits"], "stop_words": ["the"], "background": 9 });
    let shown = SettingsView::of(&change(all).unwrap());
    assert_eq!(SettingsView::of(&shown.applied_to(&settings).unwrap()), shown);
    assert_eq!(change(json!({ "blocks": { "+f": true } })), Err(SettingsError::Block));
    let zero = WeightsView { jaccard: 0.0, word_jaccard: 0.0, sequence: 0.0 };
    assert_eq!(change(json!({ "weights": zero })), Err(SettingsError::Weights));
    assert!(serde_json::from_value::<SettingsView>(json!({ "treshold": 1 })).is_err());
}
