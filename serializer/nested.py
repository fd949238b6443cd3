"""The NESTED layout: one SELECT for each operation, the input indented inside of its FROM.

The text is written from a stack, outermost operation first, so that its depth costs no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ir.errors import TableException
from ir.expressions import ResolvedExpression, SortOrder, TableReference
from ir.flink.arguments import cast_columns
from ir.flink.ordering import sorted_last
from ir.flink.rewritten import CAST_ALIAS, SORT_ALIAS
from ir.flink.subqueries import require_flink_subqueries
from ir.flink.time_windows import cumulation_of, window_of
from ir.operations.aggregate import Aggregate, GroupingSets, cube_sets, rollup_sets
from ir.operations.correlation import require_no_outer_references
from ir.operations.engine import EngineFunction
from ir.operations.filter import Distinct, Filter
from ir.operations.hint import Hint, Sample
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import MAX_INDENT, QueryOperation
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.process import ProcessTable
from ir.operations.project import Project
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import SINGLE_ROW, InlineSource, Source, Values
from ir.rendering import Dialect
from serializer.call_syntax import OuterColumn, Piece, Scope, Subquery
from serializer.engine_block import engine_function_block
from serializer.expressions import expression_pieces
from serializer.flink_lateral import flink_lateral_columns, flink_lateral_pieces
from serializer.hint_blocks import hint_block, partitions_block, sample_block
from serializer.names import name_text
from serializer.pivot_blocks import pivot_block, unpivot_block
from serializer.process_block import process_block
from serializer.recursion_block import recursion_block, recursive_reference_block
from serializer.scopes import input_aliases, lateral_alias, scope_of_subqueries
from serializer.select_block import (
    Block,
    Item,
    Line,
    column_items,
    expression_item,
    input_lines,
    item_lines,
    named_item,
    separated_items,
)
from serializer.source_blocks import inline_source_block, source_block, values_block

# A text that repeats shared parts more often than this is refused instead of filling the memory.
_MAX_BLOCKS = 100_000


class Span(NamedTuple):
    """Where an operation stands in the text: from its first character to the one after its last."""

    start: int
    end: int
    operation: QueryOperation


class _End(NamedTuple):
    """Marks where the text of an operation that began at ``start`` ends."""

    start: int
    operation: QueryOperation


def nested_text(operation: QueryOperation, dialect: Dialect) -> str:
    """Return the SQL of a query, one SELECT for each operation.

    Raises:
        TableException: an operation or an expression has no form in the dialect, or the text would be too long
            because parts are shared very many times.
    """
    return nested_text_and_spans(operation, dialect)[0]


def body_text(operation: QueryOperation, name: str, parameters: Iterable[str]) -> str:
    """Return the SQL of the query that is the body of a function, whose parameters are those of a query around it.

    Each is written with the name of the function before it, as Spark tells it from a column of the same name.
    """
    return nested_text_and_spans(operation, Dialect.SPARK, Scope(dict.fromkeys(parameters, name), 0))[0]


def nested_text_and_spans(
    operation: QueryOperation, dialect: Dialect, around: Scope | None = None
) -> tuple[str, list[Span]]:
    """Return the SQL of a query, and where each operation stands in it; ``around`` is the query that it is part of."""
    if around is None:
        require_no_outer_references(operation)
    alias = None
    if dialect is Dialect.FLINK:
        given, operation = operation, sorted_last(operation)
        alias = None if operation is given else SORT_ALIAS
        require_flink_subqueries(operation)
    blocks = operation.expanded_size()
    if blocks > _MAX_BLOCKS:
        raise TableException(
            f"The query uses parts of itself so often that its text would have {blocks} blocks; at most {_MAX_BLOCKS} "
            "are written. Store the part that is used most with create_view, and query the view."
        )
    text = _Text()
    stack: list[Item | _End] = [Block(0, operation, around, alias)]
    while stack:
        item = stack.pop()
        if isinstance(item, Block):
            stack.append(_End(text.position_of_next_line(item.depth), item.operation))
            items = _WRITERS[type(item.operation)](item.operation, item.depth, dialect)
            stack.extend(reversed(_placed(items, item, dialect)))
        elif isinstance(item, _End):
            text.spans.append(Span(item.start, text.length, item.operation))
        else:
            rest = text.write(item)
            stack.extend(reversed(rest))
    return text.finish(), text.spans


def expression_text(expression: ResolvedExpression, dialect: Dialect) -> str:
    """Return an expression as SQL.

    Raises:
        TableException: it holds a query, which only the text of an operation can, or something that has no form.
    """
    pieces = expression_pieces(expression, dialect)
    text = []
    for piece in pieces:
        if isinstance(piece, Subquery):
            text.append("(\n" + nested_text(piece.operation, dialect) + "\n)")
        elif isinstance(piece, OuterColumn):
            raise TableException(
                f"{expression.as_summary_string()} refers to the column {piece.name!r} of a query around it, and has "
                "SQL only as part of that."
            )
        else:
            text.append(piece)
    return "".join(text)


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
                return [Block(line.depth + 1, piece.operation, piece.scope), Line(line.depth, (")",)), rest]
            assert isinstance(piece, str), "names of the query around a subquery are written by _placed"
            self._append(piece)
        return []

    def finish(self) -> str:
        return "".join(self._parts)


# The first piece of a line that goes on where the text is.
_CONTINUE = "\0"


def _placed(items: list[Item], block: Block, dialect: Dialect) -> list[Item]:
    """Return the items of a block with aliases: of its inputs, for its subqueries, and of the query around it."""
    own = scope_of_subqueries(block.operation, block.scope)
    aliases = list(input_aliases(block.operation, own))
    if block.input_alias is not None:
        if aliases[0] is not None:
            raise TableException(
                f"In Flink's SQL, {block.operation.title} is written as another operation, whose input would need two "
                f"aliases: {block.input_alias!r}, which says so, and {aliases[0]!r}, by which a subquery refers to it. "
                "Make what the subquery computes a column with add_columns before."
            )
        aliases[0] = block.input_alias
    if own is None and block.scope is None and not any(aliases):
        return items
    placed: list[Item] = []
    alias: str | None = None
    for item in items:
        if isinstance(item, Block):
            alias = aliases.pop(0) if aliases else None
            placed.append(item._replace(scope=block.scope))
        elif isinstance(item, Line):
            pieces = tuple([_in_scope(piece, block.scope, own, dialect) for piece in item.pieces])
            # The line after an input closes its parenthesis.
            placed.append(item._replace(pieces=(*pieces, f" AS {name_text(alias, dialect)}") if alias else pieces))
            alias = None
    return placed


def _in_scope(piece: Piece, scope: Scope | None, own: Scope | None, dialect: Dialect) -> Piece:
    if isinstance(piece, Subquery):
        return piece._replace(scope=own)
    if isinstance(piece, OuterColumn):
        assert scope is not None, "a query with references to one around it is refused at its root"
        return f"{name_text(scope.aliases[piece.name], dialect)}.{name_text(piece.name, dialect)}"
    return piece


def _project(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Project)
    items = [named_item(e, n, dialect) for e, n in zip(operation.projections, operation.names, strict=True)]
    lines, input = item_lines("SELECT", items, depth), operation.input
    if dialect is Dialect.FLINK and depth == 0 and isinstance(input, Sort) and not input.is_limited:
        # Made by sorted_last to be one SELECT.
        return [*lines, *input_lines(input.input, depth), *_order_lines(input.order, depth, dialect)]
    return [*lines, *input_lines(input, depth)]


def _order_lines(order: tuple[SortOrder, ...], depth: int, dialect: Dialect) -> list[Item]:
    return item_lines("ORDER BY", [expression_item(key, dialect) for key in order], depth) if order else []


def _filter(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Filter)
    condition = Line(depth, ("WHERE ", *expression_pieces(operation.condition, dialect, is_condition=True)))
    return [
        *item_lines("SELECT", column_items(operation.schema, dialect), depth),
        *input_lines(operation.input, depth),
        condition,
    ]


def _distinct(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Distinct)
    return [
        *item_lines("SELECT DISTINCT", column_items(operation.schema, dialect), depth),
        *input_lines(operation.input, depth),
    ]


def _aggregate(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Aggregate)
    if dialect is Dialect.FLINK and window_of(operation) is not None:
        from serializer.flink_time_windows import windowed_aggregate

        return windowed_aggregate(operation, depth)
    expressions = operation.group_keys + operation.aggregates
    items = [named_item(e, n, dialect) for e, n in zip(expressions, operation.names, strict=True)]
    lines = [*item_lines("SELECT", items, depth), *input_lines(operation.input, depth)]
    keys = [expression_item(key, dialect) for key in operation.group_keys]
    if operation.grouping_sets is not None:
        lines += item_lines("GROUP BY", [_grouping_sets(operation.grouping_sets, keys)], depth)
    elif keys:
        lines += item_lines("GROUP BY", keys, depth)
    return lines


def _grouping_sets(sets: GroupingSets, keys: list[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Return the grouping sets by the shortest of their names."""
    if sets == rollup_sets(len(keys)):
        return ("ROLLUP(", *separated_items(keys), ")")
    if sets == cube_sets(len(keys)):
        return ("CUBE(", *separated_items(keys), ")")
    each = [("(", *separated_items([keys[position] for position in chosen]), ")") for chosen in sets]
    return ("GROUPING SETS (", *separated_items(each), ")")


