"""The program `lookalike`, and the import of the package."""

import importlib.metadata
import os
import pathlib
import signal
import subprocess
import sys
import sysconfig
import time

import lookalike
from conftest import corpus, jsonl, python

PROGRAM = pathlib.Path(sysconfig.get_path("scripts")) / "lookalike"


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, **options)


def test_version_is_that_of_the_package():
    assert lookalike.__version__ == importlib.metadata.version("lookalike")
    assert run("--version").stdout == f"lookalike {lookalike.__version__}\n"


def test_python_m_lookalike_is_the_same_program():
    command = [sys.executable, "-m", "lookalike", "--help"]
    assert subprocess.run(command, capture_output=True, text=True).stdout == run("--help").stdout


def test_exit_codes_are_those_of_the_program(tmp_path):
    assert run("dedup", tmp_path / "missing.jsonl", "-o", "-").returncode == 1
    assert run("dedup", "--thresold", "0.5").returncode == 2
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"text": "some words"}\nno json\n')
    assert run("dedup", bad, "-o", "-").returncode == 3


def test_outputs_are_written_by_the_command(tmp_path):
    jsonl(tmp_path / "in.jsonl", ["some words that stay", "some words that stay", "others"])
    done = run("dedup", "in.jsonl", "-o", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2


def test_ctrl_c_ends_the_command_and_leaves_no_output(tmp_path):
    pipe = tmp_path / "in.jsonl"
    os.mkfifo(pipe)
    process = subprocess.Popen([PROGRAM, "dedup", pipe, "-o", tmp_path / "out.jsonl"], stderr=subprocess.PIPE, text=True)
    with pipe.open("w") as written:
        written.write('{"text": "some words"}\n')
        written.flush()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 1, errors
    assert "interrupted" in errors
    assert not (tmp_path / "out.jsonl").exists()


def test_import_loads_no_other_library():
    program = "import sys, lookalike; print(*sorted({'numpy', 'pandas', 'polars', 'pyarrow', 'datasets'} & set(sys.modules)))"
    assert python(program).stdout == "\n"


def test_import_takes_less_than_a_tenth_of_a_second():
    def seconds(program):
        started = time.perf_counter()
        assert python(program).returncode == 0
        return time.perf_counter() - started

    seconds("import lookalike")
    # The least of several, because other programs run at the same time.
    with_import = min(seconds("import lookalike") for _ in range(15))
    without = min(seconds("pass") for _ in range(15))
    assert with_import - without < 0.1


def test_dedup_is_the_same_as_that_of_the_command(tmp_path, texts):
    path = jsonl(tmp_path / "in.jsonl", texts)
    done = run("dedup", path, "-o", tmp_path / "out.jsonl", "--clusters", tmp_path / "clusters.csv")
    assert done.returncode == 0, done.stderr
    result = lookalike.dedup(texts)
    assert (tmp_path / "out.jsonl").read_text() == "".join(
        line for line, stays in zip(path.read_text().splitlines(keepends=True), result.mask) if stays
    )
    rows = [line.split(",") for line in (tmp_path / "clusters.csv").read_text().splitlines()[1:]]
    of_command = [(int(id[1:]), int(cluster), kept == "true") for id, cluster, kept in rows]
    of_package = [(row["row"], row["cluster"], row["kept"]) for row in result.clusters]
    assert of_package == of_command
