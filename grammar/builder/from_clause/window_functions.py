"""Builds window table functions, as in TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)).

A window table function adds the bounds of a window to each row. If a query groups by both bounds, the window of
TUMBLE, HOP or SESSION becomes a group key: each bound is a field of the window, and both bounds together are the
window. In all other cases, and for CUMULATE, the bounds are columns of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope, column_of
from grammar.errors import Misread
from ir.durations import duration_text
from ir.expressions import Expression, ResolvedExpression, ValueLiteral
from ir.functions.arithmetic import MINUS
from ir.functions.collection import GET
from ir.functions.time_window import (
    ADDED_COLUMNS,
    END,
    END_COLUMN,
    MILLISECOND,
    SESSION_WINDOW,
    START,
    START_COLUMN,
    WINDOW,
)
from ir.identifiers import fold
from ir.literals import literal
from ir.names import make_distinct
from ir.operations.project import project
from ir.records import record
from ir.resolution.operations import field
from ir.types import DayTimeIntervalType, YearMonthIntervalType
from ir.unresolved import UnresolvedCall

_KEYS = {START_COLUMN, END_COLUMN}


@record(eq=False, repr=False)
class WindowBound(UnresolvedCall):
    """The start or end column that a window table function adds."""


def is_window_function(node: s.Call) -> bool:
    """Whether a call names a window table function."""
    from ir.resolution.windows.table_functions import WINDOW_FUNCTIONS

    return len(node.function.names) == 1 and fold(node.function.names[0].text) in WINDOW_FUNCTIONS


def with_marked_windows(source: s.From, group: s.Clause | None) -> s.From:
    """Mark the window table function of a FROM: as the only relation, and as grouped by its window."""
    (first, *others) = source.relations
    if others or source.views or type(first) is not s.TableFunction or not is_window_function(first.call):
        return source
    grouped = group is not None and _groups_by_window(group.items, first.call)
    marked = s.TableFunction(
        first.position, first.call, first.sample, first.alias, first.ordinality, first.word, True, grouped
    )
    return s.From(source.position, [marked], source.views)


def _groups_by_window(keys: Sequence[Any], call: s.Call) -> bool:
    """Whether the group keys include both bounds and, for a session window, exactly its partition keys besides."""
    name = fold(call.function.names[0].text)
    named = {fold(key.names[-1].text) for key in keys if type(key) is s.Path}
    if not named >= _KEYS or name != "session":
        return named >= _KEYS
    partition = [key for written in _partition_of(_arguments(call, name)["data"]) for key in _items(written)]
    of_partition = {fold(key.names[-1].text) for key in partition if type(key) is s.Path}
    is_of_columns = all(type(key) is s.Path for key in (*keys, *partition))
    return is_of_columns and named - {fold(added) for added in ADDED_COLUMNS} == of_partition


def _partition_of(data: Any) -> Sequence[Any]:
    return (data.partition_by or []) if isinstance(data, s.TableArgument) else []


def _items(written: Any) -> Sequence[Any]:
    """Return the items of a parenthesised key list, or the key alone."""
    if isinstance(written, s.Row):
        return written.items
    return [written.inner] if isinstance(written, s.Parenthesised) else [written]


def windowed_relation(builder: QueryParts, node: s.TableFunction, parent: Scope | None, tables: Tables) -> Steps:
    """Build the relation of a window table function: the rows of its input and the columns that it adds."""
    call = node.call
    name = fold(call.function.names[0].text)
    given = _arguments(call, name)
    relation = yield _data(builder, given["data"], parent, tables)
    relation = builder.visible(relation)
    operation, columns = relation.operation, list(relation.columns)
    original = builder.recognition.recover_window_input(operation) if node.grouped or name != "session" else None
    if original is not None:
        operation, expressions = original
        columns = [column_of(c.name, c.qualifier, e) for c, e in zip(columns, expressions, strict=True)]
    time = Scope(columns).own(_descriptor(given["timecol"]))
    if time is None:
        raise Scope(columns).unknown(_descriptor(given["timecol"]))
    lengths: dict[str, int] = {}
    for parameter in ("step", "size", "slide", "gap", "offset"):
        if parameter in given:
            microseconds = yield _length(builder, given[parameter], tables)
            lengths[parameter] = microseconds
    from ir.resolution.streams.windows import has_watermark
    from ir.resolution.windows.table_functions import WINDOW_FUNCTIONS, expand_windows

    function = WINDOW_FUNCTIONS[name]
    if name == "cumulate" or not node.grouped:
        keys = yield from _partition(builder, name.upper(), given["data"], columns, tables)
        # The window of a stream is a hopping one, from which both bounds are computed.
        is_stream = isinstance(time, ResolvedExpression) and has_watermark(time, operation)
        operation, bounds = builder.call_resolver(
            call.position, expand_windows, function, operation, time, lengths, keys, builder.lookup
        )
        if node.grouped and not is_stream:
            window: Expression = field(operation, len(operation.schema) - 1)
            return _under_alias(builder, Relation(operation, [*columns, *_bounds_of(window)]), node)
        columns += [column_of(name, (), bound) for name, bound in zip(ADDED_COLUMNS, bounds, strict=True)]
        if not node.alone:
            # A joined relation projects its own columns, so that those of the window function stay hidden.
            made = project(
                operation, tuple([c.field for c in columns]), tuple(make_distinct([c.name for c in columns], []))
            )
            columns = [c.moved(field(made, number)) for number, c in enumerate(columns)]
            operation = made
        return _under_alias(builder, Relation(operation, columns), node)
    if name == "session":
        window = UnresolvedCall(SESSION_WINDOW, (time, literal(duration_text(lengths["gap"], days=False))))
    else:
        # WINDOW takes the offset after the slide, so that an offset requires a slide.
        size = lengths["size"]
        every = [lengths.get("slide", size)] if "slide" in lengths or "offset" in lengths else []
        widths = [size, *every, *[lengths[k] for k in ("offset",) if k in lengths]]
        window = UnresolvedCall(WINDOW, (time, *[literal(duration_text(width)) for width in widths]))
    builder.places.mark(window, call.position)
    return _under_alias(builder, Relation(operation, [*columns, *_bounds_of(window)]), node)


def _bounds_of(window: Expression) -> list[Column]:
    """Return the columns that a window table function adds to a query that groups by the window."""
    start, end = (WindowBound(GET, (window, literal(bound))) for bound in (START, END))
    added = (start, end, UnresolvedCall(MINUS, (end, MILLISECOND)))
    return [column_of(name, (), expression) for name, expression in zip(ADDED_COLUMNS, added, strict=True)]


def _under_alias(builder: QueryParts, relation: Relation, node: s.TableFunction) -> Relation:
    return relation if node.alias is None else builder.apply_alias(relation, node.alias)


def _partition(builder: QueryParts, shown: str, data: Any, columns: Sequence[Column], tables: Tables) -> Steps:
    """Build the keys of PARTITION BY."""
    if isinstance(data, s.TableArgument) and data.order_by:
        from ir.resolution.windows.table_functions import IN_ORDER

        raise Misread(data.position, IN_ORDER.format(shown))
    keys = []
    for key in _partition_of(data):
        keys.append((yield builder.expression(key, ClauseNames(Scope(columns)), tables)))
    return keys


def grouped_windows(keys: Sequence[Expression]) -> list[Expression]:
    """Replace window bounds among group keys with their window, if the keys include its start and its end."""
    fields: dict[int, set[Expression]] = {}
    for key in keys:
        if isinstance(key, WindowBound):
            fields.setdefault(id(key.arguments[0]), set()).add(key.arguments[1])
    found: list[Expression] = []
    for key in keys:
        bound = _bound_of(key)
        if bound is not None and len(fields.get(id(bound.arguments[0]), ())) == len((START, END)):
            if bound.arguments[0] not in found:
                found.append(bound.arguments[0])
        else:
            found.append(key)
    return found


def _bound_of(key: Expression) -> WindowBound | None:
    """Return the window bound of a key; the window time is computed from the end bound."""
    if type(key) is UnresolvedCall and key.function is MINUS and key.arguments[1] is MILLISECOND:
        key = key.arguments[0]
    return key if isinstance(key, WindowBound) else None


def _arguments(call: s.Call, name: str) -> dict[str, Any]:
    from ir.resolution.windows.table_functions import WINDOW_FUNCTIONS

    names = WINDOW_FUNCTIONS[name].parameters
    given: dict[str, Any] = {}
    for position, argument in enumerate(call.arguments):
        if isinstance(argument, s.NamedArgument):
            parameter, value = fold(argument.name.text), argument.value
        else:
            parameter, value = names[position] if position < len(names) else "", argument
        if parameter not in names or parameter in given:
            message = f"{name.upper()} takes {', '.join(n.upper() for n in names)}, each once."
            follows_keys = any(isinstance(key, s.Path) for key in (value, given.get("timecol")))
            if follows_keys and _partition_of(given.get("data")):
                message += " Several keys stand in parentheses: PARTITION BY (a, b)."
            raise Misread(argument.position, message)
        given[parameter] = value
    for parameter in names:
        if parameter not in given and parameter != "offset":
            raise Misread(
                call.position, f"{name.upper()} needs {parameter.upper()}; it takes {', '.join(names).upper()}."
            )
    return given


def _data(builder: QueryParts, node: Any, parent: Scope | None, tables: Tables) -> Steps:
    """Build the relation that a table function reads."""
    if isinstance(node, s.ScalarSubquery):
        return (yield builder.query(node.query, parent, tables))
    if isinstance(node, s.TableArgument):
        return (yield builder.primary(node.source, parent, tables, {}))
    if isinstance(node, s.Path):
        return (yield builder.table(s.Table(node.position, node, None, None, None), parent, tables))
    raise Misread(node.position, "A table is expected here: TABLE t, or a query in parentheses.")


def _descriptor(node: Any) -> s.Path:
    if isinstance(node, s.Call) and fold(node.function.names[-1].text) == "descriptor" and len(node.arguments) == 1:
        (path,) = node.arguments
        if isinstance(path, s.Path):
            return path
    raise Misread(node.position, "The column of times is expected here: DESCRIPTOR(ts).")


def no_length(given: Expression, position: int) -> Misread:
    """Return the error for a value that is not a valid window length."""
    if isinstance(given, ValueLiteral) and isinstance(given.type_, YearMonthIntervalType):
        return Misread(
            position,
            "Months differ in length, and windows are all as long: give days or less, as in INTERVAL '30' DAY. By "
            "months, group by EXTRACT(YEAR FROM ts), EXTRACT(MONTH FROM ts).",
        )
    return Misread(position, "A length of time is expected here: INTERVAL '10' MINUTE.")


def _length(builder: QueryParts, node: Any, tables: Tables) -> Steps:
    value = yield builder.expression(node, ClauseNames(Scope([])), tables)
    if not isinstance(value, ValueLiteral) or not isinstance(value.type_, DayTimeIntervalType):
        raise no_length(value, node.position)
    return value.value
