//! The browser of this machine.

use std::process::{Command, Stdio};

/// The names of Chromium.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Widths of screens, in pixels.
pub(crate) const WIDTHS: [u32; 2] = [390, 1280];

/// The name of Chromium. Without it, prints a line: the test then passes.
pub(crate) fn browser() -> Option<&'static str> {
    let runs = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = BROWSERS.into_iter().find(runs);
    if found.is_none() {
        println!("skipped: there is no Chromium, so that no page was looked at");
    }
    found
}
