"""What tells arguments apart: exactly those that a query would tell apart have different keys."""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any

from tableapi.spark.runtime.row import Row


def key_of(value: Any) -> Any:
    """Return something hashable that is equal for the same values of the same types, and for no others.

    Python finds 1, 1.0 and True equal, and 0.0 and -0.0, and no NaN equal to itself.
    """
    if value is None or isinstance(value, (str, bytes)):
        return value
    if isinstance(value, float):
        return "double", struct.pack(">d", value) if value == value else b"NaN"
    if isinstance(value, Decimal):
        return "decimal", value.as_tuple()
    if isinstance(value, dict):
        # The order of the entries is part of a map that a function gets.
        return "map", tuple([(key_of(key), key_of(item)) for key, item in value.items()])
    if isinstance(value, Row):
        return "row", value.names, *map(key_of, value)
    if isinstance(value, (tuple, list)):
        return type(value).__name__, *map(key_of, value)
    # Of a time with a zone, equality is of the instant, and the function may look at the zone.
    return type(value).__name__, value, repr(getattr(value, "tzinfo", None))
