"""`spark-submit` or `python -m lookalike.spark INPUT… --output OUT`: near-duplicates of files that a cluster reads."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lookalike._errors import Incompatible, InputError, LookalikeError
from lookalike.spark import _plan, dedup, ship, with_ids
from lookalike.spark._arguments import parsed, similarity, work_of
from lookalike.spark._contained import AgainstContainment
from lookalike.spark._dedup import checked_bounds
from lookalike.spark._documents import UnusableIds
from lookalike.spark._files import common_format, delimiter_of, format_of, quotes_of, read, write
from lookalike.spark._frames import check_columns
from lookalike.spark._keep import Choice, Keep
from lookalike.spark._paths import check_apart, check_foreign
from lookalike.spark._result import SparkDedup
from lookalike.spark._sentences import sentences

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

OF_A_CLUSTER = {"PYSPARK_GATEWAY_PORT", "SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE"}
"""Variables of spark-submit, or of a Spark that may be set up for a cluster. Its workers have a Python of their own."""


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit code, as `lookalike dedup` has it: 0, 1 if it failed, 2 for wrong usage, 3 if records were skipped."""
    arguments = parsed(words)
    from pyspark.errors import AnalysisException, SparkRuntimeException

    try:
        _check_values(arguments)
        _check_paths(arguments)
        result, skipped = _run(_session(), arguments)
    except (AnalysisException, SparkRuntimeException) as error:
        # Such as a path that is not there. The lines after the first one are the plan of a query.
        return _failed(str(error).splitlines()[0])
    except KeyboardInterrupt:
        return _failed("interrupted: the same command goes on after the last complete stage", code=130)
    except UnusableIds as error:
        return _failed(f"{error.problem}: name another field by --id-field, or change the ids of the inputs")
    except (LookalikeError, ValueError, KeyError, TypeError) as error:
        is_usage = isinstance(error, ValueError) and not isinstance(error, Incompatible)
        return _failed(error.args[0] if isinstance(error, KeyError) else error, code=2 if is_usage else 1)
    if result.taken_over:
        stages = ", ".join(result.taken_over)
        print(f"taken over from an earlier call, with the times that they took then: the stages {stages}", file=sys.stderr)
    if not arguments.quiet:
        _report(result, arguments)
    if arguments.summary is not None:
        with open(arguments.summary, "w", encoding="utf-8") as file:
            json.dump({**result.summary, "skipped": skipped}, file, indent=2)
            file.write("\n")
    return 3 if skipped else 0


def _failed(message: object, code: int = 1) -> int:
    print(f"error: {message}", file=sys.stderr)
    return code


def _report(result: SparkDedup, arguments: argparse.Namespace) -> None:
    """Prints what the run has found, and where its stages are."""
    print(sentences(result.summary), file=sys.stderr)
    print(f"the stages are in {work_of(arguments)}: delete this folder when the result is what you want", file=sys.stderr)


def _session() -> SparkSession:
    from pyspark.sql import SparkSession

    # Without spark-submit, Spark would take the python3 of the path for its workers, which may have no pyarrow.
    if not OF_A_CLUSTER & os.environ.keys():
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = SparkSession.builder.appName("lookalike").getOrCreate()
    if "connect" not in type(session).__module__:
        # Spark warns of folders that are not there yet, with a stack trace. Connect has no such setting.
        session.sparkContext.setLogLevel("ERROR")
    return session


def _check_values(arguments: argparse.Namespace) -> None:
    """Raises an error for a value that is out of range, before Spark starts."""
    plan, _ = _plan.checked(similarity(arguments))
    Choice(Keep.parsed(arguments.keep), arguments.cluster, arguments.min_containment).checked()
    checked_bounds(arguments.bucket, arguments.leaders_above, arguments.drop_frequent, plan)
    AgainstContainment.checked(arguments.against_containment, arguments.against_shingles, has_against=bool(arguments.against))


