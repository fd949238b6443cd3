"""Calls that can raise at run time for some values: a division by zero, an invalid number in a string.

A condition that drops such rows has to be evaluated first. Overflow is ignored, since every sum could overflow.
"""

from __future__ import annotations

from typing import Final

from ir.expressions import Call, ResolvedExpression
from ir.types import ArrayType

# Listed by name, since most queries load few of these functions.
FAILING: Final = frozenset(
    (
        *("divide", "mod", "div", "pmod", "cast", "element_at", "raise_error", "assert_true"),
        *("to_number", "to_binary", "to_time", "to_timestamp", "make_date", "make_time", "make_timestamp"),
        *("make_timestamp_ltz", "make_timestamp_ntz", "PARSE_JSON", "variant_get", "aes_decrypt"),
        *("url_decode", "validate_utf8", "unbase64", "MAP_FROM_ARRAYS", "map_from_entries", "map"),
    )
)
"""The names of the functions that raise errors for some values of their arguments."""
# A field of a row always exists, an element of an array may not.
_ELEMENT: Final = "get"


def may_fail(root: ResolvedExpression) -> bool:
    """Whether an expression can raise an error at run time.

    >>> from ir.functions.arithmetic import DIVIDE, PLUS
    >>> from ir.functions.calls import call
    >>> from ir.literals import literal
    >>> may_fail(call(PLUS, (literal(6), literal(3)))), may_fail(call(DIVIDE, (literal(6), literal(3))))
    (False, True)
    """
    return any(isinstance(part, Call) and _is_failing(part) for part in root.walk())


def _is_failing(call: Call) -> bool:
    name = call.function.name
    return name in FAILING or (name == _ELEMENT and isinstance(call.arguments[0].data_type, ArrayType))
