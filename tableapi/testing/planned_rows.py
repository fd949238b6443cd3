"""Compute the rows that the runtime of a process table function gets from the rows of its tables, without Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ir.errors import TableException, ValidationException
from ir.expressions import Call, FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.collection import ROW
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.source import Source, Values
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from tableapi.data.values import row_values
from tableapi.spark import versions
from tableapi.spark.runtime.columns import column_of_any
from tableapi.spark.runtime.wrong_values import WRONG, wrong_value
from tableapi.spark.types import to_spark


def arrow_type(data_type: LogicalType) -> pa.DataType:
    """Return the Arrow type in which Spark sends a type to workers."""
    return versions.arrow_type(to_spark(data_type))


def column_of_value(value: Any, data_type: LogicalType, what: str) -> pa.Array:
    """Return a value as a column of one row.

    Args:
        value: the value.
        data_type: its type.
        what: the name of the value for messages, such as ``Row 0, column 'id'``.

    Raises:
        ValidationException: the value does not have the type.
    """
    known = arrow_type(data_type)
    if value is None and not data_type.nullable:
        raise ValidationException(f"{what}: NULL is not a {data_type.as_summary_string()}.")
    try:
        return column_of_any([value], known)
    except WRONG as error:
        raise ValidationException(wrong_value(f"{what}: the value", value, known, error)) from None


def columns_of_row(row: Any, schema: ResolvedSchema, number: int) -> list[pa.Array]:
    """Return the columns of a table for one row.

    Args:
        row: a mapping by name, in which missing columns are NULL, or values by position.
        schema: the columns of the table.
        number: the position of the row for messages.

    Raises:
        ValidationException: a value does not have the type of its column, or the row has other columns.
    """
    try:
        values = row_values(row, schema.as_row_type())
    except ValidationException as error:
        raise ValidationException(f"Row {number}: {error}") from None
    return [
        column_of_value(value, column.data_type, f"Row {number}, column {column.name!r}")
        for value, column in zip(values, schema.columns, strict=True)
    ]


class PlannedRows:
    """The query over the tables of a call whose rows the runtime gets, computed for one row at a time.

    Args:
        input: the query of a planned call: projections over the tables, or over a union of them.
        tables: the sources of the tables, in the order of the arguments.
    """

    def __init__(self, input: QueryOperation, tables: Sequence[QueryOperation]) -> None:
        self._input = input
        self._tables = tuple(tables)
        self._parts = _parts_of_union(input)

    @property
    def has_sentinel(self) -> bool:
        """Whether the runtime gets a row for the case that there are no rows."""
        return len(self._parts) > max(len(self._tables), 1)

    def sentinel(self) -> pa.RecordBatch:
        """Return the row that stands for an input without rows."""
        return self._batch(self._columns(self._input, 0, []))

    def batch(self, table: int, columns: Sequence[pa.Array]) -> pa.RecordBatch:
        """Return what the runtime gets for a row of a table."""
        return self._batch(self._columns(self._input, table + self.has_sentinel, columns))

    def single(self) -> pa.RecordBatch:
        """Return the only row of a call without tables."""
        return self._batch(self._columns(self._input, 0, []))

    def _batch(self, columns: Sequence[pa.Array]) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays(list(columns), [f"_{number}" for number in range(len(columns))])

    def _columns(self, operation: QueryOperation, part: int, row: Sequence[pa.Array]) -> list[pa.Array]:
        """Return the columns of an operation for the row of one part of the union."""
        over: list[Project] = []
        current = operation
        while not isinstance(current, (Source, Values)):
            if isinstance(current, Project):
                over.append(current)
                current = current.input
            elif isinstance(current, (Distribute, SortPartitions)):
                current = current.input
            elif isinstance(current, SetOperation):
                current = self._parts[part]
            else:
                raise TableException(f"The test harness does not support {current.title} below the function.")
        columns = list(row)
        for project in reversed(over):
            columns = [_evaluate(expression, columns) for expression in project.projections]
        return columns


def _parts_of_union(operation: QueryOperation) -> list[QueryOperation]:
    """Return the parts of the union in a planned input, in the order of the tables."""
    current = operation
    while isinstance(current, (Project, Distribute, SortPartitions)):
        current = current.input
    parts: list[QueryOperation] = []
    while isinstance(current, SetOperation):
        parts.insert(0, current.right)
        current = current.left
    return [current, *parts]


def _evaluate(expression: ResolvedExpression, columns: Sequence[pa.Array]) -> pa.Array:
    if isinstance(expression, FieldReference):
        return columns[expression.index]
    if isinstance(expression, ValueLiteral):
        return pa.array([expression.value], arrow_type(expression.data_type))
    if isinstance(expression, Call) and expression.function is ROW:
        values = [_evaluate(argument, columns) for argument in expression.arguments[1::2]]
        return pa.StructArray.from_arrays(values, [f"_{number}" for number in range(len(values))])
    raise TableException(
        f"The test harness partitions by columns, but {expression.as_summary_string()} is computed. Compute it in a "
        "column of the rows."
    )
