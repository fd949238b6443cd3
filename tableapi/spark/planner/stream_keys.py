"""Encode the partition keys of a stream as one binary value, by functions of Spark.

Spark's own keys do not suffice: a key with an array fails in the worker, and rows with a NaN come one by one. The
encoding is described, and decoded, in ``tableapi.spark.runtime.process.partition_keys``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ir import types as t
from ir.identifiers import quote
from ir.types import LogicalType

_NULL = "X'00'"
_WHOLE = "X'FF'"
_MICROSECONDS_OF_DAY = 86_400_000_000


def write_key(columns: Sequence[tuple[str, LogicalType]]) -> str:
    """Return the SQL expression that encodes columns, given by their names and types, as one key.

    Without columns, all rows are one partition.
    """
    if not columns:
        return _WHOLE
    return _concatenate([_write_part(quote(name), known, 0) for name, known in columns])


def _write_part(value: str, known: LogicalType, depth: int) -> str:
    if isinstance(known, t.ArrayType | t.RowType):
        # The body is computed once, as it may be long.
        body = f"b{depth}"
        inside = _write_body(value, known, depth + 1)
        made = f"ELEMENT_AT(TRANSFORM(ARRAY({inside}), {body} -> {_frame(body)}), 1)"
    else:
        made = _frame(_write_body(value, known, depth))
    return f"IF({value} IS NULL, {_NULL}, {made})"


def _frame(body: str) -> str:
    return f"CONCAT(X'01', UNHEX(LPAD(HEX(OCTET_LENGTH({body})), 8, '0')), {body})"


def _write_body(value: str, known: LogicalType, depth: int) -> str:
    match known:
        case t.BytesType():
            return value
        case t.RowType():
            return _concatenate(
                [_write_part(f"{value}.{quote(field.name)}", field.data_type, depth) for field in known.fields]
            )
        case t.ArrayType():
            element, joined = f"e{depth}", f"j{depth}"
            parts = f"TRANSFORM({value}, {element} -> {_write_part(element, known.element, depth + 1)})"
            return f"AGGREGATE({parts}, X'', ({joined}, {element}) -> CONCAT({joined}, {element}))"
    return f"CAST({_write_text(value, known)} AS BINARY)"


def _write_text(value: str, known: LogicalType) -> str:
    """Return the text of a value as an expression; equal values have equal texts in all sessions."""
    match known:
        case t.CharacterType():
            return value
        case t.FractionalType():
            # The texts of 0.0 and -0.0 differ.
            return f"CAST(IF({value} = 0, 0, {value}) AS STRING)"
        case t.DateType():
            return f"CAST(UNIX_DATE({value}) AS STRING)"
        case t.LocalZonedTimestampType():
            return f"CAST(UNIX_MICROS({value}) AS STRING)"
        case t.TimestampType():
            # Functions of two timestamps would use the time zone of the session.
            days = f"CAST(UNIX_DATE(CAST({value} AS DATE)) AS BIGINT) * {_MICROSECONDS_OF_DAY}"
            minutes = f"(HOUR({value}) * 60 + MINUTE({value})) * 60000000L"
            return f"CAST({days} + {minutes} + CAST(EXTRACT(SECOND FROM {value}) * 1000000 AS BIGINT) AS STRING)"
    return f"CAST({value} AS STRING)"


def _concatenate(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"CONCAT({', '.join(parts)})"
