"""What executors run over the features of documents: they count them, and leave frequent ones out."""

from __future__ import annotations

from typing import Any

import pyarrow
from pyarrow import compute

from lookalike import columns
from lookalike._lookalike import Plan
from lookalike.spark._feature_kernel import BYTES, lists, salts, unpacked
from lookalike.spark._member_kernel import Batches, array, xored

LEAST_COUNT = 10
"""The documents that a suspect is in, where a task has enough documents. If it were one, every feature would be a suspect."""

MOST_HELD = 1 << 27
"""Bytes of features that are counted at once. Two such groups are held."""


def suspects(batches: Batches, options: dict[str, Any]) -> Batches:
    """The features that more than a share of some documents have: those of a few batches, one after the other."""
    share = options["share"]
    before: list[Any] = []
    group: list[Any] = []
    for batch in batches:
        group.append(batch["features"])
        if sum(map(len, group)) * share >= LEAST_COUNT or sum(each.nbytes for each in group) > MOST_HELD:
            yield from _suspects(before, share)
            before, group = group, []
    # The last documents may be few, so they are counted together with those before them.
    yield from _suspects(before + group, share)


def _suspects(group: list[Any], share: float) -> Batches:
    if not group:
        return
    counted = compute.value_counts(pyarrow.chunked_array([lists(sets).flatten() for sets in group]))
    values, counts = counted.flatten()
    # A little less, so that rounding loses none. All of these are counted in the end.
    least = pyarrow.scalar((1 - 1e-9) * share * sum(map(len, group)), pyarrow.float64())
    often = compute.greater(counts.cast(pyarrow.float64()), least)
    yield pyarrow.RecordBatch.from_arrays([values.filter(often)], ["feature"])


def occurrences(batches: Batches, options: dict[str, Any]) -> Batches:
    """In how many documents of a batch each of some features is, and the id of one of them."""
    wanted = unpacked(options["features"])
    for batch in batches:
        sets = lists(batch["features"])
        rows, features = compute.list_parent_indices(sets), sets.flatten()
        is_wanted = compute.is_in(features, value_set=wanted)
        found = pyarrow.table({"feature": features.filter(is_wanted), "row": rows.filter(is_wanted)})
        # Documents without an id are counted, and not named.
        named = compute.if_else(batch["id"].is_valid().take(found["row"]), found["row"], None)
        found = found.append_column("named", named)
        totals = found.group_by("feature").aggregate([("row", "count"), ("named", "min")]).combine_chunks()
        example = batch["id"].take(totals["named_min"].combine_chunks())
        made = pyarrow.table([totals["feature"], totals["row_count"], example], ["feature", "documents", "example"])
        yield from made.to_batches()


def thin(batches: Batches, options: dict[str, Any]) -> Batches:
    """The documents without some of their features, with the signatures and band keys of what is left."""
    plan = Plan(**options["plan"])
    dropped = unpacked(options["features"])
    for batch in batches:
        features = _without(batch["features"], dropped)
        signature = array(columns.sketch_features(features, plan)).cast(pyarrow.binary())
        # Documents that are compared within a group have keys with a salt, which the keys of the old signature tell.
        of_group = salts(batch["signature"], batch["band_keys"], plan)
        new = array(columns.band_keys(signature, plan))
        made = {"features": features, "signature": signature, "band_keys": xored(new, of_group)}
        arrays = {name: made.get(name, batch[name]) for name in batch.schema.names}
        yield pyarrow.RecordBatch.from_arrays(list(arrays.values()), list(arrays))


def _without(features: Any, dropped: Any) -> Any:
    """The features of each document that are none of these."""
    sets = lists(features)
    values = sets.flatten()
    stays = compute.invert(compute.is_in(values, value_set=dropped))
    # How many stay before each place.
    before = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int32()), compute.cumulative_sum(stays.cast(pyarrow.int32()))])
    places = before.take(compute.subtract(sets.offsets, sets.offsets[0]))
    offsets = compute.multiply(places, BYTES).buffers()[1]
    content = values.filter(stays).buffers()[1] or pyarrow.py_buffer(b"")
    left = pyarrow.Array.from_buffers(pyarrow.binary(), len(features), [None, offsets, content])
    return compute.if_else(features.is_valid(), left, None)
