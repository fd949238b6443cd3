"""The types and canonical values of literals, derived by hand, and every kind of rejection with its message."""

from __future__ import annotations

import array
import dataclasses
import datetime as dt
import enum
import math
import uuid
from decimal import Decimal, localcontext
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir.errors import ValidationException
from ir.expressions import ValueLiteral
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import FineTime
from ir.literals import is_nested, literal, negate
from ir.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    NULL,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    TINYINT,
    VARIANT,
    ArrayType,
    CharType,
    DayTimeIntervalType,
    DecimalType,
    IntervalField,
    LogicalType,
    MapType,
    RowField,
    RowType,
    TimeType,
    VarCharType,
    YearMonthIntervalType,
)
from tests.strategies import literal_types, literals

DAY_TIME = DayTimeIntervalType()
DAYS = DayTimeIntervalType(IntervalField.DAY, IntervalField.DAY)
MINUTES = DayTimeIntervalType(IntervalField.DAY, IntervalField.MINUTE)
YEAR_MONTH = YearMonthIntervalType()
YEARS = YearMonthIntervalType(IntervalField.YEAR, IntervalField.YEAR)

_FAR = FarTimestamp(FarDate(10000, 2, 29), dt.time(12, 30))


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    ("value", "data_type"),
    [
        (True, BOOLEAN),
        (5, INT),
        (-(2**31), INT),
        (2**31, BIGINT),
        (-(2**31) - 1, BIGINT),
        (2**63 - 1, BIGINT),
        (1.5, DOUBLE),
        (Decimal("123.4500"), DecimalType(7, 4)),
        (Decimal("0.01"), DecimalType(2, 2)),
        (Decimal("0.00"), DecimalType(2, 2)),
        (Decimal("-1.20"), DecimalType(3, 2)),
        (Decimal("0"), DecimalType(1, 0)),
        (Decimal("1E-38"), DecimalType(38, 38)),
        ("", STRING),
        (b"\x00", BYTES),
        (dt.date(2024, 2, 29), DATE),
        (dt.time(1, 2, 3, 4), TimeType(6)),
        (FineTime(1, 2, 3, 4), TimeType(9)),
        (dt.datetime(2024, 2, 29, 1, 2, 3), TIMESTAMP),
        (FarDate(10000, 2, 29), DATE),
        (FarTimestamp(FarDate(10000, 2, 29), dt.time(12, 30)), TIMESTAMP),
        (FarTimestamp(FarDate(-1, 2, 28), dt.time(12, 30), is_instant=True), TIMESTAMP_LTZ),
        (dt.datetime(2024, 2, 29, 1, 2, 3, tzinfo=dt.UTC), TIMESTAMP_LTZ),
    ],
)
def test_values_of_the_declared_type_are_stored_unchanged(value: object, data_type: LogicalType) -> None:
    assert literal(value) is ValueLiteral(value, data_type.not_null())


@pytest.mark.parametrize(
    ("value", "stored", "data_type"),
    [
        (None, None, NULL),
        (2**63, Decimal(2**63), DecimalType(19, 0)),
        (1 - 10**38, Decimal(1 - 10**38), DecimalType(38, 0)),
        (bytearray(b"ab"), b"ab", BYTES),
        (memoryview(b"ab"), b"ab", BYTES),
        (Decimal("1E+5"), Decimal(100000), DecimalType(6, 0)),
        (Decimal("0E+5"), Decimal(0), DecimalType(1, 0)),
        (Decimal("-0.0"), Decimal("0.0"), DecimalType(1, 1)),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001", STRING),
        (Colour.RED, "red", STRING),
        (Level.HIGH, 3, INT),
        (dt.timedelta(days=-1, microseconds=1), -86_399_999_999, DAY_TIME),
        (dt.datetime(2024, 10, 27, 2, 30, fold=1), dt.datetime(2024, 10, 27, 2, 30), TIMESTAMP),
    ],
)
def test_a_value_is_brought_to_its_canonical_form(value: object, stored: object, data_type: LogicalType) -> None:
    assert literal(value) is ValueLiteral(stored, data_type if stored is None else data_type.not_null())


def test_instants_are_stored_in_utc_and_respect_fold() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    first = literal(dt.datetime(2024, 10, 27, 2, 30, tzinfo=berlin))
    second = literal(dt.datetime(2024, 10, 27, 2, 30, tzinfo=berlin, fold=1))
    assert first.value == dt.datetime(2024, 10, 27, 0, 30, tzinfo=dt.UTC)
    assert second.value == dt.datetime(2024, 10, 27, 1, 30, tzinfo=dt.UTC)
    assert first.value.tzinfo is second.value.tzinfo is dt.UTC


