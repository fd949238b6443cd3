"""Pairs of queries with the expected description of their difference; importing this package fills PAIRS."""

from tests.query_diff_pairs import columns, operations
from tests.query_diff_pairs.pair import PAIRS, Pair

__all__ = ["PAIRS", "Pair", "columns", "operations"]
