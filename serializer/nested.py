"""The NESTED layout: one SELECT for each operation, the input indented inside of its FROM.

The text is written from a stack, outermost operation first, so that its depth costs no recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression
from ir.operations.aggregate import Aggregate
from ir.operations.filter import Distinct, Filter
from ir.operations.join import Join
from ir.operations.operation import MAX_INDENT, QueryOperation
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import InlineSource, Source, Values
from ir.rendering import Dialect
from ir.schema import ResolvedSchema
from serializer.call_syntax import Subquery
from serializer.expressions import expression_pieces
from serializer.literals import literal_text
from serializer.names import name_text, path_text

_LINE_WIDTH = 100
# A text that repeats shared parts more often than this is refused instead of filling the memory.
_MAX_BLOCKS = 100_000


class Line(NamedTuple):
    """A line of text at a depth of indentation, made of text and of queries that go on over several lines."""

    depth: int
    pieces: tuple[str | Subquery, ...]


class Block(NamedTuple):
    """An operation that is left to be written at a depth."""

    depth: int
    operation: QueryOperation


class Span(NamedTuple):
    """Where an operation stands in the text: from its first character to the one after its last."""

    start: int
    end: int
    operation: QueryOperation


class _End(NamedTuple):
    """Marks where the text of an operation that began at ``start`` ends."""

    start: int
    operation: QueryOperation


Item = Line | Block | _End


def nested_text(operation: QueryOperation, dialect: Dialect) -> str:
    """Return the SQL of a query, one SELECT for each operation.

    Raises:
        TableException: an operation or an expression has no form in the dialect, or the text would be too long
            because parts are shared very many times.
    """
    return nested_text_and_spans(operation, dialect)[0]


def nested_text_and_spans(operation: QueryOperation, dialect: Dialect) -> tuple[str, list[Span]]:
    """Return the SQL of a query, and where each operation stands in it."""
    blocks = operation.expanded_size()
    if blocks > _MAX_BLOCKS:
        raise TableException(
            f"The query uses parts of itself so often that its text would have {blocks} blocks; at most {_MAX_BLOCKS} "
            "are written. Store the part that is used most with create_view, and query the view."
        )
    text = _Text()
    stack: list[Item] = [Block(0, operation)]
    while stack:
        item = stack.pop()
        if isinstance(item, Block):
            stack.append(_End(text.position_of_next_line(item.depth), item.operation))
            stack.extend(reversed(_WRITERS[type(item.operation)](item.operation, item.depth, dialect)))
        elif isinstance(item, _End):
            text.spans.append(Span(item.start, text.length, item.operation))
        else:
            rest = text.write(item)
            stack.extend(reversed(rest))
    return text.finish(), text.spans


class _Text:
    """The text written so far."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.length = 0
        self.spans: list[Span] = []

    def position_of_next_line(self, depth: int) -> int:
        return self.length + (1 if self._parts else 0) + 4 * min(depth, MAX_INDENT)

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

    def write(self, line: Line) -> list[Item]:
        """Write a line up to the first query in it, and return what must be written after that."""
        indent = "    " * min(line.depth, MAX_INDENT)
        continued = bool(line.pieces) and line.pieces[0] == _CONTINUE
        pieces = line.pieces[1:] if continued else line.pieces
        if not continued:
            self._append(("\n" if self._parts else "") + indent)
        for number, piece in enumerate(pieces):
            if isinstance(piece, Subquery):
                self._append("(")
                rest = Line(line.depth, (_CONTINUE, *pieces[number + 1 :]))
                return [Block(line.depth + 1, piece.operation), Line(line.depth, (")",)), rest]
            self._append(piece)
        return []

    def finish(self) -> str:
        return "".join(self._parts)


# The first piece of a line that goes on where the text is.
_CONTINUE = "\0"


def _expression(expression: ResolvedExpression, dialect: Dialect) -> tuple[str | Subquery, ...]:
    return tuple(expression_pieces(expression, dialect))


def _item(expression: ResolvedExpression, name: str, dialect: Dialect) -> tuple[str | Subquery, ...]:
    pieces = _expression(expression, dialect)
    if isinstance(expression, FieldReference) and expression.name == name:
        return pieces
    return (*pieces, f" AS {name_text(name, dialect)}")


def _list(keyword: str, items: list[tuple[str | Subquery, ...]], depth: int) -> list[Item]:
    """Return ``keyword`` with items after it: on one line where they fit, else each on a line of its own."""
    width = sum(len(piece) if isinstance(piece, str) else _LINE_WIDTH for item in items for piece in item)
    if width + 2 * len(items) + len(keyword) <= _LINE_WIDTH:
        pieces: list[str | Subquery] = [keyword]
        for number, item in enumerate(items):
            pieces += [", " if number else " ", *item]
        return [Line(depth, tuple(pieces))]
    last = len(items) - 1
    lines: list[Item] = [Line(depth, (keyword,))]
    lines += [Line(depth + 1, (*item, "," if n < last else "")) for n, item in enumerate(items)]
    return lines


def _columns(schema: ResolvedSchema, dialect: Dialect) -> list[tuple[str | Subquery, ...]]:
    return [(name_text(name, dialect),) for name in schema.names]


def _from(input: QueryOperation, depth: int, keyword: str = "FROM") -> list[Item]:
    return [Line(depth, (f"{keyword} (",)), Block(depth + 1, input), Line(depth, (")",))]