def test_a_subclass_does_not_reach_the_tree() -> None:
    class Name(str):
        def __str__(self) -> str:
            return "another text"

    class Moment(dt.datetime):
        pass

    assert literal(Name("x")) is literal("x")
    assert literal(Moment(2024, 1, 1)) is literal(dt.datetime(2024, 1, 1))


def test_the_decimal_context_is_ignored() -> None:
    value = Decimal("12345678901234567890.123456789012345678")
    with localcontext() as context:
        context.prec = 3
        assert literal(value).value == value
        assert literal(value, DecimalType(38, 18)).value == value


@pytest.mark.parametrize(
    ("value", "data_type", "stored"),
    [
        (127, TINYINT, 127),
        (3.0, SMALLINT, 3),
        (Decimal("3.00"), BIGINT, 3),
        (2, DOUBLE, 2.0),
        (Decimal("0.1"), DOUBLE, 0.1),
        (0.1, FLOAT, 0.10000000149011612),
        (math.inf, FLOAT, math.inf),
        (Decimal("1.2"), DecimalType(10, 4), Decimal("1.2000")),
        (Decimal("1.2000"), DecimalType(2, 1), Decimal("1.2")),
        (7, DecimalType(3, 2), Decimal("7.00")),
        (12.5, DecimalType(4, 2), Decimal("12.50")),
        ("2024-02-29", DATE, dt.date(2024, 2, 29)),
        (dt.datetime(2024, 2, 29), DATE, dt.date(2024, 2, 29)),
        ("12:30", TimeType(0), dt.time(12, 30)),
        ("12:30:01.5", TimeType(1), dt.time(12, 30, 1, 500_000)),
        ("12:30:01.5", TimeType(7), FineTime(12, 30, 1, 500_000_000)),
        (dt.time(12, 30, 1, 5), TimeType(9), FineTime(12, 30, 1, 5_000)),
        (FineTime(12, 30, 1, 5_000), TimeType(6), dt.time(12, 30, 1, 5)),
        ("2024-02-29", TIMESTAMP, dt.datetime(2024, 2, 29)),
        ("2024-02-29T12:30:01.5", TIMESTAMP, dt.datetime(2024, 2, 29, 12, 30, 1, 500_000)),
        (dt.date(2024, 2, 29), TIMESTAMP, dt.datetime(2024, 2, 29)),
        ("2024-02-29 12:30+01:00", TIMESTAMP_LTZ, dt.datetime(2024, 2, 29, 11, 30, tzinfo=dt.UTC)),
        ("2024-02-29 12:30:00Z", TIMESTAMP_LTZ, dt.datetime(2024, 2, 29, 12, 30, tzinfo=dt.UTC)),
        ("+10000-02-29 12:30", TIMESTAMP, _FAR),
        (_FAR, TIMESTAMP, _FAR),
        (FarDate(2024, 2, 29), DATE, dt.date(2024, 2, 29)),
        (FarTimestamp(FarDate(2024, 2, 29), dt.time(1)), TIMESTAMP, dt.datetime(2024, 2, 29, 1)),
        (
            FarTimestamp(FarDate(2024, 2, 29), dt.time(1), is_instant=True),
            TIMESTAMP_LTZ,
            dt.datetime(2024, 2, 29, 1, tzinfo=dt.UTC),
        ),
        ("-0001-12-31 23:30:00-01:00", TIMESTAMP_LTZ, FarTimestamp(FarDate(0, 1, 1), dt.time(0, 30), True)),
        ("0001-01-01 00:00+01:00", TIMESTAMP_LTZ, FarTimestamp(FarDate(0, 12, 31), dt.time(23), True)),
        (
            dt.datetime(9999, 12, 31, 23, tzinfo=dt.timezone(-dt.timedelta(hours=2))),
            TIMESTAMP_LTZ,
            FarTimestamp(FarDate(10000, 1, 1), dt.time(1), True),
        ),
        ("+10000-01-01 00:30+01:00", TIMESTAMP_LTZ, dt.datetime(9999, 12, 31, 23, 30, tzinfo=dt.UTC)),
        (14, YEAR_MONTH, 14),
        (-24, YEARS, -24),
        (dt.timedelta(days=2), DAYS, 172_800_000_000),
        (dt.timedelta.resolution, DAY_TIME, 1),
    ],
)
def test_a_value_is_converted_to_the_given_type(value: object, data_type: LogicalType, stored: object) -> None:
    assert literal(value, data_type) is ValueLiteral(stored, data_type.not_null())


