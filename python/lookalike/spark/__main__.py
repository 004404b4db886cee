"""`spark-submit` or `python -m lookalike.spark INPUT… --output OUT`: near-duplicates of files that a cluster reads."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lookalike._errors import LookalikeError
from lookalike.spark import dedup, ship, with_ids
from lookalike.spark._contained import SHINGLES
from lookalike.spark._dedup import BUCKET, LEADERS_ABOVE
from lookalike.spark._frames import check_columns
from lookalike.spark._paths import check_apart, check_foreign
from lookalike.spark._result import SparkDedup
from lookalike.spark._sentences import sentences

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FORMATS = {".parquet": "parquet", ".jsonl": "json", ".json": "json", ".csv": "csv", ".tsv": "csv", ".orc": "orc"}
"""The formats of Spark, by the extension of a file. A folder without an extension is Parquet."""

BROKEN = "_corrupt_record"
"""The column in which Spark keeps lines that it cannot read."""

COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz")

OF_A_CLUSTER = {"PYSPARK_GATEWAY_PORT", "SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE"}
"""Variables of spark-submit, or of a Spark that may be set up for a cluster. Its workers have a Python of their own."""

SIMILARITY: dict[str, type] = {
    "threshold": float,
    "measure": str,
    "shingle": int,
    "tokens": str,
    "stop_words": str,
    "recall": float,
    "num_perm": int,
    "bands": int,
    "rows": int,
    "scheme": str,
    "seed": int,
}
"""The options of similarity. Their names and defaults are those of `lookalike dedup`."""


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit code, as `lookalike dedup` has it: 0, 2 for an error, 3 if records were skipped."""
    arguments = _parsed(words)
    from pyspark.errors import AnalysisException
    from pyspark.sql import SparkSession

    # Without spark-submit, Spark would take the python3 of the path for its workers, which may have no pyarrow.
    if not OF_A_CLUSTER & os.environ.keys():
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = SparkSession.builder.appName("lookalike").getOrCreate()
    if "connect" not in type(session).__module__:
        # Spark warns of folders that are not there yet, with a stack trace. Connect has no such setting.
        session.sparkContext.setLogLevel("ERROR")
    try:
        _check_paths(arguments)
        result, skipped = _run(session, arguments)
    except AnalysisException as error:
        # Such as a path that is not there. The lines after the first one are the plan of a query.
        print(f"error: {str(error).splitlines()[0]}", file=sys.stderr)
        return 2
    except (LookalikeError, ValueError, KeyError, TypeError) as error:
        message = error.args[0] if isinstance(error, KeyError) else error
        print(f"error: {message}", file=sys.stderr)
        return 2
    print(sentences(result.summary), file=sys.stderr)
    print(f"the stages are in {_work(arguments)}: delete this folder when the result is what you want", file=sys.stderr)
    if arguments.summary is not None:
        with open(arguments.summary, "w", encoding="utf-8") as file:
            json.dump({**result.summary, "skipped": skipped}, file, indent=2)
            file.write("\n")
    return 3 if skipped else 0


def _work(arguments: argparse.Namespace) -> str:
    """The folder of the stages."""
    work: str = arguments.work or arguments.output.rstrip("/") + ".work"
    return work


def _check_paths(arguments: argparse.Namespace) -> None:
    """Raises `ValueError` if something would be lost."""
    read = [*arguments.inputs, *(arguments.against or [])]
    named = {f"--{name}": getattr(arguments, name) for name in ("output", "removed", "clusters", "pairs")}
    written = {option: path for option, path in named.items() if path is not None}
    check_apart(read, {**written, "--work": _work(arguments)})
    # What is in the folder of the stages is checked when it is known whether they are of a run.
    for option, path in written.items():
        check_foreign(f"{option} {path}", path)


