"""Spark's documented type rules in a few readable cases; ``tests/oracle`` covers all pairs of types."""

from __future__ import annotations

import decimal

import pytest

from ir.calls import call
from ir.casts import (
    DECIMAL_FAMILY,
    INTEGRAL_FAMILY,
    NUMERIC_FAMILY,
    can_cast,
    can_store,
    can_try_cast,
    cast_result,
    comparison_type,
    implicit_cast,
    is_comparable,
    is_groupable,
    least_common_type,
    try_cast_result,
)
from ir.errors import TableException, ValidationException
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.builtins import BUILT_INS
from ir.inference.arithmetic import arithmetic, negation
from ir.inference.call_context import CallContext
from ir.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    VARIANT,
    ArrayType,
    CharType,
    DayTimeIntervalType,
    DecimalType,
    DescriptorType,
    IntervalField,
    LogicalType,
    MapType,
    RowField,
    RowType,
    TimeType,
    YearMonthIntervalType,
)
from serializer.flink.notation import FLINK
from serializer.spark_notation import SPARK
from serializer.types import type_text

HOURS = DayTimeIntervalType(IntervalField.HOUR, IntervalField.HOUR)
DAYS = DayTimeIntervalType(IntervalField.DAY, IntervalField.DAY)


def column(data_type: LogicalType) -> ResolvedExpression:
    return FieldReference("c", data_type, 0, 0)


def result(operator: str, left: LogicalType | int, right: LogicalType | int) -> LogicalType | None:
    """Return the type of an arithmetic operation; an int stands for a literal, a type for a column."""
    operands = [column(o) if isinstance(o, LogicalType) else ValueLiteral(o, INT.not_null()) for o in (left, right)]
    found = arithmetic(operator, CallContext.of(operator, tuple(operands)))
    return None if found is None else found[1]


# --- casts -----------------------------------------------------------------------------------------------------------


def test_casts_rejected_in_ansi_mode() -> None:
    assert can_cast(STRING, INT)
    assert not can_cast(INT, BYTES)
    assert not can_cast(DATE, INT)
    assert not can_cast(BOOLEAN, TIMESTAMP_LTZ)
    assert not can_cast(DOUBLE, HOURS)


def test_a_cast_that_may_meet_bad_text_is_nullable() -> None:
    assert cast_result(STRING.not_null(), INT) is INT
    assert cast_result(INT.not_null(), BIGINT) is BIGINT.not_null()
    assert cast_result(INT.not_null(), STRING) is STRING.not_null()


def test_a_cast_to_char_is_a_cast_to_string() -> None:
    assert cast_result(INT, CharType(3)) is STRING


def test_not_null_is_written_inside_rows_only() -> None:
    fields = RowType((RowField("a", INT.not_null()),))
    assert cast_result(NULL, ArrayType(INT.not_null())) is ArrayType(INT)
    assert cast_result(NULL, fields) is fields
    assert not can_cast(RowType((RowField("a", INT),)), fields)


def test_try_cast_is_nullable_unless_it_cannot_fail() -> None:
    assert try_cast_result(INT.not_null(), BIGINT) is BIGINT.not_null()
    assert try_cast_result(BIGINT.not_null(), INT) is INT
    assert not can_try_cast(MapType(STRING, INT), MapType(INT, INT))


def test_store_assignment_takes_numbers_but_no_text_for_numbers() -> None:
    assert can_store(DOUBLE, INT)
    assert can_store(INT, STRING)
    assert not can_store(STRING, INT)
    assert not can_store(ArrayType(INT), ArrayType(INT.not_null()))


# --- implicit casts --------------------------------------------------------------------------------------------------


def test_strings_are_cast_to_the_parameter_type() -> None:
    assert implicit_cast(STRING, INT) is INT
    assert implicit_cast(STRING, NUMERIC_FAMILY) is DOUBLE
    assert implicit_cast(STRING, INTEGRAL_FAMILY) is None
    assert implicit_cast(STRING, ArrayType(STRING)) is None


def test_null_and_numbers_are_cast_to_the_parameter_type() -> None:
    assert implicit_cast(NULL, DATE) is DATE
    assert implicit_cast(INT.not_null(), STRING) is STRING.not_null()
    assert implicit_cast(INT, DECIMAL_FAMILY) is DecimalType(10, 0)
    assert implicit_cast(BOOLEAN, INT) is None


