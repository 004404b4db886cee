"""The search for pairs: documents, copies, buckets, candidates and verified pairs, each a stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lookalike._errors import Incompatible, InputError
from lookalike._lookalike import Plan
from lookalike.spark import _buckets
from lookalike.spark._documents import SKETCH_COLUMNS, check_ids, described_by, stored
from lookalike.spark._executors import on_executors
from lookalike.spark._frames import check_columns, check_text, id_type, quoted, sql
from lookalike.spark._frequent import Frequent, frequent, thinned
from lookalike.spark._groups import group
from lookalike.spark._keys import over
from lookalike.spark._rank import NO_RANK, rank
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Input(NamedTuple):
    """Documents, as the caller names their columns."""

    frame: DataFrame
    text: str
    id: str
    rank: str | None = None
    """The column that the keep policy ranks by."""
    within: tuple[str, ...] = ()
    """Only documents with the same values in these columns are compared."""

    def expressions(self) -> dict[str, str]:
        """What goes through the sketch unchanged."""
        return {"rank": NO_RANK, **self.ranks(self.frame), "row_check": self.check(), **self.groups()}

    def ranks(self, frame: DataFrame) -> dict[str, str]:
        """The ranks of a frame that the keep policy ranks by, if it has them."""
        return {"rank": rank(frame, self.rank)} if self.rank and self.rank in frame.columns else {}

    def groups(self) -> dict[str, str]:
        """The group of each document, if only documents of a group are compared."""
        return {"within": group(self.within)} if self.within else {}

    def checked(self) -> Input:
        """The same, or an error that names a column that is missing or of a wrong type."""
        check_columns(self.frame, self.text, self.id, *([self.rank] if self.rank else []), *self.within)
        check_text(self.frame, self.text)
        id_type(self.frame, self.id)
        return self

    def check(self) -> str:
        """A number for each row, by which it is known again."""
        known = [f"CAST({quoted(self.id)} AS string)", quoted(self.text), *self.ranks(self.frame).values(), *self.groups().values()]
        return f"xxhash64({', '.join(known)})"


class Found(NamedTuple):
    """What a search found, as frames of stages."""

    documents: DataFrame
    """All documents: id, side (1 for new ones, 0 for those that were there before), rank, row_check, and a sketch."""
    described: DataFrame
    """The same with all shingles, also those that are left out."""
    originals: DataFrame
    """Each document with words, and the first document of the same content: id, side, original."""
    members: DataFrame
    """The documents of each bucket of two or more: key, size, id, side."""
    candidates: DataFrame
    """Pairs that share a band key: a, b, passes. Pairs of large buckets are not listed."""
    pairs: DataFrame
    """Similar pairs of documents of different content: a, b, similarity."""
    kind: str
    """The type of ids."""
    frequent: Frequent | None
    """The shingles that were left out, if that was asked for. The documents have the others."""


def search(
    given: Input,
    against: DataFrame | None,
    plan: Plan,
    options: dict[str, Any],
    bounds: _buckets.Bounds,
    work: Work,
) -> Found:
    """Finds the similar pairs of documents, and of documents and `against`."""
    kind = id_type(given.frame, given.id)
    new = work.stage(
        "documents",
        lambda: described_by(given.frame, given.text, given.id, options, given.expressions()),
        check_ids,
    )
    _check_input(given, new, work)
    documents = new.selectExpr("id", "1 AS side", "rank", "row_check", *SKETCH_COLUMNS)
    if against is not None:
        old = _against(given, against, plan, options, kind, work)
        known = "rank" if "rank" in old.columns else f"{NO_RANK} AS rank"
        others = "0 AS side", known, "CAST(NULL AS bigint) AS row_check"
        documents = documents.unionByName(old.selectExpr("id", *others, *SKETCH_COLUMNS))

    def ids_are_unique(_: DataFrame) -> None:
        if against is not None:
            check_ids(documents)

    originals = work.stage("originals", lambda: _originals(documents, documents.count()), ids_are_unique)
    left_out = None if bounds.frequent is None else frequent(documents, bounds.frequent, kind, work)
    described = documents
    if left_out is not None:
        documents = thinned(documents, left_out, options, work)
    members = work.stage("members", lambda: _buckets.members(documents, originals, work.rows("originals")))
    candidates = work.stage("candidates", lambda: _filtered(documents, members, options, bounds, kind))
    result = f"a {kind}, b {kind}, similarity double"

    def of_buckets() -> DataFrame:
        large = _buckets.of_size(members, above=bounds.bucket, most=bounds.leaders_above)
        if not large.limit(1).count():
            # Joins would send all documents for no bucket.
            return work.session.createDataFrame([], result)
        return _buckets.whole(among(documents, large, "id"), large).mapInArrow(on_executors("compare_buckets", options), result)

    # A row is a whole bucket, with the features of all its documents.
    bucket_pairs = work.stage("bucket_pairs", of_buckets, rows_at_once=1)

    def verified() -> DataFrame:
        passed = candidates.where("passes")
        similar = compared(among(documents, passed, "a", "b"), passed, "compare", options, kind, "similarity double")
        return similar.unionByName(bucket_pairs).groupBy("a", "b").agg(sql("max(similarity) AS similarity"))

    pairs = work.stage("pairs", verified)
    return Found(documents, described, originals, members, candidates, pairs, kind, left_out)


def _check_input(given: Input, documents: DataFrame, work: Work) -> None:
    """Raises `InputError` if the frame has other ids or texts than the stage that was made of it."""
    counted = [sql("count(*) AS documents"), sql("sum(CAST(row_check AS decimal(38, 0))) AS total")]
    before = documents.select("row_check").agg(*counted).collect()[0]
    now = given.frame.selectExpr(f"{given.check()} AS row_check").agg(*counted).collect()[0]
    if tuple(before) == tuple(now):
        return
    if "documents" in work.written:
        raise InputError(
            "the frame has other ids or texts each time that Spark computes it: write it, and read it back", work.folder
        )
    raise InputError(
        f"{work.folder} is the work of other documents ({before['documents']}; this call has {now['documents']}): "
        "give another folder, or delete it",
        work.folder,
    )


def _against(
    given: Input, against: DataFrame, plan: Plan, options: dict[str, Any], kind: str, work: Work
) -> DataFrame:
    """The documents that were there before, as sketches."""
    old = stored(against, plan)
    if old is not None and given.within:
        raise Incompatible("stored sketches have no columns to compare within: give the old documents, or leave within out")
    id = given.id if old is None else "id"
    check_columns(against, id, *given.within)
    if id_type(against, id) != kind:
        raise TypeError(
            f"the ids of df have type {kind}, and those of against have type {id_type(against, id)}: cast one of them"
        )
    if old is not None:
        return old.withColumn("id", sql(f"CAST(id AS {kind})"))
    others = {**given.ranks(against), **given.groups()}
    return work.stage("against", lambda: described_by(against, given.text, given.id, options, others))


def _originals(documents: DataFrame, count: int) -> DataFrame:
    """For each document with words the first one of the same content. Documents that were there before come first."""
    with_words = documents.where("content IS NOT NULL").select("id", "side", "content")
    return over(with_words, "content", count, first="min(struct(side, id))").selectExpr("id", "side", "first.id AS original")


def _filtered(
    documents: DataFrame, members: DataFrame, options: dict[str, Any], bounds: _buckets.Bounds, kind: str
) -> DataFrame:
    """The candidates, and whether their signatures agree in enough values."""
    candidates = _buckets.candidates(members, bounds)
    return compared(among(documents, members, "id"), candidates, "passes", options, kind, "passes boolean", "signature")


def among(documents: DataFrame, named: DataFrame, *columns: str) -> DataFrame:
    """The documents whose ids are in these columns. Joins send what is left, and sketches are most of the data."""
    return documents.join(named.selectExpr(f"explode(array({', '.join(columns)})) AS id").distinct(), "id", "left_semi")


def compared(
    documents: DataFrame,
    candidates: DataFrame,
    function: str,
    options: dict[str, Any],
    kind: str,
    result: str,
    column: str = "features",
) -> DataFrame:
    """What a function of the executors makes of two columns of each candidate pair."""
    left = documents.selectExpr("id AS a", f"{column} AS left")
    right = documents.selectExpr("id AS b", f"{column} AS right")
    both = candidates.select("a", "b").join(left, "a").join(right, "b").select("a", "b", "left", "right")
    return both.mapInArrow(on_executors(function, options), f"a {kind}, b {kind}, {result}")
