//! The file of `--config`: its keys with their values and lines.
//!
//! A key must be an option or argument of the verb, and a value must have a type that it takes. clap then checks the value, as on the
//! command line.

use super::verb::{Verb, has_optional_value, is_list, is_switch};
use crate::args::Usage;
use clap::Arg;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// The longest file: more than any list of options needs, and little to read if the file is a wrong one.
const MOST_BYTES: u64 = 64 << 20;

/// The key with the only verb that may use the file.
const COMMAND: &str = "command";

/// A key with its values.
pub(super) struct ConfigEntry<'a> {
    pub(super) key: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The option or argument that it sets.
    pub(super) arg: &'a Arg,
    /// The values as one would type them. A switch has none, nor has an option whose value is left out.
    pub(super) values: Vec<String>,
}

/// The options of `verb` in a file, in its order.
pub(super) fn read<'a>(path: &Path, verb: &Verb<'a>) -> Result<Vec<ConfigEntry<'a>>, Usage> {
    let text = content(path)?;
    let wrong = |line: usize, problem: &str| Usage(format!("{}:{line}: {}", path.display(), problem.trim()));
    let line_of = |at: usize| text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1;
    let table = DeTable::parse(&text).map_err(|error| {
        let line = line_of(error.span().map_or(0, |span| span.start));
        wrong(line, &format!("this line is not TOML: {}", error.message()))
    })?;
    let mut entries = Vec::new();
    let mut keys: Vec<_> = table.get_ref().iter().collect();
    keys.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in keys {
        let (line, key) = (line_of(key.span().start), key.get_ref().as_ref());
        let entry = match key {
            COMMAND => check_command(value.get_ref(), verb).map(|()| None),
            _ => entry(key, line, value.get_ref(), verb),
        };
        entries.extend(entry.map_err(|problem| wrong(line, &problem))?);
    }
    Ok(entries)
}

fn content(path: &Path) -> Result<String, Usage> {
    let wrong = |problem: &str| Usage(format!("--config {}: {problem}", path.display()));
    if path.as_os_str() == "-" {
        return Err(wrong("the options cannot come from standard input; give a file"));
    }
    let file = File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => wrong("there is no such file; paths are relative to the working folder"),
        _ => wrong(&error.to_string()),
    })?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| wrong(&error.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(wrong("the file is longer than 64 MiB; give a file of options"));
    }
    String::from_utf8(bytes).map_err(|_| wrong("the file is not UTF-8; save it as UTF-8"))
}

/// Refuses a file of another verb.
fn check_command(value: &DeValue<'_>, verb: &Verb<'_>) -> Result<(), String> {
    match value {
        DeValue::String(name) if name.as_ref() == verb.name => Ok(()),
        DeValue::String(name) => Err(format!(
            "the file is for lookalike {name}, and this is lookalike {}; give another file, or remove the line",
            verb.name
        )),
        _ => Err(format!("command: write the name of a command in quotes, such as {:?}", verb.name)),
    }
}

/// The entry of a key. `None` if it sets nothing: a switch that is false, or an empty list.
fn entry<'a>(
    key: &str,
    line: usize,
    value: &DeValue<'_>,
    verb: &Verb<'a>,
) -> Result<Option<ConfigEntry<'a>>, String> {
    let Some(arg) = verb.find(key) else {
        return Err(match (value, verb.nearest(key)) {
            _ if key == "config" => {
                "config: a file of options cannot name another one; remove the line".to_owned()
            }
            (DeValue::Table(_), _) => {
                format!("{key}: a file of options has no sections; write each option on a line of its own")
            }
            (_, Some(nearest)) => {
                format!("lookalike {} has no option {key}; did you mean {nearest}?", verb.name)
            }
            (_, None) => {
                format!("lookalike {} has no option {key}; lookalike {0} --help lists all options", verb.name)
            }
        });
    };
    let set = |values| Some(ConfigEntry { key: key.to_owned(), line, arg, values });
    let values = match value {
        DeValue::Boolean(true) if is_switch(arg) || has_optional_value(arg) => return Ok(set(Vec::new())),
        DeValue::Boolean(false) if is_switch(arg) || has_optional_value(arg) => return Ok(None),
        _ if is_switch(arg) => return Err(format!("{key}: write true or false, without quotes")),
        DeValue::Array(values) if is_list(arg) => {
            values.iter().map(|value| scalar(value.get_ref())).collect()
        }
        DeValue::Array(_) => return Err(format!("{key}: write one value instead of a list")),
        value => scalar(value).map(|value| vec![value]),
    };
    match values {
        Some(values) if values.is_empty() => Ok(None),
        Some(values) => Ok(set(values)),
        None if is_list(arg) => Err(format!("{key}: write a text in quotes, or a list of such texts")),
        None => Err(format!("{key}: write a text in quotes, or a number")),
    }
}

/// A string or a number as one would type it.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Integer(number) => {
            Some(u64::from_str_radix(number.as_str(), number.radix()).ok()?.to_string())
        }
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}
