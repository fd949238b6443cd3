"""Python values as expressions: constants, and constructor calls for arrays, maps and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir import light_attrs as attrs
from ir import types as t
from ir.calls import call, convert_value
from ir.casts import can_store
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, TypeLiteral, ValueLiteral
from ir.light_typing import TYPE_CHECKING, Any
from ir.literals import is_nested, literal
from ir.types import LogicalType
from tableapi.lazy import lazy
from tableapi.spark.runtime.row import Row

if TYPE_CHECKING:
    from ir.functions import collection, conversion
    from tableapi.data import shapes
else:
    collection = lazy(__name__, "ir.functions.collection")
    conversion = lazy(__name__, "ir.functions.conversion")
    shapes = lazy(__name__, "tableapi.data.shapes")


def value_expression(value: Any, data_type: LogicalType | None = None) -> ResolvedExpression:
    """Return a Python value as an expression of the given type, by default of the inferred type.

    A list becomes an array, a mapping a map, and a tuple, a Row or an object with fields (dataclass, attrs) a row. A
    Geometry or Geography becomes its constructor call. A resolved expression is kept, with a cast if its type differs.

    Raises:
        ValidationException: no type can be inferred from the value, or it does not fit the given type.
    """
    if isinstance(value, ResolvedExpression):
        return value if data_type is None else _convert(value, data_type)
    if _is_shape(value):
        return shapes.shape_expression(value, data_type)
    if value is None or (not is_nested(value) and not isinstance(data_type, t.ArrayType | t.MapType | t.RowType)):
        if value is not None and data_type is not None:
            data_type = data_type.not_null()
        return literal(value, data_type)
    if data_type is None:
        return _infer_literal(value)
    if isinstance(data_type, t.ArrayType):
        return _convert_array(value, data_type)
    if isinstance(data_type, t.MapType):
        return _convert_map(value, data_type)
    if isinstance(data_type, t.RowType):
        return _convert_row(value, data_type)
    raise _mismatch(value, data_type)


def _convert(value: ResolvedExpression, data_type: LogicalType) -> ResolvedExpression:
    if not can_store(value.data_type, data_type):
        raise ValidationException(
            f"{value.as_summary_string()} is of type {value.data_type.as_summary_string()}, of which no value can be "
            f"stored as {data_type.as_summary_string()}."
        )
    return convert_value(value, data_type)


def _is_shape(value: Any) -> bool:
    """Whether a value is a shape of this package or of PySpark; user-defined functions get shapes of PySpark."""
    kind, modules = type(value), ("tableapi.data.shapes", "pyspark.sql.types")
    return kind.__name__ in ("Geometry", "Geography") and kind.__module__ in modules


def _mismatch(value: Any, data_type: LogicalType) -> ValidationException:
    return ValidationException(
        f"The value {value!r} of type {type(value).__name__} is not a {data_type.as_summary_string()}."
    )


def _infer_literal(value: Any) -> ResolvedExpression:
    if isinstance(value, Mapping):
        return call(collection.MAP, [value_expression(part) for pair in value.items() for part in pair])
    fields = _list_fields(value)
    if fields is not None:
        names = [literal(name) for name, _ in fields]
        values = [value_expression(part) for _, part in fields]
        return call(collection.ROW, [part for pair in zip(names, values, strict=True) for part in pair])
    return call(collection.ARRAY, [value_expression(part) for part in value])


def _list_fields(value: Any) -> list[tuple[str, Any]] | None:
    """Return the fields of a row value; the fields of a tuple are named f0, f1 and so on, as in Flink."""
    if isinstance(value, tuple | Row):
        names = getattr(value, "names", None) or getattr(value, "_fields", None)
        names = names or [f"f{i}" for i in range(len(value))]
        return list(zip(names, value, strict=True))
    if attrs.has(type(value)) or hasattr(type(value), "__dataclass_fields__"):
        names = getattr(type(value), "__dataclass_fields__", None) or [a.name for a in attrs.fields(type(value))]
        return [(name, getattr(value, name)) for name in names]
    return None


def _convert_array(value: Any, data_type: t.ArrayType) -> ResolvedExpression:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        raise _mismatch(value, data_type)
    elements = [_element(part, data_type.element) for part in value]
    return call(collection.ARRAY, elements) if elements else _empty(collection.ARRAY, data_type)


def _convert_map(value: Any, data_type: t.MapType) -> ResolvedExpression:
    if not isinstance(value, Mapping):
        raise _mismatch(value, data_type)
    parts = [_element(p, d) for k, v in value.items() for p, d in ((k, data_type.key), (v, data_type.value))]
    return call(collection.MAP, parts) if parts else _empty(collection.MAP, data_type)


def _empty(constructor: Any, data_type: LogicalType) -> ResolvedExpression:
    return call(conversion.CAST, (call(constructor, ()), TypeLiteral(data_type.as_nullable())))


def _convert_row(value: Any, data_type: t.RowType) -> ResolvedExpression:
    values = row_values(value, data_type)
    arguments: list[ResolvedExpression] = []
    for row_field, part in zip(data_type.fields, values, strict=True):
        arguments += [literal(row_field.name), _element(part, row_field.data_type)]
    return call(collection.ROW, arguments)


def row_values(value: Any, data_type: t.RowType) -> list[Any]:
    """Return the values of a row in the order of the type's fields.

    Values are matched by name for a mapping or an object with named fields, otherwise by position.

    Raises:
        ValidationException: there are too many or too few values.
    """
    names = [row_field.name for row_field in data_type.fields]
    if isinstance(value, Mapping):
        unknown = [key for key in value if key not in names]
        if unknown:
            raise ValidationException(f"The row {value!r} has no place for {unknown[0]!r} in the fields {names}.")
        return [value.get(name) for name in names]
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        fields = _list_fields(value)
        if fields is None:
            raise _mismatch(value, data_type)
        return row_values(dict(fields), data_type)
    given = getattr(value, "names", None) or getattr(value, "_fields", None)
    if given and set(given) == set(names):
        return [value[list(given).index(name)] for name in names]
    if len(value) != len(names):
        raise ValidationException(
            f"The row {value!r} has {len(value)} values where {len(names)} are expected: {names}."
        )
    return list(value)


def _element(value: Any, data_type: LogicalType) -> ResolvedExpression:
    expression = value_expression(value, data_type)
    if isinstance(expression, ValueLiteral) and expression.is_null and not data_type.nullable:
        raise ValidationException(f"NULL is not a {data_type.as_summary_string()}.")
    return expression
