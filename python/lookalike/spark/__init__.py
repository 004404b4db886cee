"""Near-duplicates on Apache Spark: a DataFrame in, DataFrames out.

It runs on Spark 3.5, on Spark 4 (classic and Connect) and on Sail. The cluster needs nothing of ours: `ship` brings the
package to the executors. Each document has the features, signature and band keys that it has in all other parts of
Lookalike, so `dedup` finds the clusters of `lookalike.dedup` with the same options and method="minhash".
"""

from lookalike.spark._clusters import clusters as clusters
from lookalike.spark._dedup import dedup as dedup
from lookalike.spark._documents import sketch as sketch
from lookalike.spark._documents import with_ids as with_ids
from lookalike.spark._pairs import pairs as pairs
from lookalike.spark._result import SparkDedup as SparkDedup
from lookalike.spark._ship import ship as ship
from lookalike.spark._texts import text_of as text_of

__all__ = ["SparkDedup", "clusters", "dedup", "pairs", "ship", "sketch", "text_of", "with_ids"]