def _join(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Join)
    lines = [*item_lines("SELECT", column_items(operation.schema, dialect), depth), *input_lines(operation.left, depth)]
    cross = operation.condition is None and operation.join_type.value == "INNER"
    lines += input_lines(operation.right, depth, "CROSS JOIN" if cross else f"{operation.join_type.value} JOIN")
    if operation.condition is not None:
        lines.append(Line(depth, ("ON ", *expression_item(operation.condition, dialect))))
    elif not cross:
        lines.append(Line(depth, ("ON TRUE",)))
    return lines


def _lateral_join(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, LateralJoin)
    windows = cumulation_of(operation) if dialect is Dialect.FLINK else None
    if windows is not None:
        from serializer.flink_time_windows import cumulated

        return cumulated(operation, windows, depth)
    is_flink = dialect is Dialect.FLINK
    columns = flink_lateral_columns(operation) if is_flink else column_items(operation.schema, dialect)
    lines = [*item_lines("SELECT", columns, depth), *input_lines(operation.input, depth)]
    first = operation.input is SINGLE_ROW
    if is_flink:
        return [*lines, Line(depth, (*flink_lateral_pieces(operation, first),))]
    right: tuple[Piece, ...] = expression_item(operation.right, dialect)
    if not isinstance(operation.right, TableReference):
        names = ", ".join(name_text(name, dialect) for name in operation.names)
        right = (*right, f" AS {name_text(lateral_alias(operation), dialect)}({names})")
    keyword = "FROM" if first else f"{operation.join_type.value} JOIN LATERAL"
    lines.append(Line(depth, (f"{keyword} ", *right)))
    if operation.condition is not None:
        lines.append(Line(depth, ("ON ", *expression_item(operation.condition, dialect))))
    elif operation.join_type is JoinType.LEFT_OUTER:
        lines.append(Line(depth, ("ON TRUE",)))
    return lines


