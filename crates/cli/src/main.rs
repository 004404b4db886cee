//! The executable `lookalike`.
#![forbid(unsafe_code)]

use lookalike_cli::Allocator;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    lookalike_cli::run(std::env::args_os().collect()).into()
}
