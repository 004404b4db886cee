"""The command of `lookalike.spark` overwrites nothing that it reads, and nothing that somebody else has put there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lookalike
from lookalike.spark._paths import check_apart, check_foreign


@pytest.mark.parametrize(
    ("read", "written", "message"),
    [
        (["a.jsonl"], {"--output": "a.jsonl"}, "--output a.jsonl would overwrite the input a.jsonl"),
        (["a/b"], {"--work": "a"}, "--work a would overwrite the input a/b"),
        (["a"], {"--output": "./a/kept/"}, "--output ./a/kept/ would overwrite the input a"),
        (["a/*/c.parquet"], {"--output": "a"}, "--output a would overwrite"),
        (["s3a://b/in/"], {"--work": "s3a://b"}, "--work s3a://b would overwrite"),
        (["in"], {"--output": "out", "--removed": "out/removed"}, "--output out and --removed out/removed overlap"),
        (["file:///tmp/in"], {"--output": "/tmp/in"}, "--output /tmp/in would overwrite"),
    ],
)
def test_paths_that_overlap_are_refused(read: list[str], written: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_apart(read, written)


@pytest.mark.parametrize(
    ("read", "written"),
    [
        (["in"], {"--output": "out", "--work": "out.work", "--removed": "out-removed"}),
        (["in/*.jsonl", "in-2"], {"--output": "in/kept", "--work": "in/work"}),
        (["s3a://b/in"], {"--output": "s3a://b/out", "--work": "s3a://c/in"}),
    ],
)
def test_paths_apart_are_accepted(read: list[str], written: dict[str, str]) -> None:
    check_apart(read, written)


def test_only_folders_of_spark_are_replaced(tmp_path: Path) -> None:
    check_foreign("--output", str(tmp_path / "none"))
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "part-00000.parquet").touch()
    check_foreign("--output", str(tmp_path))
    (tmp_path / "notes.txt").touch()
    with pytest.raises(ValueError, match="--output holds notes.txt, which would be lost"):
        check_foreign("--output", str(tmp_path))
    with pytest.raises(ValueError, match="is a file: give a folder"):
        check_foreign("--output", str(tmp_path / "notes.txt"))


def test_the_command_says_what_is_wrong_in_a_line(tmp_path: Path, capsys: Any) -> None:
    import sparks

    sparks.need_spark()
    from lookalike import spark
    from lookalike.spark.__main__ import main

    given = tmp_path / "in.jsonl"
    given.write_text('{"id": 1, "text": "one two three"}\n', encoding="utf-8")
    (tmp_path / "in.txt").touch()
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").touch()
    with sparks.classic() as session:
        for words, code, message in (
            ([str(given), "--output", str(given)], 2, "would overwrite the input"),
            ([str(tmp_path / "none.jsonl"), "--output", str(tmp_path / "out")], 1, "PATH_NOT_FOUND"),
            ([str(tmp_path / "in.txt"), "--output", str(tmp_path / "out")], 2, "in.txt has an unknown extension: say --format"),
            ([str(tmp_path / "empty.jsonl"), "--output", str(tmp_path / "out")], 1, "the inputs hold no documents: "),
            ([str(given), "--text-field", "body", "--output", str(tmp_path / "out")], 1, 'no column "body"; the columns are id, text'),
            ([str(given), "b.csv", "--output", str(tmp_path / "out")], 2, "the inputs have several formats"),
            ([str(given), "--dry-run", "--work", str(tmp_path / "mine")], 1, "holds notes, and is of no run"),
        ):
            assert main(words) == code
            said = capsys.readouterr().err
            assert message in said and sum(line.startswith("error: ") for line in said.splitlines()) == 1
        frame = sparks.frame(session, ["a b"], [1])
        with pytest.raises(lookalike.InputError, match="holds notes, and is of no run"):
            spark.dedup(frame, work=str(tmp_path / "mine"))
    assert given.read_text(encoding="utf-8").startswith('{"id": 1') and (tmp_path / "mine" / "notes").exists()
