"""The arguments of the command: `python -m lookalike.spark INPUT… --output OUT`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, NoReturn

from lookalike._errors import PlanError
from lookalike._lookalike import stop_words
from lookalike.spark._audit import MOST
from lookalike.spark._contained import SHINGLES
from lookalike.spark._dedup import BUCKET, LEADERS_ABOVE
from lookalike.spark._elsewhere import add_elsewhere
from lookalike.spark._files import FORMATS

SIMILARITY: dict[str, dict[str, Any]] = {
    "threshold": {"type": float, "metavar": "0..1", "help": "the lowest similarity of a pair (default: 0.8)"},
    "measure": {
        "choices": ["jaccard", "word-jaccard", "cosine", "containment"],
        "help": "jaccard: shared shingles, divided by all of both texts; word-jaccard: the same of words; cosine: of the two sets of "
        "shingles; containment: shared shingles, divided by those of the smaller text (default: jaccard)",
    },
    "shingle": {"type": int, "metavar": "N", "help": "tokens per shingle (default: 5)"},
    "tokens": {
        "choices": ["words", "whitespace", "chars", "jieba"],
        "help": "how to cut texts: words, the text between white space, every character, or words with a dictionary of "
        "Chinese (default: words)",
    },
    "fold": {
        "metavar": "FOLD",
        "help": "what else does not count in texts: digits, accents, arabic-letters, hyphens, chinese; separate them by commas (default: nothing)",
    },
    "stop_words": {
        "metavar": "LANG|FILE",
        "help": "leave out the stop words of these languages (de en es fr it ja nl pl pt ru sv zh), or of these files on the machine of the "
        "driver; separate them by commas",
    },
    "jieba_dict": {"metavar": "FILE", "help": "words of your own for --tokens jieba, a line each, in a file on the machine of the driver"},
    "recall": {"type": float, "metavar": "0..1", "help": "the probability of finding a pair at the threshold (default: 0.995)"},
    "num_perm": {"type": int, "metavar": "N", "help": "values per signature (default: 128)"},
    "bands": {"type": int, "metavar": "N", "help": "bands of the signature (default: as many as fit)"},
    "rows": {"type": int, "metavar": "N", "help": "values per band (default: as many as the recall allows)"},
    "scheme": {"choices": ["bucketed", "classic"], "help": "the kind of MinHash; classic has a hash function per value (default: bucketed)"},
    "seed": {"type": int, "metavar": "N", "help": "the seed of all hash functions (default: 0)"},
}
"""The options of similarity. Their names and defaults are those of `lookalike dedup`."""


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, or the end of the program if two do not go together."""
    command = parser()
    arguments = command.parse_args(words)
    if arguments.dry_run:
        for name in ("output", "annotate", "removed", "clusters", "pairs"):
            if getattr(arguments, name):
                command.error(f"--dry-run writes only the summary: leave out --{name}")
        if arguments.work is None:
            command.error("--dry-run needs --work FOLDER, as there is no output beside which stages could be")
    elif arguments.output is None:
        command.error("say --output OUT, or --dry-run")
    if arguments.against_containment is not None and not arguments.against:
        command.error("--against-containment needs --against INPUT")
    if arguments.against_shingles is not None and arguments.against_containment is None:
        command.error("--against-shingles needs --against-containment 0..1")
    if arguments.quote is not None and arguments.escape is not None:
        command.error("Spark undoes no escapes in fields without quotes: leave out --escape, or write the table as Parquet or JSON first")
    for name in ("summary", "report"):
        file = getattr(arguments, name)
        if file is not None and not os.path.isdir(os.path.dirname(file) or "."):
            command.error(f"--{name} {file}: there is no folder {os.path.dirname(file)}")
    return arguments


