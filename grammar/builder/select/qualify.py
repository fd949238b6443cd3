"""Determines the meaning of names in QUALIFY."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from grammar import syntax as s
from grammar.builder.expressions.within import parts_within
from grammar.builder.names import AMBIGUOUS, NamesOf
from grammar.builder.select.generators import Item
from grammar.errors import Misread
from ir.expressions import Expression, FieldReference, Ordering, UnresolvedCall, UnresolvedOver, written_parts
from ir.identifiers import fold


def names_of_qualify(clause: s.Clause, items: Sequence[Item], names: NamesOf) -> NamesOf:
    """Return the meaning of names in QUALIFY. ``names.outputs`` are the columns of the SELECT.

    If only the condition has window calls, Spark adds it to the SELECT as a column, so that columns of FROM win over
    aliases. Otherwise the condition sees both the columns of the SELECT and the columns of FROM that its window calls
    use.
    """
    condition = clause.items[0]
    has_windows = any(type(part) is UnresolvedOver for part in written_parts([item.expression for item in items]))
    if not has_windows and any(type(part) is s.Over for part in parts_within(condition)):
        return attrs.evolve(names, outputs={}, aliases=names.outputs, keys=frozenset(names.outputs))
    computed = {fold(item.name) for item in items if item.aliased or not isinstance(item.expression, FieldReference)}
    of_windows = _columns_of_windows(items)
    for part in parts_within(condition):
        if type(part) is s.Path and fold(part.names[0].text) in computed:
            _refuse_ambiguous(part, names, of_windows)
    return names


def _refuse_ambiguous(path: s.Path, names: NamesOf, of_windows: set[Expression]) -> None:
    """Reject a name of several columns of the SELECT, or of a column of the SELECT and one that its windows use.

    Raises:
        Misread: the name is ambiguous.
    """
    name = path.names[0]
    named = [column for column in names.scope.columns if fold(column.name) == fold(name.text)]
    if names.outputs.get(fold(name.text)) is AMBIGUOUS:
        message = f"Ambiguous column name: {name.text}; several columns of the SELECT are called so."
    elif any(column.field in of_windows for column in named):
        message = (
            f"Ambiguous column name: {name.text}; a column of the SELECT is called so, and a column of FROM that a "
            "window of the SELECT is over."
        )
    else:
        return
    raise Misread(path.position, f"{message} Give the column another alias.", "AMBIGUOUS_REFERENCE")


def _columns_of_windows(items: Sequence[Item]) -> set[Expression]:
    """Return the columns of FROM that are arguments or keys of window calls."""
    overs = [part for part in written_parts([i.expression for i in items]) if isinstance(part, UnresolvedOver)]
    return {part for over in overs for part in _operands(over) if isinstance(part, FieldReference)}


def _operands(over: UnresolvedOver) -> Iterator[Expression]:
    """Yield the arguments and the keys of a window call."""
    if isinstance(over.call, UnresolvedCall):
        yield from over.call.arguments
    if not isinstance(over.window, str):
        yield from over.window.partition_by
        for key in over.window.order_by:
            yield key.expression if isinstance(key, Ordering) else key
