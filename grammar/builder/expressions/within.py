"""Walks the syntax of an expression without its subqueries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.expressions.calls import window_name
from grammar.errors import Misread
from grammar.syntax.base import fields_of
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionKind
from ir.identifiers import fold

_QUERIES = (s.Select, s.ScalarSubquery)


def parts_within(root: Any, enter: Callable[[s.Syntax], bool] = lambda part: True) -> Iterator[s.Syntax]:
    """Yield the parts of a syntax tree; ``enter`` decides which of them to descend into. The walk uses a stack."""
    pending = [root]
    while pending:
        part = pending.pop()
        if isinstance(part, (list, tuple)):
            pending.extend(reversed(part))
        elif isinstance(part, s.Syntax) and not isinstance(part, _QUERIES):
            yield part
            if enter(part):
                pending.extend(getattr(part, name) for name in reversed(fields_of(part)))


def refuse_aliases(node: s.Over, parts: list[Any], names: ClauseNames) -> None:
    """Reject a window call over a lateral alias, as Spark does.

    Raises:
        Misread: the window call uses such an alias.
    """
    aliases = (names.aliases.keys() | names.generated.keys()) - names.keys
    if not aliases:
        return
    functions: set[int] = set()
    for part in parts_within(parts):
        if isinstance(part, s.Call):
            functions.add(id(part.function))
        if type(part) is not s.Path or id(part) in functions or fold(part.names[0].text) not in aliases:
            continue
        name = part.names[0].text
        if fold(name) not in names.variables and names.scope.own(part) is None:
            message = (
                f"A window cannot be over {name}, which is an alias of the same SELECT. Select it in a subquery, and "
                f"use the column: SELECT … FROM (SELECT … AS {name} FROM …)."
            )
            raise Misread(part.position, message, "UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_WINDOW")


def _is_aggregate(part: s.Syntax) -> bool:
    if type(part) is not s.Call:
        return False
    found = BUILT_INS.find(part.function.parts[-1])
    return found is not None and found.kind is FunctionKind.AGGREGATE


def _is_window_time(part: Any) -> bool:
    return _is_call_of(part, ("window_time",))


def _is_call_of(part: Any, names: tuple[str, ...]) -> bool:
    return type(part) is s.Call and len(part.function.parts) == 1 and fold(part.function.parts[0]) in names


def _item_of(key: Any, items: list[Any]) -> Any:
    """Return the SELECT item that a key denotes by number or alias, None for any other key."""
    if type(key) is s.Number:
        return items[int(key.text) - 1] if key.text.isdigit() and 1 <= int(key.text) <= len(items) else None
    if type(key) is not s.Path or len(key.names) > 1:
        return None
    wanted = fold(key.names[0].text)
    aliased = [item for item in items if type(item) is s.Aliased]
    return next((item for item in aliased if fold(item.names[0].text) == wanted), None)


def refuse_windows_again(conditions: list[Any]) -> None:
    """Reject a time window in HAVING or in a sort key of groups: only its name denotes the window there.

    Raises:
        Misread: a condition or key has a time window.
    """
    for part in parts_within(conditions):
        name = window_name(part)
        if name is not None:
            message = (
                f"{name.upper()} puts rows into windows before they are grouped. Of the groups, the window is {name}: "
                f"write {name}.start, {name}.end or {name}."
            )
            raise Misread(part.position, message, "UNRESOLVED_COLUMN.WITH_SUGGESTION")


def drop_window_time(group: s.Clause) -> s.Clause:
    """Drop WINDOW_TIME from the keys beside its window: it depends on the window, so that the groups stay the same."""
    if group.detail is not None or not any(_is_call_of(item, ("window", "session_window")) for item in group.items):
        return group
    kept = [item for item in group.items if not _is_window_time(item)]
    return s.Clause(group.position, group.kind, kept)


def refuse_window_time(group: s.Clause, items: list[Any], conditions: list[Any]) -> None:
    """Reject WINDOW_TIME outside aggregates unless it is a group key, because Spark computes it before grouping.

    Raises:
        Misread: WINDOW_TIME is neither a key nor in an aggregate.
    """
    keys = [group.items, group.detail, [_item_of(key, items) for key in group.items]]
    if group.detail == "ALL" or any(_is_window_time(part) for part in parts_within(keys)):
        return
    for part in parts_within([items, conditions], lambda part: not _is_aggregate(part)):
        if _is_window_time(part):
            message = (
                "WINDOW_TIME is computed before rows are grouped: write it as a key, too, as in GROUP BY WINDOW(…), "
                "WINDOW_TIME(window), or in a query around this one."
            )
            raise Misread(part.position, message, "MISSING_AGGREGATION")
