//! Crawls of sites on loopback.

mod hostile;
mod kills;
mod order;
mod polite;
mod rendered;
mod resume;
mod server;
mod shown;
mod small;
mod unwell;
