"""What executors run: functions over record batches. They depend on no order of rows and on no partition."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import pyarrow
from pyarrow import compute

from lookalike import columns
from lookalike._lookalike import Plan
from lookalike.spark._feature_kernel import partners, postings
from lookalike.spark._frequent_kernel import occurrences, suspects, thin
from lookalike.spark._member_kernel import Batches, array, contained, groups, spare, stars, xored

__all__ = [
    "compare",
    "compare_buckets",
    "containments",
    "describe",
    "occurrences",
    "partners",
    "passes",
    "postings",
    "similarities",
    "spare",
    "stars",
    "suspects",
    "thin",
    "uncover",
]


def describe(batches: Batches, options: dict[str, Any]) -> Batches:
    """The sketch of each text, beside the columns that are not the text. A column `within` names the group of each text."""
    plan = Plan(**options)
    for batch in batches:
        table = columns.documents(batch["text"], plan)
        made = {name: array(table[name]) for name in table.columns}
        # Bytes, as everywhere in Lookalike, and not characters. A null is an empty text.
        made["length"] = compute.fill_null(compute.binary_length(batch["text"]).cast(pyarrow.int64()), 0)
        if "within" in batch.schema.names:
            made.update(_of_groups(made["content"], made["band_keys"], batch["within"].to_pylist()))
        others = {name: batch[name] for name in batch.schema.names if name not in ("text", "within")}
        arrays = {**others, **made}
        yield pyarrow.RecordBatch.from_arrays(list(arrays.values()), list(arrays))


def _of_groups(content: Any, band_keys: Any, groups: list[str]) -> dict[str, Any]:
    """Contents and band keys that documents of different groups do not share, but by a chance of 2 to the power of -64."""
    marks = {group: blake2b(group.encode(), digest_size=16).digest() for group in set(groups)}
    mixed = [
        None if value is None else blake2b(value, key=marks[group], digest_size=16).digest()
        for value, group in zip(content.to_pylist(), groups, strict=True)
    ]
    salts = pyarrow.array([int.from_bytes(marks[group][:8], "little", signed=True) for group in groups], pyarrow.int64())
    return {"content": pyarrow.array(mixed, pyarrow.binary()), "band_keys": xored(band_keys, salts)}


def passes(batches: Batches, options: dict[str, Any]) -> Batches:
    """Whether the signatures of candidates agree in enough values."""
    plan = Plan(**options)
    for batch in batches:
        passed = array(columns.passes(batch["left"], batch["right"], plan))
        yield pyarrow.RecordBatch.from_arrays([batch["a"], batch["b"], passed], ["a", "b", "passes"])


def compare(batches: Batches, options: dict[str, Any]) -> Batches:
    """The candidates that are similar."""
    plan = Plan(**options)
    for batch in batches:
        similarity = array(columns.verify(batch["left"], batch["right"], plan))
        compared = pyarrow.RecordBatch.from_arrays([batch["a"], batch["b"], similarity], ["a", "b", "similarity"])
        yield compared.filter(similarity.is_valid())


def similarities(batches: Batches, options: dict[str, Any]) -> Batches:
    """The similarity of each removed document and the kept one, which may be below the threshold, and its share in that one."""
    plan = Plan(**options)
    for batch in batches:
        left, right = batch["left"], batch["right"]
        arrays = {name: batch[name] for name in batch.schema.names if name not in ("left", "right")}
        similarity = compute.fill_null(array(columns.verify(left, right, plan)), 0.0)
        # Copies may have no features left.
        arrays["similarity"] = compute.if_else(compute.equal(left, right), 1.0, similarity)
        arrays["containment"] = contained(left, right)
        yield pyarrow.RecordBatch.from_arrays(list(arrays.values()), list(arrays))


def uncover(batches: Batches, options: dict[str, Any]) -> Batches:
    """The words of removed texts that no shingle of the kept documents covers."""
    plan = Plan(**options)
    for batch in batches:
        made = columns.uncovered(batch["text"], batch["kept"], plan)
        arrays = {"id": batch["id"], **{name: array(made[name]) for name in made.columns}}
        yield pyarrow.RecordBatch.from_arrays(list(arrays.values()), list(arrays))


def containments(batches: Batches, _: dict[str, Any]) -> Batches:
    """The share of each document of a pair that the other one has."""
    for batch in batches:
        left, right = batch["left"], batch["right"]
        arrays = {"a": batch["a"], "b": batch["b"], "a_in_b": contained(left, right), "b_in_a": contained(right, left)}
        yield pyarrow.RecordBatch.from_arrays(list(arrays.values()), list(arrays))


def compare_buckets(batches: Batches, options: dict[str, Any]) -> Batches:
    """The similar pairs of large buckets. A row is a whole bucket."""
    plan = Plan(**options)
    for members in groups(batches, "members"):
        yield _bucket_pairs(members, plan)


def _bucket_pairs(fields: dict[str, Any], plan: Plan) -> pyarrow.RecordBatch:
    found = columns.bucket_pairs(fields["features"], fields["signature"], plan)
    rows = [array(found[side]) for side in ("a", "b")]
    a, b = (fields["id"].take(places) for places in rows)
    sides = [fields["side"].take(places) for places in rows]
    is_turned = compute.greater(a, b)
    arrays = [
        compute.if_else(is_turned, b, a),
        compute.if_else(is_turned, a, b),
        array(found["similarity"]),
    ]
    pairs = pyarrow.RecordBatch.from_arrays(arrays, ["a", "b", "similarity"])
    # Documents that were there before are not compared with each other.
    return pairs.filter(compute.equal(compute.max_element_wise(*sides), pyarrow.scalar(1, pyarrow.int32())))
