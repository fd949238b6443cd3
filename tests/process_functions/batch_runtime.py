"""Run a call with the runtime of workers over given rows, without Spark: what Spark does around it is written here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression, SortOrder, ValueLiteral
from ir.functions.collection import ROW
from ir.operations.operation import QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation
from ir.operations.source import Source, Values
from tableapi.result import python_values
from tableapi.spark import versions
from tableapi.spark.planner.process import plan_call
from tableapi.spark.runtime.process.rows import values
from tableapi.spark.runtime.process.running import Running
from tableapi.spark.runtime.row import Row
from tableapi.spark.types import to_spark
from tableapi.testing.process_call import Descending, Sortable, evaluate_constant
from tableapi.testing.typed_rows import arrow_type, column_of_value, columns_of_row

Sent = tuple[list[pa.Array], list[Any]]


def run_over_table(call: ProcessTable, rows: Iterable[tuple[int, Any]], size: int) -> list[Row]:
    """Return the output of a call for rows of its tables.

    Args:
        call: the call.
        rows: pairs of the position of a table and a row of it.
        size: the number of rows in a batch.
    """
    planned = plan_call(call)
    schema = call.schema
    plan = planned.plan(versions.arrow_schema(to_spark(schema.as_row_type())), {})  # type: ignore[arg-type]  # a row is a struct of Spark
    parts = parts_of_union(planned.input)
    has_sentinel = len(parts) > max(len(call.tables), 1)
    sent: list[Sent] = []
    if has_sentinel or not call.tables:
        sent.append(sent_row(planned.input, parts, 0, None, []))
    for number, (table, row) in enumerate(rows):
        columns = columns_of_row(row, call.tables[table].schema, number)
        sent.append(sent_row(planned.input, parts, table + has_sentinel, call.tables[table], columns))
    # Spark brings the rows of a partition together, and sorts by what SORT BY has; the sort is stable here.
    sent.sort(key=lambda pair: pair[1])
    scalars = [column_of_value(evaluate_constant("", value), value.data_type, "") for value in planned.arguments]
    running, found = Running(plan), []
    try:
        for batch in _batches([columns for columns, _ in sent], size):
            found += running.rows(batch, [pa.concat_arrays([scalar] * batch.num_rows) for scalar in scalars])
        found += running.end()
    finally:
        running.close()
    made: list[Row] = []
    for batch in found:
        columns = [python_values(a, c.data_type) for a, c in zip(batch.columns, schema.columns, strict=True)]
        made += [Row.of(schema.names, given) for given in zip(*columns, strict=True)]
    return made


def _batches(rows: Sequence[Sequence[pa.Array]], size: int) -> Iterable[pa.RecordBatch]:
    for start in range(0, len(rows), size):
        columns = [pa.concat_arrays(column) for column in zip(*rows[start : start + size], strict=True)]
        yield pa.RecordBatch.from_arrays(columns, [f"_{number}" for number in range(len(columns))])


def sent_row(
    operation: QueryOperation,
    parts: Sequence[QueryOperation],
    part: int,
    table: QueryOperation | None,
    row: Sequence[pa.Array],
) -> Sent:
    """Return the columns that the runtime gets for a row of a part of the union, and its sort key."""
    above: list[Project | SortPartitions] = []
    current = operation
    while current is not table and not isinstance(current, (Source, Values)):
        if isinstance(current, (Project, SortPartitions)):
            above.append(current)
        if isinstance(current, (Project, Distribute, SortPartitions)):
            current = current.input
        else:
            assert isinstance(current, SetOperation), current.title
            current = parts[part]
    columns, order = list(row), []
    for step in reversed(above):
        if isinstance(step, Project):
            columns = [_evaluate(expression, columns) for expression in step.projections]
        else:
            order = [_sort_key(key, columns) for key in step.order]
    return columns, order


def _sort_key(key: SortOrder, columns: Sequence[pa.Array]) -> Any:
    (value,) = values(_evaluate(key.expression, columns))
    if value is None:
        return not key.nulls_first, Sortable(0)
    return key.nulls_first, Sortable(value) if key.ascending else Descending(value)


def parts_of_union(operation: QueryOperation) -> list[QueryOperation]:
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
        known = arrow_type(expression.data_type)
        if pa.types.is_struct(known):
            known = pa.struct([known.field(number).with_nullable(True) for number in range(known.num_fields)])
        return pa.array([expression.value], known)
    assert isinstance(expression, Call)
    assert expression.function is ROW, expression
    found = [_evaluate(argument, columns) for argument in expression.arguments[1::2]]
    return pa.StructArray.from_arrays(found, [f"_{number}" for number in range(len(found))])
