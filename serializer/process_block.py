"""Writes calls of process table functions in FROM, with each named argument on lines of its own."""

from __future__ import annotations

from collections.abc import Sequence

from ir.expressions import DescriptorLiteral, SortOrder
from ir.functions.process import ON_TIME, UID
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.operations.process import ProcessTable
from ir.resolution.process.arguments import is_default
from ir.resolution.process.call import derive_uid
from serializer.call_syntax import function_name
from serializer.items import Block, Item, Line
from serializer.names import name_text
from serializer.notation import Notation
from serializer.pieces import Piece
from serializer.select_block import column_lines, expression_item, separate_items

Argument = list[Item]


def process_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of all columns of a call.

    Raises:
        TableException: the function has no name.
    """
    assert isinstance(operation, ProcessTable)
    return process_lines(operation, depth, notation)


def process_lines(
    operation: ProcessTable, depth: int, notation: Notation, table_names: Sequence[str] = ()
) -> list[Item]:
    """Write the SELECT of all columns of a call, whose tables are queries, or queries of WITH with ``table_names``."""
    name = function_name(operation.function, notation)
    lines = column_lines("SELECT", operation.schema, depth, notation)
    arguments = _arguments(operation, depth + 1, notation, table_names)
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


def _arguments(operation: ProcessTable, depth: int, notation: Notation, named: Sequence[str]) -> list[Argument]:
    """Return the arguments in order."""
    tables: list[Argument] = []
    values: list[Argument] = []
    every: list[Argument] = []
    scalars = iter(operation.scalars)
    for argument in operation.signature.arguments:
        head = f"{name_text(argument.name, notation)} => "
        if argument.is_table:
            number = len(tables)
            tables.append(_table(operation, number, head, depth, notation, named))
            every.append(tables[-1])
            continue
        value = next(scalars)
        if not is_default(argument, value):
            values.append([Line(depth, (head, *expression_item(value, notation)))])
            every.append(values[-1])
    system: list[Argument] = []
    if operation.on_time:
        names = DescriptorLiteral(operation.time_names)
        system.append([Line(depth, (f"{name_text(ON_TIME, notation)} => ", *expression_item(names, notation)))])
    if operation.uid != derive_uid(operation.function):
        uid = literal(operation.uid)
        system.append([Line(depth, (f"{name_text(UID, notation)} => ", *expression_item(uid, notation)))])
    return [*(tables + values if notation.has_tables_first else every), *system]


def _table(
    operation: ProcessTable, number: int, head: str, depth: int, notation: Notation, named: Sequence[str]
) -> Argument:
    spread: list[Piece] = []
    keys = [expression_item(key, notation) for key in operation.partition_keys[number]]
    if keys:
        spread += [" PARTITION BY (", *separate_items(keys), ")"]
    orders = [_order_item(key, notation) for key in operation.order_keys[number]]
    if orders:
        spread += [" ORDER BY (", *separate_items(orders), ")"]
    if named:
        return [Line(depth, (f"{head}TABLE {name_text(named[number], notation)}", *spread))]
    return [
        Line(depth, (f"{head}{notation.table_argument}",)),
        Block(depth + 1, operation.tables[number]),
        Line(depth, (")", *spread)),
    ]


def _order_item(order: SortOrder, notation: Notation) -> tuple[Piece, ...]:
    """Write a key of ORDER BY with its direction, which Flink requires here."""
    direction = " ASC" if order.ascending else " DESC"
    nulls = "" if order.nulls_first == order.ascending else f" NULLS {'FIRST' if order.nulls_first else 'LAST'}"
    return (*expression_item(order.expression, notation), direction + nulls)
