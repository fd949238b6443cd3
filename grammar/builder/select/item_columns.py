"""Finds SELECT items that are the same column, so that a name may denote any of them."""

from __future__ import annotations

from collections.abc import Sequence

from grammar.builder.scopes import Column
from grammar.builder.select.generators import Item
from ir.expressions import Expression, FieldReference
from ir.identifiers import fold


def find_first_duplicates(items: Sequence[Item], columns: Sequence[Column]) -> list[int]:
    """Return for each column of a SELECT the index of the first identical column. ``columns`` are those of FROM.

    A column of FROM that is selected twice without an alias is one column, and so are columns of FROM that are the
    same. Each alias makes a new column.
    """
    origins: dict[Expression, object] = {c.field: c.origin for c in columns if c.origin is not None}
    first: dict[tuple[object, str], int] = {}
    found: list[int] = []
    for index, item in enumerate(items):
        if item.aliased:
            # A later name that denotes this alias is the same column.
            first[item.expression, fold(item.name)] = index
            found.append(index)
        elif item.by_alias is None and not isinstance(item.expression, FieldReference):
            found.append(index)
        else:
            same = origins.get(item.expression, item.expression) if origins else item.expression
            key = (same, "") if item.by_alias is None else (item.expression, fold(item.name))
            found.append(first.setdefault(key, index))
    return found
