#!/usr/bin/env bash
# rustc 1.95.0, crate semver 1.0.27: a program built at opt-level 1 runs generic code that a dependency built at opt-level 0.
#
# A reader of "opt-level = 1" for the program and "opt-level = 0" for its packages expects that generic code is optimised where it is used. At 2 it
# is. At 0, 1, s and z rustc shares generics: if a dependency has made the same copy, the program calls that one, and it is not optimised. A suite of
# tests took 257 s in place of 184 for this reason.
#
# Seen in: the symbols of the object file of the program. At 1 the functions PartialOrd::lt and Enumerate::next are undefined there (those of semver
# are called), and at 2 they are not.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "grows"
version = "0.0.0"
edition = "2024"

[dependencies]
semver = "=1.0.27"

[profile.dev]
lto = "off"
codegen-units = 1
incremental = false

[profile.dev.package."*"]
opt-level = 0
TOML
cat >src/main.rs <<'RUST'
use semver::Version;

fn main() {
    let versions: Vec<Version> = std::env::args().skip(1).map(|text| Version::parse(&text).unwrap()).collect();
    for pair in versions.windows(2) {
        println!("{} {:?}", pair[0].pre < pair[1].pre, pair[0].partial_cmp(&pair[1]));
    }
}
RUST

# Functions of the standard library that the program, built at this level, calls in the library of semver.
called_at() {
  local target=$folder/target-$1
  CARGO_PROFILE_DEV_OPT_LEVEL=$1 cargo rustc -q --target-dir "$target" -- -C save-temps --emit obj
  nm "$target"/debug/deps/libsemver-*.rlib 2>/dev/null | awk '/ T / { print $NF }' | sort -u >defined
  nm "$target"/debug/deps/grows-*.o | awk '/ U _ZN4core/ { print $NF }' | sort -u | comm -12 - defined | grep -cE 'PartialOrd2lt|Enumerate' || true
}

at_1=$(called_at 1)
at_2=$(called_at 2)
rustc --version
echo "functions of the standard library that are called in semver: $at_1 at opt-level 1, $at_2 at 2"
if [ "$at_1" -gt 0 ] && [ "$at_2" = 0 ]; then
  echo "the same as with 1.95.0"
else
  echo "this has changed" >&2
  exit 1
fi
