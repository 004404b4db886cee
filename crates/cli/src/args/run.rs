//! How every run is done, and what it writes about itself.

use super::{Command, IndexCommand, Usage};
use clap::Args;
use lookalike_batch::SettingsFile;
use lookalike_corpus::network::is_remote;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunArgs {
    /// Worker threads, up to 1024 [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Read options from FILE, in TOML: threshold = 0.8, input = ["a.jsonl"]
    ///
    /// A key is the long name of an option, or the name of an argument in small letters. A switch is true or false, and an option
    /// that may be repeated takes a list. Options of the command line win over the file. Arguments of the file count only if the
    /// command line gives none. Paths are relative to the folder where the command runs. With command = "dedup" the file is
    /// refused by other commands.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Write the summary, as JSON, to FILE, and beside it the settings of the run: run.toml beside run.json
    ///
    /// --config run.toml repeats the run. The settings are all options and arguments that the run was given, by the command line
    /// or by --config. Variables of the environment, such as credentials, are not among them.
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,

    /// What is written beside the summary.
    #[arg(skip)]
    pub(crate) settings: Option<SettingsFile>,

    /// No progress bars and no summary; only errors, skipped records, and where a stopped run goes on
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl RunArgs {
    /// How many threads are to work.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => usize::from(threads),
            None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        }
    }

    /// Refuses a place where no summary can be written.
    pub(crate) fn check_summary(&self) -> Result<(), Usage> {
        self.summary.as_ref().map_or(Ok(()), |path| check_file("--summary", path))
    }
}

impl Command {
    /// How the run is done, if the command is one over files.
    pub(crate) fn run_mut(&mut self) -> Option<&mut RunArgs> {
        Some(match self {
            Command::Dedup(dedup) => &mut dedup.run,
            Command::Pairs(pairs) => &mut pairs.run,
            Command::Compare(compare) => &mut compare.run,
            Command::Similar(similar) => &mut similar.run,
            Command::Sketch(sketch) => &mut sketch.run,
            Command::Tune(tune) => &mut tune.run,
            Command::Index(IndexCommand::Build(build)) => &mut build.added.run,
            Command::Index(IndexCommand::Add(add)) => &mut add.added.run,
            Command::Frequencies(frequencies) => &mut frequencies.run,
            Command::Eval(eval) => &mut eval.run,
            Command::Index(IndexCommand::Info(_)) | Command::Completions { .. } => return None,
        })
    }
}

/// Refuses a place where no file can be written when the work is done.
pub(crate) fn check_file(option: &str, path: &Path) -> Result<(), Usage> {
    if is_remote(path) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.as_os_str() == "-" || path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Usage(format!("{option} {}: give a file in a folder that exists", path.display())));
    }
    Ok(())
}
