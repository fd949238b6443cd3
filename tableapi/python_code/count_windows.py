"""Recognize group windows over numbers of rows in the row numbering to which the API expands them."""

from __future__ import annotations

from collections.abc import Iterator

from ir.call_expressions import Call, Over
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.aggregate import COUNT
from ir.functions.arithmetic import MOD
from ir.functions.comparison import EQUALS, IS_NOT_NULL
from ir.functions.window import ROW_NUMBER
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Filter
from ir.operations.join import Join
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.types import BigIntType
from tableapi.python_code.code import Code, import_name, invoke, method
from tableapi.python_code.grouping import Groups, key_code
from tableapi.python_code.literals import function, text, write_integer
from tableapi.python_code.query import Candidate, QueryWriter


def count_window_candidates(writer: QueryWriter, projection: Project) -> Iterator[Candidate]:
    """Yield the ways to write a projection that may be a SELECT over windows of a number of rows."""
    full = projection.input
    if not isinstance(full, Filter) or not isinstance(full.input, Aggregate) or not writer.is_single(full):
        return
    aggregate = full.input
    size = _size(full.condition, aggregate)
    numbered = _find_numbered_rows(aggregate.input)
    if size is None or numbered is None or not writer.is_single(aggregate):
        return
    over = numbered.projections[-1]
    assert isinstance(over, Over)
    window = [i for i, key in enumerate(aggregate.group_keys) if key not in over.partition_by]
    slide = _slide(aggregate.group_keys[window[0]]) if window else None
    if len(window) != 1 or slide is None or not over.order_by:
        return
    rows = numbered.input
    for input in (rows.input, rows) if isinstance(rows, Filter) and _is_filter_of_time(rows) else (rows,):
        for given in (0, 1, 2):
            yield lambda i=input, g=given: _write_windowed(  # type: ignore[misc]  # the loop's values
                writer, projection, aggregate, i, over, window[0], (size, slide), g
            )


def _size(condition: ResolvedExpression, aggregate: Aggregate) -> int | None:
    """Return the number of rows that the condition requires of each group."""
    if not isinstance(condition, Call) or condition.function is not EQUALS:
        return None
    column, size = condition.arguments
    if not isinstance(column, FieldReference) or not isinstance(size, ValueLiteral):
        return None
    position = column.index - len(aggregate.group_keys)
    counted = aggregate.aggregates[position] if position >= 0 else None
    is_count = isinstance(counted, Call) and counted.function is COUNT
    return size.value if is_count and isinstance(size.data_type, BigIntType) else None


def _find_numbered_rows(operation: QueryOperation) -> Project | None:
    """Return the projection that numbers the rows, below the operation that assigns each row to windows."""
    below = operation.inputs[0] if isinstance(operation, Join | Filter) else operation
    if isinstance(below, Project) and isinstance(below.projections[-1], Over):
        return below if below.projections[-1].call.function is ROW_NUMBER else None
    return None


def _slide(key: ResolvedExpression) -> int | None:
    """Return the number of rows between the beginnings of two windows."""
    for part in key.walk():
        if isinstance(part, Call) and part.function is MOD and isinstance(part.arguments[1], ValueLiteral):
            return int(part.arguments[1].value)
    return None


def _is_filter_of_time(rows: Filter) -> bool:
    return isinstance(rows.condition, Call) and rows.condition.function is IS_NOT_NULL


def _write_windowed(
    writer: QueryWriter,
    projection: Project,
    aggregate: Aggregate,
    input: QueryOperation,
    over: Over,
    window: int,
    lengths: tuple[int, int],
    given: int,
) -> Code:
    size, slide = lengths
    groups = Groups(input, aggregate.group_keys, aggregate.names)
    aliases = groups.aliases(all_renamed=True)
    alias = aggregate.names[window]
    shown = groups.of_rows(projection.projections, aliases, aggregate.aggregates)
    time = over.order_by[0].expression
    write = writer.expressions(projection, (*over.partition_by, time, *shown))
    code = method(import_name("Tumble" if size == slide else "Slide", "tableapi.window"), "over", _rows(size))
    code = code if size == slide else method(code, "every", _rows(slide))
    code = method(method(code, "on", write.expression(time)), "alias", text(alias))
    keys = [
        invoke(function("col"), text(alias)) if position == window else key_code(key, name, write)
        for position, (key, name) in enumerate(zip(groups.keys, aliases, strict=True))
    ]
    columns = [
        writer.named(write.expression(e), e, name, given) for e, name in zip(shown, projection.names, strict=True)
    ]
    return method(method(method(writer.table(input), "window", code), "group_by", *keys), "select", *columns)


def _rows(number: int) -> Code:
    return invoke(function("row_interval"), write_integer(number))
