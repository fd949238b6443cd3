"""The change feed of the table that a query reads."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.expressions import ValueLiteral
from ir.operations.source import ChangeRange, Moment, Source
from tableapi.data.values import value_expression
from tableapi.declarations.file_options import capitalize
from tableapi.queries.query import Query
from tableapi.queries.tables import check_read_options

_INCLUSIVE: Final = {"both": (True, True), "left": (True, False), "right": (False, True), "neither": (False, False)}


def read_changes(
    query: Query, start: Any, end: Any, inclusive: Any, options: Mapping[str, str] | None, by_function: bool
) -> Query:
    """Return the query of the changes of a table.

    Raises:
        ValidationException: an argument has another type or an unknown value, or the range ends before it begins.
        TableException: the query is not a table as it is now, or its catalog records no changes.
    """
    source = query.operation
    if not isinstance(source, Source) or not source.is_now:
        raise TableException(
            "changes reads the change feed of a table, and this query computes other rows. Call it on the table: "
            "te.from_path('orders').changes(1).filter(…)."
        )
    if not isinstance(inclusive, str) or inclusive not in _INCLUSIVE:
        raise ValidationException(
            f"inclusive is one of [{listing(_INCLUSIVE)}], but was given {inclusive!r}."
            + did_you_mean(str(inclusive), _INCLUSIVE)
        )
    if by_function and (inclusive != "both" or options):
        raise ValidationException("table_changes includes both ends and takes no options.")
    if source.stream is not None and (by_function or end is not None):
        what = "the function table_changes reads a table" if by_function else "the changes of a stream do not end"
        raise ValidationException(
            f"{capitalize(what)}: a stream of changes has a start alone, from_path('orders', stream=True).changes(1)."
        )
    first, last = _INCLUSIVE[inclusive]
    moment = None if end is None else _moment("end", end, by_function)
    changes = ChangeRange(_moment("start", start, by_function), moment, first, last or end is None, by_function)
    environment = query.environment
    path = source.identifier.as_serializable_string()
    made = environment.tables.changes_of(path, changes, check_read_options(options))
    return Query(made.evolve(stream=source.stream), environment)


def _moment(name: str, given: Any, by_function: bool) -> Moment:
    if isinstance(given, dt.datetime):
        made = value_expression(given)
        assert isinstance(made, ValueLiteral)
        return made
    if isinstance(given, bool) or not isinstance(given, int | str) or given == "":
        raise ValidationException(f"{name} takes a version or a datetime, but was given {given!r}.")
    if by_function and not str(given).isdecimal():
        raise ValidationException(f"table_changes takes the number of a version, but {name} was given {given!r}.")
    return str(given)
