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

GATHERED = 64 << 20
"""Bytes of documents that are compared at once: 20,000 of 350 shingles."""


def lists(features: Any) -> Any:
    """The features of each document as a list of int64. Nulls are empty."""
    sets = compute.fill_null(features.cast(pyarrow.binary()), b"")
    _, offsets, content = sets.buffers()
    places: Any = pyarrow.Array.from_buffers(pyarrow.int32(), len(sets) + 1, [None, offsets], offset=sets.offset)
    content = content or pyarrow.py_buffer(b"")
    values: Any = pyarrow.Array.from_buffers(pyarrow.int64(), content.size // FEATURE_BYTES, [None, content])
    starts: Any = compute.divide(places, BYTES)
    return pyarrow.ListArray.from_arrays(starts, values)


def unpacked(features: bytes) -> Any:
    """Features that came from the driver."""
    return pyarrow.Array.from_buffers(pyarrow.int64(), len(features) // FEATURE_BYTES, [None, pyarrow.py_buffer(features)])


def salts(signatures: Any, band_keys: Any, plan: Plan) -> Any:
    """The salt of the band keys of each document, which is that of its group. It is 0 if all are one group."""
    return compute.bit_wise_xor(_first(band_keys), _first(array(columns.band_keys(signatures, plan))))


def _first(lists: Any) -> Any:
    """The first item of each list, or null if it has none."""
    is_filled = compute.greater(compute.list_value_length(lists), pyarrow.scalar(0, pyarrow.int32()))
    return compute.list_element(compute.if_else(is_filled, lists, None), 0)


def _grouped(batch: Any, plan: Plan) -> Any:
    """The features of each document as lists. Those of documents of different groups differ."""
    features = lists(batch["features"])
    of_group = salts(batch["signature"], batch["band_keys"], plan).take(compute.list_parent_indices(features))
    # A batch may be a slice of another one, whose first features are then not its own.
    offsets = compute.subtract(features.offsets, features.offsets[0])
    return pyarrow.ListArray.from_arrays(offsets, compute.bit_wise_xor(features.flatten(), of_group))


def _bytes(lists: Any) -> Any:
    """Lists of features, as `_grouped` makes them, as bytes."""
    offsets = compute.multiply(lists.offsets, BYTES)
    content = lists.values.buffers()[1] or pyarrow.py_buffer(b"")
    return pyarrow.Array.from_buffers(pyarrow.binary(), len(lists), [None, offsets.buffers()[1], content])


def _gathered(batches: Batches) -> Batches:
    """The batches of a task, joined to larger ones. An index or a hash table is built for each."""
    held: list[Any] = []
    for batch in batches:
        held.append(batch)
        if sum(each.nbytes for each in held) >= GATHERED:
            yield from _joined(held)
            held = []
    yield from _joined(held)


def _joined(batches: list[Any]) -> Batches:
    """One batch of several, or none of none."""
    if batches:
        yield from pyarrow.Table.from_batches(batches).combine_chunks().to_batches()


def partners(batches: Batches, options: dict[str, Any]) -> Batches:
    """The documents that are similar to a sampled one: its id and original, and the partner."""
    plan = Plan(**options["plan"])
    sampled = pyarrow.ipc.open_stream(options["sampled"]).read_all().combine_chunks().to_batches()[0]
    wanted = _bytes(_grouped(sampled, plan))
    for batch in _gathered(batches):
        found = columns.partners(wanted, _bytes(_grouped(batch, plan)), plan)
        of_sampled, rows = array(found["sampled"]), array(found["partner"])
        arrays = [sampled["id"].take(of_sampled), sampled["original"].take(of_sampled), batch["id"].take(rows)]
        yield pyarrow.RecordBatch.from_arrays(arrays, ["id", "original", "partner"])


def postings(batches: Batches, options: dict[str, Any]) -> Batches:
    """A row for each feature of each document: id, is_new, size, feature. Documents of different groups share no feature.

    If there are `wanted` features, a row for each of these.
    """
    plan, wanted = Plan(**options["plan"]), options["wanted"]
    for batch in batches if wanted is None else _gathered(batches):
        features = _grouped(batch, plan)
        rows, values = compute.list_parent_indices(features), features.flatten()
        if wanted is not None:
            is_wanted = compute.is_in(values, value_set=unpacked(wanted))
            rows, values = rows.filter(is_wanted), values.filter(is_wanted)
        arrays = [batch["id"].take(rows), batch["is_new"].take(rows), compute.list_value_length(features).take(rows), values]
        yield pyarrow.RecordBatch.from_arrays(arrays, ["id", "is_new", "size", "feature"])
