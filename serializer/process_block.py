"""Writes calls of process table functions in FROM, with each named argument on lines of its own."""

from __future__ import annotations

from ir.errors import TableException
from ir.expressions import DescriptorLiteral, FieldReference, ResolvedExpression, SortOrder
from ir.functions.process import ON_TIME, UID, ArgumentKind
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.filter import Distinct, Filter
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.sort import Sort
from ir.operations.source import Source, Values
from ir.rendering import Dialect
from ir.resolution.process.arguments import is_default
from ir.resolution.process.call import derived_uid
from ir.resolution.process.time import TIME_TYPES
from serializer.call_syntax import Piece, function_name
from serializer.names import name_text
from serializer.select_block import (
    Block,
    Item,
    Line,
    column_lines,
    expression_item,
    separated_items,
)

Argument = list[Item]


def process_block(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    """Write the SELECT of all columns of a call.

    Flink's parser accepts at most one query as an argument, without ``TABLE`` before it. Several tables are therefore
    named in WITH.

    Raises:
        TableException: the function has no name, or Flink does not support the call.
    """
    assert isinstance(operation, ProcessTable)
    if dialect is Dialect.FLINK:
        _require_flink(operation)
    name = function_name(operation.function, dialect)
    named = _common_names(operation) if dialect is Dialect.FLINK and len(operation.tables) > 1 else []
    lines: list[Item] = []
    for number, (common, table) in enumerate(zip(named, operation.tables, strict=False)):
        keyword = "WITH " if number == 0 else ""
        end = "," if number < len(named) - 1 else ""
        lines += [
            Line(depth, (f"{keyword}{name_text(common, dialect)} AS (",)),
            Block(depth + 1, table),
            Line(depth, (f"){end}",)),
        ]
    lines += column_lines("SELECT", operation.schema, depth, dialect)
    arguments = _arguments(operation, depth + 1, dialect, named)
    if not arguments:
        return [*lines, Line(depth, (f"FROM {name}()",))]
    lines.append(Line(depth, (f"FROM {name}(",)))
    for number, argument in enumerate(arguments):
        *before, last = argument
        if number < len(arguments) - 1:
            assert isinstance(last, Line)
            last = Line(last.depth, (*last.pieces, ","))
        lines += [*before, last]
    return [*lines, Line(depth, (")",))]


def _arguments(operation: ProcessTable, depth: int, dialect: Dialect, named: list[str]) -> list[Argument]:
    """Return the arguments in order; for Flink, tables come first, because its parser accepts a query only there."""
    tables: list[Argument] = []
    values: list[Argument] = []
    every: list[Argument] = []
    scalars = iter(operation.scalars)
    for argument in operation.signature.arguments:
        head = f"{name_text(argument.name, dialect)} => "
        if argument.is_table:
            number = len(tables)
            tables.append(_table(operation, number, head, depth, dialect, named))
            every.append(tables[-1])
            continue
        value = next(scalars)
        if not is_default(argument, value):
            values.append([Line(depth, (head, *expression_item(value, dialect)))])
            every.append(values[-1])
    system: list[Argument] = []
    if operation.on_time:
        names = DescriptorLiteral(operation.time_names)
        system.append([Line(depth, (f"{name_text(ON_TIME, dialect)} => ", *expression_item(names, dialect)))])
    if operation.uid != derived_uid(operation.function):
        uid = literal(operation.uid)
        system.append([Line(depth, (f"{name_text(UID, dialect)} => ", *expression_item(uid, dialect)))])
    return [*(every if dialect is Dialect.SPARK else tables + values), *system]


def _table(operation: ProcessTable, number: int, head: str, depth: int, dialect: Dialect, named: list[str]) -> Argument:
    spread: list[Piece] = []
    keys = [expression_item(key, dialect) for key in operation.partition_keys[number]]
    if keys:
        spread += [" PARTITION BY (", *separated_items(keys), ")"]
    orders = [_order_item(key, dialect) for key in operation.order_keys[number]]
    if orders:
        spread += [" ORDER BY (", *separated_items(orders), ")"]
    if named:
        return [Line(depth, (f"{head}TABLE {name_text(named[number], dialect)}", *spread))]
    opening = "TABLE(" if dialect is Dialect.SPARK else "("
    return [
        Line(depth, (f"{head}{opening}",)),
        Block(depth + 1, operation.tables[number]),
        Line(depth, (")", *spread)),
    ]


def _order_item(order: SortOrder, dialect: Dialect) -> tuple[Piece, ...]:
    """Write a key of ORDER BY with its direction, which Flink always writes here."""
    direction = " ASC" if order.ascending else " DESC"
    nulls = "" if order.nulls_first == order.ascending else f" NULLS {'FIRST' if order.nulls_first else 'LAST'}"
    return (*expression_item(order.expression, dialect), direction + nulls)


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
