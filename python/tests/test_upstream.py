"""The tests of datasketch itself, from its source distribution, with only the import changed."""

import subprocess
import sys
from pathlib import Path

import pytest


def test_the_tests_of_datasketch_pass():
    pytest.importorskip("datasketch")
    script = Path(__file__).parent / "upstream.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=600)
    print(done.stdout)
    if done.stdout.startswith("skipped"):
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
