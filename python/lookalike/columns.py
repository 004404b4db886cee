"""Functions over Arrow columns, for Spark, Ray, Daft, Polars and DuckDB.

Each works row for row, on one thread, and holds no state. Of equal plans, the values are the same everywhere. An argument
is anything with the Arrow interface: an array of pyarrow, a Series of polars or pandas, a column of Lookalike. Results go
into these libraries without a copy: `pyarrow.array(result)`.

>>> import lookalike
>>> from lookalike import columns
>>> plan = lookalike.Plan(method="minhash", threshold=0.7)
>>> texts = columns.of(["one two three four five six", "One, two, three; four five six!", None])
>>> signatures = columns.sketch(texts, plan)
>>> [None if value is None else len(value) for value in signatures]
[512, 512, None]
>>> columns.estimate(signatures, signatures).to_pylist()
[1.0, 1.0, None]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from lookalike._lookalike import (
    Plan,
    Run,
    column_of_band_keys,
    column_of_estimates,
    column_of_list,
    column_of_passes,
    column_of_shingles,
    column_of_signatures,
    column_of_similarities,
    column_of_texts,
    table_of_bucket_pairs,
    table_of_clusters,
    table_of_documents,
    table_of_partners,
    table_of_uncovered,
)
from lookalike._table import Columns, Table, needed

if TYPE_CHECKING:
    import pyarrow

__all__ = [
    "band_keys",
    "binary_vectors",
    "bucket_pairs",
    "clusters",
    "content",
    "documents",
    "estimate",
    "features",
    "fingerprint",
    "of",
    "partners",
    "passes",
    "shingles",
    "sketch",
    "sketch_features",
    "uncovered",
    "verify",
]


def _run() -> Run:
    return Run(1)


def of(texts: Sequence[str | None]) -> Columns:
    """A column of texts."""
    return Columns(column_of_list(list(texts)))


def sketch(column: Any, plan: Plan) -> Columns:
    """The signature of each text: 4 bytes for each of its values, little-endian. Null for a text without tokens."""
    return Columns(column_of_texts("sketch", column, plan, _run()))


def fingerprint(column: Any, plan: Plan) -> Columns:
    """The SimHash fingerprint of each text: uint64, or 16 bytes, big-endian. Null for a text without tokens."""
    return Columns(column_of_texts("fingerprint", column, plan, _run()))


def binary_vectors(sketches: Any) -> pyarrow.ListArray[pyarrow.UInt8Scalar]:
    """The bytes of each signature or fingerprint as a list of uint8, as Milvus imports binary vectors. Needs pyarrow and numpy.

    A fingerprint of 64 bits has its highest byte first, as in files of the command `lookalike sketch`.
    """
    arrow = needed("pyarrow")
    column = arrow.array(sketches)
    if arrow.types.is_uint64(column.type):
        values = column.fill_null(0).to_numpy().astype(">u8")
        fixed = arrow.Array.from_buffers(arrow.binary(8), len(column), [None, arrow.py_buffer(values)])
        column = needed("pyarrow.compute").if_else(column.is_valid(), fixed, None)
    column = column.cast(arrow.binary())
    # Bytes and lists of uint8 have the same offsets.
    valid, offsets, content = column.buffers()
    items = arrow.Array.from_buffers(arrow.uint8(), content.size, [None, content])
    kind = arrow.list_(arrow.uint8())
    lists = arrow.Array.from_buffers(kind, len(column), [valid, offsets], offset=column.offset, children=[items])
    return cast("pyarrow.ListArray[pyarrow.UInt8Scalar]", lists)


def features(column: Any, plan: Plan) -> Columns:
    """The features of each text, which `verify` compares: distinct hashes of 8 bytes, little-endian, ascending."""
    return Columns(column_of_texts("features", column, plan, _run()))


def shingles(column: Any, plan: Plan) -> Columns:
    """The different shingles of each text, in the order of its `features`: a list of texts, or null for a text without tokens.

    The tokens of a shingle are joined by spaces, also if they are characters.
    """
    return Columns(column_of_shingles(column, plan, _run()))


def sketch_features(features: Any, plan: Plan) -> Columns:
    """The signature of each set of features, which is the one that `sketch` makes of the text. Null for a set of none."""
    return Columns(column_of_signatures(features, plan, _run()))


def content(column: Any, plan: Plan) -> Columns:
    """16 bytes for each text, which are equal for texts of equal shingles. They find copies before all else."""
    return Columns(column_of_texts("content", column, plan, _run()))


def documents(column: Any, plan: Plan) -> Table:
    """The columns content, signature, band_keys, features and words (their number) of each text, made in one pass over it."""
    return Table(table_of_documents(column, plan, _run()))


def band_keys(signatures: Any, plan: Plan) -> Columns:
    """The keys of the bands of each signature, as a list of int64. Keys of different bands differ."""
    return Columns(column_of_band_keys(signatures, plan, _run()))


def passes(left: Any, right: Any, plan: Plan) -> Columns:
    """Whether two signatures agree in enough values to be compared, row for row. The search of `dedup` compares no others."""
    return Columns(column_of_passes(left, right, plan, _run()))


def bucket_pairs(features: Any, signatures: Any, plan: Plan) -> Table:
    """The similar pairs among documents that share a band key: the rows a and b, and their similarity.

    It finds the pairs that `passes` and `verify` find. A large bucket takes far less time than all of its pairs do.
    """
    return Table(table_of_bucket_pairs(features, signatures, plan, _run()))


def verify(left: Any, right: Any, plan: Plan) -> Columns:
    """The exact similarity of two columns of `features`, row for row. Null below the threshold."""
    return Columns(column_of_similarities(left, right, plan, _run()))


def partners(sampled: Any, features: Any, plan: Plan) -> Table:
    """The pairs of two columns of `features` whose similarity reaches the threshold, with none missed: the rows sampled and partner.

    The sampled documents are held in an inverted index, so give the smaller column first.
    """
    return Table(table_of_partners(sampled, features, plan, _run()))


def uncovered(column: Any, kept: Any, plan: Plan) -> Table:
    """The words of each text that no shingle shared with a kept document covers: uncovered_words (their number) and uncovered.

    `kept` has the `features` of the kept document, row for row. The column uncovered has the first 50 words, with … at each gap, and
    (+12) for twelve more.
    """
    return Table(table_of_uncovered(column, kept, plan, _run()))


def estimate(left: Any, right: Any) -> Columns:
    """The share of equal values of two columns of signatures, row for row."""
    return Columns(column_of_estimates(left, right, _run()))


def clusters(a: Any, b: Any) -> Table:
    """The connected components of edges: the columns id and cluster, which is the least id. Ids are integers or texts."""
    return Table(table_of_clusters(a, b, _run()))
