//! A file of options as a part of the command line.

use super::file::ConfigEntry;
use super::verb::Verb;
use crate::args::Usage;
use clap::Arg;
use clap::error::{ContextKind, ContextValue};
use std::ffi::OsString;
use std::path::Path;

/// Does the command line replace this entry of the file? Any argument that was typed replaces all arguments of the file.
pub(super) fn is_overridden(entry: &ConfigEntry<'_>, typed: &[&Arg], verb: &Verb<'_>) -> bool {
    let is_argument = entry.arg.is_positional();
    typed.iter().any(|typed| (is_argument && typed.is_positional()) || verb.exclude(entry.arg, typed))
}

/// The words of the command line and of the file: options of the file come before the words that were typed, and arguments after them.
pub(super) fn merged(words: &[OsString], verb: &Verb<'_>, entries: &[&ConfigEntry<'_>]) -> Vec<OsString> {
    let (mut merged, rest) = (words[..verb.words].to_vec(), &words[verb.words..]);
    let (mut arguments, options): (Vec<&ConfigEntry<'_>>, Vec<&ConfigEntry<'_>>) =
        entries.iter().partition(|entry| entry.arg.is_positional());
    for entry in options {
        let long = entry.arg.get_long().unwrap_or_default();
        match entry.values.is_empty() {
            true => merged.push(format!("--{long}").into()),
            false => merged.extend(entry.values.iter().map(|value| format!("--{long}={value}").into())),
        }
    }
    merged.extend_from_slice(rest);
    if !arguments.is_empty() && !rest.iter().any(|word| word == "--") {
        merged.push("--".into());
    }
    arguments.sort_by_key(|entry| entry.arg.get_index());
    merged.extend(arguments.iter().flat_map(|entry| &entry.values).map(OsString::from));
    merged
}

/// An error of clap as an error of the file, if an entry of the file caused it, and otherwise as `other` explains it.
pub(super) fn explained(
    path: &Path,
    entries: &[&ConfigEntry<'_>],
    error: clap::Error,
    other: impl Fn(clap::Error) -> Usage,
) -> Usage {
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => Some(argument),
        _ => None,
    };
    let Some(entry) = entries.iter().find(|entry| Some(&entry.arg.to_string()) == argument) else {
        return other(error);
    };
    let text = error.render().to_string();
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    let text = text.split("\n\nFor more information").next().unwrap_or_default();
    let words: Vec<&str> = text.trim_start_matches("error: ").split_whitespace().collect();
    Usage(format!("{}:{}: {}: {}", path.display(), entry.line, entry.key, words.join(" ")))
}
