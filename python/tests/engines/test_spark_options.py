"""The command of `lookalike.spark` has the options of `lookalike dedup`, or says what stands in their place."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks
from conftest import ROOT
from lookalike import spark as on_spark
from lookalike.spark import _arguments, _dedup, _files
from lookalike.spark._elsewhere import ELSEWHERE

sparks.need_spark()

from lookalike.spark.__main__ import main  # noqa: E402

PROGRAM = Path(sys.executable).with_name("lookalike")


def test_each_option_of_the_program_is_known_or_has_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    ran = subprocess.run([PROGRAM, "dedup", "--help"], capture_output=True, text=True, check=True)
    theirs = set(re.findall(r"^(?:  -\w, |      )(--[a-z-]+)", ran.stdout, re.MULTILINE))
    ours = set(_arguments.parser()._option_string_actions)
    assert theirs <= ours and set(ELSEWHERE) < theirs and len(theirs) > 40
    assert not [option for option in ELSEWHERE if option in _arguments.parser().format_help()]
    page = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    for option, sentence in ELSEWHERE.items():
        assert f"`{option}`" in page, option
        with pytest.raises(SystemExit, match="2"):
            main(["in", "-o", "out", option, "1"])
        assert f"error: {option}: {sentence}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "simhash"], "Spark searches by minhash: lookalike dedup has simhash"),
        (["--delimiter", "ab"], "use one ASCII character, such as ; or |, or the word tab"),
        (["--quote", "none", "--escape", "\\"], "Spark undoes no escapes in fields without quotes: leave out --escape"),
        (["--against-containment", "0.5"], "--against-containment needs --against INPUT"),
        (["--against", "old", "--against-shingles", "5"], "--against-shingles needs --against-containment"),
        (["--measure", "dice"], "invalid choice: 'dice'"),
    ],
)
def test_wrong_usage_has_a_remedy(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["in", "-o", "out", *words])
    assert message in capsys.readouterr().err


def test_files_of_stop_words_are_read_by_the_driver(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("foo\nbar  baz\n", encoding="utf-8")
    given = _arguments.similarity(_arguments.parsed(["in", "-o", "out", "--stop-words", f"{tmp_path}/mine.txt,de", "-t", "0.7"]))
    assert {"foo", "bar", "baz", "und"} < set(given["stop_words"]) and given["threshold"] == 0.7
    assert lookalike.Plan(method="minhash", **given)
    assert _arguments.similarity(_arguments.parsed(["in", "-o", "out", "--stop-words", "de,en"])) == {"stop_words": "de,en"}


def test_words_of_jieba_are_read_by_the_driver(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("\u76f4\u51fb 5\n\n\u65b0\u673a\u573a\n", encoding="utf-8")
    given = _arguments.similarity(_arguments.parsed(["in", "-o", "out", "--tokens", "jieba", "--jieba-dict", f"{tmp_path}/own.txt"]))
    assert given["jieba_dict"] == ["\u76f4\u51fb 5", "\u65b0\u673a\u573a"]
    assert lookalike.Plan(method="minhash", **given).id != lookalike.Plan(method="minhash", tokens="jieba").id


def test_folds_are_those_of_the_program(session: Any, tmp_path: Path) -> None:
    texts = ["le 3 f\u00e9vrier il pleut \u00e0 Paris", "le 28 fevrier il pleut a Paris", "other words of another day of the week"]
    rows = "".join(json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(texts))
    (tmp_path / "in.jsonl").write_text(rows, encoding="utf-8")
    for words, kept in (["--fold", "digits,accents"], 2), ([], 3):
        assert main([str(tmp_path / "in.jsonl"), "-o", str(tmp_path / f"kept{kept}"), "--quiet", *words]) == 0
        alone = [PROGRAM, "dedup", tmp_path / "in.jsonl", "-o", tmp_path / "alone.jsonl", "--quiet", *words]
        subprocess.run(alone, check=True)
        on_one_machine = (tmp_path / "alone.jsonl").read_text(encoding="utf-8").splitlines()
        found = sorted(line for part in (tmp_path / f"kept{kept}").glob("part-*") for line in part.read_text(encoding="utf-8").splitlines())
        assert len(found) == kept and [json.loads(line)["id"] for line in found] == [json.loads(line)["id"] for line in on_one_machine]
    assert on_spark._plan.checked({"fold": ["accents", "digits"]})[1]["fold"] == "accents,digits"


def test_a_language_comes_before_a_file_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("de", "xx"):
        (tmp_path / name).write_text("foo", encoding="utf-8")
    assert _arguments.similarity(_arguments.parsed(["in", "-o", "out", "--stop-words", "de"])) == {"stop_words": "de"}
    words = _arguments.similarity(_arguments.parsed(["in", "-o", "out", "--stop-words", "de,xx"]))["stop_words"]
    assert words.count("foo") == 1 and "und" in words


def rows_of(folder: Path) -> list[str]:
    return sorted(line for part in folder.glob("*.csv") for line in part.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(("name", "delimiter", "character"), [("in.csv", ";", ";"), ("in.tsv", "|", "|"), ("in.csv", "tab", "\t")])
def test_tables_keep_their_delimiter_and_broken_rows_are_skipped(
    session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, delimiter: str, character: str
) -> None:
    text = "one two, three four five six seven eight"
    rows = ["id;text", f"1;{text}", "2", f"3;{text};more", f"4;{text}", "5;another, text"]
    (tmp_path / name).write_text("".join(row.replace(";", character) + "\n" for row in rows), encoding="utf-8")
    words = [str(tmp_path / name), "--delimiter", delimiter]
    alone = tmp_path / f"alone{Path(name).suffix}"
    ran = subprocess.run([PROGRAM, "dedup", *words, "-o", alone, "--quiet"], capture_output=True)
    assert main([*words, "-o", str(tmp_path / "kept"), "--quiet"]) == ran.returncode == 3
    assert rows_of(tmp_path / "kept") == sorted(alone.read_text(encoding="utf-8").splitlines())
    example = f"'2' of file://{tmp_path / name}"
    assert capsys.readouterr().err == f"skipped 2 rows with too many or too few fields, such as {example}\n"
    assert main([*words, "-o", str(tmp_path / "strict"), "--strict"]) == 1
    assert f"cannot read 2 rows with too many or too few fields, such as {example}: without --strict" in capsys.readouterr().err
    assert not [path.name for path in tmp_path.iterdir() if "strict" in path.name]


@pytest.mark.parametrize(
    ("name", "rows", "quotes"),
    [
        ("in.tsv", ['1\t"one two three four five six', "2\tseven eight nine ten", '3\televen twelve"', '4\t"one two three four five six'],
         ["--quote", "none"]),
        ("in.csv", ['1,"he said \\"one two three\\", four"', "2,seven eight nine ten", '3,"he said \\"one two three\\", four"'],
         ["--escape", "\\"]),
    ],
)
def test_tables_keep_their_quotes(session: Any, tmp_path: Path, name: str, rows: list[str], quotes: list[str]) -> None:
    header = "id\ttext" if name.endswith("tsv") else "id,text"
    (tmp_path / name).write_text("".join(row + "\n" for row in [header, *rows]), encoding="utf-8")
    words = [str(tmp_path / name), *quotes]
    alone = tmp_path / f"alone{Path(name).suffix}"
    ran = subprocess.run([PROGRAM, "dedup", *words, "-o", alone, "--quiet"], capture_output=True)
    assert main([*words, "-o", str(tmp_path / "kept"), "--quiet"]) == ran.returncode == 0
    assert rows_of(tmp_path / "kept") == sorted(alone.read_text(encoding="utf-8").splitlines()) == sorted([header, *rows[:-1]])


def test_a_row_with_too_few_fields_is_broken_although_it_has_all_that_are_used(
    session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in.csv").write_text("id,text,_corrupt_record\n1,one two,x\n2,three four\n3,five six,y\n", encoding="utf-8")
    words = [str(tmp_path / "in.csv"), "--dry-run", "--quiet", "--work", str(tmp_path / "work"), "--summary", str(tmp_path / "summary")]
    assert main(words) == 3
    example = f"'2,three four' of file://{tmp_path / 'in.csv'}"
    assert capsys.readouterr().err == f"skipped 1 row with too many or too few fields, such as {example}\n"
    summary = json.loads((tmp_path / "summary").read_text(encoding="utf-8"))
    assert (summary["documents"], summary["skipped"]) == (2, 1)
    frame, skipped = _files.read(session, [str(tmp_path / "in.csv")], "csv")
    assert skipped == 1 and [row["_corrupt_record"] for row in frame.orderBy("id").collect()] == ["x", "y"]


def test_an_error_of_the_cluster_is_not_taken_for_a_reader_without_broken_rows(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyspark.errors import PySparkException

    (tmp_path / "in.csv").write_text("id,text\n1,one\n2\n", encoding="utf-8")

    def fail(*_: Any, **__: Any) -> None:
        raise PySparkException("the server has gone away")

    monkeypatch.setattr(_files, "_without_broken", fail)
    with pytest.raises(PySparkException, match="the server has gone away"):
        _files.read(session, [str(tmp_path / "in.csv")], "csv")


def test_a_delimiter_is_for_tables_alone(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "in.parquet"), "-o", str(tmp_path / "out"), "--delimiter", ";"]) == 2
    assert capsys.readouterr().err == "error: --delimiter is for CSV and TSV, and the inputs are parquet: leave it out\n"


def test_a_folder_of_another_version_is_refused(session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = sparks.frame(session, ["one two"], [1])
    on_spark.dedup(documents, work=str(tmp_path / "work"))
    monkeypatch.setattr(_dedup, "STAGES", _dedup.STAGES + 1)
    with pytest.raises(lookalike.Incompatible, match="work was made by another version of lookalike: give another folder"):
        on_spark.dedup(documents, work=str(tmp_path / "work"))


def test_a_strict_run_stops_before_anything_is_written(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "one two"}\n{"id": 2,\n', encoding="utf-8")
    assert main([str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out"), "--strict"]) == 1
    example = f"""'{{"id": 2,' of file://{tmp_path / 'in.jsonl'}"""
    assert capsys.readouterr().err.startswith(f"error: cannot read a line that is no JSON, such as {example}: without --strict")
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_a_second_call_names_the_stages_that_it_takes_over(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sparks.frame(session, ["a b c d e f", "A b c d e f!", "x"], [1, 2, 3]).write.parquet(str(tmp_path / "in"))
    words = [str(tmp_path / "in"), "--dry-run", "--work", str(tmp_path / "work"), "--method", "minhash"]
    assert main(words) == 0
    assert "taken over" not in capsys.readouterr().err
    assert main(words) == 0
    printed = capsys.readouterr().err
    assert printed.startswith("taken over from an earlier call, with the times that they took then: the stages ")
    stages = printed.splitlines()[0].partition(" the stages ")[2].split(", ")
    # In the order in which they were made.
    assert [name for name in stages if name in ("documents", "originals", "pairs", "removed")] == ["documents", "originals", "pairs", "removed"]
    assert main([*words, "--quiet"]) == 0 and capsys.readouterr().err == printed.splitlines()[0] + "\n"


def test_values_out_of_range_are_refused_before_spark_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("lookalike.spark.__main__._session", lambda: pytest.fail("Spark was started"))
    words = [str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out")]
    for wrong in (["-t", "1.5"], ["--keep", "foo"], ["--bucket", "0"], ["--against", "old", "--against-containment", "2"]):
        assert main([*words, *wrong]) == 2
        assert re.fullmatch("error: [^\n]+\n", capsys.readouterr().err)
    for wrong in (["--audit", "0"], ["--audit", "-5"], ["--memory", "2GiB"], ["--no-such-option"]):
        with pytest.raises(SystemExit, match="2"):
            main([*words, *wrong])
        assert re.fullmatch("error: [^\n]+\npython -m lookalike.spark --help lists all options\n", capsys.readouterr().err)


def test_tables_keep_their_delimiter_and_another_one_must_be_named(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, mark in (("in.tsv", "\t"), ("in.csv", ";")):
        rows = [("id", "text"), ("1", "a b c d e f"), ("2", "x y")]
        (tmp_path / name).write_text("".join(mark.join(row) + "\n" for row in rows), encoding="utf-8")
    assert main([str(tmp_path / "in.tsv"), "-o", str(tmp_path / "kept")]) == 0
    parts = [path.read_text(encoding="utf-8") for path in (tmp_path / "kept").glob("part-*")]
    assert sorted(line for part in parts for line in part.splitlines()[1:]) == ["1\ta b c d e f", "2\tx y"]
    capsys.readouterr()
    assert main([str(tmp_path / "in.csv"), "-o", str(tmp_path / "other")]) == 1
    assert capsys.readouterr().err.endswith("has one column, 'id;text': name its delimiter by --delimiter\n")


def test_a_user_of_the_command_is_told_what_to_do_about_ids(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": 1, "text": "one two"}, {"id": 1, "text": "three four"}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main([str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert said == (
        "error: ids must be unique, and several documents have the id 1: name another field by --id-field, or change the ids of the inputs\n"
    )
