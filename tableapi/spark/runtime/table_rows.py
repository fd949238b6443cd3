"""Collect the rows that calls of a table function yield, and convert them to columns.

Tuples and single values are split into columns in portions of some hundred rows. The rows of a whole batch would be
many objects at once, and allocating memory would take longer than the function.
"""

from __future__ import annotations

import datetime as dt
import decimal
import operator
import sys
from collections.abc import Callable, Iterable
from types import GeneratorType
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.columns import column_of_any
from tableapi.spark.runtime.row import Row

_TOGETHER = 1500
# Types whose values stand for a row of one column.
_ALONE = {str, int, float, bool, bytes, decimal.Decimal, dt.date, dt.datetime, dt.timedelta}


class TableRows:
    """The rows of consecutive calls, of one type."""

    def __init__(self, data_type: pa.StructType) -> None:
        self._type = data_type
        self._count = data_type.num_fields
        # Rows in order: first the rows that were split into columns, then the others.
        self._columns: list[list[Any]] = [[] for _ in range(self._count)]
        self._rows: list[Any] = []
        # The number of rows at which they are split into columns.
        self._together = _TOGETHER

    def of_calls(self, call: Callable[[Any], Any], values: Iterable[Any]) -> list[int]:
        """Call a function with each value, collect the rows that it yields, and return where those of each call end."""
        rows, taken = self._rows, self._columns[0]
        extend = rows.extend
        ends = [0]
        for value in values:
            given = call(value)
            extend(given if type(given) is GeneratorType else rows_of(given))
            if len(rows) >= self._together:
                self._take_apart()
            ends.append(len(taken) + len(rows))
        return ends

    def _take_apart(self) -> None:
        """Split the collected rows into columns if they are plain; otherwise keep all rows as they are from now on."""
        rows, columns = self._rows, self._columns
        kinds = list(map(type, rows))
        if kinds.count(tuple) == len(rows) and list(map(len, rows)).count(self._count) == len(rows):
            for position, column in enumerate(columns):
                column.extend(map(operator.itemgetter(position), rows))
            rows.clear()
        elif self._count == 1 and set(kinds) <= _ALONE:
            columns[0].extend(rows)
            rows.clear()
        else:
            self._together = sys.maxsize
            rows[:0] = self._taken()
            for column in columns:
                column.clear()

    def _taken(self) -> Iterable[Any]:
        """Return the rows that were split into columns."""
        return self._columns[0] if self._count == 1 else zip(*self._columns, strict=True)

    def array(self) -> pa.Array:
        """Return all rows as a column.

        Raises:
            TypeError, ValueError, OverflowError, pa.ArrowException: a row does not have the type; the error does not
                say which row.
        """
        if self._rows and self._columns[0]:
            self._take_apart()
        if not self._columns[0]:
            return column_of_any(self._rows, self._type)
        fields = [self._type.field(position) for position in range(self._count)]
        columns = [column_of_any(column, field.type) for column, field in zip(self._columns, fields, strict=True)]
        return pa.StructArray.from_arrays(columns, fields=fields)

    def all(self) -> list[Any]:
        """Return all rows in the form that the calls yielded."""
        return [*self._taken(), *self._rows]


def rows_of(given: Any) -> Iterable[Any]:
    """Return the rows of a table function call, which may yield rows, return an iterable of rows, or return one row."""
    if given is None:
        return ()
    if isinstance(given, (tuple, Row, str, bytes, dict)) or not hasattr(given, "__iter__"):
        return (given,)
    rows: Iterable[Any] = given
    return rows
