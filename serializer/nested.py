"""The NESTED layout: one SELECT for each operation, the input indented inside of its FROM.

The text is written from a stack, outermost operation first, so that its depth costs no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, TableReference
from ir.flink_operations import aggregated_by_value, paired_with_labels
from ir.flink_subqueries import require_flink_subqueries
from ir.flink_time_windows import window_of
from ir.literals import literal
from ir.operations.aggregate import Aggregate, GroupingSets, cube_sets, rollup_sets
from ir.operations.correlation import require_no_outer_references
from ir.operations.filter import Distinct, Filter
from ir.operations.hint import JOIN_HINTS, Hint, Sample
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import MAX_INDENT, QueryOperation
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import InlineSource, Source, Values
from ir.rendering import Dialect
from ir.schema import ResolvedSchema
from serializer.call_syntax import OuterColumn, Piece, Scope, Subquery
from serializer.expressions import expression_pieces
from serializer.flink_lateral import flink_lateral_pieces
from serializer.literals import literal_text
from serializer.names import name_text, path_text
from serializer.scopes import input_aliases, lateral_alias, scope_of_subqueries

_LINE_WIDTH = 100
# A text that repeats shared parts more often than this is refused instead of filling the memory.
_MAX_BLOCKS = 100_000


class Line(NamedTuple):
    """A line of text at a depth of indentation, made of text and of queries that go on over several lines."""

    depth: int
    pieces: tuple[Piece, ...]


class Block(NamedTuple):
    """An operation that is left to be written at a depth; in a subquery, with what the query around it is called."""

    depth: int
    operation: QueryOperation
    scope: Scope | None = None


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
    require_no_outer_references(operation)
    if dialect is Dialect.FLINK:
        require_flink_subqueries(operation)
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
            items = _WRITERS[type(item.operation)](item.operation, item.depth, dialect)
            stack.extend(reversed(_placed(items, item, dialect)))
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


def _expression(expression: ResolvedExpression, dialect: Dialect) -> tuple[Piece, ...]:
    return tuple(expression_pieces(expression, dialect))


def _item(expression: ResolvedExpression, name: str, dialect: Dialect) -> tuple[Piece, ...]:
    pieces = _expression(expression, dialect)
    if isinstance(expression, FieldReference) and expression.name == name:
        return pieces
    return (*pieces, f" AS {name_text(name, dialect)}")


def _list(keyword: str, items: list[tuple[Piece, ...]], depth: int) -> list[Item]:
    """Return ``keyword``, if any, with items after it: on one line where they fit, else each on a line of its own."""
    width = sum(_width(piece) for item in items for piece in item)
    if width + 2 * len(items) + len(keyword) <= _LINE_WIDTH:
        head = (f"{keyword} ",) if keyword else ()
        return [Line(depth, (*head, *_separated(items)))]
    last = len(items) - 1
    first: list[Item] = [Line(depth, (keyword,))] if keyword else []
    below = depth + 1 if keyword else depth
    return [*first, *[Line(below, (*item, "," if n < last else "")) for n, item in enumerate(items)]]


def _width(piece: Piece) -> int:
    if isinstance(piece, Subquery):
        return _LINE_WIDTH
    return len(piece if isinstance(piece, str) else piece.name)


def _columns(schema: ResolvedSchema, dialect: Dialect) -> list[tuple[Piece, ...]]:
    return [(name_text(name, dialect),) for name in schema.names]


def _from(input: QueryOperation, depth: int, keyword: str = "FROM") -> list[Item]:
    return [Line(depth, (f"{keyword} (",)), Block(depth + 1, input), Line(depth, (")",))]


def _source(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Source)
    columns = _list("SELECT", _columns(operation.schema, dialect), depth)
    return [*columns, Line(depth, (f"FROM {source_text(operation, dialect)}",))]


def source_text(source: Source, dialect: Dialect) -> str:
    """Return what stands after FROM: the path, and the version where the table is not read as it is.

    Raises:
        TableException: the dialect cannot write it.
    """
    return path_text(source.identifier, dialect) + _version(source, dialect)


def _version(operation: Source, dialect: Dialect) -> str:
    """Return the clause that reads a table as it was, empty where it is read as it is."""
    if operation.timestamp is not None:
        keyword = "FOR SYSTEM_TIME" if dialect is Dialect.FLINK else "TIMESTAMP"
        return f" {keyword} AS OF {literal_text(operation.timestamp, dialect)}"
    if operation.version is None:
        return ""
    if dialect is Dialect.FLINK:
        raise TableException(
            f"The version {operation.version} of {operation.identifier.as_summary_string()} cannot be written in SQL "
            "of Flink, which reads tables only as they were at a point in time: use timestamp=."
        )
    number = operation.version.isascii() and operation.version.isdigit()
    return f" VERSION AS OF {operation.version if number else literal(operation.version).as_serializable_string()}"


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
    if dialect is Dialect.FLINK and window_of(operation) is not None:
        from serializer.flink_time_windows import windowed_aggregate

        return windowed_aggregate(operation, depth)
    expressions = operation.group_keys + operation.aggregates
    items = [_item(e, n, dialect) for e, n in zip(expressions, operation.names, strict=True)]
    lines = [*_list("SELECT", items, depth), *_from(operation.input, depth)]
    keys = [_expression(key, dialect) for key in operation.group_keys]
    if operation.grouping_sets is not None:
        lines += _list("GROUP BY", [_grouping_sets(operation.grouping_sets, keys)], depth)
    elif keys:
        lines += _list("GROUP BY", keys, depth)
    return lines


def _grouping_sets(sets: GroupingSets, keys: list[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Return the grouping sets by the shortest of their names."""
    if sets == rollup_sets(len(keys)):
        return ("ROLLUP(", *_separated(keys), ")")
    if sets == cube_sets(len(keys)):
        return ("CUBE(", *_separated(keys), ")")
    each = [("(", *_separated([keys[position] for position in chosen]), ")") for chosen in sets]
    return ("GROUPING SETS (", *_separated(each), ")")