def test_a_type_that_only_tables_know_becomes_string() -> None:
    assert literal("ab", CharType(3)) is literal("ab", VarCharType(2)) is literal("ab")


@given(literal_types().flatmap(literals))
def test_a_stored_value_is_accepted_again(constant: ValueLiteral) -> None:
    value = constant.value
    if isinstance(constant.data_type, DayTimeIntervalType):
        value = dt.timedelta(microseconds=value)
    assert literal(value, constant.data_type) is constant


# --- NULL ------------------------------------------------------------------------------------------------------------


def test_null_has_the_type_of_its_text() -> None:
    fields = RowType((RowField("f", VarCharType(3).not_null()),))
    as_written = RowType((RowField("f", STRING.not_null()),))
    assert literal(None, INT).data_type is INT
    assert literal(None, VARIANT).data_type is VARIANT
    assert literal(None, CharType(3)).data_type is STRING
    assert literal(None, ArrayType(INT.not_null())).data_type is ArrayType(INT)
    assert literal(None, fields).data_type is as_written


def test_null_of_a_not_null_type_is_rejected() -> None:
    with pytest.raises(ValidationException, match="NULL is not a value of INT NOT NULL"):
        literal(None, INT.not_null())


# --- numpy and pandas ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "argument", "stored", "data_type"),
    [
        ("int8", 5, 5, TINYINT),
        ("int16", 5, 5, SMALLINT),
        ("int32", 5, 5, INT),
        ("int64", 5, 5, BIGINT),
        ("uint8", 200, 200, SMALLINT),
        ("uint64", 2**64 - 1, Decimal(2**64 - 1), DecimalType(20, 0)),
        ("float32", 0.1, 0.10000000149011612, FLOAT),
        ("float64", 0.1, 0.1, DOUBLE),
        ("bool_", True, True, BOOLEAN),
        ("str_", "a", "a", STRING),
        ("bytes_", b"a", b"a", BYTES),
        ("datetime64", "2024-02-29", dt.date(2024, 2, 29), DATE),
        ("datetime64", "2024-02-29T01:02:03.000004000", dt.datetime(2024, 2, 29, 1, 2, 3, 4), TIMESTAMP),
    ],
)
def test_a_numpy_scalar_keeps_its_width(name: str, argument: object, stored: object, data_type: LogicalType) -> None:
    numpy = pytest.importorskip("numpy")
    assert literal(getattr(numpy, name)(argument)) is ValueLiteral(stored, data_type.not_null())


def test_durations_and_missing_values_of_numpy_and_pandas() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    assert literal(numpy.timedelta64(90, "s")) is literal(dt.timedelta(seconds=90))
    assert literal(pandas.Timedelta(seconds=90)) is literal(dt.timedelta(seconds=90))
    assert literal(pandas.Timestamp("2024-02-29 01:02:03")) is literal(dt.datetime(2024, 2, 29, 1, 2, 3))
    assert literal(pandas.Timestamp("2024-02-29 01:02:03+01:00")) is literal(
        dt.datetime(2024, 2, 29, 0, 2, 3, tzinfo=dt.UTC)
    )
    for missing in (pandas.NaT, pandas.NA, numpy.datetime64("NaT"), numpy.timedelta64("NaT")):
        assert literal(missing) is literal(None)
        assert literal(missing, DATE) is literal(None, DATE)


