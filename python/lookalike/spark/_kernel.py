"""What executors run: functions over record batches. They depend on no order of rows and on no partition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
from pyarrow import compute

from lookalike import columns
from lookalike._lookalike import Plan

Batches = Iterator[Any]
"""Record batches of pyarrow."""


def _array(column: Any) -> Any:
    return pyarrow.array(column)


def describe(batches: Batches, options: dict[str, Any]) -> Batches:
    """The sketch of each text, beside the columns that are not the text."""
    plan = Plan(**options)
    for batch in batches:
        table = columns.documents(batch["text"], plan)
        made = {name: _array(table[name]) for name in table.columns}
        # Bytes, as everywhere in Lookalike, and not characters. A null is an empty text.
        made["length"] = compute.fill_null(compute.binary_length(batch["text"]).cast(pyarrow.int64()), 0)
        others = {name: batch[name] for name in batch.schema.names if name != "text"}
        arrays = {**others, **made}
        yield pyarrow.RecordBatch.from_arrays(list(arrays.values()), list(arrays))


def passes(batches: Batches, options: dict[str, Any]) -> Batches:
    """Whether the signatures of candidates agree in enough values."""
    plan = Plan(**options)
    for batch in batches:
        passed = _array(columns.passes(batch["left"], batch["right"], plan))
        yield pyarrow.RecordBatch.from_arrays([batch["a"], batch["b"], passed], ["a", "b", "passes"])


def compare(batches: Batches, options: dict[str, Any]) -> Batches:
    """The candidates that are similar."""
    plan = Plan(**options)
    for batch in batches:
        similarity = _array(columns.verify(batch["left"], batch["right"], plan))
        compared = pyarrow.RecordBatch.from_arrays([batch["a"], batch["b"], similarity], ["a", "b", "similarity"])
        yield compared.filter(similarity.is_valid())


def similarities(batches: Batches, options: dict[str, Any]) -> Batches:
    """The similarity of each removed document and the kept one, which may be below the threshold."""
    plan = Plan(**options)
    for batch in batches:
        similarity = compute.fill_null(_array(columns.verify(batch["left"], batch["right"], plan)), 0.0)
        arrays = {name: batch[name] for name in batch.schema.names if name not in ("left", "right")}
        arrays["similarity"] = similarity
        yield pyarrow.RecordBatch.from_arrays(list(arrays.values()), list(arrays))


def compare_buckets(batches: Batches, options: dict[str, Any]) -> Batches:
    """The similar pairs of large buckets. A row is a whole bucket."""
    plan = Plan(**options)
    for batch in batches:
        for row in range(batch.num_rows):
            members = batch["members"].slice(row, 1).flatten()
            if len(members) != batch["size"][row].as_py():
                raise RuntimeError(
                    f"a bucket of {batch['size'][row].as_py()} documents came with {len(members)}: "
                    "the engine has lost rows of a group"
                )
            yield _bucket_pairs(members, plan)


def _bucket_pairs(members: Any, plan: Plan) -> pyarrow.RecordBatch:
    names = [field.name for field in members.type]
    fields = dict(zip(names, members.flatten(), strict=True))
    found = columns.bucket_pairs(fields["features"], fields["signature"], plan)
    rows = [_array(found[side]) for side in ("a", "b")]
    a, b = (fields["id"].take(places) for places in rows)
    sides = [fields["side"].take(places) for places in rows]
    is_turned = compute.greater(a, b)
    arrays = [
        compute.if_else(is_turned, b, a),
        compute.if_else(is_turned, a, b),
        _array(found["similarity"]),
    ]
    pairs = pyarrow.RecordBatch.from_arrays(arrays, ["a", "b", "similarity"])
    # Documents that were there before are not compared with each other.
    return pairs.filter(compute.equal(compute.max_element_wise(*sides), pyarrow.scalar(1, pyarrow.int32())))
