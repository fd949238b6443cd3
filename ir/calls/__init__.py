"""Calls of functions: the road from a definition and resolved arguments to a node.

``call`` checks the clauses, infers the type and constructs the node in canonical form. What describes the functions
themselves is in ``ir.functions``.
"""

from ir.calls.clauses import NO_CLAUSES, Clauses, is_aggregate, is_window_function
from ir.calls.construction import Raise, as_written, call, convert_value, settled, without_raising
from ir.calls.typing import collations_of_constants

__all__ = [
    "NO_CLAUSES",
    "Clauses",
    "Raise",
    "as_written",
    "call",
    "collations_of_constants",
    "convert_value",
    "is_aggregate",
    "is_window_function",
    "settled",
    "without_raising",
]
