"""Writes joins and set operations in the layout NESTED."""

from __future__ import annotations

from ir.contents import OUTER
from ir.operations.join import Join, Pairing
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperation
from ir.operations.source import SINGLE_ROW
from serializer.clauses import choose_set_keyword, join_keyword, write_join_clause, write_join_condition
from serializer.items import Block, Item, Line
from serializer.names import name_text
from serializer.notation import Notation
from serializer.pieces import Piece
from serializer.scopes import lateral_alias, lists_lateral_columns
from serializer.select_block import column_lines, expression_item, input_lines


def join_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a join."""
    assert isinstance(operation, Pairing)
    condition = operation.condition
    lines = [*column_lines("SELECT", operation.schema, depth, notation), *input_lines(operation.left, depth)]
    if type(operation) is not Join:
        lines += input_lines(operation.right, depth, f"{operation.join_type.value} {operation.keyword}")
        return [*lines, *[write_join_clause(clause, depth, notation) for clause in operation.clauses]]
    is_correlated = bool(operation.contents & OUTER)
    keyword = join_keyword(operation.join_type, condition, notation, is_correlated=is_correlated)
    lines += input_lines(operation.right, depth, keyword)
    return [*lines, *write_join_condition(operation.join_type, condition, depth, notation)]


def lateral_join_block(
    operation: QueryOperation, depth: int, notation: Notation, alias: str | None = None
) -> list[Item]:
    """Write the SELECT of a lateral join, with the user's alias of its right side if there is one."""
    assert isinstance(operation, LateralJoin)
    lines = [*column_lines("SELECT", operation.schema, depth, notation), *input_lines(operation.input, depth)]
    right: tuple[Piece, ...] = expression_item(operation.right, notation)
    if lists_lateral_columns(operation):
        names = ", ".join(name_text(name, notation) for name in operation.names)
        right = (*right, f" AS {name_text(alias or lateral_alias(operation), notation)}({names})")
    elif alias is not None:
        right = (*right, f" AS {name_text(alias, notation)}")
    keyword = "FROM" if operation.input is SINGLE_ROW else f"{operation.join_type.value} JOIN LATERAL"
    lines.append(Line(depth, (f"{keyword} ", *right)))
    return [*lines, *write_join_condition(operation.join_type, operation.condition, depth, notation)]


def set_operation_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write a set operation between its inputs in parentheses."""
    assert isinstance(operation, SetOperation)
    return [
        Line(depth, ("(",)),
        Block(depth + 1, operation.left),
        Line(depth, (f") {choose_set_keyword(operation.kind, operation.all)} (",)),
        Block(depth + 1, operation.right),
        Line(depth, (")",)),
    ]
