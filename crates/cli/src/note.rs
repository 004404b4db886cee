//! Notes: what a run says on standard error without an error.

use lookalike_report::visible;
use std::io::Write;

/// Prints a note that people need although they did not ask for it.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "note: {}", visible(text));
}
