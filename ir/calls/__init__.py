"""Construction of function calls from definitions and resolved arguments.

``construct`` checks the clauses, infers the type and constructs the node in canonical form. ``call`` also recognises
lowered forms. The definitions of the functions are in ``ir.functions``.
"""

from ir.calls.clauses import NO_CLAUSES, Clauses, is_aggregate, is_window_function
from ir.calls.construction import build_without_recognition, construct, fix_type
from ir.calls.recognition import call, convert_value
from ir.calls.typing import collations_of_constants

__all__ = [
    "NO_CLAUSES",
    "Clauses",
    "build_without_recognition",
    "call",
    "collations_of_constants",
    "construct",
    "convert_value",
    "fix_type",
    "is_aggregate",
    "is_window_function",
]
