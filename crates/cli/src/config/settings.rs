//! The settings of a run: all its options and arguments, as a file for `--config`.

use super::verb::{Verb, is_list, is_switch};
use clap::{Arg, ArgMatches};
use lookalike_report::visible;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The beginning of every settings file. A run replaces no other file by its settings.
pub(super) const BEGINNING: &str = "# Written by lookalike ";

/// The longest list on one line, in bytes. A longer list has a line for each value.
const LINE: usize = 100;

/// The options and arguments of a run.
pub(super) struct RunSettings<'a>(Vec<Setting<'a>>);

/// An option or argument with its values.
struct Setting<'a> {
    key: String,
    arg: &'a Arg,
    /// The values as they were typed. A switch has none.
    values: Vec<String>,
}

/// The reason why a file cannot hold the settings.
pub(super) enum Unwritable {
    /// The value of this key is not UTF-8, and TOML holds only UTF-8.
    NotUtf8(String),
    /// The value of this key is an address with a query, which may hold a key to it.
    Query(String),
}

impl<'a> RunSettings<'a> {
    pub(super) fn of(verb: &Verb<'a>, matches: &ArgMatches) -> Result<Self, Unwritable> {
        let typed = verb.typed(matches);
        let mut settings = Vec::new();
        // Arguments come first, as they usually do on the command line.
        let (arguments, options): (Vec<_>, Vec<_>) = verb.keys().partition(|(_, arg)| arg.is_positional());
        for (key, arg) in arguments.into_iter().chain(options) {
            if !typed.iter().any(|typed| typed.get_id() == arg.get_id()) {
                continue;
            }
            let raw = matches.get_raw(arg.get_id().as_str()).filter(|_| !is_switch(arg));
            let values = raw.into_iter().flatten().map(|value| value.to_str().map(str::to_owned));
            let Some(values) = values.collect::<Option<Vec<String>>>() else {
                return Err(Unwritable::NotUtf8(key));
            };
            if values.iter().any(|value| is_with_query(value)) {
                return Err(Unwritable::Query(key));
            }
            settings.push(Setting { key, arg, values });
        }
        Ok(RunSettings(settings))
    }

    /// Do both settings give the same result? The number of threads and `--quiet` do not change it.
    pub(super) fn do_the_same(&self, others: &RunSettings<'_>) -> bool {
        let of = |settings: &RunSettings<'_>| -> Vec<(String, Vec<String>)> {
            let relevant = settings.0.iter().filter(|setting| !["quiet", "threads"].contains(&&*setting.key));
            relevant.map(|setting| (setting.key.clone(), setting.values.clone())).collect()
        };
        of(self) == of(others)
    }

    /// The content of a file of the name `name` with these settings.
    pub(super) fn to_toml(&self, verb: &Verb<'_>, name: &Path) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let quoted = name.to_str().and_then(|name| shlex::try_quote(name).ok());
        let file = quoted.map_or_else(|| "FILE".to_owned(), |name| visible(&name.replace('\n', " ")));
        let mut toml = format!(
            "{BEGINNING}{version}. To repeat the run, give this command in the working folder of the run:\n# lookalike {} --config {file}\n",
            verb.name
        );
        let mut line = |key: &str, value: String| {
            let _ = writeln!(toml, "{key} = {value}");
        };
        line("command", text(&verb.name));
        for Setting { key, arg, values } in &self.0 {
            let values: Vec<String> = values.iter().map(|value| scalar(value, arg)).collect();
            line(
                key,
                match &values[..] {
                    [] => "true".to_owned(),
                    [value] if !is_list(arg) => value.clone(),
                    values => list(values),
                },
            );
        }
        toml
    }
}

/// Is this an address with a query? In a bucket or a folder a question mark is a wildcard.
fn is_with_query(value: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| value.starts_with(scheme)) && value.contains('?')
}

fn list(values: &[String]) -> String {
    let line = format!("[{}]", values.join(", "));
    match line.len() <= LINE || values.len() == 1 {
        true => line,
        false => format!("[\n  {},\n]", values.join(",\n  ")),
    }
}

/// A number if the option takes no text, and otherwise a string.
fn scalar(value: &str, arg: &Arg) -> String {
    use std::any::TypeId;
    let takes = arg.get_value_parser().type_id();
    let takes_text = takes == TypeId::of::<String>() || takes == TypeId::of::<PathBuf>();
    match !takes_text && is_number(value) {
        true => value.to_owned(),
        false => text(value),
    }
}

/// Is this a number that TOML writes in the same way?
fn is_number(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let has_zero = whole.len() > 1 && whole.starts_with('0');
    is_digits(whole) && is_digits(part) && !has_zero && whole.parse::<i64>().is_ok()
}

/// A basic string of TOML.
fn text(value: &str) -> String {
    let mut quoted = String::with_capacity(value.len() + 2);
    quoted.push('"');
    for character in value.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            character if character.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(character));
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_as_it_was_written() {
        let odd = "a \"b\" \\c\n\t\r\u{0}\u{7f}\u{85} ü 文 🦀 'd' #e";
        let written = format!("key = {}", text(odd));
        let table = toml::de::DeTable::parse(&written).unwrap();
        let toml::de::DeValue::String(read) = table.get_ref()["key"].get_ref() else { panic!("{written}") };
        assert_eq!(read.as_ref(), odd);
    }

    #[test]
    fn only_plain_numbers_have_no_quotes() {
        for number in ["0", "7", "0.8", "1.50", "18", "9223372036854775807"] {
            assert!(is_number(number), "{number}");
        }
        for text in ["", ".5", "5.", "1e3", "007", "-1", "+1", "9223372036854775808", "2GiB", "1.2.3"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn settings_hold_no_address_with_a_query() {
        use clap::CommandFactory;
        let mut program = crate::args::Arguments::command();
        program.build();
        let unwritable = |input: &str| {
            let matches = program.clone().try_get_matches_from(["lookalike", "pairs", input]).unwrap();
            let (verb, matches) = Verb::of(&program, &matches);
            RunSettings::of(&verb, matches).err()
        };
        assert!(
            matches!(unwritable("https://host/a.jsonl?sig=s3cret"), Some(Unwritable::Query(key)) if key == "input")
        );
        for input in ["https://host/a.jsonl", "s3://bucket/part-?.jsonl", "part-?.jsonl"] {
            assert!(unwritable(input).is_none(), "{input}");
        }
    }
}
