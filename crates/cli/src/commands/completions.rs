//! `lookalike completions`

use crate::args::Arguments;
use crate::exit::Exit;
use clap::CommandFactory;

pub(crate) fn run(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    clap_complete::generate(shell, &mut Arguments::command(), "lookalike", &mut std::io::stdout());
    Ok(Exit::Done)
}
