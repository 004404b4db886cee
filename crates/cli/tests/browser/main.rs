//! Pages in a real browser.
//!
//! The tests need Chromium under one of the names in [`BROWSERS`]. Without it, each test prints a line and passes.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

#[cfg(unix)]
mod chromium;
mod reports;
#[cfg(unix)]
mod service;

use std::process::{Command, Stdio};

/// The names of Chromium.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Widths of screens, in pixels.
const WIDTHS: [u32; 2] = [390, 1280];

fn browser() -> Option<&'static str> {
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
