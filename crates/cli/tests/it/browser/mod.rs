//! Pages in a real browser. They need Chromium.

#[cfg(unix)]
mod chromium;
mod installed;
mod reports;
#[cfg(unix)]
mod service;
