"""The parts of one SELECT: lines of text, and the queries between them."""

from __future__ import annotations

from collections.abc import Sequence

from ir.expressions import FieldReference, ResolvedExpression
from ir.operations.operation import QueryOperation
from ir.operations.source import SINGLE_ROW
from ir.schema import ResolvedSchema
from serializer.expressions import ColumnNames, expression_pieces
from serializer.items import Item, Line, Relation, line_end
from serializer.names import column_texts, name_text
from serializer.notation import Feature, Notation
from serializer.pieces import Piece, Subquery

LINE_WIDTH = 100
"""Items of at most this length together share a line."""


def expression_item(
    expression: ResolvedExpression, notation: Notation, columns: ColumnNames | None = None
) -> tuple[Piece, ...]:
    """Write an expression as an item of a list."""
    return tuple(expression_pieces(expression, notation, columns=columns))


def write_named_item(
    expression: ResolvedExpression, name: str, notation: Notation, columns: ColumnNames | None = None
) -> tuple[Piece, ...]:
    """Write an expression with its column name, unless it is the column of that name."""
    pieces = expression_pieces(expression, notation, columns=columns)
    if isinstance(expression, FieldReference) and expression.name == name:
        return tuple(pieces)
    *before, last = pieces
    return (*before, f"{last} AS {name_text(name, notation)}")


def item_lines(keyword: str, items: list[tuple[Piece, ...]], depth: int) -> list[Item]:
    """Write an optional ``keyword`` and its items: on one line if they fit, else each on a line of its own."""
    texts = [item[0] for item in items if len(item) == 1 and isinstance(item[0], str)]
    if len(texts) == len(items):
        return text_lines(keyword, texts, depth)
    if sum(_width(piece) for item in items for piece in item) + 2 * len(items) + len(keyword) <= LINE_WIDTH:
        return [Line(depth, (f"{keyword} " if keyword else "", *separate_items(items)))]
    first: list[Item] = [Line(depth, (keyword,))] if keyword else []
    below = depth + 1 if keyword else depth
    last = len(items) - 1
    return [*first, *[Line(below, (*item, "," if n < last else "")) for n, item in enumerate(items)]]


def text_lines(keyword: str, items: Sequence[str], depth: int) -> list[Item]:
    """Write an optional ``keyword`` and items without subqueries, as ``item_lines`` does."""
    if sum(map(len, items)) + 2 * len(items) + len(keyword) <= LINE_WIDTH:
        return [Line(depth, ((f"{keyword} " if keyword else "") + ", ".join(items),))]
    first: list[Item] = [Line(depth, (keyword,))] if keyword else []
    below = depth + 1 if keyword else depth
    return [*first, Line(below, (f",{line_end(below)}".join(items),))]


def column_lines(keyword: str, schema: ResolvedSchema, depth: int, notation: Notation) -> list[Item]:
    """Write ``keyword`` and the names of all columns, or a star if there are none.

    Raises:
        TableException: there are no columns, which the dialect does not support.
    """
    if not schema.columns:
        notation.require(Feature.NO_COLUMNS)
    return text_lines(keyword, column_texts(schema, notation) or ("*",), depth)


def _width(piece: Piece) -> int:
    if isinstance(piece, Subquery):
        return LINE_WIDTH
    return len(piece if isinstance(piece, str) else piece.name)


def column_items(schema: ResolvedSchema, notation: Notation) -> list[tuple[Piece, ...]]:
    """Return the names of all columns as items of a list, or a star if there are none."""
    return [(text,) for text in column_texts(schema, notation)] or [("*",)]


def input_lines(input: QueryOperation, depth: int, keyword: str = "FROM", alias: str | None = None) -> list[Item]:
    """Write an input after a keyword. A SELECT without input has no FROM."""
    if input is SINGLE_ROW and keyword == "FROM":
        return []
    return [Relation(depth, keyword, input, alias)]


def separate_items(items: Sequence[tuple[Piece, ...]]) -> list[Piece]:
    """Join the pieces of all items with commas."""
    pieces: list[Piece] = []
    text: list[str] = []
    for item in items:
        for piece in item:
            if isinstance(piece, str):
                text.append(piece)
            else:
                pieces += ["".join(text), piece]
                text.clear()
        text.append(", ")
    return [*pieces, "".join(text[:-1])]


def parenthesise_several(items: list[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Return a single item unchanged, and several in parentheses."""
    return items[0] if len(items) == 1 else ("(", *separate_items(items), ")")
