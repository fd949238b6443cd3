"""The items of one SELECT: lines of text, and the queries between them."""

from __future__ import annotations

from ir.light_tuples import NamedTuple
from ir.operations.operation import MAX_INDENT, QueryOperation
from serializer.pieces import Piece, Scope, Use

LONGEST = 120
"""Lines up to this length stay unchanged."""


class Line(NamedTuple):
    """A line of text at an indentation depth. Its pieces are strings, and queries that continue over several lines."""

    depth: int
    pieces: tuple[Piece, ...]


class Block(NamedTuple):
    """An operation to be written at an indentation depth.

    In a subquery, ``scope`` has the aliases of the outer query.

    ``input_alias`` is the alias of its input in Flink's SQL, if the alias marks the operation that the text was
    lowered from; ``use`` is the use of its rows.
    """

    depth: int
    operation: QueryOperation
    scope: Scope | None = None
    input_alias: str | None = None
    use: Use = Use.TABLE


class Definition(Block):
    """The query of a step, at its definition in WITH."""

    __slots__ = ()


class Relation(NamedTuple):
    """An input after a keyword, which the layout writes as a parenthesised query or as a name."""

    depth: int
    keyword: str
    operation: QueryOperation
    alias: str | None = None


class Part(NamedTuple):
    """The items of one operation in a SELECT of several operations."""

    operation: QueryOperation
    items: list[Line]


Item = Line | Block | Relation | Part


# The line break before a line, by the depth of that line.
_LINE_ENDS = tuple(["\n" + "    " * depth for depth in range(MAX_INDENT + 1)])


def line_end(depth: int) -> str:
    """Return the line break before a line of the given depth."""
    return _LINE_ENDS[depth] if depth < MAX_INDENT else _LINE_ENDS[-1]