def _check_paths(arguments: argparse.Namespace) -> None:
    """Raises `ValueError` if something would be lost."""
    inputs = [*arguments.inputs, *(arguments.against or [])]
    named = {f"--{name}": getattr(arguments, name) for name in ("output", "removed", "clusters", "pairs")}
    written = {option: path for option, path in named.items() if path is not None}
    check_apart(inputs, {**written, "--work": work_of(arguments)})
    # What is in the folder of the stages is checked when it is known whether they are of a run.
    for option, path in written.items():
        check_foreign(f"{option} {path}", path)


def _run(session: SparkSession, arguments: argparse.Namespace) -> tuple[SparkDedup, int]:
    """The result, and how many records were skipped."""
    if arguments.ship:
        ship(session, None if arguments.ship == "installed" else arguments.ship)
    kind = arguments.format or common_format(arguments.inputs)
    kind_of_old = arguments.format or common_format(arguments.against or arguments.inputs)
    for option in ("delimiter", "quote", "escape"):
        if getattr(arguments, option) is not None and "csv" not in (kind, kind_of_old):
            raise ValueError(f"--{option} is for CSV and TSV, and the inputs are {kind}: leave it out")
    dialect: dict[str, Any] = {"delimiter": arguments.delimiter, "quotes": quotes_of(arguments.quote, arguments.escape)}
    documents, skipped = read(session, arguments.inputs, kind, **dialect, is_strict=arguments.strict)
    if not documents.columns:
        raise InputError(f"the inputs hold no documents: {', '.join(arguments.inputs)}")
    # Before ids are made, so that the message names the columns of the inputs alone.
    if arguments.text_field not in documents.columns and ("," in arguments.text_field or "[]" in arguments.text_field):
        several = 'df.withColumn("text", lookalike.spark.text_of("title", "messages[].content"))'
        raise ValueError(f"--text-field names one column on Spark: call lookalike.spark.dedup with {several}")
    check_columns(documents, arguments.text_field)
    is_made = arguments.id_field is None and "id" not in documents.columns
    against = None
    if arguments.against:
        against, skipped_too = read(session, arguments.against, kind_of_old, **dialect, is_strict=arguments.strict)
        skipped += skipped_too
    if is_made and against is not None:
        raise ValueError("with --against the documents need ids: name their field by --id-field")
    result = _decided(with_ids(documents) if is_made else documents, against, arguments)
    _write(result, kind, is_made, arguments)
    if arguments.report is not None:
        result.report(arguments.report, arguments.inputs, skipped)
    return result, skipped


def _decided(documents: DataFrame, against: DataFrame | None, arguments: argparse.Namespace) -> SparkDedup:
    return dedup(
        documents,
        text=arguments.text_field,
        id=arguments.id_field or "id",
        work=work_of(arguments),
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
        **similarity(arguments),
    )


def _write(result: SparkDedup, kind: str, is_made: bool, arguments: argparse.Namespace) -> None:
    """Writes the documents and the lists. With `is_made`, the inputs had no ids."""
    if not arguments.dry_run:
        # A table keeps its delimiter, unless the name of the output says another one.
        has_name = os.path.splitext(arguments.output.rstrip("/"))[1] != ""
        delimiter = arguments.delimiter or delimiter_of(arguments.output if has_name else arguments.inputs[0])
        # Ids that were made stay in an annotated output, because kept_id names them.
        rows = result.annotate() if arguments.annotate else result.kept.drop("id") if is_made else result.kept
        write(rows, arguments.output, kind, delimiter, quotes_of(arguments.quote, arguments.escape))
    for name in ("removed", "clusters", "pairs"):
        folder = getattr(arguments, name)
        if folder is not None:
            # The list of the command has the words that are lost, for which texts are read again.
            rows = result.uncovered() if name == "removed" else getattr(result, name)
            write(rows, folder, format_of(folder))


if __name__ == "__main__":
    sys.exit(main())
