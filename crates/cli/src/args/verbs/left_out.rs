//! A command that this build does not have.

use crate::args::Usage;
use clap::Args;
use std::ffi::OsString;

/// How to get a program with `lookalike stream`. librdkafka is built with OpenSSL, by make.
#[cfg(not(feature = "stream"))]
pub(crate) const STREAM_REMEDY: &str = "in a clone, cargo install --path crates/cli --features stream builds it with the command. \
    It needs OpenSSL and make: on Debian, apt-get install libssl-dev pkg-config make g++";

/// How to get a program with `lookalike audit`.
#[cfg(not(feature = "audit"))]
pub(crate) const AUDIT_REMEDY: &str =
    "in a clone, cargo install --path crates/cli --features audit builds it with the command";

/// The arguments of a command that was left out. They are taken as they come, because only a build with the command knows them.
#[derive(Args, Debug)]
pub(crate) struct LeftOutArgs {
    #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
    _arguments: Vec<OsString>,
}

impl LeftOutArgs {
    /// Says that the program has no such command, and the remedy.
    pub(crate) fn refuse(&self, command: &str, remedy: &str) -> anyhow::Error {
        Usage(format!("this program was built without lookalike {command}; {remedy}")).into()
    }
}
