"""A program that finds near-duplicates on a Spark of any kind, and prints the result as JSON. The tests run it."""

from __future__ import annotations

import json
import sys
from typing import Any

from pyspark.sql import SparkSession

from lookalike import spark
from lookalike.spark import _audit


FREQUENT = 0.004
"""The share of the documents that a shingle has to be in to be left out."""

AUDITED = 10_000
"""More documents than there are, so that an audit takes all."""

OLD = "id % 4 = 0"
"""The documents that others are compared against."""

SAMPLED = 50
"""The documents of a second audit, which takes a part of them."""

SHARE = 0.4
"""The share of the shorter document for which one is removed."""


def session(kind: str) -> SparkSession:
    """classic, connect (with a server of its own) or the address of a server."""
    builder = SparkSession.builder
    if kind == "classic":
        builder = builder.master("local[2]").config("spark.ui.enabled", "false")
    elif kind == "connect":
        builder = builder.remote("local[2]")
    else:
        return builder.remote(kind).getOrCreate()
    return builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()


def main(kind: str, documents: str, work: str, *flags: str) -> None:
    """Prints the version of Spark, the cluster of each id, and the kept id of each removed one."""
    started = session(kind)
    texts, refused = started.read.parquet(documents), ""
    if "ship" in flags:
        try:
            spark.sketch(texts).count()
        except Exception as error:
            refused = str(error)
        spark.ship(started)
    options: dict[str, Any] = next((json.loads(flag) for flag in flags if flag.startswith("{")), {})
    result = spark.dedup(texts, work=work, components="spark" if "rounds" in flags else "auto", audit=AUDITED, **options)
    new, old = texts.where(f"NOT {OLD}"), texts.where(OLD)
    beside = spark.dedup(new, against=old, against_containment=SHARE, work=work + "-against", **options)
    # So that the sampled documents are several pieces.
    _audit.SENT = 30_000
    sampled = spark.dedup(texts, work=work, components="spark" if "rounds" in flags else "auto", audit=SAMPLED, **options)
    with_frequent = spark.dedup(texts, work=work + "-frequent", drop_frequent=FREQUENT)
    with_frequent.report(work + ".html")
    answer = {
        "refused": refused,
        "version": started.version,
        "class": type(started).__module__,
        "clusters": [[row["id"], row["cluster"]] for row in result.clusters.collect()],
        "removed": [[row["id"], row["kept_id"], row["similarity"]] for row in result.removed.collect()],
        "tasks": result.summary["skew"]["documents"],
        "annotated": sorted(row["id"] for row in result.annotate().where("kept").collect()),
        "frequent": with_frequent.summary["frequent_shingles"],
        "audit": result.summary["audit"],
        "sampled": sampled.summary["audit"],
        "sampled_ids": sorted(row["id"] for row in started.read.parquet(f"{work}/sampled-{SAMPLED}").collect()),
        "uncovered": [[row["id"], row["uncovered_words"], row["uncovered"]] for row in result.uncovered().collect()],
        "beside": [[row["id"], row["against_containment"]] for row in beside.removed.collect()],
        "kept": sorted(row["id"] for row in result.kept.select("id").collect()),
    }
    print(json.dumps(answer))
    started.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
