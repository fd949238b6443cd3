"""Writes the text of a query line by line. The writer uses a stack, so that depth is unbounded."""

from __future__ import annotations

from collections.abc import Callable

from ir.light_tuples import NamedTuple
from ir.operations.operation import MAX_INDENT, QueryOperation
from serializer.items import LONGEST, Block, Item, Line, Part, line_end
from serializer.names import write_qualified_name
from serializer.notation import Notation
from serializer.pieces import OuterColumn, Piece, Scope, Subquery


class Span(NamedTuple):
    """The position of an operation in the text: its first character, and the one after its last."""

    start: int
    end: int
    operation: QueryOperation


class _End(NamedTuple):
    """Marks the end of an operation's text, which began at ``start``."""

    start: int
    operation: QueryOperation


def write(first: list[Item], items: Callable[[Block], list[Item]], notation: Notation) -> tuple[str, list[Span]]:
    """Write some items, and return the text and the position of each operation.

    ``items`` returns the items of a block.
    """
    text = _Text(notation)
    stack: list[Item | _End] = list(reversed(first))
    while stack:
        item = stack.pop()
        if isinstance(item, Line):
            rest = text.write(item)
            if rest:
                stack += rest[::-1]
        elif isinstance(item, Block):
            stack.append(_End(text.position_of_next_line(item.depth), item.operation))
            stack += items(item)[::-1]
        elif isinstance(item, Part):
            stack.append(_End(text.position_of_next_line(item.items[0].depth), item.operation))
            stack += item.items[::-1]
        else:
            assert isinstance(item, _End), "the layout has written the relations"
            text.spans.append(Span(item.start, text.length, item.operation))
    return text.finish(), text.spans


def resolve_outer_names(piece: Piece, scope: Scope | None, own: Scope | None, notation: Notation) -> Piece:
    """Resolve the names of outer queries in a piece: write an outer column, or give a subquery its scope."""
    if isinstance(piece, Subquery):
        return Subquery(piece.operation, own, piece.use)
    if isinstance(piece, OuterColumn):
        assert scope is not None, "a query with references to one around it is refused at its root"
        name = scope.names.get(piece.name, piece.name)
        return write_qualified_name(scope.aliases[piece.name], name, notation)
    return piece


class _Text:
    """The text written so far."""

    def __init__(self, notation: Notation) -> None:
        self._notation = notation
        self._parts: list[str] = []
        self.length = 0
        self.spans: list[Span] = []

    def position_of_next_line(self, depth: int) -> int:
        return self.length + (1 if self._parts else 0) + 4 * min(depth, MAX_INDENT)

    def _append(self, text: str) -> None:
        length = len(text)
        # Lines at the deepest indentation stay long: nobody reads them, and measuring each again costs time.
        if length > LONGEST and not text.startswith(_DEEPEST):
            from serializer.long_lines import break_long_lines, long_line

            if long_line(text) is not None:
                text = break_long_lines(text, self._notation)
            length = len(text)
        self._parts.append(text)
        self.length += length

    def write(self, line: Line) -> list[Item]:
        """Write a line up to its first subquery, and return the items to be written after that."""
        depth, pieces = line
        if len(pieces) == 1 and self._parts:
            # Most lines are a single string.
            (only,) = pieces
            if isinstance(only, str) and only != _CONTINUE:
                self._append(line_end(depth) + only)
                return []
        continued = bool(pieces) and pieces[0] == _CONTINUE
        pieces = pieces[1:] if continued else pieces
        text = [] if continued else [line_end(depth) if self._parts else "    " * min(depth, MAX_INDENT)]
        for number, piece in enumerate(pieces):
            if isinstance(piece, str):
                text.append(piece)
            else:
                assert isinstance(piece, Subquery), "names of the query around a subquery are written by placed"
                self._append("".join([*text, "("]))
                rest = Line(depth, (_CONTINUE, *pieces[number + 1 :]))
                query = Block(depth + 1, piece.operation, piece.scope, use=piece.use)
                return [query, Line(depth, (")",)), rest]
        self._append("".join(text))
        return []

    def finish(self) -> str:
        return "".join(self._parts)


# Marks a line that continues the current one.
_CONTINUE = "\0"
_DEEPEST = line_end(MAX_INDENT)
