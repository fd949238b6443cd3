"""Inference of the schemas that SCHEMA_OF_JSON and SCHEMA_OF_CSV find in constants.

Sources: ``JsonInferSchema.scala`` and ``CSVInferSchema.scala`` of Spark 4.3.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from ir import types as t
from ir.types import LogicalType

_MOST_NESTED = 100
_MOST_DIGITS = 38


class _Object(list[tuple[str, Any]]):
    """The entries of a JSON object in their order."""


def json_schema(text: str) -> LogicalType | None:
    """Infer the type of a JSON string, None if it is unknown here, such as for invalid or deeply nested JSON."""
    if sum(text.count(bracket) for bracket in "[{") > _MOST_NESTED:
        return None
    try:
        value = json.loads(text, object_pairs_hook=_Object)
    except ValueError:
        return None
    found = _infer_json_type(value)
    return None if found is None else _replace_null_types(found)


def _infer_json_type(value: Any) -> LogicalType | None:
    """Infer the type of a JSON value; an empty string counts as NULL, which takes the type of other values."""
    match value:
        case None | "":
            return t.NULL
        case bool():
            return t.BOOLEAN
        case int():
            return _infer_integer_type(value)
        case float():
            return t.DOUBLE
        case str():
            return t.STRING
        case _Object():
            names = [name for name, _ in value]
            kinds = [_infer_json_type(part) for _, part in value]
            if None in kinds or len(set(names)) < len(names):
                return None
            fields = sorted(zip(names, kinds, strict=True), key=lambda field: field[0].encode("utf-16-be"))
            return t.RowType(tuple([t.RowField(name, kind) for name, kind in fields if kind is not None]))
    element: LogicalType = t.NULL
    for part in value:
        kind = _infer_json_type(part)
        if kind is None:
            return None
        element = _merge(element, kind)
    return t.ArrayType(element)


def _infer_integer_type(value: int) -> LogicalType:
    if -(1 << 63) <= value < 1 << 63:
        return t.BIGINT
    digits = len(str(abs(value)))
    return t.DecimalType(digits, 0) if digits <= _MOST_DIGITS else t.DOUBLE


def _merge(left: LogicalType, right: LogicalType) -> LogicalType:
    """Return the common type of array elements of two types."""
    if isinstance(left, t.NullType) or left.same_type(right):
        return right
    if isinstance(right, t.NullType):
        return left
    match left, right:
        case t.RowType(), t.RowType():
            fields = {field.name: field.data_type for field in left.fields}
            for field in right.fields:
                fields[field.name] = _merge(fields.get(field.name, t.NULL), field.data_type)
            ordered = sorted(fields.items(), key=lambda field: field[0].encode("utf-16-be"))
            return t.RowType(tuple([t.RowField(name, kind) for name, kind in ordered]))
        case t.ArrayType(), t.ArrayType():
            return t.ArrayType(_merge(left.element, right.element))
        case t.NumericType(), t.NumericType():
            digits = [
                20 if isinstance(kind, t.BigIntType) else getattr(kind, "precision", None) for kind in (left, right)
            ]
            known = [number for number in digits if number is not None]
            return t.DecimalType(max(known), 0) if len(known) == 2 else t.DOUBLE
    return t.STRING


def _replace_null_types(root: LogicalType) -> LogicalType | None:
    """Replace NULL by STRING in a type and drop rows without fields; return None if nothing is left."""
    match root:
        case t.NullType():
            return t.STRING
        case t.ArrayType():
            element = _replace_null_types(root.element)
            return None if element is None else t.ArrayType(element)
        case t.RowType():
            kept = [(field.name, _replace_null_types(field.data_type)) for field in root.fields]
            fields = tuple([t.RowField(name, kind) for name, kind in kept if kind is not None])
            return t.RowType(fields) if fields else None
    return root


_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?", re.ASCII)
# A value that begins with another character may be a number or a time; quotes depend on their position.
_TEXT = re.compile(r"[^\W\d_][^\"'\\\r\n]*(?<!\s)")


def csv_schema(text: str) -> LogicalType | None:
    """Infer the row type of a CSV line, None if it contains a value whose type is uncertain."""
    kinds = [_infer_csv_type(value) for value in text.split(",")]
    fields: Sequence[t.RowField] = [t.RowField(f"_c{i}", kind) for i, kind in enumerate(kinds) if kind is not None]
    return t.RowType(tuple(fields)) if text and len(fields) == len(kinds) else None


def _infer_csv_type(value: str) -> LogicalType | None:
    if re.fullmatch(r"[+-]?[0-9]{1,38}", value, re.ASCII):
        number = int(value)
        return t.INT if -(1 << 31) <= number < 1 << 31 else _infer_integer_type(number)
    if _FRACTION.fullmatch(value):
        return t.DOUBLE
    if value and (_TEXT.fullmatch(value) is None or value.lower() in ("nan", "inf", "infinity")):
        return None
    return t.BOOLEAN if value.lower() in ("true", "false") else t.STRING
