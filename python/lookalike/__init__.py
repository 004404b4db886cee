"""Near-duplicate text detection.

Rules that hold everywhere:

* `data` is a list of `str`; a Series or DataFrame of pandas or polars; a table or array of pyarrow, a relation of
  DuckDB, or anything else with `__arrow_c_stream__` or `__arrow_c_array__`; a `datasets.Dataset`; or `Files`. A bare
  `str` is refused, as it could be a text or a path.
* `text` names the column of texts, and `id` the column of ids. Neither counts for a list or a Series. A `row` is a
  position, counted from 0. `None` and a null are empty documents, which are similar to no other.
* Similarities are numbers from 0 to 1, and exact unless a name says `estimate`. Results have the order of the input,
  and are the same for any number of threads.
* While a call computes, other threads of Python run, and Ctrl-C ends it.
* Tables are in Arrow memory: `pyarrow.table(x)`, `polars.DataFrame(x)` and `duckdb.sql("from x")` take them without
  a copy. To import this package, none of numpy, pandas, polars and pyarrow is needed.
"""

from typing import TYPE_CHECKING

from lookalike._compare import Comparison as Comparison
from lookalike._compare import compare as compare
from lookalike._decided import Dedup as Dedup
from lookalike._dedup import dedup as dedup
from lookalike._ensemble import MinHashLSHEnsemble as MinHashLSHEnsemble
from lookalike._errors import Incompatible as Incompatible
from lookalike._errors import IndexDamaged as IndexDamaged
from lookalike._errors import IndexLocked as IndexLocked
from lookalike._errors import InputError as InputError
from lookalike._errors import LookalikeError as LookalikeError
from lookalike._errors import NoDocument as NoDocument
from lookalike._errors import OutputError as OutputError
from lookalike._errors import PlanError as PlanError
from lookalike._errors import ServiceError as ServiceError
from lookalike._errors import ServiceUnreachable as ServiceUnreachable
from lookalike._errors import TooManyPairs as TooManyPairs
from lookalike._evaluate import Evaluation as Evaluation
from lookalike._evaluate import evaluate as evaluate
from lookalike._files import Files as Files
from lookalike._forest import MinHashLSHForest as MinHashLSHForest
from lookalike._hamming import HammingIndex as HammingIndex
from lookalike._hamming import SimhashIndex as SimhashIndex
from lookalike._index import Index as Index
from lookalike._lean import LeanMinHash as LeanMinHash
from lookalike._later import attribute as __getattr__  # noqa: F401
from lookalike._lookalike import Frequencies as Frequencies
from lookalike._lookalike import Plan as Plan
from lookalike._lookalike import __version__ as __version__
from lookalike._lookalike import sha1_hash32 as sha1_hash32
from lookalike._lookalike import sha1_hash64 as sha1_hash64
from lookalike._lsh import MinHashLSH as MinHashLSH
from lookalike._minhash import MinHash as MinHash
from lookalike._pairs import Pairs as Pairs
from lookalike._pairs import pairs as pairs
from lookalike._progress import Progress as Progress
from lookalike._seen import Match as Match
from lookalike._seen import Seen as Seen
from lookalike._simhash import Simhash as Simhash
from lookalike._similar import Similar as Similar
from lookalike._similar import frequencies as frequencies
from lookalike._similar import similar as similar
from lookalike._similar import sketch as sketch
from lookalike._summary import Summary as Summary
from lookalike._table import Columns as Columns
from lookalike._table import Table as Table
from lookalike._tune import Tuning as Tuning
from lookalike._tune import tune as tune
from lookalike._words import stop_words as stop_words

if TYPE_CHECKING:
    # `_later` imports them when they are used first.
    from lookalike.service import AsyncClient as AsyncClient
    from lookalike.service import Client as Client

__all__ = [
    "AsyncClient",
    "Client",
    "Columns",
    "Comparison",
    "Dedup",
    "Evaluation",
    "Files",
    "Frequencies",
    "HammingIndex",
    "Incompatible",
    "Index",
    "IndexDamaged",
    "IndexLocked",
    "InputError",
    "LeanMinHash",
    "LookalikeError",
    "Match",
    "MinHash",
    "MinHashLSH",
    "MinHashLSHEnsemble",
    "MinHashLSHForest",
    "NoDocument",
    "OutputError",
    "Pairs",
    "Plan",
    "PlanError",
    "Progress",
    "Seen",
    "Simhash",
    "SimhashIndex",
    "ServiceError",
    "ServiceUnreachable",
    "Similar",
    "Summary",
    "Table",
    "TooManyPairs",
    "Tuning",
    "compare",
    "dedup",
    "evaluate",
    "frequencies",
    "pairs",
    "sha1_hash32",
    "sha1_hash64",
    "similar",
    "sketch",
    "stop_words",
    "tune",
]

eval = evaluate
"""The name on the command line. `from lookalike import *` leaves Python's own alone."""
