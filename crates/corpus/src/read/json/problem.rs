//! What to say about a line that gave no record. Slow is fine here: such lines are rare.

use serde_json::Value;

use crate::Problem;

/// How many field names an error shows.
const SEEN_FIELDS: usize = 20;

/// What is wrong with a line that sonic-rs refused.
pub(super) fn of_line(line: &str, error: &sonic_rs::Error) -> Problem {
    // Otherwise what is missing at the end would be missing on the next line.
    let line = line.trim_ascii_end();
    let found = match serde_json::from_str::<Value>(line) {
        Ok(Value::Null) => "null",
        Ok(Value::Bool(_)) => "a boolean",
        Ok(Value::Number(_)) => "a number",
        Ok(Value::String(_)) => "a text",
        Ok(Value::Array(_)) => "a list",
        // serde_json accepts what sonic-rs does not, such as deeper nesting.
        Ok(Value::Object(_)) => return Problem::BrokenJson { message: first_line(&error.to_string()) },
        // serde_json says "at line 1 column 7"; the line is told apart, and is another one.
        Err(error) => return Problem::BrokenJson { message: error.to_string().replace("line 1 ", "") },
    };
    Problem::NotAnObject { found }
}

/// The text field is missing from a line that is an object.
pub(super) fn missing(line: &str, field: &str) -> Problem {
    let object = serde_json::from_str::<serde_json::Map<String, Value>>(line).unwrap_or_default();
    Problem::MissingField {
        field: field.to_owned(),
        seen: object.into_iter().map(|(key, _)| key).take(SEEN_FIELDS).collect(),
    }
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().replace("line 1 ", "")
}
