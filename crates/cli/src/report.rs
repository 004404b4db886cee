//! What people read on standard error: bars, the summary, skipped records, errors with a hint.

mod errors;
mod evaluation;
mod found;
mod index_info;
mod summary;
pub(crate) mod tuning;
mod words;

pub(crate) use errors::{error, is_closed_pipe};
pub(crate) use evaluation::{evaluation, finish_evaluation};
pub(crate) use found::likeness;
pub(crate) use index_info::index_info;
pub(crate) use summary::{finish, write_summary};
pub(crate) use words::percent;

use lookalike_batch::{Interrupt, Monitor};
use lookalike_corpus::network;
use lookalike_pages::visible;
use std::io::{IsTerminal, Write};

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
        network::give_up();
    });
    if !quiet {
        network::tell(|message| drop(writeln!(std::io::stderr(), "{message}")));
    }
    let notes = |text: &str| {
        let _ = writeln!(std::io::stderr(), "note: {}", visible(text));
    };
    Monitor { bars: !quiet && std::io::stderr().is_terminal(), interrupt, notes: Some(notes) }
}
