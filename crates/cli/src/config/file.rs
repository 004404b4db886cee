//! The file of `--config`: its keys and values, each checked by what the verb knows, with the line for messages.
//!
//! Whether a value is right is checked by clap, as on the command line.

use super::verb::{Verb, is_list, is_switch};
use crate::args::Usage;
use clap::Arg;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// More than any list of options has, and little enough to read by mistake.
const MOST_BYTES: u64 = 64 << 20;

/// The key that names the verb that a file is for.
const COMMAND: &str = "command";

/// A file of options.
pub(super) struct ConfigFile<'a> {
    pub(super) path: PathBuf,
    /// In the order of the file.
    pub(super) entries: Vec<Entry<'a>>,
}

/// A key with its values.
pub(super) struct Entry<'a> {
    pub(super) key: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// The option or argument that it sets.
    pub(super) arg: &'a Arg,
    /// As they are typed; a switch has none.
    pub(super) values: Vec<String>,
}

impl<'a> ConfigFile<'a> {
    /// Reads the options of `verb`.
    pub(super) fn read(path: &Path, verb: &Verb<'a>) -> Result<Self, Usage> {
        let text = content(path)?;
        let wrong =
            |line: usize, problem: &str| Usage(format!("{}:{line}: {}", path.display(), problem.trim()));
        let line_of = |at: usize| text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1;
        let table = DeTable::parse(&text).map_err(|error| {
            let line = line_of(error.span().map_or(0, |span| span.start));
            wrong(line, &format!("this is no TOML: {}", error.message()))
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
        Ok(ConfigFile { path: path.to_owned(), entries })
    }
}

fn content(path: &Path) -> Result<String, Usage> {
    let wrong = |problem: &str| Usage(format!("--config {}: {problem}", path.display()));
    if path.as_os_str() == "-" {
        return Err(wrong("give a file"));
    }
    let file = File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => wrong("there is no such file"),
        _ => wrong(&error.to_string()),
    })?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| wrong(&error.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(wrong("this is too long for a file of options"));
    }
    String::from_utf8(bytes).map_err(|_| wrong("this is no TOML: it is not in UTF-8"))
}

/// Refuses a file that is for another verb.
fn check_command(value: &DeValue<'_>, verb: &Verb<'_>) -> Result<(), String> {
    match value {
        DeValue::String(name) if name.as_ref() == verb.name => Ok(()),
        DeValue::String(name) => {
            Err(format!("this file is for lookalike {name}, and the command is lookalike {}", verb.name))
        }
        _ => Err(format!("command: write the name of a command in quotes, such as {:?}", verb.name)),
    }
}

/// What a key sets, if it sets anything.
fn entry<'a>(
    key: &str,
    line: usize,
    value: &DeValue<'_>,
    verb: &Verb<'a>,
) -> Result<Option<Entry<'a>>, String> {
    let Some(arg) = verb.find(key) else {
        return Err(match (value, verb.nearest(key)) {
            _ if key == "config" => "config: a file of options names no other one".to_owned(),
            (DeValue::Table(_), None) => {
                format!("{key}: there are no sections; write each option on a line of its own")
            }
            (_, Some(nearest)) => {
                format!("lookalike {} has no option {key:?}; a similar one is {nearest}", verb.name)
            }
            (_, None) => {
                format!("lookalike {} has no option {key:?}; lookalike {0} --help lists them", verb.name)
            }
        });
    };
    let set = |values| Some(Entry { key: key.to_owned(), line, arg, values });
    let values = match value {
        DeValue::Boolean(true) if is_switch(arg) => return Ok(set(Vec::new())),
        DeValue::Boolean(false) if is_switch(arg) => return Ok(None),
        _ if is_switch(arg) => return Err(format!("{key}: write true or false, without quotes")),
        DeValue::Array(values) if is_list(arg) => {
            values.iter().map(|value| scalar(value.get_ref())).collect()
        }
        DeValue::Array(_) => return Err(format!("{key}: write one value, and no list")),
        value => scalar(value).map(|value| vec![value]),
    };
    match values {
        Some(values) if values.is_empty() => Ok(None),
        Some(values) => Ok(set(values)),
        None if is_list(arg) => Err(format!("{key}: write a text in quotes, or a list of such texts")),
        None => Err(format!("{key}: write a text in quotes, or a number")),
    }
}

/// A text or a number as it is typed.
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