def _separated(items: Sequence[tuple[Piece, ...]]) -> list[Piece]:
    """Return the pieces of all items, with commas between."""
    return [piece for number, item in enumerate(items) for piece in ((", ",) if number else ()) + item]


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


def _lateral_join(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, LateralJoin)
    lines = [*_list("SELECT", _columns(operation.schema, dialect), depth), *_from(operation.input, depth)]
    if dialect is Dialect.FLINK:
        return [*lines, Line(depth, (*flink_lateral_pieces(operation),))]
    right: tuple[Piece, ...] = _expression(operation.right, dialect)
    if not isinstance(operation.right, TableReference):
        names = ", ".join(name_text(name, dialect) for name in operation.names)
        right = (*right, f" AS {name_text(lateral_alias(operation), dialect)}({names})")
    lines.append(Line(depth, (f"{operation.join_type.value} JOIN LATERAL ", *right)))
    if operation.condition is not None:
        lines.append(Line(depth, ("ON ", *_expression(operation.condition, dialect))))
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


def _pivot(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Pivot)
    if dialect is Dialect.FLINK:
        return [Block(depth, aggregated_by_value(operation))]
    aggregates: list[tuple[Piece, ...]] = [_expression(a, dialect) for a in operation.aggregates]
    if operation.aggregate_names:
        named = zip(aggregates, operation.aggregate_names, strict=True)
        aggregates = [(*pieces, f" AS {name_text(name, dialect)}") for pieces, name in named]
    values = []
    for value, name in zip(operation.values, operation.value_names, strict=True):
        pieces = _in_parentheses([_expression(part, dialect) for part in value])
        values.append((*pieces, f" AS {name_text(name, dialect)}"))
    columns = _in_parentheses([_expression(column, dialect) for column in operation.pivot_columns])
    return [
        *_list("SELECT", _columns(operation.schema, dialect), depth),
        *_from(operation.input, depth),
        Line(depth, ("PIVOT (",)),
        *_list("", aggregates, depth + 1),
        *_list("FOR", [(*columns, " IN (", *_separated(values), ")")], depth + 1),
        Line(depth, (")",)),
    ]


def _unpivot(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Unpivot)
    if dialect is Dialect.FLINK:
        return [Block(depth, paired_with_labels(operation))]
    groups = []
    for group, label in zip(operation.groups, operation.labels, strict=True):
        pieces = _in_parentheses([_expression(column, dialect) for column in group])
        default = "_".join(column.name for column in group)
        groups.append(pieces if label == default else (*pieces, f" AS {name_text(label, dialect)}"))
    values = _in_parentheses([(name_text(name, dialect),) for name in operation.value_columns])
    label_column = name_text(operation.label_column, dialect)
    nulls = "INCLUDE NULLS " if operation.include_nulls else ""
    return [
        *_list("SELECT", _columns(operation.schema, dialect), depth),
        *_from(operation.input, depth),
        Line(depth, (f"UNPIVOT {nulls}(",)),
        *_list("", [(*values, f" FOR {label_column} IN (", *_separated(groups), ")")], depth + 1),
        Line(depth, (")",)),
    ]


def _in_parentheses(items: list[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Return a single item as it is, several in parentheses."""
    return items[0] if len(items) == 1 else ("(", *_separated(items), ")")


def _hint(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Hint)
    if dialect is Dialect.FLINK:
        raise TableException(
            f"The hint {operation.name} has no text in Flink's SQL: it is advice to Spark. Leave it out, or "
            "serialise the query with the dialect SPARK."
        )
    if operation.name in JOIN_HINTS:
        head, alias = f"{operation.name}(`hinted`)", " AS `hinted`"
    else:
        number = [] if operation.partitions is None else [str(operation.partitions)]
        parameters = ", ".join([*number, *[name_text(column.name, dialect) for column in operation.columns]])
        head, alias = f"{operation.name}({parameters})" if parameters else operation.name, ""
    lines = [
        *_list(f"SELECT /*+ {head} */", _columns(operation.schema, dialect), depth),
        *_from(operation.input, depth),
    ]
    closing = lines[-1]
    assert isinstance(closing, Line)
    return [*lines[:-1], Line(closing.depth, (*closing.pieces, alias))]


def _sample(operation: QueryOperation, depth: int, dialect: Dialect) -> list[Item]:
    assert isinstance(operation, Sample)
    if dialect is Dialect.FLINK:
        raise TableException(
            "A sample has no text in Flink's SQL, which parses TABLESAMPLE and cannot run it. Serialise the query with "
            "the dialect SPARK."
        )
    seed = "" if operation.seed is None else f" REPEATABLE ({operation.seed})"
    return [
        *_list("SELECT", _columns(operation.schema, dialect), depth),
        *_from(operation.input, depth),
        Line(depth, (f"TABLESAMPLE ({operation.percent:f} PERCENT){seed}",)),
    ]


_WRITERS: dict[type[QueryOperation], Callable[[QueryOperation, int, Dialect], list[Item]]] = {
    Source: _source,
    InlineSource: _inline_source,
    Values: _values,
    Project: _project,
    Filter: _filter,
    Distinct: _distinct,
    Aggregate: _aggregate,
    Join: _join,
    LateralJoin: _lateral_join,
    SetOperation: _set_operation,
    Sort: _sort,
    Pivot: _pivot,
    Unpivot: _unpivot,
    Hint: _hint,
    Sample: _sample,
}
