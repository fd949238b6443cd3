"""Which columns of a SELECT are the very same column, so that a name may mean any of them."""

from __future__ import annotations

from collections.abc import Sequence

from grammar.builder.generators import Item
from ir.expressions import Expression, FieldReference
from ir.identifiers import fold


def first_of_same(items: Sequence[Item]) -> list[int]:
    """Return for each column of a SELECT the index of the first one that is the very same column.

    A column of the rows that is selected twice, as it is, is one column. An alias makes a new column each time.
    """
    first: dict[tuple[Expression, str], int] = {}
    found: list[int] = []
    for index, item in enumerate(items):
        if item.aliased:
            # A name that means an alias before it is the column of that.
            first[item.expression, fold(item.name)] = index
            found.append(index)
        elif item.by_alias is None and not isinstance(item.expression, FieldReference):
            found.append(index)
        else:
            key = (item.expression, "" if item.by_alias is None else fold(item.name))
            found.append(first.setdefault(key, index))
    return found
