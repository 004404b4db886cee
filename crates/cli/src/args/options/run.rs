//! The options of every run: threads, settings, summary.

use super::number::threads;
use crate::args::usage::Usage;
use clap::Args;
use lookalike_batch::SettingsFile;
use lookalike_corpus::network::has_scheme;
use lookalike_engine::threads::default_threads;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunArgs {
    /// Worker threads, up to 1024 [default: one per processor]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<u16>,

    /// Read options from FILE, in TOML: threshold = 0.8, input = ["a.jsonl"]
    ///
    /// A key is the long name of an option, or the name of an argument in lower case. A switch is true or false, and an option that
    /// may be repeated takes a list. An option of the command line replaces the option of the file, and arguments of the command line
    /// replace all arguments of the file. Paths are relative to the working folder, and not to FILE. If the file says command =
    /// "dedup", other commands refuse it.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Write the summary to FILE as JSON, and the settings of the run to a file beside it: run.toml beside run.json
    ///
    /// --config run.toml repeats the run. The settings are all options and arguments of the command line and of --config. They do not
    /// include variables of the environment, such as credentials.
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,

    /// The settings to write beside the summary.
    #[arg(skip)]
    pub(crate) settings: Option<SettingsFile>,

    /// Print only errors, skipped records and where a stopped run continues: no progress bars, no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl RunArgs {
    /// The number of worker threads.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => usize::from(threads),
            None => default_threads(),
        }
    }

    /// Refuses a path where no summary can be written.
    pub(crate) fn check_summary(&self) -> Result<(), Usage> {
        self.summary.as_ref().map_or(Ok(()), |path| check_file("--summary", path))
    }
}

/// Refuses a path where the run could not write a file at its end.
pub(super) fn check_file(option: &str, path: &Path) -> Result<(), Usage> {
    if has_scheme(path) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.as_os_str() == "-" || path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Usage(format!("{option} {}: give a file in a folder that exists", path.display())));
    }
    Ok(())
}
