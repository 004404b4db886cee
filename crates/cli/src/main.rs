//! `lookalike`: near-duplicate text detection on the command line.
#![deny(unsafe_code)]

mod args;
mod commands;
mod exit;
mod refused;
mod report;

use args::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use lookalike_corpus::network;
use std::process::ExitCode;

fn main() -> ExitCode {
    refused::prepare();
    report::prepare();
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Dedup(dedup) => commands::dedup::run(dedup),
        Command::Pairs(pairs) => commands::pairs::run(pairs),
        Command::Compare(compare) => commands::compare::run(compare),
        Command::Similar(similar) => commands::similar::run(similar),
        Command::Sketch(sketch) => commands::sketch::run(sketch),
        Command::Tune(tune) => commands::tune::run(tune),
        Command::Index(index) => commands::index::run(index),
        Command::Frequencies(frequencies) => commands::frequencies::run(frequencies),
        Command::Eval(eval) => commands::eval::run(eval),
        Command::Completions { shell } => commands::completions::run(shell),
    };
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
