"""Cache keys of arguments: they differ exactly if SQL distinguishes the arguments."""

from __future__ import annotations

import struct
from decimal import Decimal
from typing import Any

from tableapi.spark.runtime.row import Row


def key_of(value: Any) -> Any:
    """Return a hashable key that is equal only for equal values of the same type.

    Python itself treats 1, 1.0 and True as equal, also 0.0 and -0.0, and NaN as different from itself.
    """
    if value is None or isinstance(value, (str, bytes)):
        return value
    if isinstance(value, float):
        return "double", struct.pack(">d", value) if value == value else b"NaN"
    if isinstance(value, Decimal):
        return "decimal", value.as_tuple()
    if isinstance(value, dict):
        # The order of the entries is part of the map that a function receives.
        return "map", tuple([(key_of(key), key_of(item)) for key, item in value.items()])
    if isinstance(value, Row):
        return "row", value.names, *map(key_of, value)
    if isinstance(value, (tuple, list)):
        return type(value).__name__, *map(key_of, value)
    # Times with a zone are equal if they are the same instant, but a function may read the zone.
    return type(value).__name__, value, repr(getattr(value, "tzinfo", None))
