//! `lookalike`: near-duplicate text detection on the command line.
#![deny(unsafe_code)]

mod args;
mod commands;
mod config;
mod exit;
mod note;
mod platform;
mod refused;
mod report;

use args::Command;
use exit::Exit;
use lookalike_corpus::network;
use std::process::ExitCode;

fn main() -> ExitCode {
    platform::prepare();
    refused::check_memory();
    report::prepare();
    let result =
        config::arguments(std::env::args_os().collect()).and_then(|arguments| run(arguments.command));
    network::settle();
    match result {
        Ok(exit) => exit.into(),
        Err(error) if report::is_closed_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            report::error(&error);
            Exit::of_error(&error).into()
        }
    }
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Dedup(dedup) => commands::dedup::run(dedup),
        Command::Pairs(pairs) => commands::pairs::run(pairs),
        Command::Compare(compare) => commands::compare::run(compare),
        Command::Similar(similar) => commands::similar::run(similar),
        Command::Sketch(sketch) => commands::sketch::run(sketch),
        Command::Tune(tune) => commands::tune::run(tune),
        Command::Index(index) => commands::index::run(index),
        Command::Serve(serve) => commands::serve::run(serve),
        #[cfg(feature = "stream")]
        Command::Stream(stream) => commands::stream::run(stream),
        #[cfg(feature = "audit")]
        Command::Audit(audit) => commands::audit::run(audit),
        Command::Frequencies(frequencies) => commands::frequencies::run(frequencies),
        Command::Eval(eval) => commands::eval::run(eval),
        Command::Completions { shell } => commands::completions::run(shell),
    }
}
