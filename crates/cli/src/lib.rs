//! `lookalike`: near-duplicate text detection on the command line.
//!
//! The program is [`run`]. Its executable and the command of the Python package call it.
#![deny(unsafe_code)]

mod args;
mod commands;
mod config;
mod exit;
mod messages;
mod note;
mod platform;
mod refused;

use args::Command;
use exit::Exit;
use lookalike_corpus::network;
use std::ffi::OsString;

pub use messages::hide_caught_panics;
pub use refused::Allocator;

/// Runs a command line, and returns the exit code. The first of the `words` is the name of the program.
///
/// Call it once, as the only work of the process, and before other threads start: it changes how the process reacts to signals and to memory
/// that the system refuses. A wrong command line ends the process.
pub fn run(words: Vec<OsString>) -> u8 {
    platform::prepare();
    refused::check_memory();
    messages::hide_caught_panics();
    let result = config::arguments(words).and_then(|arguments| run_command(arguments.command));
    network::settle();
    let exit = match result {
        Ok(exit) => exit,
        Err(error) if messages::is_closed_pipe(&error) => Exit::Done,
        Err(error) => {
            messages::error(&error);
            Exit::of_error(&error)
        }
    };
    exit as u8
}

fn run_command(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Dedup(dedup) => commands::dedup::run(*dedup),
        Command::Pairs(pairs) => commands::pairs::run(pairs),
        Command::Compare(compare) => commands::compare::run(compare),
        Command::Similar(similar) => commands::similar::run(similar),
        Command::Sketch(sketch) => commands::sketch::run(sketch),
        Command::Spans(spans) => commands::spans::run(*spans),
        Command::Tune(tune) => commands::tune::run(tune),
        Command::Index(index) => commands::index::run(index),
        Command::Serve(serve) => commands::serve::run(serve),
        #[cfg(feature = "stream")]
        Command::Stream(stream) => commands::stream::run(stream),
        #[cfg(not(feature = "stream"))]
        Command::Stream(stream) => Err(stream.refuse("stream", args::STREAM_REMEDY)),
        #[cfg(feature = "audit")]
        Command::Audit(audit) => commands::audit::run(audit),
        #[cfg(not(feature = "audit"))]
        Command::Audit(audit) => Err(audit.refuse("audit", args::AUDIT_REMEDY)),
        Command::Frequencies(frequencies) => commands::frequencies::run(frequencies),
        Command::Eval(eval) => commands::eval::run(eval),
        Command::Completions { shell } => commands::completions::run(shell),
    }
}