def _run(session: SparkSession, arguments: argparse.Namespace) -> tuple[SparkDedup, int]:
    """The result, and how many records were skipped."""
    if arguments.ship:
        ship(session, None if arguments.ship == "installed" else arguments.ship)
    kind = arguments.format or _common_format(arguments.inputs)
    documents, skipped = _read(session, arguments.inputs, kind)
    if not documents.columns:
        raise ValueError(f"the inputs hold no documents: {', '.join(arguments.inputs)}")
    # Before ids are made, so that the message names the columns of the inputs alone.
    check_columns(documents, arguments.text_field)
    id = arguments.id_field or "id"
    is_made = arguments.id_field is None and "id" not in documents.columns
    against = None
    if arguments.against:
        against, skipped_too = _read(session, arguments.against, arguments.format or _common_format(arguments.against))
        skipped += skipped_too
    if is_made and against is not None:
        raise ValueError("with --against the documents need ids: name their field by --id-field")
    options: dict[str, Any] = {
        name: getattr(arguments, name) for name in SIMILARITY if getattr(arguments, name) is not None
    }
    result = dedup(
        with_ids(documents) if is_made else documents,
        text=arguments.text_field,
        id=id,
        work=_work(arguments),
        keep=arguments.keep,
        cluster=arguments.cluster,
        min_containment=arguments.min_containment,
        within=arguments.within,
        against=against,
        against_containment=arguments.against_containment,
        against_shingles=arguments.against_shingles,
        components=arguments.components,
        bucket=arguments.bucket,
        leaders_above=arguments.leaders_above,
        drop_frequent=arguments.drop_frequent,
        audit=arguments.audit,
        **options,
    )
    if arguments.annotate:
        # With ids that were made, which kept_id names.
        _write(result.annotate(), arguments.output, kind)
    elif not arguments.dry_run:
        _write(result.kept.drop(id) if is_made else result.kept, arguments.output, kind)
    for name in ("removed", "clusters", "pairs"):
        folder = getattr(arguments, name)
        if folder is not None:
            # The list of the command has the words that are lost, for which texts are read again.
            rows = result.uncovered() if name == "removed" else getattr(result, name)
            _write(rows, folder, _format(folder))
    if arguments.report is not None:
        result.report(arguments.report, arguments.inputs, skipped)
    return result, skipped


def _parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """The arguments, or the end of the program if two do not go together."""
    parser = _parser()
    arguments = parser.parse_args(words)
    if arguments.dry_run:
        for name in ("output", "annotate", "removed", "clusters", "pairs"):
            if getattr(arguments, name):
                parser.error(f"--dry-run writes only the summary: leave out --{name}")
        if arguments.work is None:
            parser.error("--dry-run needs --work FOLDER, as there is no output beside which stages could be")
    elif arguments.output is None:
        parser.error("say --output OUT, or --dry-run")
    for name in ("summary", "report"):
        file = getattr(arguments, name)
        if file is not None and not os.path.isdir(os.path.dirname(file) or "."):
            parser.error(f"--{name} {file}: there is no folder {os.path.dirname(file)}")
    return arguments


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lookalike.spark",
        description="Keep one document of each cluster of near-duplicates, on Apache Spark.",
        epilog="Paths are those of Spark: a folder or a file, in a file system, HDFS or object storage.",
    )
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="a folder, a file or a pattern")
    add("-o", "--output", metavar="OUT", help="the folder for the kept documents; an old one is replaced")
    add("--work", metavar="FOLDER", help="the folder for stages; the same command goes on from there (default: OUT.work)")
    add("--format", choices=sorted(set(FORMATS.values())), help="of inputs and output (default: by the extension, or parquet)")
    add("--text-field", default="text", metavar="FIELD", help="the field of texts (default: text)")
    add("--id-field", metavar="FIELD", help="the field of ids (default: id, or ids made from the content of each row)")
    add("--keep", default="first", metavar="POLICY", help="first, last, longest, max:FIELD, min:FIELD, none, or a number")
    add("--min-containment", type=float, metavar="0..1", help="remove a document only if this share of its shingles is in the kept one")
    add("--cluster", choices=["union", "star"], default="union",
        help="union: a chain of pairs connects a cluster; star: each removed document is similar to the kept one (default: union)")
    add("--within", type=lambda fields: tuple(fields.split(",")), default=(), metavar="FIELD",
        help="compare only documents with the same value in FIELD, or in each of several, such as dump,language")
    add("--dry-run", action="store_true", help="write only the summary; the stages are in --work")
    add("--annotate", action="store_true",
        help="keep every document, and add the columns cluster, kept, kept_id, jaccard, containment and duplicate_count")
    add("--against", action="append", metavar="INPUT", help="documents, or their sketches: what is similar to them is removed")
    add("--against-containment", type=float, metavar="0..1",
        help="also remove a document that contains one of --against, or is contained in one, by this share of the shorter one's shingles")
    add("--against-shingles", type=int, default=SHINGLES, metavar="N",
        help=f"do so only if the shorter document has N different shingles or more (default: {SHINGLES})")
    add("--removed", metavar="FOLDER", help="list the removed documents: id, kept_id, cluster, similarity, containment, uncovered_words and uncovered (words that only they have)")
    add("--clusters", metavar="FOLDER", help="list the members of all clusters: id, cluster, kept")
    add("--pairs", metavar="FOLDER", help="list the similar pairs of different content: a, b, similarity")
    add("--summary", metavar="FILE", help="write the summary as JSON, on the machine of the driver")
    add("--report", metavar="FILE", help="write an HTML report with charts and examples, on the machine of the driver; it quotes texts")
    add("--components", choices=["auto", "driver", "spark"], default="auto", help="where pairs are connected (default: auto)")
    add("--bucket", type=int, default=BUCKET, metavar="N", help=f"documents of a bucket whose pairs are listed (default: {BUCKET})")
    add("--leaders-above", type=int, default=LEADERS_ABOVE, metavar="N",
        help=f"documents of a bucket from which they are compared with leaders only (default: {LEADERS_ABOVE})")
    add("--drop-frequent", type=float, metavar="SHARE",
        help="leave out the shingles that more than this share of the documents have, such as 0.1; the summary names them")
    add("--audit", type=int, default=0, metavar="N",
        help="compare N random documents with all others exactly, and report the share of their pairs that the run found")
    add("--ship", nargs="?", const="installed", metavar="ARCHIVE", help="bring the package to executors that do not have it")
    for name, kind in SIMILARITY.items():
        add("--" + name.replace("_", "-"), type=kind, metavar=name.upper(), help="as for lookalike dedup")
    return parser


