//! `lookalike completions`

use crate::args::Arguments;
use crate::exit::Exit;
use anyhow::Context;
use clap::CommandFactory;
use std::io::Write;

pub(crate) fn run(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "lookalike", &mut script);
    std::io::stdout().write_all(&script).context("cannot print the script")?;
    Ok(Exit::Done)
}
