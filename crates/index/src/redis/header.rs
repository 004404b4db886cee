//! Whether a program can use an index in Redis: its layout, its sketches and its plan must be the same.

use super::address::RedisAddress;
use super::error::RedisError;
use super::layout::{LAYOUTS, layout_of};
use lookalike::{Plan, SKETCH_VERSION};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

/// The name of the value that no other index has.
pub(crate) const IDENTITY: &str = "index";

/// The names and values of the header of a new index.
pub(crate) fn new_header(plan: &Plan) -> [String; 10] {
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
    let mut pairs = pairs.into_iter().flat_map(|(name, value)| [name.to_owned(), value]);
    std::array::from_fn(|_| pairs.next().unwrap_or_default())
}

/// The plan of an index with this header. If a plan is `wanted`, it must be the same.
pub(crate) fn plan_of(
    header: &BTreeMap<String, String>,
    wanted: Option<&Plan>,
    address: &RedisAddress,
) -> Result<Plan, RedisError> {
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
    match wanted.filter(|wanted| **wanted != plan) {
        Some(wanted) => Err(RedisError::OtherPlan { address, differences: differences(&plan, wanted) }),
        None => Ok(plan),
    }
}

/// The settings in which two plans differ, in words.
fn differences(of_index: &Plan, wanted: &Plan) -> String {
    let [of_index, wanted] = [of_index, wanted].map(|plan| serde_json::to_value(plan).unwrap_or_default());
    let settings = |plan: &serde_json::Value| plan.as_object().cloned().unwrap_or_default();
    let (of_index, wanted) = (settings(&of_index), settings(&wanted));
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

    fn header(plan: &Plan) -> BTreeMap<String, String> {
        let pairs = new_header(plan);
        pairs.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
    }

    #[test]
    fn another_plan_is_refused_with_both_values() {
        let address: RedisAddress = "redis://localhost".parse().unwrap();
        let (plan, other) =
            (Plan::default(), Options { threshold: Some(0.7), ..Options::default() }.plan().unwrap());
        assert_eq!(plan_of(&header(&other), None, &address).unwrap(), other);
        assert_eq!(plan_of(&header(&plan), Some(&plan), &address).unwrap(), plan);
        let error = plan_of(&header(&plan), Some(&other), &address).unwrap_err().to_string();
        assert!(error.contains("threshold is 0.8 in the index and 0.7 here"), "{error}");
    }

    #[test]
    fn other_versions_are_refused_with_both() {
        let address: RedisAddress = "redis://localhost".parse().unwrap();
        let refusal = |name: &str, value: &str| {
            let mut header = header(&Plan::default());
            header.insert(name.to_owned(), value.to_owned());
            plan_of(&header, None, &address).unwrap_err().to_string()
        };
        let layout = refusal("layout", "3");
        assert!(layout.contains("layout 3") && layout.contains("up to 2"), "{layout}");
        assert!(refusal("sketches", "99").contains("version 99"));
        assert!(refusal("plan", "{}").contains("does not know"));
    }
}