@pytest.mark.parametrize(
    "make",
    [
        lambda numpy, pandas: numpy.datetime64("2024-02-29T00:00:00.000000001"),
        lambda numpy, pandas: numpy.datetime64("20000-01-01"),
        lambda numpy, pandas: numpy.timedelta64(1, "Y"),
        lambda numpy, pandas: numpy.timedelta64(5),
        lambda numpy, pandas: numpy.longdouble(1),
        lambda numpy, pandas: numpy.complex64(1),
        lambda numpy, pandas: pandas.Timestamp("2024-02-29 00:00:00.000000001"),
        lambda numpy, pandas: pandas.Timedelta(nanoseconds=1),
        lambda numpy, pandas: pandas.Period("2024-02"),
    ],
)
def test_numpy_and_pandas_values_beyond_python_are_rejected(make: Any) -> None:
    value = make(pytest.importorskip("numpy"), pytest.importorskip("pandas"))
    with pytest.raises(ValidationException):
        literal(value)


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "data_type", "message"),
    [
        (300, TINYINT, "The int 300 is not a value of TINYINT: accepted are whole numbers from -128 to 127."),
        (2**31, INT, "whole numbers from -2147483648 to 2147483647"),
        (2**63, BIGINT, "whole numbers from -9223372036854775808 to 9223372036854775807"),
        (1.5, INT, "The float 1.5 is not a value of INT: accepted are whole numbers"),
        (Decimal("1E+1000000"), INT, "accepted are whole numbers"),
        (True, INT, "The bool True is not a value of INT"),
        (math.nan, INT, "The float nan is not a value of INT"),
        ("5", INT, "The str '5' is not a value of INT"),
        (1, BOOLEAN, "The int 1 is not a value of BOOLEAN: accepted are True and False."),
        (2**53 + 1, DOUBLE, "that a DOUBLE holds exactly"),
        (10**400, DOUBLE, "The int of 1329 bits is not a value of DOUBLE"),
        (Decimal("0.1000000000000000055511151231257827"), DOUBLE, "that a DOUBLE holds exactly"),
        (Decimal("sNaN"), DOUBLE, "is not a value of DOUBLE"),
        (1e39, FLOAT, "numbers from 1.4E-45 to 3.4028235E38"),
        (1e-60, FLOAT, "numbers from 1.4E-45 to 3.4028235E38"),
        (2**24 + 1, FLOAT, "whole ones only if held exactly"),
        (Decimal("1.23"), DecimalType(3, 1), "accepted are at most 2 digits before the point and 1 after it."),
        (100, DecimalType(3, 1), "at most 2 digits before the point"),
        (0.1 + 0.2, DecimalType(10, 2), "The float 0.30000000000000004 is not a value of DECIMAL(10, 2)"),
        (Decimal("Infinity"), DecimalType(10, 2), "is not a value of DECIMAL(10, 2)"),
        (5, STRING, "The int 5 is not a value of STRING: accepted are str and UUID."),
        ("a\ud800b", STRING, "position 1 holds half of a surrogate pair"),
        ("abcd", VarCharType(3), "is not a value of VARCHAR(3): accepted are at most 3 characters, here are 4."),
        ("ab", BYTES, "is not a value of BYTES: accepted are bytes, bytearray and memoryview."),
        ("2023-02-29", DATE, "accepted are a date and text like '2024-02-29' or '+10000-02-29'."),
        ("10000-02-30", DATE, "accepted are a date and text like '2024-02-29' or '+10000-02-29'."),
        ("20240229", DATE, "accepted are a date"),
        (dt.datetime(2024, 2, 29, 1), DATE, "a datetime is accepted only at midnight and without a time zone"),
        (dt.time(1, tzinfo=dt.UTC), TimeType(6), "accepted are a time without a time zone"),
        ("24:00:00", TimeType(6), "accepted are a time without a time zone"),
        ("12:30:00.1234567", TimeType(6), "a second's fraction has at most 6 digits there"),
        (FineTime(12, 30, 0, 1), TimeType(8), "a second's fraction has at most 8 digits there"),
        ("12:30:00.1234567891", TimeType(9), "accepted are a time without a time zone"),
        (dt.time(1, 2, 3, 4000), TimeType(2), "a second's fraction has at most 2 digits there"),
        (dt.datetime(2024, 1, 1, tzinfo=dt.UTC), TIMESTAMP, "a datetime with a time zone is a TIMESTAMP_LTZ"),
        ("2024-02-29 00:00:00Z", TIMESTAMP, "a datetime with a time zone is a TIMESTAMP_LTZ"),
        (dt.datetime(2024, 1, 1), TIMESTAMP_LTZ, "accepted are a datetime with a time zone and text with an offset"),
        ("2024-02-29 00:00:00", TIMESTAMP_LTZ, "accepted are a datetime with a time zone and text with an offset"),
        ("+10000-02-29 00:00:00Z", TIMESTAMP, "a datetime with a time zone is a TIMESTAMP_LTZ"),
        (FarDate(10001, 2, 29), DATE, "accepted are days of the calendar"),
        (FarDate(5_881_580, 7, 12), DATE, "the last +5881580-07-11"),
        (FarDate("2024", 1, 1), DATE, "accepted are days of the calendar"),  # type: ignore[arg-type]  # it is refused
        (FarTimestamp(FarDate(10001, 2, 29), dt.time()), TIMESTAMP, "accepted are times on days of the calendar"),
        (FarTimestamp(FarDate(294_248, 1, 1), dt.time(), True), TIMESTAMP_LTZ, "the last on +294247-01-10"),
        (FarTimestamp("2024-01-01", dt.time()), TIMESTAMP, "accepted are times on days"),  # type: ignore[arg-type]  # as is this
        ("+10001-02-29 00:00:00", TIMESTAMP, "'2024-02-29 12:30:00.5' or '+10000-02-29 12:30:00'"),
        (_FAR, TIMESTAMP_LTZ, "accepted are a datetime with a time zone and text with an offset"),
        ("+294247-01-10 04:00:54.775808Z", TIMESTAMP_LTZ, "is not a value of TIMESTAMP_LTZ"),
        (1.0, YEAR_MONTH, "accepted is an int, the number of months"),
        (2**31, YEAR_MONTH, "whole numbers from -2147483648 to 2147483647"),
        (14, YEARS, "accepted are months that make up whole years"),
        (5, DAY_TIME, "The int 5 is not a value of INTERVAL DAY TO SECOND: accepted is a timedelta."),
        (dt.timedelta(days=106_751_992), DAY_TIME, "accepted are less than 106751992 days"),
        (dt.timedelta(seconds=1), MINUTES, "the finest field of the type is MINUTE"),
        (5, NULL, "is not a value of NULL: the type has no literals but NULL"),
        (5, VARIANT, "is not a value of VARIANT: such values are made by parse_json(…)"),
        (5, ArrayType(INT), "is not a value of ARRAY<INT>: use array(…) for a list"),
        (5, MapType(INT, INT), "map_(…) for a dict"),
        (5, RowType((RowField("f", INT),)), "row(…) for a tuple"),
    ],
)
def test_values_outside_the_type_are_rejected(value: object, data_type: LogicalType, message: str) -> None:
    with pytest.raises(ValidationException) as refusal:
        literal(value, data_type)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (10**38, "is too large: the largest type, DECIMAL(38, 0), holds 38 digits"),
        (Decimal("NaN"), "accepted are numbers of at most 38 digits"),
        (Decimal("1." + "0" * 38), "accepted are numbers of at most 38 digits"),
        (Decimal("1E-39"), "accepted are numbers of at most 38 digits"),
        (1j, "The complex 1j has no literal: accepted are None, bool, int, float"),
        ({1, 2}, "The set {1, 2} has no literal"),
        (object, "The type <class 'object'> has no literal"),
        ([1], "The list [1] is not a value of an atomic type: use array(…) for a list, map_(…) for a dict"),
        ("x" * 1000 + "\udfff", "The str 'xxxx"),
    ],
)
def test_a_value_of_no_type_is_refused(value: object, message: str) -> None:
    with pytest.raises(ValidationException) as refusal:
        literal(value)
    assert message in str(refusal.value)
    assert len(str(refusal.value)) < 400