def test_several_expected_types_are_tried_in_order() -> None:
    assert implicit_cast(DATE, (STRING, BYTES)) is STRING
    assert implicit_cast(BYTES, (STRING, BYTES)) is BYTES


# --- common types ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("types", "common"),
    [
        ([INT, BIGINT], BIGINT),
        ([INT, FLOAT], DOUBLE),
        ([INT, DecimalType(10, 2)], DecimalType(12, 2)),
        ([DecimalType(38, 18), DecimalType(38, 0)], DecimalType(38, 0)),
        ([DecimalType(10, 2), DOUBLE], DOUBLE),
        ([STRING, INT], BIGINT),
        ([STRING, DATE], DATE),
        ([DATE, TIMESTAMP], TIMESTAMP),
        ([TIMESTAMP, TIMESTAMP_LTZ], TIMESTAMP_LTZ),
        ([NULL, INT], INT),
        ([INT, BOOLEAN], None),
        ([STRING, HOURS], None),
        ([ArrayType(INT.not_null()), ArrayType(BIGINT.not_null())], ArrayType(BIGINT.not_null())),
        ([DAYS, HOURS], DayTimeIntervalType(IntervalField.DAY, IntervalField.HOUR)),
    ],
)
def test_common_types(types: list[LogicalType], common: LogicalType | None) -> None:
    assert least_common_type(types) is common


def test_greatest_does_not_read_text_as_numbers() -> None:
    assert least_common_type([STRING, INT], promote_strings=False) is None


def test_the_common_type_is_nullable_if_a_value_or_its_cast_is() -> None:
    assert least_common_type([INT.not_null(), BIGINT.not_null()]) is BIGINT.not_null()
    assert least_common_type([STRING.not_null(), BIGINT.not_null()]) is BIGINT


def test_comparisons() -> None:
    assert comparison_type(STRING, DecimalType(10, 2)) is DOUBLE
    assert comparison_type(MapType(INT, INT), MapType(INT, INT)) is None
    assert comparison_type(BOOLEAN, INT) is None
    assert not is_comparable(ArrayType(VARIANT))
    assert is_groupable(MapType(INT, INT))


# --- arithmetic ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("+", INT.not_null(), BIGINT.not_null(), BIGINT.not_null()),
        ("+", FLOAT, FLOAT, FLOAT),
        ("+", INT, FLOAT, DOUBLE),
        ("/", INT.not_null(), INT.not_null(), DOUBLE),
        ("DIV", INT, INT, BIGINT),
        ("+", STRING, INT, BIGINT),
        ("+", STRING, STRING, None),
        ("+", BOOLEAN, INT, None),
        ("%", INT.not_null(), INT.not_null(), INT),
    ],
)
def test_numbers(operator: str, left: LogicalType, right: LogicalType, expected: LogicalType | None) -> None:
    assert result(operator, left, right) is expected


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        # p = max(p1 - s1, p2 - s2) + max(s1, s2) + 1
        ("+", DecimalType(10, 2), DecimalType(5, 4), DecimalType(13, 4)),
        # p = p1 + p2 + 1, s = s1 + s2
        ("*", DecimalType(10, 2), DecimalType(5, 4), DecimalType(16, 6)),
        # s = max(6, s1 + p2 + 1), p = p1 - s1 + s2 + s
        ("/", DecimalType(10, 2), DecimalType(5, 4), DecimalType(20, 8)),
        # p = min(p1 - s1, p2 - s2) + max(s1, s2)
        ("%", DecimalType(10, 2), DecimalType(5, 4), DecimalType(5, 4)),
        # 77 digits, 36 of them after the point: the 41 digits before it leave no room, but six decimal places are kept.
        ("*", DecimalType(38, 18), DecimalType(38, 18), DecimalType(38, 6)),
        ("+", DecimalType(38, 18), DecimalType(38, 18), DecimalType(38, 17)),
        # A column counts with the ten digits of INT, a literal with its own digits.
        ("*", DecimalType(38, 18), INT, DecimalType(38, 7)),
        ("*", DecimalType(38, 18), 2, DecimalType(38, 16)),
        ("+", DecimalType(10, 2), -500, DecimalType(11, 2)),
        ("+", DecimalType(10, 2), DOUBLE, DOUBLE),
    ],
)
def test_decimals(operator: str, left: LogicalType, right: LogicalType | int, expected: LogicalType) -> None:
    assert result(operator, left, right) is expected


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("+", DATE, DAYS, DATE),
        ("+", DATE, HOURS, TIMESTAMP_LTZ),
        ("+", YearMonthIntervalType(), DATE, DATE),
        ("-", DATE, INT, DATE),
        ("+", DATE, BIGINT, None),
        ("-", DATE, DATE, DAYS),
        ("-", TIMESTAMP, DATE, DayTimeIntervalType()),
        ("+", TIMESTAMP.not_null(), HOURS.not_null(), TIMESTAMP.not_null()),
        ("+", TimeType(0).not_null(), HOURS.not_null(), TimeType(0)),
        ("-", TimeType(3), TimeType(3), DayTimeIntervalType(IntervalField.HOUR, IntervalField.SECOND)),
        ("*", HOURS, INT, DayTimeIntervalType()),
        ("*", INT, HOURS, DayTimeIntervalType()),
        ("/", INT, HOURS, None),
        ("-", HOURS, DATE, None),
    ],
)
def test_times(operator: str, left: LogicalType, right: LogicalType, expected: LogicalType | None) -> None:
    assert result(operator, left, right) is expected


