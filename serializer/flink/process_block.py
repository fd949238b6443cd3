"""Writes calls of process table functions in Flink's SQL, and rejects those that Flink does not support.

Flink's parser accepts at most one query as an argument, without ``TABLE`` before it. Several tables are therefore named
in WITH.
"""

from __future__ import annotations

from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.functions.process import ArgumentKind
from ir.identifiers import fold
from ir.operations.filter import Distinct, Filter
from ir.operations.operation import QueryOperation
from ir.operations.process import KIND_COLUMN, ProcessTable
from ir.operations.project import Project
from ir.operations.sort import Sort
from ir.operations.source import Source, Values
from ir.resolution.process.time import TIME_TYPES
from serializer.items import Block, Item, Line
from serializer.names import name_text
from serializer.notation import Notation
from serializer.process_block import process_lines


def process_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of all columns of a call.

    Raises:
        TableException: the function has no name, or Flink does not support the call.
    """
    assert isinstance(operation, ProcessTable)
    _require_flink(operation)
    names = _common_names(operation) if len(operation.tables) > 1 else []
    lines: list[Item] = []
    for number, (name, table) in enumerate(zip(names, operation.tables, strict=False)):
        keyword = "WITH " if number == 0 else ""
        end = "," if number < len(names) - 1 else ""
        lines += [
            Line(depth, (f"{keyword}{name_text(name, notation)} AS (",)),
            Block(depth + 1, table),
            Line(depth, (f"){end}",)),
        ]
    return [*lines, *process_lines(operation, depth, notation, names)]


def _common_names(operation: ProcessTable) -> list[str]:
    """Return the WITH name of each table: that of its argument, unless a query reads a table of that name."""
    sources = [part for table in operation.tables for part in table.walk_with_subqueries() if isinstance(part, Source)]
    taken = {fold(source.identifier.parts[-1]) for source in sources}
    names = []
    for argument in operation.signature.tables:
        name = argument.name
        while fold(name) in taken:
            name += "_"
        taken.add(fold(name))
        names.append(name)
    return names


def _require_flink(operation: ProcessTable) -> None:
    """Reject a call that Flink's SQL does not support."""
    takes = any(operation.kind_column(number) is not None for number in range(len(operation.tables)))
    if operation.signature.changes or takes:
        raise TableException(
            f"{operation.title}: {operation.function.name} {'takes' if takes else 'yields'} changes, which are rows "
            f"with the column {KIND_COLUMN!r} here, and rows of several kinds without it in Flink. Serialise it with "
            "the dialect SPARK."
        )
    for argument, keys, order in zip(
        operation.signature.tables, operation.partition_keys, operation.order_keys, strict=True
    ):
        for key in [*keys, *[sort.expression for sort in order]]:
            if not isinstance(key, FieldReference):
                raise _refusal(
                    operation,
                    f"it has {key.as_summary_string()}, and Flink takes columns alone; make it one with add_columns "
                    "before",
                    argument.name,
                )
        if order and not keys:
            raise _refusal(operation, "its parser takes ORDER BY after PARTITION BY alone", argument.name)
        if order:
            _require_time_first(operation, order[0], argument.name)
    for argument, table, index in zip(operation.signature.tables, operation.tables, operation.on_time, strict=False):
        if table.schema.names[index] not in operation.time_names:
            raise _refusal(
                operation, f"{table.schema.names[index]!r} and another name of a time differ in case", argument.name
            )
        if _is_computed(table, index):
            raise _refusal(
                operation,
                f"the time {table.schema.names[index]!r} is computed, and so has microseconds there, but `on_time` "
                "must "
                "reference a column of milliseconds, as that of a table may be",
                argument.name,
            )
    for argument, value in zip(operation.signature.scalars, operation.scalars, strict=True):
        if argument.kind is ArgumentKind.SCALAR and argument.data_type is None:
            raise TableException(
                f"{operation.title}: the argument {argument.name!r} of {operation.function.name} takes values of any "
                "type "
                f"({value.as_summary_string()}), which no function of Flink's does. Serialise it with the dialect "
                "SPARK."
            )


def _is_computed(operation: QueryOperation, index: int) -> bool:
    """Whether a column is computed, rather than a column of a table or of a call."""
    while isinstance(operation, (Project, Filter, Sort, Distinct)):
        if isinstance(operation, Project):
            expression = operation.projections[index]
            if not isinstance(expression, FieldReference):
                return True
            index = expression.index
        operation = operation.input
    return isinstance(operation, Values)


def _require_time_first(operation: ProcessTable, first: SortOrder, argument: str) -> None:
    column: ResolvedExpression = first.expression
    if not isinstance(column.data_type, TIME_TYPES):
        raise _refusal(
            operation,
            "the first ORDER BY column must be a TIMESTAMP or TIMESTAMP_LTZ column there; however, column "
            f"{column.as_summary_string()!r} has data type {column.data_type.as_summary_string()!r}",
            argument,
        )
    if not first.ascending or not first.nulls_first:
        raise _refusal(operation, "the first ORDER BY column must be in ascending order there", argument)


def _refusal(operation: ProcessTable, reason: str, argument: str) -> TableException:
    return TableException(
        f"{operation.title}: the table argument {argument!r} of {operation.function.name} has no text in Flink's SQL: "
        f"{reason}. Serialise it with the dialect SPARK."
    )
