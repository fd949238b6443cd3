"""Small random rows of the TPC-DS tables, for which a query returns rows: they contain the constants of the query."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import attrs

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.logic import AND, CASE, OR
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from tests.tpcds.tables import definitions

Rows = list[list[Any]]
Domains = dict[tuple[str, str], set[Any]]
"""The constants with which a query compares each column of a table."""
_COLUMN = re.compile(r"(\w+) (INT|STRING|DATE|DECIMAL\(\d+, (\d+)\))")
# What these combine has nothing to do with each other.
_COMBINING = (AND, OR, CASE)
_EPOCH = 1900
_FACTS = ("sales", "returns", "inventory")
_DATE_OFFSETS = (0, 3, 20, 45, 75)


@attrs.frozen
class Size:
    """How many rows the tables have: dimensions, dates, and facts; and how many of the keys occur."""

    dimension: int
    dates: int
    facts: int


def columns_of(table: str) -> list[tuple[str, str]]:
    """Return the names and types of the columns of a table."""
    body = definitions()[table].partition("(")[2]
    return [(name, kind) for name, kind, _ in _COLUMN.findall(body)]


# --- constants -------------------------------------------------------------------------------------------------------


def constants_of(query: QueryOperation) -> Domains:
    """Return the constants with which a query compares columns, or with which it computes from them."""
    found: Domains = {}
    for operation in query.walk_with_subqueries():
        for expression in operation.expressions:
            for part in expression.walk():
                if isinstance(part, Call) and len(part.arguments) > 1 and part.function not in _COMBINING:
                    for table, column in _columns_in(part, operation):
                        found.setdefault((table, column), set()).update(_literals_in(part.arguments))
    return found


def _literals_in(arguments: Iterable[ResolvedExpression]) -> Iterator[Any]:
    for argument in arguments:
        for part in argument.walk():
            if isinstance(part, ValueLiteral) and part.value is not None:
                yield part.value


def _columns_in(call: Call, operation: QueryOperation) -> Iterator[tuple[str, str]]:
    for part in call.walk():
        if isinstance(part, FieldReference):
            place: tuple[QueryOperation, int] | None = operation.inputs[part.input_index], part.index
            while place is not None and not isinstance(place[0], Source):
                place = place[0].column_below(place[1])
            if place is not None:
                source = place[0]
                assert isinstance(source, Source)
                yield source.identifier.name, source.schema.names[place[1]]


# --- rows ------------------------------------------------------------------------------------------------------------


@attrs.frozen(eq=False)
class SmallData:
    """The rows of the tables that a query reads.

    Attributes:
        constants: the constants of the query.
        size: the numbers of rows.
        seed: the seed of all random choices.
    """

    constants: Domains
    size: Size
    seed: int = 1

    def rows(self, table: str) -> Rows:
        """Return the rows of a table."""
        if table == "date_dim":
            return self._dates()
        count = self.size.facts if any(word in table for word in _FACTS) else self.size.dimension
        columns = [self.column(table, position, count, self.seed) for position in range(len(columns_of(table)))]
        return [list(row) for row in zip(*columns, strict=True)]

    def changed(self, table: str, rows: Rows, positions: Iterable[int], seed: int) -> Rows:
        """Return rows with other values in some columns: keys and dates permuted, all else drawn anew."""
        changed = [list(row) for row in rows]
        for position in positions:
            name, _ = columns_of(table)[position]
            if table == "date_dim" or self._is_key(table, position):
                values = [row[position] for row in rows]
                # Each value goes to another row.
                shift = 1 + random.Random(f"{name}{seed}").randrange(max(1, len(values) - 1))
                values = values[shift:] + values[:shift]
            else:
                values = self.column(table, position, len(rows), self.seed + seed)
            for row, value in zip(changed, values, strict=True):
                row[position] = value
        return changed

    @staticmethod
    def _is_key(table: str, position: int) -> bool:
        return position == 0 and not any(word in table for word in _FACTS)

    def column(self, table: str, position: int, count: int, seed: int) -> list[Any]:
        """Return random values of a column."""
        name, kind = columns_of(table)[position]
        chosen = random.Random(f"{table}.{name}.{seed}")
        if self._is_key(table, position):
            return list(range(1, count + 1))
        return [self._value(table, name, kind, chosen) for _ in range(count)]

    def _value(self, table: str, name: str, kind: str, chosen: random.Random) -> Any:
        if chosen.random() < 0.03:
            return None
        constants = sorted(
            (
                value
                for value in (_fit(given, kind) for given in self.constants.get((table, name), ()))
                if value is not None
            ),
            key=str,
        )
        if constants and chosen.random() < 0.8:
            value = chosen.choice(constants)
            return value if kind == "STRING" else _beside(value, chosen)
        if "date_sk" in name:
            return chosen.randint(1, self.size.dates)
        if kind == "INT":
            return chosen.randint(1, self.size.dimension if name.endswith("_sk") else 4)
        if kind == "STRING":
            return f"{name[-4:]}{chosen.randint(1, 3)}"
        if kind == "DATE":
            return dt.date(2000, 1, 1) + dt.timedelta(days=chosen.randint(0, 400))
        return Decimal(chosen.randint(1, 400)).quantize(Decimal("0.01"))

    def _dates(self) -> Rows:
        """Return days, whose columns fit each other, around the constants."""
        chosen = random.Random(self.seed)
        known = {name: self.constants.get(("date_dim", name), set()) for name, _ in columns_of("date_dim")}
        years = {value for value in known["d_year"] if isinstance(value, int) and 1990 < value < 2010}
        years |= {year + value for year in years for value in known["d_year"] if value in (1, 2)}
        years |= {_EPOCH + value // 12 for value in known["d_month_seq"] if isinstance(value, int) and value > 1000}
        months = {value for value in known["d_moy"] if isinstance(value, int) and 0 < value < 13}
        months |= {3 * value - 1 for value in known["d_qoy"] if isinstance(value, int) and 0 < value < 5}
        dates = {date for value in known["d_date"] if (date := _fit(value, "DATE")) is not None}
        around = [date + dt.timedelta(days=days) for date in dates for days in _DATE_OFFSETS]
        doms = [value for value in known["d_dom"] if isinstance(value, int) and 0 < value < 29] or [1, 2, 9, 16]
        days = []
        for _ in range(self.size.dates):
            if around and (not years or chosen.random() < 0.7):
                days.append(chosen.choice(around))
                continue
            # Mostly the constants, and sometimes another year and month.
            year = chosen.choice(sorted(years) if years and chosen.random() < 0.85 else [1999, 2000, 2001])
            month = chosen.choice(sorted(months) if months and chosen.random() < 0.75 else [1, 2, 5, 8, 11, 12])
            days.append(dt.date(year, month, chosen.choice(doms)))
        return [
            [_date_value(name, number, day) for name, _ in columns_of("date_dim")] for number, day in enumerate(days, 1)
        ]


def _date_value(name: str, number: int, day: dt.date) -> Any:
    values = {
        "d_date_sk": number,
        "d_date_id": f"day{number}",
        "d_date": day,
        "d_month_seq": (day.year - _EPOCH) * 12 + day.month - 1,
        "d_week_seq": (day - dt.date(1989, 12, 31)).days // 7 + 4800,
        "d_quarter_seq": (day.year - _EPOCH) * 4 + (day.month - 1) // 3,
        "d_year": day.year,
        "d_dow": day.isoweekday() % 7,
        "d_moy": day.month,
        "d_dom": day.day,
        "d_qoy": (day.month - 1) // 3 + 1,
        "d_fy_year": day.year,
        "d_day_name": day.strftime("%A"),
        "d_quarter_name": f"{day.year}Q{(day.month - 1) // 3 + 1}",
    }
    if name in values:
        return values[name]
    return "N" if name.startswith(("d_holiday", "d_weekend", "d_current", "d_following")) else number


def _fit(value: Any, kind: str) -> Any:
    """Return a constant as a value of a type; None if it is none."""
    if kind == "STRING":
        return value.replace("%", "") if isinstance(value, str) else None
    if kind == "DATE":
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
            return dt.date.fromisoformat(value)
        return value if isinstance(value, dt.date) and not isinstance(value, dt.datetime) else None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if kind == "INT":
        return int(value)
    return min(Decimal(str(value)).quantize(Decimal("0.01")), Decimal(999))


def _beside(value: Any, chosen: random.Random) -> Any:
    """Return a number near a constant, so that comparisons have both results."""
    if isinstance(value, dt.date):
        return value + dt.timedelta(days=chosen.choice(_DATE_OFFSETS))
    return value + chosen.choice((0, 0, 0, 1, -1))
