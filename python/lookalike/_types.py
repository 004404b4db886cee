"""The types of arguments and options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict

if TYPE_CHECKING:
    from lookalike._files import Files
    from lookalike._lookalike import Frequencies
    from lookalike._progress import Progress


class ArrowStream(Protocol):
    """Anything that gives its content as an Arrow stream: tables and columns of pyarrow, polars, pandas and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ArrowArray(Protocol):
    """Anything that gives its content as an Arrow array."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class PandasSeries(Protocol):
    """`pandas.Series`, whose stubs do not tell of Arrow."""

    def isna(self) -> Any: ...
    def tolist(self) -> list[Any]: ...


class HfDataset(Protocol):
    """`datasets.Dataset`."""

    def with_format(self, type: str | None = None) -> Any: ...
    def select(self, indices: Iterable[int]) -> Any: ...


Path: TypeAlias = str | PathLike[str]
Text: TypeAlias = str | Sequence[str]
"""The column of texts, or several. `messages[].content` is a field in the elements of a list."""
Data: TypeAlias = "Sequence[str] | Sequence[str | None] | Sequence[Mapping[str, Any]] | ArrowStream | ArrowArray | PandasSeries | HfDataset | Files"

Method: TypeAlias = Literal["auto", "minhash", "exact", "simhash"]
Measure: TypeAlias = Literal["jaccard", "word-jaccard", "cosine", "containment"]
Tokens: TypeAlias = Literal["words", "whitespace", "chars", "jieba"]
Fold: TypeAlias = Literal["digits", "accents", "arabic-letters", "hyphens", "chinese"]
Weights: TypeAlias = Literal["set", "tf", "log-tf", "tf-idf", "levels"]


class PlanOptions(TypedDict, total=False):
    """What is similar, and how it is searched. Names and defaults are those of the command line."""

    threshold: float | None
    """The least similarity of a pair, above 0 and up to 1. Default 0.8."""
    measure: Measure | None
    """Default "jaccard": shared shingles, divided by all shingles of both texts."""
    shingle: int | None
    """Tokens of a shingle, from 1 to 1000. Default 5, or 1 for "word-jaccard" and for `similar`."""
    tokens: Tokens | None
    """How texts are cut into tokens. Default "words": letters and digits with their marks; case and compatibility forms do not count."""
    fold: str | Iterable[Fold] | None
    """What else does not count: "digits", "accents", "arabic-letters", "hyphens", "chinese", or several, as in "digits,accents"."""
    stop_words: str | Iterable[str] | None
    """A language, such as "en", or words that do not count."""
    jieba_dict: Iterable[str] | None
    """Words of your own for tokens="jieba": lines with a word, and perhaps its frequency. An open file of jieba is one."""
    method: Method | None
    """Default "auto": exact where that costs little, otherwise minhash."""
    recall: float | None
    """minhash: the chance that a pair at the threshold is found, below 1. Default 0.995."""
    num_perm: int | None
    """minhash: values of a signature, from 8 to 4096. Default 128."""
    bands: int | None
    """minhash: bands of a signature. Default: as many as fit."""
    rows: int | None
    """minhash: values of a band. Default: as many as the recall allows."""
    scheme: Literal["bucketed", "classic"] | None
    """minhash: how signatures are made. Default "bucketed"."""
    seed: int | None
    """The seed of all hash functions. Default 0."""
    hamming: int | None
    """simhash: bits in which fingerprints may differ, up to 12. Default 3, or 10 with `verify`; of 128 bits 6 and 12."""
    bits: Literal[64, 128] | None
    """simhash: bits of a fingerprint. Default 64."""
    verify: bool | Literal["exact", "estimate"] | None
    """simhash: compare the pairs that it finds exactly. Default False: the distance decides alone. minhash: with "estimate", the
    similarity that signatures estimate decides, and nothing is compared."""
    weights: Weights | None
    """Weights of features, in fingerprints and for the cosine. Default "set"."""
    frequencies: Frequencies | None
    """The table for weights="tf-idf" or drop_frequent. Default: counted in the data first."""
    levels: Mapping[str, int] | None
    """Levels from 1 to 5 of words or shingles, for weights="levels". A word that the tokens cut has none, and a warning names it."""
    feature_hash: Literal["xxh3", "murmur3", "fnv1a64", "md5", "sha1"] | None
    """simhash: the hash function that makes features of shingles. Default "xxh3"."""
    tie: Literal["zero", "one"] | None
    """simhash: the value of a bit with equal weights for 0 and 1. Default "zero"."""


class SearchOptions(PlanOptions, total=False):
    """What is similar, how it is searched, and which shingles are left out first."""

    drop_frequent: float | None
    """Leave out the shingles that more than this share of the documents have, such as 0.1: they count neither for the search nor for
    the similarity. `dedup` and `pairs` count them in the data, unless `frequencies` has them. All else needs `frequencies`."""


class RunOptions(TypedDict, total=False):
    """How a call runs. Nothing of it changes the result."""

    threads: int | None
    """Worker threads. Default: LOOKALIKE_THREADS, or one for each processor that this process may use."""
    progress: bool | Callable[[Progress], None] | None
    """Default None: a bar on standard error, if the run takes more than a second and standard error is a terminal. True draws it in
    any case. A function is called with reports, at most ten a second, by the thread that called."""
    memory: int | str | None
    """Bytes, or a text such as "2GiB". What does not fit goes to disk. Default: three quarters of the machine's for `Files`, and no limit
    for data in memory."""
    temp_dir: Path | None
    """The folder for data that does not fit into memory."""


class Options(SearchOptions, RunOptions, total=False):
    """What is similar, and how a call runs."""


if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
