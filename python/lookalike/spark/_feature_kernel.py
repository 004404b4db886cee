"""Features on executors: as lists of numbers, and as rows of their own."""

from __future__ import annotations

from typing import Any

import pyarrow
from pyarrow import compute

from lookalike import columns
from lookalike._lookalike import Plan
from lookalike.spark._member_kernel import Batches, array
from lookalike.spark._plan import FEATURE_BYTES

BYTES = pyarrow.scalar(FEATURE_BYTES, pyarrow.int32())
"""The bytes of a feature, in the type of offsets."""


def lists(features: Any) -> Any:
    """The features of each document as a list of int64. Nulls are empty."""
    sets = compute.fill_null(features.cast(pyarrow.binary()), b"")
    _, offsets, content = sets.buffers()
    places: Any = pyarrow.Array.from_buffers(pyarrow.int32(), len(sets) + 1, [None, offsets], offset=sets.offset)
    content = content or pyarrow.py_buffer(b"")
    values: Any = pyarrow.Array.from_buffers(pyarrow.int64(), content.size // FEATURE_BYTES, [None, content])
    starts: Any = compute.divide(places, BYTES)
    return pyarrow.ListArray.from_arrays(starts, values)


def salts(signatures: Any, band_keys: Any, plan: Plan) -> Any:
    """The salt of the band keys of each document, which is that of its group. It is 0 if all are one group."""
    return compute.bit_wise_xor(_first(band_keys), _first(array(columns.band_keys(signatures, plan))))


def _first(lists: Any) -> Any:
    """The first item of each list, or null if it has none."""
    is_filled = compute.greater(compute.list_value_length(lists), pyarrow.scalar(0, pyarrow.int32()))
    return compute.list_element(compute.if_else(is_filled, lists, None), 0)


def postings(batches: Batches, options: dict[str, Any]) -> Batches:
    """A row for each feature of each document: id, is_new, size, feature. Documents of different groups share no feature."""
    plan = Plan(**options)
    for batch in batches:
        features = lists(batch["features"])
        rows = compute.list_parent_indices(features)
        of_group = salts(batch["signature"], batch["band_keys"], plan).take(rows)
        arrays = [
            batch["id"].take(rows),
            batch["is_new"].take(rows),
            compute.list_value_length(features).take(rows),
            compute.bit_wise_xor(features.flatten(), of_group),
        ]
        yield pyarrow.RecordBatch.from_arrays(arrays, ["id", "is_new", "size", "feature"])
