"""Rows of ``from_elements`` as a Values operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ir import light_attrs as attrs
from ir import types as t
from ir.casts import differ_at_most_in_nullability, least_common_type, plain_type, written_type
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.light_typing import TYPE_CHECKING, Any
from ir.operations.operation import QueryOperation
from ir.operations.source import Values
from ir.resolution.lookup import BuiltInLookup, FunctionLookup
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType
from tableapi.data.values import row_values, value_expression
from tableapi.lazy import lazy
from tableapi.spark.runtime.row import Row

if TYPE_CHECKING:
    from ir.operations import no_columns
    from tableapi.data import element_expressions
    from tableapi.members import type_arguments
else:
    type_arguments = lazy(__name__, "tableapi.members.type_arguments")
    no_columns = lazy(__name__, "ir.operations.no_columns")
    # Loaded lazily, because an environment starts without the resolution of expressions.
    element_expressions = lazy(__name__, "tableapi.data.element_expressions")

_BUILT_INS = BuiltInLookup()


def table_of_elements(elements: Iterable[Any], schema: Any, lookup: FunctionLookup = _BUILT_INS) -> QueryOperation:
    """Return the rows as an operation.

    Args:
        elements: the rows; rows and values at any depth may be expressions.
        schema: a type as an object or string, or column names.
        lookup: finds the functions that expressions in the rows call by name.

    Raises:
        ValidationException: there is neither a schema nor a row, rows differ in length, or a value does not fit.
    """
    if isinstance(elements, str | bytes) or not isinstance(elements, Iterable):
        raise ValidationException(f"from_elements takes rows, [(1, 'a'), …], but was given {elements!r:.100}.")
    rows = element_expressions.resolve_rows(list(elements), lookup)
    if isinstance(schema, str):
        schema = type_arguments.read_data_type(schema, "The schema of the rows")
    if isinstance(schema, LogicalType):
        return _build_typed(rows, schema if isinstance(schema, t.RowType) else _wrap_in_row(schema))
    if schema is not None and not (isinstance(schema, Iterable) and all(isinstance(name, str) for name in schema)):
        raise ValidationException(f"The schema must be names with types, a type or a list of names, but is {schema!r}.")
    return _build_untyped(rows, None if schema is None else list(schema))


def _wrap_in_row(data_type: LogicalType) -> t.RowType:
    return t.RowType((t.RowField("f0", data_type),))


def _build_typed(rows: Sequence[Any], row_type: t.RowType) -> QueryOperation:
    cells = [
        tuple(
            [
                _cell(value, field.data_type, number, field.name)
                for value, field in zip(_values_of(row, row_type, number), row_type.fields, strict=True)
            ]
        )
        for number, row in enumerate(rows)
    ]
    if not row_type.fields:
        return no_columns.rows_without_columns(len(cells))
    types = [_type_as_written(f.data_type, [row[i] for row in cells]) for i, f in enumerate(row_type.fields)]
    nulls = [ValueLiteral(None, data_type.as_nullable()) for data_type in types]
    rows_of_types = [
        tuple([null if _is_null(value) else value for value, null in zip(row, nulls, strict=True)]) for row in cells
    ]
    # SQL has no place for the descriptions of fields.
    columns = [Column(f.name, data_type) for f, data_type in zip(row_type.fields, types, strict=True)]
    return Values(ResolvedSchema(tuple(columns)), tuple(rows_of_types))


def _type_as_written(declared: LogicalType, values: Sequence[ResolvedExpression]) -> LogicalType:
    """Return the SQL type of a column: the values' type, nullable at each depth only if a value there is NULL.

    A nullable declaration without a NULL value cannot be written in SQL, and is not in Spark's analysed plan.
    """
    # A column of a hundred thousand values has only one or two distinct types.
    found = dict.fromkeys([None if _is_null(value) else value.data_type for value in values])
    types = [data_type for data_type in found if data_type is not None]
    common = least_common_type(types) if types else written_type(declared).as_nullable()
    if common is None or not differ_at_most_in_nullability(common, plain_type(declared)):
        return plain_type(declared)
    return common.as_nullable() if None in found else common


def _is_null(value: ResolvedExpression) -> bool:
    return isinstance(value, ValueLiteral) and value.is_null


def _values_of(row: Any, row_type: t.RowType, number: int) -> list[Any]:
    single = len(row_type.fields) == 1 and not isinstance(row, tuple | list | Row | Mapping) and not _has_fields(row)
    try:
        return [row] if single else row_values(row, row_type)
    except ValidationException as error:
        raise ValidationException(f"Row {number}: {error}") from None


def _has_fields(value: Any) -> bool:
    return attrs.has(type(value)) or hasattr(type(value), "__dataclass_fields__")


def _cell(value: Any, data_type: LogicalType, row: int, column: str) -> ResolvedExpression:
    try:
        expression = value_expression(value, data_type)
    except ValidationException as error:
        raise ValidationException(f"Row {row}, column {column!r}: {error}") from None
    if expression.data_type.nullable and not data_type.nullable:
        shown = "NULL is" if _is_null(expression) else f"{expression.as_summary_string()} may be NULL, which is"
        raise ValidationException(f"Row {row}, column {column!r}: {shown} not a {data_type.as_summary_string()}.")
    return expression


def _build_untyped(rows: Sequence[Any], names: list[str] | None) -> QueryOperation:
    if not rows:
        raise ValidationException(
            "A table of no rows needs a schema with types: DataTypes.ROW([DataTypes.FIELD('a', DataTypes.INT())])."
        )
    found = names or _suggest_names(rows[0])
    values = [_row_by_names(row, found, number) for number, row in enumerate(rows)]
    columns = []
    for position, name in enumerate(found):
        types = [_type_of(row[position], number, name) for number, row in enumerate(values)]
        common = least_common_type(types)
        if common is None:
            shown = " and ".join(dict.fromkeys(given.as_nullable().as_summary_string() for given in types))
            raise ValidationException(f"The column {name!r} has values of types without a common type: {shown}.")
        columns.append(t.RowField(name, common))
    return _build_typed([tuple(row) for row in values], t.RowType(tuple(columns)))


def _type_of(value: Any, row: int, column: str) -> LogicalType:
    try:
        return value_expression(value).data_type
    except ValidationException as error:
        raise ValidationException(f"Row {row}, column {column!r}: {error}") from None


def _suggest_names(row: Any) -> list[str]:
    """Return the names in a row, or Flink's names for a row without names: ``_1``, ``_2`` and so on."""
    if isinstance(row, Mapping):
        return [str(key) for key in row]
    given = getattr(row, "names", None) or getattr(row, "_fields", None)
    if given:
        return list(given)
    if _has_fields(row):
        return list(getattr(type(row), "__dataclass_fields__", None) or [a.name for a in attrs.fields(type(row))])
    width = len(row) if isinstance(row, tuple | list | Row) else 1
    return [f"_{i + 1}" for i in range(width)]


def _row_by_names(row: Any, names: list[str], number: int) -> list[Any]:
    if isinstance(row, Mapping):
        return [row.get(name) for name in names]
    if isinstance(row, tuple | list | Row):
        if len(row) != len(names):
            raise ValidationException(
                f"Row {number} has {len(row)} value{'' if len(row) == 1 else 's'}, but there are {len(names)} names: "
                f"{names}."
            )
        return list(row)
    if _has_fields(row):
        return [getattr(row, name) for name in names]
    return [row]
