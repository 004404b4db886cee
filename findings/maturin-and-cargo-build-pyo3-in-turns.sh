#!/usr/bin/env bash
# maturin 1.16.0, pyo3 0.30.1, cargo 1.95.0: in one target folder, each `cargo build` after a `maturin build` compiles pyo3 and the module again, and each
# `maturin build` after a `cargo build` does too, though nothing was changed.
#
# A reader expects that the second of two builds of the same profile, features and sources has nothing to compile. But maturin describes the interpreter by
# the variables PYO3_CONFIG_FILE and PYO3_BUILD_EXTENSION_MODULE, on which the build scripts of pyo3 depend, and Cargo alone has neither. A suite that lints by
# Cargo and tests a wheel compiles both in every run. If both variables are set for Cargo too, maturin keeps the given PYO3_CONFIG_FILE, and nothing is compiled.
#
# Seen in: the lines "Compiling" of builds in turns, and "EnvVarChanged" in Cargo's log of fingerprints.
set -euo pipefail
shopt -s inherit_errexit

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install -q maturin==1.16.0
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "counts"
version = "0.0.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
pyo3 = { version = "=0.30.1", features = ["abi3-py310"] }
TOML
cat >src/lib.rs <<'RUST'
use pyo3::prelude::*;

#[pymodule]
fn counts(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
RUST

export PATH=$folder/venv/bin:$PATH VIRTUAL_ENV=$folder/venv
unset PYO3_CONFIG_FILE PYO3_BUILD_EXTENSION_MODULE
compiled() {
  "$@" 2>&1 | grep -cE 'Compiling (pyo3|counts) v' || true
}
in_turns() {
  cargo build -q
  maturin build -q >build.log 2>&1
  echo "$(compiled cargo build) $(compiled maturin build) $(compiled cargo build)"
}

maturin --version
cargo --version
alone=$(in_turns)
printf '%s\n' implementation=CPython version=3.10 target_abi=CPython-abi3-3.10 shared=true >pyo3.txt
together=$(PYO3_CONFIG_FILE=$folder/pyo3.txt PYO3_BUILD_EXTENSION_MODULE=1 in_turns)
echo "crates compiled by cargo, maturin, cargo: $alone; with the variables set for both: $together"
if [ "$alone" = "2 2 2" ] && [ "$together" = "0 0 0" ]; then
  echo "the same as with maturin 1.16.0"
else
  echo "this has changed" >&2
  exit 1
fi
