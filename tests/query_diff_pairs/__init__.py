"""Pairs of queries, and what is said of the second as a successor of the first; importing this package fills PAIRS."""

from tests.query_diff_pairs import columns, operations
from tests.query_diff_pairs.pair import PAIRS, Pair

__all__ = ["PAIRS", "Pair", "columns", "operations"]
