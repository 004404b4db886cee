//! Options and commands that clap does not know, in words that name the place where they are known.

use crate::args::Usage;
use crate::config::verb::LEAST_SIMILARITY;
use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// An error of clap as a sentence, if an option belongs to other commands than `verb`, or if a command is misspelt. Any other error ends the
/// process, as clap does.
pub(super) fn unknown(program: &Command, verb: &str, error: clap::Error) -> Usage {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    let sentence = match error.kind() {
        ErrorKind::UnknownArgument => {
            named(ContextKind::InvalidArg).and_then(|option| of_others(program, verb, option))
        }
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            named(ContextKind::InvalidSubcommand).and_then(|name| misspelt(program, name))
        }
        _ => None,
    };
    sentence.map_or_else(|| error.exit(), Usage)
}

/// The sentence about an option that only other commands have.
fn of_others(program: &Command, verb: &str, option: &str) -> Option<String> {
    let mut others = Vec::new();
    commands_with(program, option, "lookalike", &mut others);
    let has = if others.len() == 1 { "has" } else { "have" };
    let (last, first) = others.split_last().filter(|_| !verb.is_empty())?;
    let others = if first.is_empty() { last.clone() } else { format!("{} and {last}", first.join(", ")) };
    Some(format!("lookalike {verb} has no {option}; {others} {has} it"))
}

/// Appends the names of all commands below `command`, called `name`, that have this option.
fn commands_with(command: &Command, option: &str, name: &str, found: &mut Vec<String>) {
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        let name = format!("{name} {}", verb.get_name());
        let has = verb.get_arguments().any(|arg| {
            let long = arg.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long));
            let short =
                arg.get_short().is_some_and(|short| option.strip_prefix('-') == Some(&short.to_string()));
            long || short
        });
        if has {
            found.push(name.clone());
        }
        commands_with(verb, option, &name, found);
    }
}

/// The sentence about a command that does not exist, if another one has a similar name.
fn misspelt(program: &Command, name: &str) -> Option<String> {
    let similar =
        program.get_subcommands().map(|verb| (strsim::jaro(name, verb.get_name()), verb.get_name()));
    let similar = similar.filter(|(similarity, _)| *similarity > LEAST_SIMILARITY);
    let (_, nearest) = similar.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!("there is no command {name}; did you mean {nearest}?"))
}
