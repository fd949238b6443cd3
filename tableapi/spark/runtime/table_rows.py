"""The rows that the calls of a table function give, on their way into columns.

Tuples and single values are taken apart by the hundred, as they come: those of a whole batch would be many objects at
once, and more time would go into memory than into the function.
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
# What stands for a row of one column without being one: it is the value.
_ALONE = {str, int, float, bool, bytes, decimal.Decimal, dt.date, dt.datetime, dt.timedelta}


class TableRows:
    """Rows of a type, call by call."""

    def __init__(self, data_type: pa.StructType) -> None:
        self._type = data_type
        self._count = data_type.num_fields
        # Rows in order: those that were taken apart, then those that were not.
        self._columns: list[list[Any]] = [[] for _ in range(self._count)]
        self._rows: list[Any] = []
        # From how many rows on they are taken apart.
        self._together = _TOGETHER

    def of_calls(self, call: Callable[[Any], Any], values: Iterable[Any]) -> list[int]:
        """Call a function with each of values, add the rows that it gives, and return where those of each end."""
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
        """Put the rows that are there into columns, if they are plain; if not, leave all as they are from now on."""
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
        """Return the rows that were taken apart."""
        return self._columns[0] if self._count == 1 else zip(*self._columns, strict=True)

    def array(self) -> pa.Array:
        """Return all rows as a column.

        Raises:
            TypeError, ValueError, OverflowError, pa.ArrowException: one is none of the type; which, nothing says.
        """
        if self._rows and self._columns[0]:
            self._take_apart()
        if not self._columns[0]:
            return column_of_any(self._rows, self._type)
        fields = [self._type.field(position) for position in range(self._count)]
        columns = [column_of_any(column, field.type) for column, field in zip(self._columns, fields, strict=True)]
        return pa.StructArray.from_arrays(columns, fields=fields)

    def all(self) -> list[Any]:
        """Return all rows as calls gave them."""
        return [*self._taken(), *self._rows]


def rows_of(given: Any) -> Iterable[Any]:
    """Return the rows of a table function, which may be a generator, or return all rows or one of them."""
    if given is None:
        return ()
    if isinstance(given, (tuple, Row, str, bytes, dict)) or not hasattr(given, "__iter__"):
        return (given,)
    rows: Iterable[Any] = given
    return rows
