"""Runs the tests of datasketch and simhash with Lookalike in their place, and prints how many pass.

usage: python upstream.py [--datasketch FOLDER] [--simhash FOLDER]

The tests come from the source distribution of datasketch 1.6.5, the last one that holds them. A FOLDER is the `test` folder
of a clone, for other versions; those of simhash are in no distribution. Nothing of theirs is changed or kept: the files are
copied to a temporary folder, where modules called `datasketch` and `simhash` stand for Lookalike.

datasketch 2.0 has other values than the tests of 1.x expect. Each test therefore runs a second time with datasketch 2.0
itself. Those that fail there, too, run a third time, with Lookalike and the scheme of datasketch 1 as the default.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

FILES = ["test_minhash.py", "test_lean_minhash.py", "test_lsh.py", "test_lshforest.py", "test_lshensemble.py"]
"""The files of datasketch that test what is here."""

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
    parser.add_argument("--datasketch", type=Path, help="the test folder of a clone of datasketch")
    parser.add_argument("--simhash", type=Path, help="the tests folder of a clone of simhash")
    given = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        tests = given.datasketch or distribution(Path(folder))
        if tests is None:
            print("skipped: the registry cannot be reached, so there are no tests of datasketch")
        else:
            wrong += report("datasketch", tests)
    if given.simhash:
        wrong += report("simhash", given.simhash)
    else:
        print("skipped: the tests of simhash are in no source distribution; give their folder with --simhash")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
