//! Whether a program can use an index in Redis: its layout, its sketches and its plan must be the same.

use super::address::RedisAddress;
use super::error::RedisError;
use super::layout::{LAYOUTS, layout_of};
use crate::new_index::NewIndex;
use lookalike::{DocumentFrequencies, Plan, SKETCH_VERSION};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The name of the value that no other index has.
pub(crate) const IDENTITY: &str = "index";

/// The name of the value that says whether texts are stored. Without it they are.
const TEXTS: &str = "texts";

/// The name of the value that has the id of the document frequencies, if there are some.
pub(crate) const FREQUENCIES: &str = "frequencies";

/// The names and values of the header of a new index.
pub(crate) fn new_header(new: &NewIndex) -> Vec<String> {
    let (plan, stores_texts, table) = (&new.plan, new.stores_texts, new.table());
    let (layout, plan) = (layout_of(plan), serde_json::to_string(plan).unwrap_or_default());
    // Every state has other random keys.
    let identity = format!("{:016x}", RandomState::new().hash_one(&plan));
    let lookalike = env!("CARGO_PKG_VERSION");
    let pairs = [
        ("layout", layout.to_string()),
        ("sketches", SKETCH_VERSION.to_string()),
        ("plan", plan),
        ("lookalike", lookalike.to_owned()),
        (IDENTITY, identity),
    ];
    let texts = (!stores_texts).then(|| (TEXTS, "false".to_owned()));
    let table = table.map(|table| (FREQUENCIES, format!("{table:016x}")));
    pairs.into_iter().chain(texts).chain(table).flat_map(|(name, value)| [name.to_owned(), value]).collect()
}

/// What the index with this header was made with. It has these document `frequencies`. If something is `wanted`, it must be the same.
pub(crate) fn made_with(
    header: &BTreeMap<String, String>,
    frequencies: Option<Arc<DocumentFrequencies>>,
    wanted: Option<&NewIndex>,
    address: &RedisAddress,
) -> Result<NewIndex, RedisError> {
    let value = |name: &str| header.get(name).cloned().unwrap_or_else(|| "unknown".to_owned());
    let address = address.to_string();
    let (layout, sketches, lookalike) = (value("layout"), value("sketches"), value("lookalike"));
    if !layout.parse().is_ok_and(|layout: u32| LAYOUTS.contains(&layout)) {
        return Err(RedisError::OtherLayout { address, found: layout, lookalike, known: *LAYOUTS.end() });
    }
    if sketches != SKETCH_VERSION.to_string() {
        return Err(RedisError::OtherSketches { address, found: sketches, known: SKETCH_VERSION });
    }
    let Ok(plan) = serde_json::from_str::<Plan>(&value("plan")) else {
        return Err(RedisError::OtherProgram { address, lookalike });
    };
    let stores_texts = header.get(TEXTS).is_none_or(|texts| texts != "false");
    let made = NewIndex { plan, stores_texts, frequencies };
    match wanted.filter(|wanted| **wanted != made) {
        Some(wanted) => Err(RedisError::OtherPlan { address, differences: differences(&made, wanted) }),
        None => Ok(made),
    }
}

/// The settings in which an index and a wanted one differ, in words.
fn differences(of_index: &NewIndex, wanted: &NewIndex) -> String {
    let settings = |new: &NewIndex| {
        let plan = serde_json::to_value(&new.plan).unwrap_or_default();
        let mut settings = plan.as_object().cloned().unwrap_or_default();
        settings.insert("store_texts".to_owned(), new.stores_texts.into());
        if let Some(frequent) = new.plan.frequent() {
            // There may be thousands of them.
            let shown = format!("{} shingles of more than {}", frequent.features().len(), frequent.share());
            settings.insert("frequent".to_owned(), shown.into());
        }
        if let Some(table) = new.table() {
            settings.insert(FREQUENCIES.to_owned(), format!("{table:016x}").into());
        }
        settings
    };
    let (of_index, wanted) = (settings(of_index), settings(wanted));
    let shown = |value: Option<&serde_json::Value>| match value {
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => "the default".to_owned(),
    };
    let mut names: Vec<&String> = of_index.keys().chain(wanted.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let differing = names.into_iter().filter(|name| of_index.get(*name) != wanted.get(*name));
    let words = differing.map(|name| {
        format!("{name} is {} in the index and {} here", shown(of_index.get(name)), shown(wanted.get(name)))
    });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Options;

    fn header(new: impl Into<NewIndex>) -> BTreeMap<String, String> {
        let pairs = new_header(&new.into());
        pairs.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
    }

    #[test]
    fn another_plan_is_refused_with_both_values() {
        let address: RedisAddress = "redis://localhost".parse().unwrap();
        let (plan, other) =
            (Plan::default(), Options { threshold: Some(0.7), ..Options::default() }.plan().unwrap());
        let [plan, other] = [&plan, &other].map(NewIndex::from);
        let without = NewIndex { stores_texts: false, ..plan.clone() };
        assert_eq!(made_with(&header(other.clone()), None, None, &address).unwrap(), other);
        assert_eq!(made_with(&header(plan.clone()), None, Some(&plan), &address).unwrap(), plan);
        assert_eq!(made_with(&header(without.clone()), None, Some(&without), &address).unwrap(), without);
        let refusal =
            |other| made_with(&header(plan.clone()), None, Some(other), &address).unwrap_err().to_string();
        let error = refusal(&other);
        assert!(error.contains("threshold is 0.8 in the index and 0.7 here"), "{error}");
        let error = refusal(&without);
        assert!(error.contains("store_texts is true in the index and false here"), "{error}");
    }

    #[test]
    fn other_versions_are_refused_with_both() {
        let address: RedisAddress = "redis://localhost".parse().unwrap();
        let refusal = |name: &str, value: &str| {
            let mut header = header(&Plan::default());
            header.insert(name.to_owned(), value.to_owned());
            made_with(&header, None, None, &address).unwrap_err().to_string()
        };
        let layout = refusal("layout", "3");
        assert!(layout.contains("layout 3") && layout.contains("up to 2"), "{layout}");
        assert!(refusal("sketches", "99").contains("version 99"));
        assert!(refusal("plan", "{}").contains("does not know"));
    }
}
