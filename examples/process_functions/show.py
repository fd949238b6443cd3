"""What the examples have in common: times of one day, and how a query and its rows are shown."""

from __future__ import annotations

import datetime as dt

from tableapi import Table


def at(time: str) -> dt.datetime:
    """Return a time of the day of the examples: ``at("09:30")``."""
    return dt.datetime.combine(dt.date(2024, 3, 1), dt.time.fromisoformat(time))


def show(table: Table) -> None:
    """Print the SQL of a query and its rows."""
    print(table.as_serializable_string(), end="\n\n")
    table.execute().print()
