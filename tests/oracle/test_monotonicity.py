"""Functions are monotonic as their definitions declare, checked with values that Spark computes."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.expressions import FieldReference, ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.functions.arithmetic import MINUS, PLUS
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, Monotonicity
from ir.literals import literal
from ir.types import BIGINT, DATE, DOUBLE, INT, TIMESTAMP, DecimalType, LogicalType, YearMonthIntervalType
from tests.oracle.calls import argument_lists, call_or_none
from tests.oracle.test_functions import text_of

_MONTH_ENDS = [dt.date(2024, month, day) for month in (1, 2, 3, 12) for day in (1, 15, 28, 29)] + [dt.date(2024, 1, 31)]
_DAYS = sorted([dt.date(1400, 2, 28), dt.date(1500, 2, 28), dt.date(1969, 12, 31), dt.date(2023, 2, 28), *_MONTH_ENDS])
VALUES: dict[LogicalType, list[ResolvedExpression]] = {
    INT: [literal(value) for value in (-40, -13, -1, 0, 1, 2, 12, 37)],
    BIGINT: [literal(value, BIGINT) for value in (-20_001, -1, 0, 1, 999, 1000, 20_000)],
    DOUBLE: [literal(value) for value in (-300.0, -2.5, -1.5, -1.0, -0.5, -0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 19.0, 300.0)],
    DecimalType(10, 2): [
        ValueLiteral(Decimal(value), DecimalType(10, 2, nullable=False))
        for value in ("-250.50", "-2.50", "-1.50", "-0.01", "0.00", "0.49", "0.50", "1.50", "2.50", "99.99")
    ],
    DATE: [literal(value) for value in _DAYS],
    TIMESTAMP: [
        literal(dt.datetime.combine(day, time))
        for day in _DAYS
        for time in (dt.time(0), dt.time(0, 0, 0, 1), dt.time(23, 59, 59, 999999))
    ],
}
"""Values of each type in ascending order."""

MOST_FORMS = 6
TEXTS = {"trunc": literal("QUARTER"), "date_trunc": literal("WEEK"), "next_day": literal("TUE")}
"""The string argument of functions that require a certain one."""
MONOTONIC = [d for d in BUILT_INS if d.monotonicity]


def _forms(definition: FunctionDefinition, place: int) -> Iterator[list[ResolvedExpression]]:
    """Yield accepted arguments with a column at the place, of one of the types in VALUES, and with no other columns."""
    known: set[tuple[object, ...]] = set()
    for given in argument_lists(definition, 600):
        arguments = list(given)
        for position, argument in enumerate(arguments):
            values = VALUES.get(argument.data_type.as_nullable(), [])
            if position != place and definition.name in TEXTS:
                arguments[position] = TEXTS[definition.name]
            elif isinstance(argument, FieldReference) and position != place and values:
                arguments[position] = values[len(values) // 2 + 1]
        at_place = arguments[place] if place < len(arguments) else None
        others = [a for a in arguments if a is not at_place]
        if definition in (PLUS, MINUS) and any(isinstance(a.data_type, YearMonthIntervalType) for a in others):
            continue
        is_constant = all(isinstance(a, ValueLiteral | SymbolLiteral) and _is_value(a) for a in others)
        if (
            not isinstance(at_place, FieldReference)
            or at_place.data_type.as_nullable() not in VALUES
            or not is_constant
        ):
            continue
        key = (at_place.data_type.as_nullable(), *[a for a in others if isinstance(a, SymbolLiteral)], len(arguments))
        if key not in known and call_or_none(definition, tuple(arguments)) is not None:
            known.add(key)
            yield arguments


def _is_value(argument: ResolvedExpression) -> bool:
    """Whether an argument is a keyword or a value that cannot make a call fail: no NULL, other string, large number."""
    if not isinstance(argument, ValueLiteral) or argument in TEXTS.values():
        return True
    is_large = isinstance(argument.value, int | Decimal) and abs(argument.value) > 100
    return argument.value is not None and not isinstance(argument.value, str) and not is_large


def _is_known(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and math.isnan(value))


@pytest.mark.parametrize("definition", MONOTONIC, ids=lambda d: d.name)
def test_values_rise_and_fall(spark: SparkSession, definition: FunctionDefinition) -> None:
    for place, monotonicity in enumerate(definition.monotonicity):
        if monotonicity is None:
            continue
        asked = [arguments for _, arguments in zip(range(MOST_FORMS), _forms(definition, place), strict=False)]
        assert asked
        texts, lengths = [], []
        for arguments in asked:
            values = VALUES[arguments[place].data_type.as_nullable()]
            calls = [call_or_none(definition, (*arguments[:place], v, *arguments[place + 1 :])) for v in values]
            texts += [text_of(made) for made in calls if made is not None]
            lengths.append(sum(made is not None for made in calls))
        (row,) = spark.sql(f"SELECT {', '.join(f'{text} AS x{i}' for i, text in enumerate(texts))}").collect()
        found, start = list(row), 0
        for arguments, length in zip(asked, lengths, strict=True):
            series = [value for value in found[start : start + length] if _is_known(value)]
            start += length
            assert len(series) > 1
            ordered = sorted(series, reverse=monotonicity is Monotonicity.DECREASING)
            assert series == ordered, [argument.as_summary_string() for argument in arguments]
