//! `compare`: text, JSON and HTML.

mod inputs;
mod outputs;
mod texts;
mod verdict;

use crate::{Folder, Ran};
use serde_json::Value;

const LEFT: &str =
    "Notice. The city council voted on Tuesday to close the old harbour bridge for repairs until March.";
const RIGHT: &str =
    "THE CITY COUNCIL voted on Monday to close the old harbour bridge for repairs until March; more soon.";

/// A folder with two text files.
fn pair(left: &str, right: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.txt", left).write("b.txt", right);
    folder
}

fn json_of(ran: Ran) -> Value {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The part of a text at a position that the JSON gives in characters.
fn slice(text: &str, range: &Value) -> String {
    let at = |index: usize| range[index].as_u64().unwrap() as usize;
    text.chars().skip(at(0)).take(at(1) - at(0)).collect()
}
