//! What people read on standard error: bars, the summary, skipped records, errors with a hint.

mod errors;
mod evaluation;
mod found;
mod index_info;
mod summary;
mod terminal;
pub(crate) mod tuning;
mod words;

pub(crate) use errors::{error, is_closed_pipe};
pub(crate) use evaluation::{evaluation, finish_evaluation};
pub(crate) use found::score;
pub(crate) use index_info::index_info;
pub(crate) use summary::{finish, removed_text};
pub(crate) use words::percent;

use anyhow::Context;
use lookalike_corpus::is_decoding;
use lookalike_engine::progress::{Interrupt, Monitor};
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use terminal::Terminal;

/// Which command a summary is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// `dedup`
    Dedup,
    /// `pairs`
    Pairs,
    /// `compare`
    Compare,
    /// `similar`
    Similar,
    /// `sketch`
    Sketch,
    /// `frequencies`
    Frequencies,
    /// `index build` and `index add`
    Index,
    /// `tune`
    Tune,
}

/// Writes to standard output. Colours reach a terminal only, and not if NO_COLOR is set.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let printed = anstream::AutoStream::auto(std::io::stdout()).write_all(text.as_bytes());
    match printed.context("cannot write to standard output") {
        // Who has read enough still wants what goes to files.
        Err(error) if is_closed_pipe(&error) => Ok(()),
        printed => printed,
    }
}

/// The monitor of this process: bars on a terminal, and Ctrl-C as its switch.
pub(crate) fn monitor(quiet: bool) -> Monitor {
    let interrupt = Interrupt::default();
    let switch = interrupt.clone();
    // Without a handler Ctrl-C ends the process at once; temporary files are then left behind, final names are not.
    let _ = ctrlc::set_handler(move || {
        if switch.is_set() {
            // The second time: whatever does not look at the switch ends here.
            std::process::exit(1);
        }
        switch.set();
    });
    let bars = !quiet && std::io::stderr().is_terminal();
    Monitor { observer: Some(Arc::new(Terminal { bars })), interrupt }
}

/// Keeps panics of the decoder of Parquet from the terminal: they are caught, and told as what is wrong with the file.
pub(crate) fn prepare() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_decoding() {
            before(panic);
        }
    }));
}
