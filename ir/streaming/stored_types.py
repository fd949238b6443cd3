"""Types that the state of a stream can hold, and types that can be its partition keys.

A kind is plain data for workers, which know no logical types: ``("integer",)``, ``("array", element)``, ``("map", key,
value)``, ``("row", ((name, kind), …))``.
"""

from __future__ import annotations

from typing import Any, Final

from ir import types as t
from ir.types import LogicalType

Kind = tuple[Any, ...]

_KINDS: Final[tuple[tuple[type[LogicalType], str], ...]] = (
    (t.BooleanType, "boolean"),
    (t.IntegralType, "integer"),
    (t.FractionalType, "float"),
    (t.DecimalType, "decimal"),
    (t.CharacterType, "string"),
    (t.BytesType, "bytes"),
    (t.DateType, "date"),
    (t.TimestampType, "timestamp"),
    (t.LocalZonedTimestampType, "timestamp"),
)
_KINDS_OF_STATE: Final[tuple[tuple[type[LogicalType], str], ...]] = (
    *_KINDS,
    (t.TimeType, "time"),
    (t.DayTimeIntervalType, "interval"),
)


def state_kind(data_type: LogicalType) -> Kind | None:
    """Return how state holds values of a type; None if it cannot.

    >>> state_kind(t.ArrayType(t.BIGINT))
    ('array', ('integer',))
    """
    if isinstance(data_type, t.MapType):
        key, value = state_kind(data_type.key), state_kind(data_type.value)
        return None if key is None or value is None else ("map", key, value)
    return _nested_kind(data_type) if _is_nested(data_type) else _plain_kind(data_type, _KINDS_OF_STATE)


def key_kind(data_type: LogicalType) -> Kind | None:
    """Return how a partition key of a type is encoded; None if it cannot be one.

    >>> key_kind(t.MapType(t.STRING, t.INT)) is None
    True
    """
    if data_type.has_collation:
        return None
    return _nested_kind(data_type, is_key=True) if _is_nested(data_type) else _plain_kind(data_type, _KINDS)


def is_sorted_by_workers(data_type: LogicalType) -> bool:
    """Whether workers sort values of a type like Spark: not rows, arrays, and strings with a collation.

    >>> is_sorted_by_workers(t.DoubleType()), is_sorted_by_workers(t.ArrayType(t.INT))
    (True, False)
    """
    is_plain = isinstance(data_type, t.DayTimeIntervalType) or _plain_kind(data_type, _KINDS) is not None
    return is_plain and not data_type.has_collation


def _is_nested(data_type: LogicalType) -> bool:
    return isinstance(data_type, t.ArrayType | t.RowType)


def _plain_kind(data_type: LogicalType, kinds: tuple[tuple[type[LogicalType], str], ...]) -> Kind | None:
    return next(((name,) for known, name in kinds if isinstance(data_type, known)), None)


def _nested_kind(data_type: LogicalType, *, is_key: bool = False) -> Kind | None:
    kind_of = key_kind if is_key else state_kind
    if isinstance(data_type, t.ArrayType):
        element = kind_of(data_type.element)
        return None if element is None else ("array", element)
    assert isinstance(data_type, t.RowType)
    fields = []
    for field in data_type.fields:
        kind = kind_of(field.data_type)
        if kind is None:
            return None
        fields.append((field.name, kind))
    return ("row", tuple(fields))
