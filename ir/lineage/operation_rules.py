"""The reads of the columns, the rows and the order of operations: one rule for each class.

A rule yields expressions over the inputs, and columns, rows or orders of operations. A test compares the table of rules
with all operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ir.call_expressions import Call
from ir.contents import OUTER, QUERY
from ir.expressions import ResolvedExpression
from ir.lineage.influences import Influence
from ir.lineage.paths import WHOLE, Path, translate
from ir.lineage.reads import ORDER, ROWS, Read
from ir.lineage.table_function_rules import reads_of_column, reads_of_rows
from ir.operations.aggregate import Aggregate
from ir.operations.engine import EngineFunction
from ir.operations.filter import Distinct, Filter
from ir.operations.hint import Hint, Sample
from ir.operations.join import Pairing
from ir.operations.lateral import LateralJoin
from ir.operations.no_columns import NoColumns
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.script import Script
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import InlineSource, Source, Values
from ir.operations.watermark import Watermark

_COPY, _MADE = Influence.IDENTITY, Influence.TRANSFORMATION


class Below(NamedTuple):
    """A column of an operation, its rows or its order.

    Attributes:
        operation: the operation, an input of the one that reads it.
        column: the position of the column, or a constant of ``ir.lineage.reads``.
        path: the part of the column.
        influence: the influence.
        is_repeated: whether the operation is the step of a recursion, which reads the recursion itself.
    """

    operation: QueryOperation
    column: int
    path: Path = WHOLE
    influence: Influence = _COPY
    is_repeated: bool = False


Found = Iterator[Below | Read]
Rule = Callable[[Any, int, Path], Found]
"""Takes an operation, the position of a column or ``ROWS`` or ``ORDER``, and the part of the column."""


def _expressions(given: tuple[ResolvedExpression, ...], influence: Influence) -> Iterator[Read]:
    return (Read(expression, WHOLE, influence) for expression in given)


def _all_columns(operation: QueryOperation, influence: Influence) -> Iterator[Below]:
    return (Below(operation, column, WHOLE, influence) for column in range(len(operation.schema)))


def _leaf(operation: QueryOperation, column: int, path: Path) -> Found:
    return iter(())


def _same(operation: QueryOperation, column: int, path: Path) -> Found:
    """The columns, rows and order of the only input."""
    yield Below(operation.inputs[0], column, path)


def _project(operation: Project, column: int, path: Path) -> Found:
    if column < 0:
        yield Below(operation.input, column)
    else:
        yield Read(operation.projections[column], path)


def _filter(operation: Filter, column: int, path: Path) -> Found:
    yield Below(operation.input, column, path)
    if column == ROWS:
        yield Read(operation.condition, WHOLE, Influence.FILTER)


def _distinct(operation: Distinct, column: int, path: Path) -> Found:
    if column == ORDER:
        return
    yield Below(operation.input, column, path)
    if column == ROWS:
        yield from _all_columns(operation.input, Influence.GROUP)


def _sort(operation: Sort, column: int, path: Path) -> Found:
    if column != ORDER:
        yield Below(operation.input, column, path)
    if column == ORDER or (column == ROWS and operation.is_limited):
        yield from _expressions(operation.order, Influence.SORT)
        if not operation.order:
            yield Below(operation.input, ORDER)


def _sort_partitions(operation: SortPartitions, column: int, path: Path) -> Found:
    if column != ORDER:
        yield Below(operation.input, column, path)
    else:
        yield from _expressions(operation.order, Influence.SORT)


def _aggregate(operation: Aggregate, column: int, path: Path) -> Found:
    if column >= 0:
        yield Read(operation.expressions[column], path)
    elif column == ROWS:
        yield Below(operation.input, ROWS)
        yield from _expressions(operation.group_keys, Influence.GROUP)


def _join(operation: Pairing, column: int, path: Path) -> Found:
    if column >= 0:
        below = operation.column_below(column)
        assert below is not None, "a join passes on all columns"
        yield Below(*below, path)
    elif column == ROWS:
        yield Below(operation.left, ROWS)
        yield Below(operation.right, ROWS)
        for condition in operation.expressions:
            yield Read(condition, WHOLE, Influence.JOIN)


def _lateral(operation: LateralJoin, column: int, path: Path) -> Found:
    width, right = len(operation.input.schema), operation.right
    if column >= 0:
        if column < width:
            yield Below(operation.input, column, path)
        elif isinstance(right, TableReference):
            yield Read(right, path, _COPY, column - width)
        else:
            assert isinstance(right, Call)
            yield from reads_of_column(right, column - width, path)
    elif column == ROWS:
        yield Below(operation.input, ROWS)
        if isinstance(right, TableReference):
            yield Read(right, WHOLE, _COPY, ROWS)
        else:
            assert isinstance(right, Call)
            yield from reads_of_rows(right)
        if operation.condition is not None:
            yield Read(operation.condition, WHOLE, Influence.JOIN)


def _set_operation(operation: SetOperation, column: int, path: Path) -> Found:
    is_union = operation.kind is SetOperationType.UNION
    if column >= 0:
        for side in operation.inputs if is_union else (operation.left,):
            yield _cast_column(operation, side, column, path)
    elif column == ROWS:
        for side in operation.inputs:
            yield Below(side, ROWS)
            if operation.compares_rows:
                yield from _all_columns(side, Influence.GROUP if is_union else Influence.JOIN)


def _cast_column(
    operation: QueryOperation, side: QueryOperation, column: int, path: Path, *, is_repeated: bool = False
) -> Below:
    """Return the column of an input that becomes a column of an operation, possibly with a cast."""
    given, made = side.schema.types[column], operation.schema.types[column]
    influence = _COPY if given.same_type(made) else _MADE
    return Below(side, column, translate(path, made, given), influence, is_repeated)


def _recursion(operation: Recursion, column: int, path: Path) -> Found:
    if column == ORDER:
        return
    for side in operation.inputs:
        is_step = side is operation.step
        if column >= 0:
            yield _cast_column(operation, side, column, path, is_repeated=is_step)
        else:
            yield Below(side, ROWS, is_repeated=is_step)


def _pivot(operation: Pivot, column: int, path: Path) -> Found:
    groups = operation.group_columns
    if 0 <= column < len(groups):
        yield Read(groups[column], path)
    elif column >= 0:
        yield Read(operation.aggregates[(column - len(groups)) % len(operation.aggregates)], path)
        yield from _expressions(operation.pivot_columns, Influence.CONDITIONAL)
    elif column == ROWS:
        yield Below(operation.input, ROWS)
        yield from _expressions(groups, Influence.GROUP)


def _unpivot(operation: Unpivot, column: int, path: Path) -> Found:
    kept = operation.kept_columns
    if column == ROWS:
        yield Below(operation.input, ROWS)
    elif 0 <= column < len(kept):
        yield Read(kept[column], path)
    elif column > len(kept):
        made = operation.schema.types[column]
        for group in operation.groups:
            given = group[column - len(kept) - 1]
            is_same = given.data_type.same_type(made)
            yield Read(given, translate(path, made, given.data_type), _COPY if is_same else _MADE)


def _program(operation: Script | EngineFunction, column: int, path: Path) -> Found:
    """Any output column and the output rows depend on everything that the program receives."""
    yield Below(operation.input, ROWS)
    yield Below(operation.input, ORDER)
    influence = Influence.FILTER if column < 0 else _MADE
    yield from _all_columns(operation.input, influence)
    yield from _expressions(operation.expressions, influence)


def _process(operation: ProcessTable, column: int, path: Path) -> Found:
    if column >= 0:
        yield from _process_column(operation, column, path)
    elif column == ROWS:
        for table in operation.tables:
            yield Below(table, ROWS)
            yield Below(table, ORDER)
            yield from _all_columns(table, Influence.FILTER)
        for keys, orders in zip(operation.partition_keys, operation.order_keys, strict=True):
            yield from _expressions(keys, Influence.GROUP)
            yield from _expressions(orders, Influence.SORT)


def _process_column(operation: ProcessTable, column: int, path: Path) -> Found:
    """Read for a column: those of each table, those of the function, and the time."""
    first = 0
    parts = zip(operation.signature.tables, operation.tables, operation.partition_keys, strict=True)
    for argument, table, keys in parts:
        width = len(table.schema) if argument.passes_through else len(keys)
        if first <= column < first + width:
            if argument.passes_through:
                yield Below(table, column - first, path)
            else:
                # For a partition without rows of the table, the keys are those of another table.
                beside = [other for other in operation.partition_keys if len(other) == len(keys)]
                yield from (Read(other[column - first], path) for other in beside)
            return
        first += width
    if column < first + len(operation.output.fields):
        for table in operation.tables:
            yield from _all_columns(table, _MADE)
        yield from _expressions(operation.scalars, _MADE)
    else:
        for table, index in zip(operation.tables, operation.on_time, strict=False):
            yield Below(table, index, path)


def _values(operation: Values, column: int, path: Path) -> Found:
    if column >= 0:
        for row in operation.rows:
            if row[column].contents & (OUTER | QUERY):
                yield Read(row[column], path)


RULES: dict[type[QueryOperation], Rule] = {
    Aggregate: _aggregate,
    Distinct: _distinct,
    Distribute: _same,
    EngineFunction: _program,
    Filter: _filter,
    Hint: _same,
    InlineSource: _leaf,
    LateralJoin: _lateral,
    NoColumns: _same,
    Pairing: _join,
    Pivot: _pivot,
    ProcessTable: _process,
    Project: _project,
    Recursion: _recursion,
    # The traversal knows which recursion is meant.
    RecursiveReference: _leaf,
    Sample: _same,
    Script: _program,
    SetOperation: _set_operation,
    Sort: _sort,
    SortPartitions: _sort_partitions,
    Source: _leaf,
    Unpivot: _unpivot,
    Values: _values,
    Watermark: _same,
}
"""The rule of each class of operations, or of the class that several operations extend."""


def rule_of(kind: type[QueryOperation]) -> Rule:
    """Return the rule of a class of operations, most often its own.

    Raises:
        KeyError: neither the class nor a class that it extends has a rule.
    """
    rule = RULES.get(kind)
    return rule if rule is not None else next(RULES[base] for base in kind.__mro__[1:] if base in RULES)
