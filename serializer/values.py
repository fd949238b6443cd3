"""Writes the rows of VALUES."""

from __future__ import annotations

from collections.abc import Collection

from ir.expressions import ResolvedExpression, ValueLiteral
from ir.operations.source import Values
from serializer.expressions import expression_pieces
from serializer.notation import Notation


def values_lines(operation: Values, notation: Notation, defaults: Collection[tuple[int, int]] = ()) -> list[str]:
    """Write each row. An untyped NULL takes the column's type from another row.

    Args:
        operation: the rows.
        notation: how the dialect writes values.
        defaults: the row and the column of each value that is DEFAULT.
    """
    width = len(operation.schema)
    typed = [notation.has_untyped_null and any(not _is_null(row[i]) for row in operation.rows) for i in range(width)]

    def cell(value: ResolvedExpression, row: int, column: int) -> str:
        if defaults and (row, column) in defaults:
            return "DEFAULT"
        return "NULL" if typed[column] and _is_null(value) else _constant_text(value, notation)

    return [
        "(" + ", ".join([cell(value, number, i) for i, value in enumerate(row)]) + ")"
        for number, row in enumerate(operation.rows)
    ]


def _constant_text(value: ResolvedExpression, notation: Notation) -> str:
    texts = []
    for piece in expression_pieces(value, notation):
        assert isinstance(piece, str), "a value that is written out holds no query"
        texts.append(piece)
    return "".join(texts)


def _is_null(value: ResolvedExpression) -> bool:
    return isinstance(value, ValueLiteral) and value.is_null