def _set_operation(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, SetOperation)
    keyword = operation.kind.value
    if operation.kind is SetOperationType.MINUS:
        keyword = "EXCEPT"
    left, right = operation.left, operation.right
    if dialect is Dialect.FLINK:
        left, right = (cast_columns(side, operation.schema) for side in (left, right))
    return [
        Line(depth, ("(",)),
        Block(depth + 1, left, None, None if left is operation.left else CAST_ALIAS),
        Line(depth, (f") {keyword}{' ALL' if operation.all else ''} (",)),
        Block(depth + 1, right, None, None if right is operation.right else CAST_ALIAS),
        Line(depth, (")",)),
    ]


def _sort(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Sort)
    lines = [
        *item_lines("SELECT", column_items(operation.schema, dialect), depth),
        *input_lines(operation.input, depth),
    ]
    lines += _order_lines(operation.order, depth, dialect)
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
    Source: source_block,
    InlineSource: inline_source_block,
    Values: values_block,
    Project: _project,
    Filter: _filter,
    Distinct: _distinct,
    Aggregate: _aggregate,
    Join: _join,
    LateralJoin: _lateral_join,
    SetOperation: _set_operation,
    Sort: _sort,
    Pivot: pivot_block,
    Unpivot: unpivot_block,
    Hint: hint_block,
    Sample: sample_block,
    Distribute: partitions_block,
    SortPartitions: partitions_block,
    Recursion: recursion_block,
    RecursiveReference: recursive_reference_block,
    EngineFunction: engine_function_block,
    ProcessTable: process_block,
}
