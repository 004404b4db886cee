"""Runs the tests of datasketch and simhash with Lookalike in their place, and prints how many pass.

usage: python upstream.py datasketch|simhash [--tests FOLDER]

The tests of datasketch come from the source distribution of 1.6.5, the last one that holds them. Those of simhash are in no
distribution, and come from its repository. FOLDER is the `test` or `tests` folder of a clone that is there already. Nothing of
theirs is changed or kept: the files are copied to a temporary folder, where modules called `datasketch` and `simhash` stand for
Lookalike.

datasketch 2.0 has other values than the tests of 1.x expect. Each test therefore runs a second time with datasketch 2.0
itself. Those that fail there, too, run a third time, with Lookalike and the scheme of datasketch 1 as the default.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from http.client import HTTPException
from pathlib import Path

FILES = ["test_minhash.py", "test_lean_minhash.py", "test_lsh.py", "test_lshforest.py", "test_lshensemble.py"]
"""The files of datasketch that test what is here."""

SOURCES = {
    "datasketch": "the registry of packages",
    "simhash": "https://github.com/1e0ng/simhash/archive/78f3b8d5b810d93443269b6e227cae7b95e67316.tar.gz",
}
"""Where the tests come from."""

LEFT_OUT = {
    "redis": "storage behind a network is not here: lookalike.Index keeps an index in a folder",
    "cassandra": "storage behind a network is not here",
    "Weighted": "WeightedMinHash is not here",
    "weighted": "WeightedMinHash is not here",
    "bBit": "bBitMinHash is not here",
    "test_minhash_gpu": "there is no GPU",
}
"""Parts of the names of tests that do not count, and why."""

EXPECTED = {
    "TestMinHash.test_union": "reads the private attribute _gpu_mode",
}
"""Tests that may fail, and why."""

ALIASES = '''
import sys, types
def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    sys.modules[name] = made
    return made
class Absent:
    """Stands for a class that is not here."""
    def __init__(self, *given, **named):
        raise NotImplementedError("not in Lookalike")
STAND_IN = {stand_in!r}
if STAND_IN:
    import lookalike
    if STAND_IN == "legacy":
        start = lookalike.MinHash.__init__
        def started(self, *given, **named):
            start(self, *given, **{{"scheme": "legacy", **named}})
        lookalike.MinHash.__init__ = started
    own = {{name: getattr(lookalike, name) for name in lookalike.__all__}}
    absent = {{name: Absent for name in ("WeightedMinHashGenerator", "WeightedMinHash", "bBitMinHash", "HyperLogLog",
              "HyperLogLogPlusPlus", "HNSW", "MinHashLSHBloom")}}
    everything = {{**own, **absent}}
    package = module("datasketch", **everything)
    package.__path__ = []
    for part in ("minhash", "lean_minhash", "lsh", "lshforest", "lshensemble", "weighted_minhash", "b_bit_minhash",
                 "hashfunc", "lshensemble_partition"):
        setattr(package, part, module("datasketch." + part, **everything))
    module("simhash", **own)
import unittest.mock
module("mockredis", mock_redis_client=Absent)
module("mock", patch=unittest.mock.patch)
'''


def distribution(folder: Path) -> Path | None:
    """The tests of datasketch 1.6.5, or None if the registry cannot be reached."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "datasketch==1.6.5"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180)
    except subprocess.TimeoutExpired:
        return None
    archives = list(folder.glob("datasketch-*.tar.gz"))
    if done.returncode or not archives:
        return None
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    return next((folder / "unpacked").glob("*/test"))


def repository(folder: Path) -> Path | None:
    """The tests of simhash 2.1.2, or None if its repository cannot be reached."""
    try:
        with urllib.request.urlopen(SOURCES["simhash"], timeout=30) as answer:
            content = answer.read()
    except (OSError, HTTPException):
        return None
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    return next((folder / "unpacked").glob("*/tests"))


def pytest_of(tests: Path, folder: Path, stand_in: str) -> str:
    """What pytest prints of the tests, copied to a folder. `stand_in`: usual, legacy, or empty for the library itself."""
    shutil.copytree(tests, folder / "test", dirs_exist_ok=True)
    (folder / "conftest.py").write_text(ALIASES.format(stand_in=stand_in), encoding="utf-8")
    (folder / "test" / "__init__.py").touch()
    if not (folder / "test" / "utils.py").exists():
        # The distribution forgets this file.
        (folder / "test" / "utils.py").write_text("def fake_hash_func(value):\n    return value\n", encoding="utf-8")
    wanted = [f"test/{name}" for name in [*FILES, "test_simhash.py"] if (folder / "test" / name).exists()]
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=line", "-p", "no:cacheprovider", *wanted]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    return done.stdout + done.stderr


def outcomes(tests: Path, stand_in: str) -> dict[str, str]:
    """The outcome of each test by its name: passed, failed, or skipped."""
    with tempfile.TemporaryDirectory() as name:
        printed = pytest_of(tests, Path(name), stand_in)
    found = re.findall(r"^(PASSED|FAILED|ERROR|SKIPPED) \S*?(test_\w+)\.py::(\S+)(?: - (.*))?$", printed, re.M)
    if not found:
        raise SystemExit(printed)
    return {f"{name.replace('::', '.')}": f"{outcome.lower()} {reason}" for outcome, _, name, reason in found}


def report(title: str, tests: Path) -> int:
    """Prints the outcome of the tests of one library, and returns how many fail that should not."""
    with_lookalike, with_theirs, legacy = (outcomes(tests, stand_in) for stand_in in ("usual", "", "legacy"))
    left_out = {name for name in with_lookalike if any(part in name for part in LEFT_OUT)}
    counted = {name: outcome for name, outcome in with_lookalike.items() if name not in left_out}
    passed = [name for name, outcome in counted.items() if outcome.startswith("passed")]
    own_passed = sum(with_theirs.get(name, "").startswith("passed") for name in counted)
    print(f"{title}: {len(passed)} of {len(counted)} pass; with the library itself, {own_passed} do.", end=" ")
    print(f"Left out: {len(left_out)} (storage behind a network, weighted sketches).")
    wrong = 0
    for name, outcome in counted.items():
        if name in passed:
            continue
        reason = EXPECTED.get(name)
        if not with_theirs.get(name, "").startswith("passed"):
            reason = "fails with the library itself"
            if legacy.get(name, "").startswith("passed"):
                reason += "; passes with the scheme of datasketch 1"
        wrong += reason is None
        print(f"  {'expected' if reason else 'UNEXPECTED'}: {name}: {reason or outcome}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=["datasketch", "simhash"])
    parser.add_argument("--tests", type=Path, metavar="FOLDER", help="the folder of tests of a clone")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tests = given.tests or {"datasketch": distribution, "simhash": repository}[given.library](Path(folder))
        if tests is None:
            print(f"skipped: {SOURCES[given.library]} cannot be reached; give the folder of the tests with --tests")
            return 0
        return 1 if report(given.library, tests) else 0


if __name__ == "__main__":
    sys.exit(main())
