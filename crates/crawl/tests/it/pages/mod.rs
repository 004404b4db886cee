//! The page of an audit: its figures, its server, its report, and all of it in a browser.

#[cfg(unix)]
mod browser;
// The browser that is told what to do is that of the other pages.
#[cfg(unix)]
#[path = "../../../../cli/tests/it/browser/chromium.rs"]
#[allow(dead_code, reason = "other tests press more keys")]
mod chromium;
#[cfg(unix)]
#[path = "../../../../cli/tests/it/browser/installed.rs"]
mod installed;
mod made;
mod report;
mod server;
mod views;
