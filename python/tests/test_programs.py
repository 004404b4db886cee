"""Small programs that print the same with the other libraries and with Lookalike."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def printed(program: str) -> str:
    done = subprocess.run([sys.executable, "-"], input=program, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_a_program_prints_the_same_after_its_import_is_changed(path):
    for package in ("datasketch", "simhash", "numpy"):
        pytest.importorskip(package)
    program = path.read_text(encoding="utf-8")
    changed = program.replace("from datasketch import", "from lookalike import")
    changed = changed.replace("from simhash import", "from lookalike import")
    assert changed != program
    assert printed(changed) == printed(program) != ""


def test_there_are_twelve_programs():
    assert len(PROGRAMS) == 12
