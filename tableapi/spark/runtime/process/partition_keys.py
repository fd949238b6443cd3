"""Decode the partition keys of a stream, which Spark encodes as one binary value.

``tableapi.spark.planner.stream_keys`` has the expressions that encode them. The encoding is canonical: keys that GROUP
BY takes as equal have equal encodings. A key is a sequence of parts, one for each PARTITION BY expression. A part is
``00`` for NULL, or ``01``, the length of a body in four bytes, and the body: text for most types, the parts of its
fields or elements for a row or an array. Without PARTITION BY, the key is ``FF``.
"""

from __future__ import annotations

import decimal
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.process.plan import Kind

PROGRESS_KEY = b""
"""The key of what the state store keeps for a whole partition of Spark. No key of rows is empty."""
_NULL = 0
_HEAD = 5


def decode_key(encoded: bytes, kinds: Sequence[Kind]) -> list[Any]:
    """Return the values of partition keys: numbers of days and microseconds for dates and timestamps."""
    return [None if body is None else _decode(body, kind) for body, kind in zip(_split(encoded), kinds, strict=True)]


def key_columns(encoded: bytes, kinds: Sequence[Kind], types: Sequence[pa.DataType]) -> list[pa.Array]:
    """Return the values of partition keys as columns of one row; none without PARTITION BY."""
    if not kinds:
        return []
    return [_column(value, known) for value, known in zip(decode_key(encoded, kinds), types, strict=True)]


def _column(value: Any, data_type: pa.DataType) -> pa.Array:
    if value is None:
        return pa.nulls(1, data_type)
    if pa.types.is_timestamp(data_type):
        return pa.array([value], pa.int64()).view(data_type)
    if pa.types.is_date32(data_type):
        return pa.array([value], pa.int32()).view(data_type)
    if pa.types.is_struct(data_type):
        fields = [data_type.field(number) for number in range(data_type.num_fields)]
        columns = [_column(inner, field.type) for inner, field in zip(value, fields, strict=True)]
        return pa.StructArray.from_arrays(columns, fields=fields)
    if pa.types.is_list(data_type):
        columns = [_column(element, data_type.value_type) for element in value]
        elements = pa.concat_arrays(columns) if columns else pa.nulls(0, data_type.value_type)
        return pa.ListArray.from_arrays(pa.array([0, len(value)], pa.int32()), elements, data_type)
    return pa.array([value], data_type)


def _split(encoded: bytes) -> list[bytes | None]:
    """Split a sequence of parts into their bodies."""
    found: list[bytes | None] = []
    at = 0
    while at < len(encoded):
        if encoded[at] == _NULL:
            found.append(None)
            at += 1
            continue
        end = at + _HEAD + int.from_bytes(encoded[at + 1 : at + _HEAD], "big")
        found.append(encoded[at + _HEAD : end])
        at = end
    return found


def _decode(body: bytes, kind: Kind) -> Any:
    name = kind[0]
    if name == "bytes":
        return body
    if name == "array":
        return [None if element is None else _decode(element, kind[1]) for element in _split(body)]
    if name == "row":
        return decode_key(body, [inner for _, inner in kind[1]])
    text = body.decode()
    if name == "string":
        return text
    if name == "boolean":
        return text == "true"
    if name == "float":
        return float(text)
    if name == "decimal":
        return decimal.Decimal(text)
    return int(text)
