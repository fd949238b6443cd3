"""Flink's window table functions: TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) and its like.

Such a function adds the bounds of a window to each row, by which a query groups then. Here the windows are themselves
keys of a grouping, so that a bound is a field of the window, and both bounds as keys are the window. Those of CUMULATE
are a column that a lateral join adds, which needs no grouping.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from grammar import syntax as s
from grammar.builder.expressions import NamesOf
from grammar.builder.parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope, column_of
from grammar.errors import Misread
from ir.durations import duration_text
from ir.expressions import Expression, UnresolvedAlias, UnresolvedCall, ValueLiteral
from ir.flink.time_windows import ADDED, before_window
from ir.functions.arithmetic import MINUS
from ir.functions.calls import call
from ir.functions.collection import GET, ROW
from ir.functions.table import EXPLODE
from ir.functions.time_window import CUMULATIVE_WINDOWS, END, MILLISECOND, SESSION_WINDOW, START, WINDOW
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.join import JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.resolution.lateral import join_lateral
from ir.resolution.naming import Names
from ir.resolution.operations import field
from ir.types import DayTimeIntervalType

# The parameters of each function, in order; after the semicolon those that may be left out.
_PARAMETERS = {
    "tumble": "data timecol size; offset",
    "hop": "data timecol slide size; offset",
    "session": "data timecol gap;",
    "cumulate": "data timecol step size; offset",
}
# The column of windows that a query reads by its bounds alone.
_WINDOW = "window"


@attrs.frozen(eq=False, repr=False)
class WindowBound(UnresolvedCall):
    """The start or the end of a window that a table function adds."""


def is_window_function(node: s.Call) -> bool:
    """Whether a call is that of a window table function."""
    return len(node.function.names) == 1 and fold(node.function.names[0].text) in _PARAMETERS


def windowed_relation(builder: QueryParts, node: s.TableFunction, parent: Scope | None, tables: Tables) -> Steps:
    """Return the relation of a window table function: its rows, and names for what it adds to them."""
    call = node.call
    name = fold(call.function.names[0].text)
    given = _arguments(call, name)
    relation = yield _data(builder, given["data"], parent, tables)
    relation = builder.visible(relation)
    operation, expressions = before_window(relation.operation)
    columns = [
        column_of(column.name, column.qualifier, expression)
        for column, expression in zip(relation.columns, expressions, strict=True)
    ]
    time = Scope(columns).own(_descriptor(given["timecol"]))
    if time is None:
        raise Scope(columns).unknown(_descriptor(given["timecol"]))
    lengths: dict[str, ValueLiteral] = {}
    for parameter in ("step", "size", "slide", "gap", "offset"):
        if parameter in given:
            microseconds = yield _length(builder, given[parameter], tables)
            lengths[parameter] = literal(duration_text(microseconds, days=parameter != "gap"))
    if name == "cumulate":
        arguments = (time, *[lengths[length] for length in ("step", "size", "offset") if length in lengths])
        windows = UnresolvedCall(EXPLODE, (UnresolvedCall(CUMULATIVE_WINDOWS, arguments),))
        free = Names(operation.schema.names)
        column = _WINDOW if free.is_free(_WINDOW) else free.generate(f"{_WINDOW}_", 0)
        named = UnresolvedAlias(windows, column)
        operation = builder.made(
            call.position, join_lateral, operation, named, JoinType.INNER, None, builder.lookup, "CUMULATE"
        )
        window: Expression = field(operation, len(operation.schema) - 1)
    elif name == "session":
        window = UnresolvedCall(SESSION_WINDOW, (time, lengths["gap"]))
    else:
        rest = [lengths.get("slide", lengths["size"])] if "slide" in lengths or "offset" in lengths else []
        window = UnresolvedCall(
            WINDOW, (time, lengths["size"], *rest, *[lengths[k] for k in ("offset",) if k in lengths])
        )
    builder.places.mark(window, call.position)
    start, end = (WindowBound(GET, (window, literal(bound))) for bound in (START, END))
    added = dict(zip(ADDED, (start, end, UnresolvedCall(MINUS, (end, MILLISECOND))), strict=True))
    columns += [column_of(name, (), expression) for name, expression in added.items()]
    qualifier = () if node.alias is None else (fold(node.alias.name.text),)
    return Relation(operation, [Column(c.name, qualifier or c.qualifier, c.field) for c in columns])


def grouped_windows(keys: Sequence[Expression]) -> list[Expression]:
    """Return group keys with a window where the text has its start and its end."""
    fields: dict[int, set[Expression]] = {}
    for key in keys:
        if isinstance(key, WindowBound):
            fields.setdefault(id(key.arguments[0]), set()).add(key.arguments[1])
    found: list[Expression] = []
    for key in keys:
        if isinstance(key, WindowBound) and len(fields[id(key.arguments[0])]) == len((START, END)):
            if key.arguments[0] not in found:
                found.append(key.arguments[0])
        else:
            found.append(key)
    return found


def with_cumulative_windows(made: QueryOperation, source: s.From) -> QueryOperation:
    """Return the lateral join of which a SELECT over CUMULATE has been written: its columns, and last the window."""
    (first, *others) = source.relations
    is_function = type(first) is s.TableFunction and not others and fold(first.call.function.names[-1].text)
    if is_function != "cumulate" or not isinstance(made, Project) or not isinstance(made.input, LateralJoin):
        return made
    join = made.input
    *columns, window = [field(join, index) for index in range(len(join.schema))]
    bounds = [part for bound in (START, END) for part in (literal(bound), call(GET, (window, literal(bound))))]
    if list(made.projections) != [*columns, call(ROW, bounds)] or made.names[:-1] != join.input.schema.names:
        return made
    return LateralJoin(join.input, join.right, made.names[-1:], join.join_type)


def _arguments(call: s.Call, name: str) -> dict[str, Any]:
    required, _, optional = _PARAMETERS[name].partition(";")
    names = [*required.split(), *optional.split()]
    given: dict[str, Any] = {}
    for position, argument in enumerate(call.arguments):
        if isinstance(argument, s.NamedArgument):
            parameter, value = fold(argument.name.text), argument.value
        else:
            parameter, value = names[position] if position < len(names) else "", argument
        if parameter not in names or parameter in given:
            raise Misread(argument.position, f"{name.upper()} takes {', '.join(n.upper() for n in names)}, each once.")
        given[parameter] = value
    for parameter in required.split():
        if parameter not in given:
            raise Misread(
                call.position, f"{name.upper()} needs {parameter.upper()}; it takes {', '.join(names).upper()}."
            )
    return given


def _data(builder: QueryParts, node: Any, parent: Scope | None, tables: Tables) -> Steps:
    """Return the relation that a table function reads."""
    if isinstance(node, s.ScalarSubquery):
        return (yield builder.query(node.query, parent, tables))
    if isinstance(node, s.TableArgument):
        return (yield builder.primary(node.source, parent, tables, {}))
    if isinstance(node, s.Path):
        return (yield builder.table(s.Table(node.position, node, None, None, None), tables))
    raise Misread(node.position, "A table is expected here: TABLE t, or a query in parentheses.")


def _descriptor(node: Any) -> s.Path:
    if isinstance(node, s.Call) and fold(node.function.names[-1].text) == "descriptor" and len(node.arguments) == 1:
        (path,) = node.arguments
        if isinstance(path, s.Path):
            return path
    raise Misread(node.position, "The column of times is expected here: DESCRIPTOR(ts).")


def _length(builder: QueryParts, node: Any, tables: Tables) -> Steps:
    value = yield builder.expression(node, NamesOf(Scope([])), tables)
    if not isinstance(value, ValueLiteral) or not isinstance(value.type_, DayTimeIntervalType):
        raise Misread(node.position, "A length of time is expected here: INTERVAL '10' MINUTE.")
    return value.value
