//! `--config FILE`: a run reads its options from a file, and writes such a file beside its summary.
//!
//! clap defines and checks every option. A key of the file becomes the option of its name, which stands before the words of the command
//! line. This module does not know the meaning of an option.

mod beside;
mod file;
mod merge;
mod settings;
mod unknown;
mod verb;

use crate::args::Arguments;
use clap::{Arg, ArgMatches, Command, CommandFactory, FromArgMatches};
use file::ConfigEntry;
use merge::{explained, is_overridden, merged};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use unknown::unknown;
use verb::Verb;

/// The file of `--config`, as clap reads it.
struct Config<'a> {
    path: &'a Path,
    /// The options of the file alone. `None` if clap cannot read them.
    alone: Option<ArgMatches>,
}

/// The arguments of the command line and of the file of `--config`. A wrong command line ends the process, as clap does.
pub(crate) fn arguments(words: Vec<OsString>) -> anyhow::Result<Arguments> {
    let mut program = program();
    program.build();
    // Required options may be in the file, so their absence is no error yet.
    let typed = self::program().ignore_errors(true).try_get_matches_from(&words).ok();
    let typed = typed.as_ref().map(|matches| Verb::of(&program, matches));
    let name = typed.as_ref().map_or_else(String::new, |(verb, _)| verb.name.clone());
    let with_file = typed.and_then(|(verb, typed)| {
        let path: Option<&PathBuf> = typed.try_get_one("config").ok()?;
        Some((verb, typed, path?))
    });
    match with_file {
        Some((verb, typed, path)) => arguments_with_file(&program, &words, &verb, typed, path),
        None => {
            let matches = program.clone().try_get_matches_from(words);
            let matches = matches.map_err(|error| unknown(&program, &name, error))?;
            finish(&program, matches, None)
        }
    }
}

fn arguments_with_file(
    program: &Command,
    words: &[OsString],
    verb: &Verb<'_>,
    typed: &ArgMatches,
    path: &Path,
) -> anyhow::Result<Arguments> {
    let file = file::read(path, verb)?;
    let typed = verb.typed(typed);
    let all: Vec<&ConfigEntry<'_>> = file.iter().collect();
    let entries: Vec<&ConfigEntry<'_>> =
        all.iter().copied().filter(|entry| !is_overridden(entry, &typed, verb)).collect();
    let parsed = program.clone().try_get_matches_from(merged(words, verb, &entries));
    let matches = parsed
        .map_err(|error| explained(path, &entries, error, |error| unknown(program, &verb.name, error)))?;
    let alone = merged(&words[..verb.words], verb, &all);
    let alone = self::program().ignore_errors(true).try_get_matches_from(alone).ok();
    finish(program, matches, Some(Config { path, alone }))
}

/// The program as clap knows it. A negative number is a value, and not an unknown option.
fn program() -> Command {
    fn with_negative_numbers(command: Command) -> Command {
        let takes_values = |arg: &Arg| arg.get_action().takes_values();
        command
            .mut_args(|arg| if takes_values(&arg) { arg.allow_negative_numbers(true) } else { arg })
            .mut_subcommands(with_negative_numbers)
    }
    with_negative_numbers(Arguments::command())
}

/// The arguments, with the settings to write beside the summary.
fn finish(
    program: &Command,
    mut matches: ArgMatches,
    config: Option<Config<'_>>,
) -> anyhow::Result<Arguments> {
    let whole = matches.clone();
    let mut arguments = Arguments::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.exit());
    if let Some(run) = arguments.command.run_mut() {
        let (verb, given) = Verb::of(program, &whole);
        let alone = config.as_ref().and_then(|config| Some(Verb::of(program, config.alone.as_ref()?).1));
        let config = config.as_ref().map(|config| config.path);
        run.settings = beside::settings_file(run.summary.as_deref(), config, &verb, given, alone)?;
    }
    Ok(arguments)
}
