//! The verb of the command line, and the keys that it takes in a file of options.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// Options that a file cannot set.
const OF_NO_FILE: [&str; 3] = ["config", "help", "version"];

/// A known name with a similarity above this is proposed for an unknown one. clap has the same value.
pub(super) const LEAST_SIMILARITY: f64 = 0.7;

/// A verb of the command line.
pub(super) struct Verb<'a> {
    /// The name, such as `index add`.
    pub(super) name: String,
    /// The number of words up to the end of the name, including the program.
    pub(super) words: usize,
    command: &'a Command,
}

impl<'a> Verb<'a> {
    /// The verb that was typed, and the options after it.
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

    /// The keys, each with its option or argument, in the order of the help.
    pub(super) fn keys(&self) -> impl Iterator<Item = (String, &'a Arg)> {
        self.command.get_arguments().filter_map(|arg| Some((key(arg)?, arg)))
    }

    /// The option or argument of a key.
    pub(super) fn find(&self, key: &str) -> Option<&'a Arg> {
        self.keys().find(|(known, _)| known == key).map(|(_, arg)| arg)
    }

    /// The known key that is most similar to `unknown`, if one is similar.
    pub(super) fn nearest(&self, unknown: &str) -> Option<String> {
        let similar = self.keys().map(|(key, _)| (strsim::jaro(unknown, &key), key));
        let similar = similar.filter(|(similarity, _)| *similarity > LEAST_SIMILARITY);
        similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key)| key)
    }

    /// The options and arguments that were typed.
    pub(super) fn typed(&self, matches: &ArgMatches) -> Vec<&'a Arg> {
        let is_typed =
            |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        self.command.get_arguments().filter(is_typed).collect()
    }

    /// Are both the same option, or is it wrong to give both?
    pub(super) fn exclude(&self, a: &Arg, b: &Arg) -> bool {
        let conflicts = |a: &Arg, b: &Arg| {
            self.command.get_arg_conflicts_with(a).iter().any(|other| other.get_id() == b.get_id())
        };
        a.get_id() == b.get_id() || conflicts(a, b) || conflicts(b, a)
    }
}

/// The key of an option or argument. `None` if a file cannot set it.
fn key(arg: &Arg) -> Option<String> {
    match (arg.get_long(), arg.get_value_names()) {
        (Some(long), _) if OF_NO_FILE.contains(&long) => None,
        (Some(long), _) => Some(long.to_owned()),
        // The key of TEXT|FILE is text.
        (None, Some([name, ..])) => name.split('|').next().map(str::to_lowercase),
        (None, _) => Some(arg.get_id().to_string()),
    }
}

/// Is this an option without a value?
pub(super) fn is_switch(arg: &Arg) -> bool {
    !arg.get_action().takes_values()
}

/// Is this an option whose value may be left out?
pub(super) fn has_optional_value(arg: &Arg) -> bool {
    !is_switch(arg) && arg.get_num_args().is_some_and(|values| values.min_values() == 0)
}

/// Does this option or argument take several values?
pub(super) fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}