def similarity(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of similarity that were given."""
    given = {name: getattr(arguments, name) for name in SIMILARITY if getattr(arguments, name) is not None}
    if "stop_words" in given:
        given["stop_words"] = _stop_words(given["stop_words"])
    if "jieba_dict" in given:
        with open(given["jieba_dict"], encoding="utf-8") as lines:
            given["jieba_dict"] = [line.rstrip("\n") for line in lines if line.strip()]
    return given


def _stop_words(given: str) -> str | list[str]:
    """Languages as they are given. If files are among them, the words of all: executors do not see the files of the driver."""
    parts = given.split(",")
    files = {part for part in parts if not _is_language(part) and os.path.isfile(part)}
    if not files:
        return given
    words: list[str] = []
    for part in parts:
        words += _words_of(part) if part in files else stop_words(part)
    return words


def _is_language(name: str) -> bool:
    """Whether there are stop words of this name. A file of the same name does not count, as in the program."""
    try:
        stop_words(name)
    except PlanError:
        return False
    return True


def _words_of(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().split()


def work_of(arguments: argparse.Namespace) -> str:
    """The folder of the stages."""
    work: str = arguments.work or arguments.output.rstrip("/") + ".work"
    return work


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Ends the command with the message alone: the usage is longer than a screen."""
        self.exit(2, f"error: {message}\n{self.prog} --help lists all options\n")


def parser() -> argparse.ArgumentParser:
    """The parser of the command."""
    made = _Parser(
        prog="python -m lookalike.spark",
        description="Keep one document of each cluster of near-duplicates, on Apache Spark.",
        epilog="Paths are those of Spark: a folder or a file, in a file system, HDFS or object storage. "
        "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.",
        # So that a new option changes the meaning of no old command.
        allow_abbrev=False,
    )
    _add_input(made.add_argument_group("input"))
    _add_output(made.add_argument_group("output"))
    _add_similarity(made.add_argument_group("similarity"))
    _add_run(made.add_argument_group("run"))
    add_elsewhere(made)
    return made


def _add_input(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="a folder, a file or a pattern")
    add("--format", choices=sorted(set(FORMATS.values())), help="of inputs and output (default: by the extension, or parquet)")
    add("--delimiter", type=_delimiter, metavar="CHARACTER",
        help="of CSV and TSV, inputs and output: one ASCII character, or the word tab (default: a comma in .csv, a tab in .tsv)")
    add("--quote", choices=["none"], help="of CSV and TSV, inputs and output: fields are never quoted, and a quote is text")
    add("--escape", choices=["\\"], metavar="'\\'",
        help="of CSV and TSV, inputs and output: in quoted fields a backslash before a quote or a backslash makes it text, as Spark writes it "
        "(default: a quote is written twice)")
    add("--text-field", default="text", metavar="FIELD", help="the field of texts (default: text)")
    add("--id-field", metavar="FIELD", help="the field of ids (default: id, or ids made from the content of each row)")
    add("--strict", action="store_true", help="stop at the first bad record of JSON or CSV instead of skipping it; nothing is written")
    add("--against", action="append", metavar="INPUT",
        help="documents, or their sketches: what is similar to them is removed; repeat it for several. Needs ids that no two of all documents share")


def _add_output(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("-o", "--output", metavar="OUT", help="the folder for the kept documents; an old one is replaced")
    add("--dry-run", action="store_true", help="write only the summary; the stages are in --work")
    add("--annotate", action="store_true",
        help="keep every document, and add the columns cluster, kept, kept_id, jaccard, containment and duplicate_count")
    add("--removed", metavar="FOLDER",
        help="list the removed documents: id, kept_id, cluster, similarity, containment, uncovered_words and uncovered (words that no "
        "shingle shared with the kept document covers); texts are read once more")
    add("--clusters", metavar="FOLDER", help="list the members of all clusters: id, cluster, kept")
    add("--pairs", metavar="FOLDER", help="list the similar pairs of different content: a, b, similarity")
    add("--summary", metavar="FILE", help="write the summary as JSON, on the machine of the driver")
    add("--report", metavar="FILE", help="write an HTML report with charts and examples, on the machine of the driver; it quotes texts")
    add("--keep", default="first", metavar="POLICY",
        help="which document of a cluster to keep: first or last (of ids), longest, max:FIELD, min:FIELD, none, or a number (default: first)")
    add("--min-containment", type=float, metavar="0..1", help="remove a document only if this share of its shingles is in the kept one")


def _add_similarity(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--method", type=_method, metavar="minhash", help="minhash, the only one on Spark; auto is the same")
    add("-t", "--threshold", **SIMILARITY["threshold"])
    for name in [name for name in SIMILARITY if name != "threshold"]:
        add("--" + name.replace("_", "-"), **SIMILARITY[name])
    add("--against-containment", type=float, metavar="0..1",
        help="also remove a document that contains one of --against, or is contained in one: if at least this share of the shorter "
        "document's distinct shingles is in the other")
    add("--against-shingles", type=int, metavar="N",
        help=f"ignore documents with fewer distinct shingles for --against-containment (default: {SHINGLES})")
    add("--cluster", choices=["union", "star"], default="union",
        help="union: a chain of pairs connects a cluster; star: each removed document is similar to the kept one (default: union)")
    add("--within", type=lambda fields: tuple(fields.split(",")), default=(), metavar="FIELD",
        help="compare only documents with the same value in FIELD, or in each of several, such as dump,language")
    add("--drop-frequent", type=float, metavar="SHARE",
        help="leave out the shingles that more than this share of the documents have, such as 0.1; the summary names them")


def _add_run(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--work", metavar="FOLDER", help="the folder for stages; the same command goes on from there (default: OUT.work)")
    add("--audit", type=_audited, default=0, metavar="N",
        help="compare N random documents with all others exactly, and report the share of their pairs that the run found")
    add("--components", choices=["auto", "driver", "spark"], default="auto", help="where pairs are connected (default: auto)")
    add("--bucket", type=int, default=BUCKET, metavar="N", help=f"documents of a bucket whose pairs are listed (default: {BUCKET})")
    add("--leaders-above", type=int, default=LEADERS_ABOVE, metavar="N",
        help=f"documents of a bucket from which they are compared with leaders only (default: {LEADERS_ABOVE})")
    add("--ship", nargs="?", const="installed", metavar="ARCHIVE", help="bring the package to executors that do not have it")
    add("-q", "--quiet", action="store_true", help="print only errors and skipped records: no summary")


def _audited(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= MOST:
        raise argparse.ArgumentTypeError(f"use a whole number from 1 to {MOST:,}")
    return int(word)


def _delimiter(word: str) -> str:
    character = "\t" if word == "tab" else word
    if len(character) != 1 or not character.isascii() or character in "\"'\r\n":
        raise argparse.ArgumentTypeError("use one ASCII character, such as ; or |, or the word tab; quotes and line ends are not possible")
    return character


def _method(word: str) -> str:
    if word not in ("auto", "minhash"):
        raise argparse.ArgumentTypeError(f"Spark searches by minhash: lookalike dedup has {word}")
    return word