def test_an_integer_that_python_does_not_print_is_refused_too() -> None:
    with pytest.raises(ValidationException, match="The int of 16610 bits is too large"):
        literal(-(10**5000))


def test_nested_values() -> None:
    @dataclasses.dataclass
    class Point:
        x: int

    @attrs.frozen
    class Size:
        width: int

    class Row:
        def as_dict(self) -> dict[str, object]:
            return {}

    nested: list[object] = [[], (), {}, array.array("i"), Point(1), Size(1), Row()]
    assert [is_nested(value) for value in nested] == [True] * 7
    assert not any(is_nested(value) for value in ("ab", b"ab", 1, None, dt.date(1, 1, 1), Decimal(1), uuid.UUID(int=0)))
    assert is_nested(pytest.importorskip("numpy").arange(3))


# --- signs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operand", "negated"),
    [
        (literal(5), literal(-5)),
        (literal(-5), literal(5)),
        (literal(0), literal(0)),
        (literal(127, TINYINT), literal(-127, TINYINT)),
        (literal(2**31), literal(-(2**31), BIGINT)),
        (literal(0.0), literal(-0.0)),
        (literal(math.nan), literal(math.nan)),
        (literal(Decimal("1.20")), literal(Decimal("-1.20"))),
        (literal(Decimal("0.00")), literal(Decimal("0.00"))),
        (literal(10**38 - 1), literal(1 - 10**38)),
        (literal(dt.timedelta(hours=1)), literal(dt.timedelta(hours=-1))),
        (literal(14, YEAR_MONTH), literal(-14, YEAR_MONTH)),
        (literal(-128, TINYINT), None),
        (literal(-(2**31)), None),
        (literal(-(2**63)), None),
        (literal(-(2**31), YEAR_MONTH), None),
        (literal(None, INT), None),
        (literal("5"), None),
        (literal(True), None),
        (literal(dt.date(2024, 1, 1)), None),
    ],
)
def test_negate(operand: ValueLiteral, negated: ValueLiteral | None) -> None:
    assert negate(operand) is negated


@given(st.one_of(literals(INT), literals(DOUBLE), literals(DecimalType(38, 10)), literals(DAY_TIME)))
def test_two_signs_cancel(operand: ValueLiteral) -> None:
    once = negate(operand)
    assert once is None or negate(once) is operand