def _source(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Source)
    path = path_text(operation.identifier, dialect)
    return [*_list("SELECT", _columns(operation.schema, dialect), depth), Line(depth, (f"FROM {path}",))]


def _inline_source(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, InlineSource)
    raise TableException(
        f"The query reads an anonymous {operation.kind} of this process with the columns {operation.schema!r}, which "
        "has no name that SQL could use. Give it one with create_temporary_view('name', table), and build the query "
        "on from_path('name')."
    )


def _values(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    from serializer.values import values_lines

    assert isinstance(operation, Values)
    lines: list[Item] = _list("SELECT", _columns(operation.schema, dialect), depth)
    if not operation.rows:
        return _empty_values(operation, depth, dialect)
    lines.append(Line(depth, ("FROM (VALUES" if dialect is Dialect.FLINK else "FROM VALUES",)))
    rows = values_lines(operation, dialect)
    lines += [Line(depth + 1, (row, "," if n < len(rows) - 1 else "")) for n, row in enumerate(rows)]
    names = ", ".join(name_text(name, dialect) for name in operation.schema.names)
    closing = ")" if dialect is Dialect.FLINK else ""
    return [*lines, Line(depth, (f"{closing} AS `values`({names})".lstrip(),))]


def _empty_values(operation: Values, depth: int, dialect: Dialect) -> list[Item]:
    """Return a query of no rows, since VALUES needs one: typed NULLs of which none is selected."""
    from ir.expressions import ValueLiteral

    items = []
    for column in operation.schema.columns:
        text = literal_text(ValueLiteral(None, column.data_type.as_nullable()), dialect)
        items.append((f"{text} AS {name_text(column.name, dialect)}",))
    one_row = [Line(depth, ("FROM (VALUES (1)) AS `values`(`one`)",))] if dialect is Dialect.FLINK else []
    return [*_list("SELECT", list(items), depth), *one_row, Line(depth, ("WHERE FALSE",))]


def _project(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Project)
    items = [_item(e, n, dialect) for e, n in zip(operation.projections, operation.names, strict=True)]
    return [*_list("SELECT", items, depth), *_from(operation.input, depth)]


def _filter(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Filter)
    condition = Line(depth, ("WHERE ", *expression_pieces(operation.condition, dialect, is_condition=True)))
    return [*_list("SELECT", _columns(operation.schema, dialect), depth), *_from(operation.input, depth), condition]


def _distinct(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Distinct)
    return [*_list("SELECT DISTINCT", _columns(operation.schema, dialect), depth), *_from(operation.input, depth)]


def _aggregate(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Aggregate)
    expressions = operation.group_keys + operation.aggregates
    items = [_item(e, n, dialect) for e, n in zip(expressions, operation.names, strict=True)]
    lines = [*_list("SELECT", items, depth), *_from(operation.input, depth)]
    if operation.group_keys:
        lines += _list("GROUP BY", [_expression(key, dialect) for key in operation.group_keys], depth)
    return lines


def _join(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Join)
    lines = [*_list("SELECT", _columns(operation.schema, dialect), depth), *_from(operation.left, depth)]
    cross = operation.condition is None and operation.join_type.value == "INNER"
    lines += _from(operation.right, depth, "CROSS JOIN" if cross else f"{operation.join_type.value} JOIN")
    if operation.condition is not None:
        lines.append(Line(depth, ("ON ", *_expression(operation.condition, dialect))))
    elif not cross:
        lines.append(Line(depth, ("ON TRUE",)))
    return lines


def _set_operation(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, SetOperation)
    keyword = operation.kind.value
    if operation.kind is SetOperationType.MINUS:
        keyword = "EXCEPT"
    left, right = operation.left, operation.right
    if dialect is Dialect.FLINK:
        from ir.flink_forms import cast_columns

        left, right = (cast_columns(side, operation.schema) for side in (left, right))
    return [
        Line(depth, ("(",)),
        Block(depth + 1, left),
        Line(depth, (f") {keyword}{' ALL' if operation.all else ''} (",)),
        Block(depth + 1, right),
        Line(depth, (")",)),
    ]


def _sort(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Sort)
    lines = [*_list("SELECT", _columns(operation.schema, dialect), depth), *_from(operation.input, depth)]
    if operation.order:
        lines += _list("ORDER BY", [_expression(order, dialect) for order in operation.order], depth)
    if dialect is Dialect.FLINK:
        if operation.offset is not None:
            lines.append(Line(depth, (f"OFFSET {operation.offset} ROWS",)))
        if operation.fetch is not None:
            lines.append(Line(depth, (f"FETCH NEXT {operation.fetch} ROWS ONLY",)))
    else:
        if operation.fetch is not None:
            lines.append(Line(depth, (f"LIMIT {operation.fetch}",)))
        if operation.offset is not None:
            lines.append(Line(depth, (f"OFFSET {operation.offset}",)))
    return lines


_WRITERS: dict[type[QueryOperation], Callable[[QueryOperation, int, Dialect], list[Item]]] = {
    Source: _source,
    InlineSource: _inline_source,
    Values: _values,
    Project: _project,
    Filter: _filter,
    Distinct: _distinct,
    Aggregate: _aggregate,
    Join: _join,
    SetOperation: _set_operation,
    Sort: _sort,
}
