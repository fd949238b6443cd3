"""Calls of functions: the road from a definition and resolved arguments to a node.

``construct`` checks the clauses, infers the type and constructs the node in canonical form; ``call`` recognises lowered
forms, too. What describes the functions themselves is in ``ir.functions``.
"""

from ir.calls.clauses import NO_CLAUSES, Clauses, is_aggregate, is_window_function
from ir.calls.construction import as_written, construct, settled
from ir.calls.recognition import call, convert_value
from ir.calls.typing import collations_of_constants

__all__ = [
    "NO_CLAUSES",
    "Clauses",
    "as_written",
    "call",
    "collations_of_constants",
    "construct",
    "convert_value",
    "is_aggregate",
    "is_window_function",
    "settled",
]
