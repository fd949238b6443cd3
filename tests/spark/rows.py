"""The rows of a table, for comparisons in tests."""

from __future__ import annotations

from tableapi import Table


def rows(table: Table) -> list[tuple[object, ...]]:
    """Return the rows as tuples, in an order that depends only on the rows."""
    with table.execute().collect() as found:
        return sorted((tuple(row) for row in found), key=repr)
