//! `--config FILE`: the options of a run from a file, and such a file beside the summary.
//!
//! Every option is defined and checked once, by clap. A key of the file becomes the option of its name, and stands before the
//! words that were typed. Not for: what the options mean.

mod file;
mod settings;
mod verb;

use crate::args::{Arguments, RunArgs, Usage};
use crate::report;
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};
use file::{ConfigFile, Entry};
use lookalike_batch::SettingsFile;
use lookalike_corpus::network::is_remote;
use settings::{BEGINNING, Settings, Unwritable, place_beside};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use verb::{Verb, is_switch};

/// What the command line and the file that it names say. A wrong command line ends the process, as clap does.
pub(crate) fn arguments(words: Vec<OsString>) -> anyhow::Result<Arguments> {
    let mut program = Arguments::command();
    program.build();
    // Without required options, as the file may have them.
    let typed = Arguments::command().ignore_errors(true).try_get_matches_from(&words).ok();
    let typed = typed.as_ref().map(|matches| Verb::of(&program, matches));
    let with_file = typed.and_then(|(verb, typed)| {
        let path: Option<&PathBuf> = typed.try_get_one("config").ok()?;
        Some((verb, typed, path?))
    });
    let Some((verb, typed, path)) = with_file else {
        let matches = program.clone().try_get_matches_from(words).unwrap_or_else(|error| error.exit());
        return finish(&program, matches, None);
    };
    let file = ConfigFile::read(path, &verb)?;
    let typed = verb.typed(typed);
    let all: Vec<&Entry<'_>> = file.entries.iter().collect();
    let entries: Vec<&Entry<'_>> =
        all.iter().copied().filter(|entry| !is_overridden(entry, &typed, &verb)).collect();
    let parsed = program.clone().try_get_matches_from(merged(&words, &verb, &entries));
    let matches = match parsed {
        Ok(matches) => matches,
        Err(error) => return Err(refused(&file.path, &entries, error).into()),
    };
    // What the file says by itself.
    let alone = merged(&words[..verb.words], &verb, &all);
    let alone = Arguments::command().ignore_errors(true).try_get_matches_from(alone).ok();
    finish(&program, matches, Some((path, alone)))
}

/// Is what the file says put aside for an option that was typed? Its arguments are if any was typed.
fn is_overridden(entry: &Entry<'_>, typed: &[&Arg], verb: &Verb<'_>) -> bool {
    let is_argument = entry.arg.is_positional();
    typed.iter().any(|typed| (is_argument && typed.is_positional()) || verb.exclude(entry.arg, typed))
}

/// The command line with what a file says: options before those that were typed, arguments behind.
fn merged(words: &[OsString], verb: &Verb<'_>, entries: &[&Entry<'_>]) -> Vec<OsString> {
    let (mut merged, rest) = (words[..verb.words].to_vec(), &words[verb.words..]);
    let (mut arguments, options): (Vec<&Entry<'_>>, Vec<&Entry<'_>>) =
        entries.iter().partition(|entry| entry.arg.is_positional());
    for entry in options {
        let long = entry.arg.get_long().unwrap_or_default();
        match is_switch(entry.arg) {
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

/// What is wrong with a file, if what clap refuses is from there. Otherwise it ends the process.
fn refused(path: &Path, entries: &[&Entry<'_>], error: clap::Error) -> Usage {
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(named)) => Some(named),
        _ => None,
    };
    let Some(entry) = entries.iter().find(|entry| Some(&entry.arg.to_string()) == named) else {
        error.exit()
    };
    let text = error.render().to_string();
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    let text = text.split("\n\nFor more information").next().unwrap_or_default();
    let words: Vec<&str> = text.trim_start_matches("error: ").split_whitespace().collect();
    Usage(format!("{}:{}: {}: {}", path.display(), entry.line, entry.key, words.join(" ")))
}

/// The arguments, with the settings that are written beside the summary. Of a file of options, its path and what it says by itself.
fn finish(
    program: &Command,
    mut matches: ArgMatches,
    config: Option<(&PathBuf, Option<ArgMatches>)>,
) -> anyhow::Result<Arguments> {
    let whole = matches.clone();
    let mut arguments = Arguments::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit());
    if let Some(run) = arguments.command.run_mut() {
        let (verb, given) = Verb::of(program, &whole);
        let alone = config.as_ref().and_then(|(_, alone)| Some(Verb::of(program, alone.as_ref()?).1));
        run.settings = settings_file(run, &verb, given, alone)?;
    }
    Ok(arguments)
}

/// The file of settings that is written beside the summary, if one is. `alone` is what the file of `--config` says by itself.
fn settings_file(
    run: &RunArgs,
    verb: &Verb<'_>,
    given: &ArgMatches,
    alone: Option<&ArgMatches>,
) -> Result<Option<SettingsFile>, Usage> {
    let Some(summary) = run.summary.as_deref().filter(|summary| is_file_or_new(summary)) else {
        return Ok(None);
    };
    let place = place_beside(summary);
    let settings = match Settings::of(verb, given) {
        Ok(settings) => settings,
        Err(why) => {
            report::note(&format!("{} is not written: {}", place.display(), in_words(&why)));
            return Ok(None);
        }
    };
    if run.config.as_deref().is_some_and(|config| is_same_file(config, &place)) {
        let alone = alone.and_then(|alone| Settings::of(verb, alone).ok());
        return match alone.is_some_and(|alone| alone.do_the_same(&settings)) {
            // The file that the run was repeated by is its settings, and may have comments.
            true => Ok(None),
            false => Err(Usage(format!(
                "{}: the settings of this run would take the place of the file of --config, and differ from it; name another --summary",
                place.display()
            ))),
        };
    }
    if is_foreign(&place) {
        return Err(Usage(format!(
            "{}: the settings of this run would take the place of a file that is not of another run; name another --summary",
            place.display()
        )));
    }
    Ok(Some(SettingsFile { content: settings.to_toml(verb, &place), path: place }))
}

fn in_words(why: &Unwritable) -> String {
    match why {
        Unwritable::NotUtf8(key) => {
            format!("{key} is not UTF-8, and a settings file holds no other text")
        }
        Unwritable::Query(key) => format!("{key} is an address with a query, which may hold a password"),
    }
}

/// Not a device or a pipe: those have nothing beside them.
fn is_file_or_new(path: &Path) -> bool {
    path.as_os_str() != "-" && fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// Is there something that no run has written as its settings? Of a network nobody looks.
fn is_foreign(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if is_remote(path) || !is_file {
        return false;
    }
    let mut start = String::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING.len() as u64).read_to_string(&mut start));
    read.is_err() || start != BEGINNING
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    let identity = |path| fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
    identity(a).is_some_and(|file| Some(file) == identity(b))
}
