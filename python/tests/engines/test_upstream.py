"""The tests of datasketch and simhash themselves, with only the import changed."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("library", ["datasketch", "simhash"])
def test_the_tests_of_the_library_itself_pass(library):
    pytest.importorskip(library)
    script = Path(__file__).parent / "upstream.py"
    done = subprocess.run([sys.executable, script, library], capture_output=True, text=True, timeout=600)
    print(done.stdout)
    if done.stdout.startswith("skipped"):
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
