#!/usr/bin/env bash
# cargo 1.95.0: `cargo package --workspace` builds a package against the sources that an earlier call unpacked of another package of the workspace.
#
# A reader would expect each package to be built against what is packed in the same call. The packages of a workspace are put into a local registry.
# From it they are unpacked below CARGO_HOME once for each version, and built once for each version in the target folder. So after a change without
# a new version the verification fails by names that the packed sources have, or passes by names that they do not have any more.
#
# Seen: the stage of ./test that packs all crates failed on a machine that had passed it before.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export CARGO_HOME=$folder/cargo
mkdir -p lower/src upper/src
printf '[workspace]\nmembers = ["lower", "upper"]\nresolver = "3"\n' >Cargo.toml
for name in lower upper; do
  printf '[package]\nname = "some-%s-package"\nversion = "0.1.0"\nedition = "2024"\nlicense = "MIT"\ndescription = "A package"\n' $name >$name/Cargo.toml
done
printf '[dependencies]\nsome-lower-package = { version = "0.1.0", path = "../lower" }\n' >>upper/Cargo.toml
pack() { cargo +1.95.0 package --quiet --workspace --allow-dirty 2>&1 | grep -v '^warning\|^ *|\|^$' || true; }

echo 'pub fn first() {}' >lower/src/lib.rs
echo 'pub fn all() { some_lower_package::first() }' >upper/src/lib.rs
echo "the first call: $(pack)"

echo 'pub fn second() {}' >lower/src/lib.rs
echo 'pub fn all() { some_lower_package::second() }' >upper/src/lib.rs
cargo +1.95.0 check --quiet --workspace
second=$(pack)
echo "after a change: $(grep -m1 'error' <<<"$second")"
grep -q 'cannot find function `second`' <<<"$second"

# With the unpacked and the built ones out of the way the same call passes.
rm -rf "$CARGO_HOME"/registry/src target
[ -z "$(pack | grep error)" ]