def _format(path: str) -> str:
    """The format of a path, by its extension."""
    for ending in COMPRESSIONS:
        path = path.removesuffix(ending)
    name = path.rstrip("/*").rpartition("/")[2]
    extension = os.path.splitext(name)[1]
    if extension not in FORMATS and os.path.isfile(path):
        raise ValueError(f"{path} has an unknown extension: say --format parquet, json, csv or orc")
    return FORMATS.get(extension, "parquet")


def _common_format(paths: Sequence[str]) -> str:
    """The format of several paths."""
    kinds = {_format(path): path for path in paths}
    if len(kinds) > 1:
        raise ValueError(f"the inputs have several formats ({', '.join(sorted(kinds.values()))}): give those of one format")
    return next(iter(kinds))


def _read(session: SparkSession, paths: Sequence[str], kind: str) -> tuple[DataFrame, int]:
    reader = session.read.format(kind)
    if kind == "csv":
        reader = reader.options(header=True, multiLine=True, escape='"', sep=_separator(paths[0]))
    frame = reader.load(list(paths))
    return _without_broken_lines(frame) if kind == "json" else (frame, 0)


def _without_broken_lines(frame: DataFrame) -> tuple[DataFrame, int]:
    """The frame without the lines that are no JSON, of which it names one, and their number."""
    # Spark adds this column if there are such lines. It would take them for rows of nulls.
    if BROKEN not in frame.columns:
        return frame, 0
    # Spark refuses a query about this column alone, unless the lines are kept.
    broken = frame.where(f"{BROKEN} IS NOT NULL").cache()
    skipped = broken.count()
    for row in broken.limit(1).collect():
        lines = "1 line that is" if skipped == 1 else f"{skipped:,} lines that are"
        print(f"skipped {lines} no JSON, such as {row[BROKEN]!r}", file=sys.stderr)
    broken.unpersist()
    return frame.where(f"{BROKEN} IS NULL").drop(BROKEN), skipped


def _write(frame: DataFrame, path: str, kind: str) -> None:
    writer = frame.write.mode("overwrite").format(kind)
    if kind == "csv":
        spaces = {"ignoreLeadingWhiteSpace": False, "ignoreTrailingWhiteSpace": False}
        writer = writer.options(header=True, escape='"', sep=_separator(path), **spaces)
    writer.save(path)


def _separator(path: str) -> str:
    return "\t" if ".tsv" in path else ","


if __name__ == "__main__":
    sys.exit(main())
