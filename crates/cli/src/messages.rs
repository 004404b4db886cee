//! Messages for people on standard error: bars, the summary, skipped records, errors with a hint.

mod errors;
mod evaluation;
mod index_info;
pub(crate) mod summary;
mod terminal;
pub(crate) mod tuning;
mod words;

pub(crate) use errors::{error, is_closed_pipe, stop_word_of_several_tokens};
pub(crate) use evaluation::{evaluation, finish_evaluation};
pub(crate) use index_info::index_info;
pub(crate) use summary::finish;

use anyhow::Context;
use lookalike_corpus::is_decoding;
use lookalike_engine::progress::{Interrupt, Monitor};
use lookalike_report::several;
use lookalike_service::DuplicateMode;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use terminal::Terminal;

/// Writes to standard output, with colours only on a terminal, and only if `NO_COLOR` is not set.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let printed = anstream::AutoStream::auto(std::io::stdout()).write_all(text.as_bytes());
    match printed.context("cannot write to standard output") {
        // The reader may close the pipe early, and still wants the files.
        Err(error) if is_closed_pipe(&error) => Ok(()),
        printed => printed,
    }
}

/// The monitor of this process: bars on a terminal, and Ctrl-C as its switch.
pub(crate) fn monitor(quiet: bool) -> Monitor {
    let interrupt = Interrupt::default();
    let switch = interrupt.clone();
    // Without a handler Ctrl-C ends the process at once. It then leaves temporary files, but no final names.
    let _ = ctrlc::set_handler(move || {
        if switch.is_set() {
            // The second Ctrl-C ends the process, as some step does not check the switch.
            std::process::exit(1);
        }
        switch.set();
    });
    let bars = !quiet && std::io::stderr().is_terminal();
    Monitor { observer: Some(Arc::new(Terminal { bars })), interrupt }
}

/// Says that the service answers.
pub(crate) fn serving(
    index: impl Display,
    documents: Option<u64>,
    primary: Option<impl Display>,
    mode: DuplicateMode,
    address: SocketAddr,
) {
    let documents = documents_of(documents);
    let follows = primary.map(|primary| format!(", which follows {primary},")).unwrap_or_default();
    let mode = mode.name();
    // A service without standard error serves all the same.
    let _ = writeln!(
        std::io::stderr(),
        "serving {documents} of {index}{follows} with --mode {mode} on http://{address}; Ctrl-C stops"
    );
}

/// Says that a stream has started.
#[cfg(feature = "stream")]
pub(crate) fn streaming(index: impl Display, documents: Option<u64>) {
    let documents = documents_of(documents);
    // A stream without standard error works all the same.
    let _ = writeln!(std::io::stderr(), "streaming, with {documents} in {index}; Ctrl-C stops");
}

/// The number of documents, if it is known.
fn documents_of(documents: Option<u64>) -> String {
    documents.map_or_else(|| "the documents".to_owned(), |documents| several(documents, "document"))
}

/// Says what a stream has done.
#[cfg(feature = "stream")]
pub(crate) fn streamed(totals: &lookalike_stream::StreamTotals) {
    let lookalike_stream::StreamTotals { new, duplicates, unchanged, removed, dead, expired, is_cut_short } =
        *totals;
    let mut parts = vec![format!("{new} new"), several(duplicates, "duplicate")];
    let others =
        [(unchanged, "unchanged"), (removed, "removed"), (expired, "expired before"), (dead, "not usable")];
    parts
        .extend(others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    let _ = writeln!(std::io::stderr(), "{}", parts.join(", "));
    if is_cut_short {
        crate::note::note("not all of this has arrived; the rest is sent again at the next start");
    }
}

/// Hides panics of the Parquet decoder. They are caught, and reported as errors of the file. Hides panics of threads that start without memory.
pub fn hide_caught_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // A thread may find no memory for its stacks. The run then finds none either, and says so.
        let waits = std::thread::current().name() == Some("ctrl-c");
        let stack = panic.payload_as_str().is_some_and(|text| text.contains("allocate an alternative stack"));
        if !is_decoding() && !waits && !stack {
            before(panic);
        }
    }));
}