def test_operands_are_cast() -> None:
    found = arithmetic(
        "+", CallContext.of("+", (column(STRING), ValueLiteral(decimal.Decimal("1.5"), DecimalType(2, 1))))
    )
    assert found is not None
    assert found[0] == (DOUBLE, DOUBLE)


def test_minus_sign() -> None:
    assert negation(CallContext.of("-", (column(STRING),))) is DOUBLE
    assert negation(CallContext.of("-", (column(HOURS),))) is HOURS
    assert negation(CallContext.of("-", (column(DATE),))) is None


# --- aggregates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "argument", "expected"),
    [
        ("count", STRING, BIGINT.not_null()),
        ("sum", INT.not_null(), BIGINT),
        ("sum", FLOAT, DOUBLE),
        ("sum", DecimalType(10, 2), DecimalType(20, 2)),
        ("avg", DecimalType(10, 2), DecimalType(14, 6)),
        ("avg", INT, DOUBLE),
        ("sum", BOOLEAN, None),
        ("max", STRING.not_null(), STRING),
        ("max", MapType(INT, INT), None),
        ("collect_list", INT, ArrayType(INT.not_null(), nullable=False)),
        ("listagg", INT, STRING),
        ("stddev_pop", DATE, None),
    ],
)
def test_aggregates(name: str, argument: LogicalType, expected: LogicalType | None) -> None:
    definition = BUILT_INS.find(name)
    assert definition is not None
    if expected is None:
        with pytest.raises(ValidationException):
            call(definition, (column(argument),))
    else:
        assert call(definition, (column(argument),)).data_type is expected


# --- types as text ---------------------------------------------------------------------------------------------------

ROW = RowType((RowField("a`b", INT.not_null()), RowField("c", ArrayType(TIMESTAMP.not_null()))))


@pytest.mark.parametrize(
    ("data_type", "spark", "flink"),
    [
        (STRING, "STRING", "STRING"),
        (BYTES, "BINARY", "BYTES"),
        (TIMESTAMP, "TIMESTAMP_NTZ", "TIMESTAMP(6)"),
        (TIMESTAMP_LTZ, "TIMESTAMP_LTZ", "TIMESTAMP_LTZ(6)"),
        (DecimalType(10, 2), "DECIMAL(10, 2)", "DECIMAL(10, 2)"),
        (DayTimeIntervalType(), "INTERVAL DAY TO SECOND", "INTERVAL DAY TO SECOND(6)"),
        (HOURS, "INTERVAL HOUR", "INTERVAL HOUR"),
        (MapType(STRING, INT), "MAP<STRING, INT>", "MAP<STRING, INT>"),
        (
            ROW,
            "STRUCT<`a``b`: INT NOT NULL, `c`: ARRAY<TIMESTAMP_NTZ>>",
            "ROW<`a``b` INT NOT NULL, `c` ARRAY<TIMESTAMP(6) NOT NULL>>",
        ),
    ],
)
def test_text(data_type: LogicalType, spark: str, flink: str) -> None:
    assert type_text(data_type, SPARK) == spark
    assert type_text(data_type, FLINK) == flink


def test_types_without_text() -> None:
    with pytest.raises(TableException, match="DESCRIPTOR cannot be written"):
        type_text(DescriptorType(), SPARK)
    with pytest.raises(TableException, match="type NULL cannot be written"):
        type_text(NULL, FLINK)
