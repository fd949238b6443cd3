"""Time windows as group keys against Spark's analyzer: acceptance, type and nullability.

They are asked about one at a time, because Spark rejects two different windows in a SELECT.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.errors import PySparkException

from ir.call_expressions import Call
from ir.calls import call
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.definition import FunctionDefinition
from ir.functions.time_window import SESSION_WINDOW, WINDOW
from ir.literals import literal
from ir.types import NULL, STRING, TIMESTAMP, LogicalType
from tableapi.spark.types import from_spark
from tests.oracle.oracle import NOT_NULL, NULLABLE, TYPES, VIEW, Oracle

Arguments = tuple[ResolvedExpression, ...]

_TIME = next(operand.expression for operand in NULLABLE if operand.data_type is TIMESTAMP)
_TEXT = next(operand.expression for operand in NULLABLE if operand.data_type is STRING)
_LENGTHS = [
    *["10 minutes", "600 SECONDS", "interval 1 day -3 hours", "1.5 seconds", "1.5 minutes", "2 weeks", "0 days"],
    *[
        "-1 hours",
        "1 month",
        "1 year 2 days",
        "ten minutes",
        "10",
        "",
        "10minutes",
        "1 microsecond",
        "1  hour  1 minute",
    ],
    *["- 5 minutes", "+5 minutes", "5 fortnights", "1 second 1 second"],
]


def _times() -> Iterator[Arguments]:
    for operand in (*NULLABLE, *NOT_NULL):
        yield operand.expression, literal("10 minutes")
    for text in ("2024-01-01", "x"):
        yield literal(text), literal("10 minutes")
    yield ValueLiteral(None, NULL), literal("10 minutes")


def _lengths() -> Iterator[Arguments]:
    for length in _LENGTHS:
        yield _TIME, literal(length)
    for other in (literal(600), literal(10**12), literal(0), literal(True), literal(1.5), ValueLiteral(None, STRING)):
        yield _TIME, other
    yield _TIME, _TEXT


def _slides() -> Iterator[Arguments]:
    for slide in ("10 minutes", "5 minutes", "3 minutes", "11 minutes", "0 seconds", "-1 minutes", "600 seconds"):
        yield _TIME, literal("10 minutes"), literal(slide)
        for offset in ("0 seconds", "1 minute", "-1 minute", "5 minutes", "-12 minutes"):
            yield _TIME, literal("10 minutes"), literal(slide), literal(offset)


def _inferred(definition: FunctionDefinition, arguments: Arguments) -> tuple[str, LogicalType | None]:
    """Return the text of the call and its type; the type is None if the call is rejected."""
    try:
        made = call(definition, arguments)
    except ValidationException:
        return Call(definition, arguments, NULL).as_serializable_string(), None
    return made.as_serializable_string(), made.data_type


def _actual(oracle: Oracle, text: str) -> LogicalType | None:
    try:
        (field,) = oracle.spark.sql(f"SELECT {text} AS w FROM {VIEW} GROUP BY {text}").schema.fields
    except PySparkException:
        return None
    return from_spark(field.dataType, field.nullable)


@pytest.mark.parametrize("arguments", [*_times(), *_lengths(), *_slides()], ids=repr)
def test_windows(oracle: Oracle, arguments: Arguments) -> None:
    text, inferred = _inferred(WINDOW, arguments)
    assert inferred is _actual(oracle, text), text


# Spark parses a gap only at run time; months and days follow the calendar there.
_FAILING = {"ten minutes", "10", "", "10minutes", "1.5 minutes", "5 fortnights"}
_EMPTY = {"0 days", "-1 hours", "- 5 minutes"}
_OF_THE_CALENDAR = {"1 month", "1 year 2 days", "2 weeks", "interval 1 day -3 hours"}


@pytest.mark.parametrize("arguments", [*_times(), *_lengths()], ids=repr)
def test_sessions(oracle: Oracle, arguments: Arguments) -> None:
    text, inferred = _inferred(SESSION_WINDOW, arguments)
    gap = arguments[1]
    if isinstance(gap, ValueLiteral) and gap.value in _FAILING | _EMPTY | _OF_THE_CALENDAR:
        assert inferred is None
    else:
        assert inferred is _actual(oracle, text), text


def test_the_types_are_all_asked_about() -> None:
    assert len(list(_times())) > len(TYPES)
