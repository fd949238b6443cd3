"""What the text of one SELECT is made of: lines with pieces of text, and the queries that stand between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression
from ir.operations.operation import MAX_INDENT, QueryOperation
from ir.operations.source import SINGLE_ROW
from ir.rendering import Dialect
from ir.schema import ResolvedSchema
from serializer.call_syntax import Piece, Scope, Subquery, Use
from serializer.expressions import ColumnNames, expression_pieces
from serializer.names import column_texts, name_text

LINE_WIDTH = 100
"""Items that fit into this many characters stand on one line."""


class Line(NamedTuple):
    """A line of text at a depth of indentation, made of text and of queries that go on over several lines."""

    depth: int
    pieces: tuple[Piece, ...]


class Block(NamedTuple):
    """An operation that is left to be written at a depth; in a subquery, with what the query around it is called.

    ``input_alias`` is the alias of what it reads, where that says of which operation Flink's SQL has this one;
    ``use`` says what of it is looked at.
    """

    depth: int
    operation: QueryOperation
    scope: Scope | None = None
    input_alias: str | None = None
    use: Use = Use.TABLE


class Definition(Block):
    """The query of a step, where WITH defines it."""

    __slots__ = ()


class Relation(NamedTuple):
    """An input after a keyword, which the layout writes: a query in parentheses, or the name of one."""

    depth: int
    keyword: str
    operation: QueryOperation
    alias: str | None = None


class Part(NamedTuple):
    """Items that say what one operation does, where others are in the same SELECT."""

    operation: QueryOperation
    items: list[Line]


Item = Line | Block | Relation | Part


# What stands between a line and the next one, by the depth of that.
_LINE_ENDS = tuple(["\n" + "    " * depth for depth in range(MAX_INDENT + 1)])


def line_end(depth: int) -> str:
    """Return what stands between a line and the next one, which has a depth."""
    return _LINE_ENDS[depth] if depth < MAX_INDENT else _LINE_ENDS[-1]


def expression_item(
    expression: ResolvedExpression, dialect: Dialect, columns: ColumnNames | None = None
) -> tuple[Piece, ...]:
    """Return an expression as an item of a list."""
    return tuple(expression_pieces(expression, dialect, columns=columns))


def named_item(
    expression: ResolvedExpression, name: str, dialect: Dialect, columns: ColumnNames | None = None
) -> tuple[Piece, ...]:
    """Return an expression with the name of its column, unless it is the column of that name."""
    pieces = expression_pieces(expression, dialect, columns=columns)
    if isinstance(expression, FieldReference) and expression.name == name:
        return tuple(pieces)
    *before, last = pieces
    return (*before, f"{last} AS {name_text(name, dialect)}")


def item_lines(keyword: str, items: list[tuple[Piece, ...]], depth: int) -> list[Item]:
    """Return ``keyword``, if any, with items after it: on one line where they fit, else each on a line of its own."""
    texts = [item[0] for item in items if len(item) == 1 and isinstance(item[0], str)]
    if len(texts) == len(items):
        return text_lines(keyword, texts, depth)
    if sum(_width(piece) for item in items for piece in item) + 2 * len(items) + len(keyword) <= LINE_WIDTH:
        return [Line(depth, (f"{keyword} " if keyword else "", *separated_items(items)))]
    first: list[Item] = [Line(depth, (keyword,))] if keyword else []
    below = depth + 1 if keyword else depth
    last = len(items) - 1
    return [*first, *[Line(below, (*item, "," if n < last else "")) for n, item in enumerate(items)]]


def text_lines(keyword: str, items: Sequence[str], depth: int) -> list[Item]:
    """Return ``keyword``, if any, with items that hold no query after it: see ``item_lines``."""
    if sum(map(len, items)) + 2 * len(items) + len(keyword) <= LINE_WIDTH:
        return [Line(depth, ((f"{keyword} " if keyword else "") + ", ".join(items),))]
    first: list[Item] = [Line(depth, (keyword,))] if keyword else []
    below = depth + 1 if keyword else depth
    return [*first, Line(below, (f",{line_end(below)}".join(items),))]


def column_lines(keyword: str, schema: ResolvedSchema, depth: int, dialect: Dialect) -> list[Item]:
    """Return ``keyword`` with the names of all columns after it; of none, a star is all.

    Raises:
        TableException: there is none, which the dialect FLINK cannot say.
    """
    if not schema.columns:
        require_spark_without_columns(dialect)
    return text_lines(keyword, column_texts(schema, dialect) or ("*",), depth)


def require_spark_without_columns(dialect: Dialect) -> None:
    """Refuse rows without columns in a dialect that has none.

    Raises:
        TableException: so it is.
    """
    if dialect is Dialect.FLINK:
        raise TableException("Flink's SQL has no rows without columns. Select a column, or a constant.")


def _width(piece: Piece) -> int:
    if isinstance(piece, Subquery):
        return LINE_WIDTH
    return len(piece if isinstance(piece, str) else piece.name)


def column_items(schema: ResolvedSchema, dialect: Dialect) -> list[tuple[Piece, ...]]:
    """Return the names of all columns as items of a list; of none, a star is all."""
    return [(text,) for text in column_texts(schema, dialect)] or [("*",)]


def input_lines(input: QueryOperation, depth: int, keyword: str = "FROM", alias: str | None = None) -> list[Item]:
    """Return an input after a keyword; a SELECT that reads nothing has no FROM."""
    if input is SINGLE_ROW and keyword == "FROM":
        return []
    return [Relation(depth, keyword, input, alias)]


def separated_items(items: Sequence[tuple[Piece, ...]]) -> list[Piece]:
    """Return the pieces of all items, with commas between."""
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


def in_parentheses(items: list[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Return a single item as it is, several in parentheses."""
    return items[0] if len(items) == 1 else ("(", *separated_items(items), ")")
