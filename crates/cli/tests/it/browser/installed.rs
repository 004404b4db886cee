//! The browser of this machine.

use std::process::{Command, Stdio};

/// The names of Chromium.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Widths of screens, in pixels.
pub(crate) const WIDTHS: [u32; 2] = [390, 1280];

/// The name of Chromium.
pub(crate) fn browser() -> &'static str {
    let runs = |name: &&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    BROWSERS.into_iter().find(runs).expect("this test needs Chromium: on Debian, apt-get install chromium")
}
