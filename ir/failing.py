"""Which calls fail on the values of some rows: a division by zero, text that is no number.

A condition that leaves such rows out has to be asked before. Overflow is not looked for: any sum may be too large.
"""

from __future__ import annotations

from typing import Final

from ir.expressions import Call, ResolvedExpression
from ir.types import ArrayType

# By name, since most queries load only few of these functions.
FAILING: Final = frozenset(
    (
        *("divide", "mod", "div", "pmod", "cast", "element_at", "raise_error", "assert_true"),
        *("to_number", "to_binary", "to_time", "to_timestamp", "make_date", "make_time", "make_timestamp"),
        *("make_timestamp_ltz", "make_timestamp_ntz", "PARSE_JSON", "variant_get", "aes_decrypt"),
        *("url_decode", "validate_utf8", "unbase64", "MAP_FROM_ARRAYS", "map_from_entries", "map"),
    )
)
"""The names of the functions that fail on some values of their arguments."""
# Of a field, that there is one is known before; of an array, it is not.
_ELEMENT: Final = "get"


def may_fail(root: ResolvedExpression) -> bool:
    """Whether there are values for which an expression has none, but is an error.

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
