"""Shared parts of the examples: times of one day, and the output of a query, its rows and a picture of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tableapi import Table
from tableapi.expressions import col


def at(time: str) -> dt.datetime:
    """Return a time on the day of the examples: ``at("09:30")``."""
    return dt.datetime.combine(dt.date(2024, 3, 1), dt.time.fromisoformat(time))


def in_order(table: Table) -> Table:
    """Return the rows sorted, so that their order does not depend on the number of Spark tasks."""
    return table.order_by(*[col(name) for name in table.get_schema().get_field_names()])


def show(table: Table, picture: Callable[[Sequence[Any]], str]) -> None:
    """Print the SQL of a query, its rows, and a picture of them."""
    print(table.as_serializable_string(), end="\n\n")
    sorted_rows = in_order(table)
    sorted_rows.execute().print()
    print(picture(list(sorted_rows.execute().collect())))


def timeline(marks: Iterable[tuple[Any, dt.datetime, dt.datetime, str]], width: int = 60) -> str:
    """Draw a line for each subject, with its marks on a common time axis.

    Args:
        marks: tuples of a subject, a start, an end, and two characters: one for the span and one for its end.
        width: the number of characters of the time axis.
    """
    known = list(marks)
    first, last = min(mark[1] for mark in known), max(mark[2] for mark in known)
    lines: dict[str, list[str]] = {}
    places = [[round(width * ((time - first) / (last - first))) for time in mark[1:3]] for mark in known]
    for (subject, _, _, signs), (start, stop) in zip(known, places, strict=True):
        line = lines.setdefault(str(subject), [" "] * (width + 1))
        line[start:stop] = signs[0] * (stop - start)
    # Draw ends last, so that a span that begins at the same time does not hide them.
    for (subject, _, _, signs), (_, stop) in zip(known, places, strict=True):
        lines[str(subject)][stop] = signs[1]
    names = max(map(len, lines))
    ends = f"{first:%H:%M:%S}", f"{last:%H:%M:%S}"
    axis = " " * (names + 2) + ends[0] + ends[1].rjust(width + 1 - len(ends[0]))
    return "\n".join([*[f"{name:{names}}  {''.join(line).rstrip()}" for name, line in lines.items()], axis])


def bars(values: Mapping[str, float], width: int = 40) -> str:
    """Draw a bar for each value."""
    names, most = max(map(len, values)), max(values.values())
    return "\n".join(
        [f"{name:{names}}  {'█' * round(width * value / most)} {value:g}" for name, value in values.items()]
    )
