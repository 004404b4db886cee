//! A verb as a file of options sees it: which keys it knows, and which option each of them is.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// Options that no file sets.
const OF_NO_FILE: [&str; 3] = ["config", "help", "version"];

/// From which similarity of names one is proposed for the other, as clap does for options.
const LEAST_SIMILARITY: f64 = 0.7;

/// A verb of the command line.
pub(super) struct Verb<'a> {
    /// Its name, such as `index add`.
    pub(super) name: String,
    /// Words of the command line up to its name, with the program's.
    pub(super) words: usize,
    command: &'a Command,
}

impl<'a> Verb<'a> {
    /// The verb that was typed, and what was typed after it.
    pub(super) fn of<'m>(program: &'a Command, matches: &'m ArgMatches) -> (Self, &'m ArgMatches) {
        let (mut command, mut matches, mut names) = (program, matches, Vec::new());
        while let Some((name, of_verb)) = matches.subcommand()
            && let Some(verb) = command.find_subcommand(name)
        {
            names.push(name);
            (command, matches) = (verb, of_verb);
        }
        (Verb { name: names.join(" "), words: 1 + names.len(), command }, matches)
    }

    /// Its keys, and the option or argument of each, in the order of the help.
    pub(super) fn keys(&self) -> impl Iterator<Item = (String, &'a Arg)> {
        self.command.get_arguments().filter_map(|arg| Some((key(arg)?, arg)))
    }

    /// The option or argument of a key.
    pub(super) fn find(&self, key: &str) -> Option<&'a Arg> {
        self.keys().find(|(known, _)| known == key).map(|(_, arg)| arg)
    }

    /// The key that is written most like `unknown`, if one is.
    pub(super) fn nearest(&self, unknown: &str) -> Option<String> {
        let similar = self.keys().map(|(key, _)| (strsim::jaro(unknown, &key), key));
        let similar = similar.filter(|(similarity, _)| *similarity > LEAST_SIMILARITY);
        similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key)| key)
    }

    /// The options and arguments that were typed, of `matches`.
    pub(super) fn typed(&self, matches: &ArgMatches) -> Vec<&'a Arg> {
        let is_typed =
            |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        self.command.get_arguments().filter(is_typed).collect()
    }

    /// Does one of the two make the other wrong, or are they the same?
    pub(super) fn exclude(&self, a: &Arg, b: &Arg) -> bool {
        let conflicts = |a: &Arg, b: &Arg| {
            self.command.get_arg_conflicts_with(a).iter().any(|other| other.get_id() == b.get_id())
        };
        a.get_id() == b.get_id() || conflicts(a, b) || conflicts(b, a)
    }
}

/// The name of an option or argument in a file, if it may be in one.
fn key(arg: &Arg) -> Option<String> {
    match (arg.get_long(), arg.get_value_names()) {
        (Some(long), _) if OF_NO_FILE.contains(&long) => None,
        (Some(long), _) => Some(long.to_owned()),
        // TEXT|FILE is called text.
        (None, Some([name, ..])) => name.split('|').next().map(str::to_lowercase),
        (None, _) => Some(arg.get_id().to_string()),
    }
}

/// Is it there or not, and has no value?
pub(super) fn is_switch(arg: &Arg) -> bool {
    !arg.get_action().takes_values()
}

/// May it have several values?
pub(super) fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}
