//! A command that this build does not have.

use crate::args::Usage;
use clap::Args;
use std::ffi::OsString;

/// The arguments of a command that was left out. They are taken as they come, because only a build with the command knows them.
#[derive(Args, Debug)]
pub(crate) struct LeftOutArgs {
    #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
    _arguments: Vec<OsString>,
}

impl LeftOutArgs {
    /// Says how to build the program with the command. `needs` is a sentence about what the build needs, or empty.
    pub(crate) fn refuse(&self, command: &str, needs: &str) -> anyhow::Error {
        let build = format!(
            "in a clone, cargo install --path crates/cli --features {command} builds it with the command"
        );
        Usage(format!("this program was built without lookalike {command}; {build}{needs}")).into()
    }
}
