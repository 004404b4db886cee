"""Options of `lookalike dedup` that the command on Spark does not have, and what stands in their place."""

from __future__ import annotations

import argparse
from typing import Any

SETS = "Spark compares sets of shingles, which all weigh the same: lookalike dedup has weights"
SIMHASH = "this is an option of SimHash, and Spark searches by MinHash: lookalike dedup has SimHash"
INDEX = "there is no index on Spark: store what lookalike.spark.sketch(df) makes, and give it to --against the next time"
COLUMNS = "rename the columns first: df.withColumnRenamed('question', 'text')"

ELSEWHERE = {
    "--all-records": "inputs are tables and JSON, not archives",
    "--extract": "inputs are tables and JSON, not pages: extract the texts of pages first",
    "--max-record": "leave rows with very long texts out of the input: df.where('length(text) < 100000000')",
    "--memory": "the memory is that of Spark: spark-submit --executor-memory 8g --driver-memory 4g",
    "--temp-dir": "stages are in --work, and Spark's own files are where its setting spark.local.dir says",
    "--threads": "the number of tasks at the same time is that of Spark: spark-submit --executor-cores 4, or --master 'local[4]'",
    "--config": "give the options as words; settings of Spark go into a file for spark-submit --properties-file",
    "--join": "make one column first: df.withColumn(\"text\", lookalike.spark.text_of(\"title\", \"body\", join=\" \"))",
    "--against-text-field": COLUMNS,
    "--against-id-field": COLUMNS,
    "--only-against": "give --cluster star, and remove only documents of --removed whose kept_id is one of --against",
    "--update": INDEX,
    "--url-field": INDEX,
    "--title-field": INDEX,
    "--priority-field": INDEX,
    "--meta-field": INDEX,
    "--weights": SETS,
    "--frequencies": SETS,
    "--levels": SETS,
    "--hamming": SIMHASH,
    "--verify": "Spark compares every candidate exactly: lookalike dedup has estimates and SimHash",
    "--bits": SIMHASH,
    "--tie": SIMHASH,
    "--feature-hash": SIMHASH,
}
"""A sentence for each of these options."""


def add_elsewhere(parser: argparse.ArgumentParser) -> None:
    """Makes the parser name a remedy for each of these options. The help does not list them."""
    for option in ELSEWHERE:
        parser.add_argument(option, nargs="?", action=_Elsewhere, help=argparse.SUPPRESS)


class _Elsewhere(argparse.Action):
    """Ends the command with the sentence of the option."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:
        parser.error(f"{self.option_strings[0]}: {ELSEWHERE[self.option_strings[0]]}")
