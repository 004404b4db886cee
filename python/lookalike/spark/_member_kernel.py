"""What executors run on whole clusters: a row is a cluster, or the pairs of a component."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow
from pyarrow import compute

from lookalike import columns
from lookalike._lookalike import Plan
from lookalike.spark._plan import FEATURE_BYTES, REASONS

Batches = Iterator[Any]
"""Record batches of pyarrow."""

JACCARD = Plan(method="minhash", threshold=REASONS)
"""The plan by which shares of features are counted, whatever measure decides."""

MEMBERS_AT_ONCE = 1000
"""Members of a cluster that are compared with the kept one at once. Its features are copied for each of them."""


def array(column: Any) -> Any:
    """A column of Lookalike as an array of pyarrow."""
    return pyarrow.array(column)


def groups(batches: Batches, column: str) -> Iterator[dict[str, Any]]:
    """The fields of each group. A row is a group: a list of structs in `column`, and its `size`."""
    for batch in batches:
        for row, size in enumerate(batch["size"].to_pylist()):
            members = batch[column].slice(row, 1).flatten()
            if len(members) != size:
                raise RuntimeError(f"a group of {size} {column} came with {len(members)}: the engine has lost rows of a group")
            yield dict(zip([field.name for field in members.type], members.flatten(), strict=True))


def xored(band_keys: Any, salts: Any) -> Any:
    """The band keys of each document with a salt. Documents without the same salt share no key."""
    keys = compute.bit_wise_xor(band_keys.flatten(), salts.take(compute.list_parent_indices(band_keys)))
    return pyarrow.ListArray.from_arrays(band_keys.offsets, keys)


def contained(left: Any, right: Any) -> Any:
    """The share of the features of each left document that the right one has. It is 1 for two documents of none."""
    jaccard = compute.fill_null(array(columns.verify(left, right, JACCARD)), 0.0)
    sizes = [compute.divide(compute.binary_length(side), FEATURE_BYTES).cast(pyarrow.float64()) for side in (left, right)]
    # J is c / (l + r - c), so c is J (l + r) / (1 + J): a whole number, but for the last bits of a float.
    shared = compute.round(compute.divide(compute.multiply(jaccard, compute.add(*sizes)), compute.add(jaccard, 1.0)))
    return compute.if_else(compute.equal(left, right), 1.0, compute.fill_null(compute.divide(shared, sizes[0]), 0.0))


def spare(batches: Batches, options: dict[str, Any]) -> Batches:
    """For each member of a cluster the document that is kept for it, which contains at least the share `least` of it."""
    for members in groups(batches, "members"):
        yield _spared(members, options["least"])


def _spared(fields: dict[str, Any], least: float) -> pyarrow.RecordBatch:
    """The preferred member is kept, then the preferred one of the members that it does not contain, and so on."""
    stays = fields["stays"].to_pylist()
    left: list[Any] = compute.sort_indices(fields["place"]).to_pylist()
    kept_for = list(range(len(stays)))
    while left:
        kept, *left = left
        removed = _contained_in(kept, [member for member in left if not stays[member]], fields["features"], least)
        for member in removed:
            kept_for[member] = kept
        left = [member for member in left if member not in removed]
    return pyarrow.RecordBatch.from_arrays([fields["id"], fields["id"].take(pyarrow.array(kept_for))], ["id", "kept_id"])


def _contained_in(kept: int, members: list[int], features: Any, least: float) -> set[int]:
    """The members that a kept document contains."""
    found: set[int] = set()
    for start in range(0, len(members), MEMBERS_AT_ONCE):
        some = members[start : start + MEMBERS_AT_ONCE]
        shares = contained(features.take(pyarrow.array(some)), features.take(pyarrow.array([kept] * len(some))))
        found.update(member for member, share in zip(some, shares.to_pylist(), strict=True) if share >= least)
    return found


def stars(batches: Batches, _: dict[str, Any]) -> Batches:
    """The centre of each document of a component, and whether an earlier centre could not take it."""
    yield from map(_stars, groups(batches, "pairs"))


def _stars(fields: dict[str, Any]) -> pyarrow.RecordBatch:
    """Each document that is in no star becomes a centre, in the order of preference, and takes its later partners."""
    earlier, later = fields["earlier"].to_pylist(), fields["later"].to_pylist()
    ids = dict(zip(earlier, fields["earlier_id"].to_pylist(), strict=True))
    ids.update(zip(later, fields["later_id"].to_pylist(), strict=True))
    partners: dict[int, list[tuple[int, bool]]] = {}
    for first, second, is_taken in zip(earlier, later, fields["takes"].to_pylist(), strict=True):
        partners.setdefault(first, []).append((second, is_taken))
    centres: dict[int, int] = {}
    refused: set[int] = set()
    for document in sorted(ids):
        if document in centres:
            continue
        centres[document] = document
        for partner, is_taken in partners.get(document, ()):
            if partner in centres:
                continue
            if is_taken:
                centres[partner] = document
            else:
                refused.add(partner)
    kind = fields["earlier_id"].type
    arrays = [
        pyarrow.array([ids[document] for document in centres], kind),
        pyarrow.array([ids[centre] for centre in centres.values()], kind),
        pyarrow.array([document in refused and document == centre for document, centre in centres.items()]),
    ]
    return pyarrow.RecordBatch.from_arrays(arrays, ["id", "cluster", "refused"])
