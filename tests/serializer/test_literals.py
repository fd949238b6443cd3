"""SQL text of literals in both dialects, derived by hand from each engine's rules."""

from __future__ import annotations

import datetime as dt
import math
import struct
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir.errors import TableException
from ir.expressions import ValueLiteral
from ir.fine_times import FineTime
from ir.literals import literal
from ir.types import (
    BIGINT,
    BYTES,
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
    DayTimeIntervalType,
    DecimalType,
    DescriptorType,
    IntervalField,
    LogicalType,
    TimeType,
    YearMonthIntervalType,
)
from serializer.flink.notation import FLINK
from serializer.floating_point import float_text
from serializer.literals import literal_text
from serializer.notation import Notation
from serializer.spark_notation import SPARK
from tests.strategies import literals, texts

DAY, HOUR, MINUTE, SECOND = IntervalField.DAY, IntervalField.HOUR, IntervalField.MINUTE, IntervalField.SECOND
YEARS = YearMonthIntervalType(IntervalField.YEAR, IntervalField.YEAR)
MONTHS = YearMonthIntervalType(IntervalField.MONTH, IntervalField.MONTH)
YEAR_MONTH = YearMonthIntervalType()


def spark(value: object, data_type: LogicalType | None = None) -> str:
    return literal_text(literal(value, data_type), SPARK)


def flink(value: object, data_type: LogicalType | None = None) -> str:
    return literal_text(literal(value, data_type), FLINK)


@pytest.mark.parametrize(
    ("value", "data_type", "in_spark", "in_flink"),
    [
        (True, None, "TRUE", "TRUE"),
        (False, None, "FALSE", "FALSE"),
        (-128, TINYINT, "-128Y", "CAST(-128 AS TINYINT)"),
        (1, SMALLINT, "1S", "CAST(1 AS SMALLINT)"),
        (5, None, "5", "5"),
        (-(2**31), None, "-2147483648", "-2147483648"),
        (5, BIGINT, "5L", "CAST(5 AS BIGINT)"),
        (-(2**63), None, "-9223372036854775808L", "CAST('-9223372036854775808' AS BIGINT)"),
        # floating point
        (1.5, None, "1.5D", "1.5E0"),
        (-0.25, None, "-0.25D", "-2.5E-1"),
        (100.0, None, "100.0D", "1.0E2"),
        (0.0, None, "0.0D", "0.0E0"),
        (1e100, None, "1.0E100D", "1.0E100"),
        (1e-7, None, "1.0E-7D", "1.0E-7"),
        (5e-324, None, "5.0E-324D", "5.0E-324"),
        (0.1, FLOAT, "0.1F", "CAST(0.1 AS FLOAT)"),
        (1e-45, FLOAT, "1.0E-45F", "CAST(1.0E-45 AS FLOAT)"),
        (3.4028235e38, FLOAT, "3.4028234663852886E38F", "CAST(3.4028235E38 AS FLOAT)"),
        (math.nan, None, "COALESCE(CAST('NaN' AS DOUBLE), 0D)", "CAST('NaN' AS DOUBLE)"),
        (-math.inf, None, "COALESCE(CAST('-Infinity' AS DOUBLE), 0D)", "CAST('-Infinity' AS DOUBLE)"),
        # decimals
        (Decimal("1.20"), None, "1.20", "1.20"),
        (Decimal("-1.20"), None, "-1.20", "-1.20"),
        (Decimal("0.01"), None, "0.01", "CAST(0.01 AS DECIMAL(2, 2))"),
        (Decimal("0.01"), DecimalType(3, 2), "CAST(0.01 AS DECIMAL(3, 2))", "0.01"),
        (Decimal("1E+5"), None, "100000BD", "CAST(100000 AS DECIMAL(6, 0))"),
        (Decimal("1.2"), DecimalType(10, 4), "CAST(1.2000 AS DECIMAL(10, 4))", "CAST(1.2000 AS DECIMAL(10, 4))"),
        (5, DecimalType(38, 0), "CAST(5BD AS DECIMAL(38, 0))", "CAST(5 AS DECIMAL(38, 0))"),
        (2**63, None, "9223372036854775808BD", "CAST('9223372036854775808' AS DECIMAL(19, 0))"),
        (Decimal("1E-9"), None, "0.000000001", "CAST(0.000000001 AS DECIMAL(9, 9))"),
        # text and bytes
        ("it's", None, r"'it\'s'", "'it''s'"),
        ("a\\b\n\t\r", None, r"'a\\b\n\t\r'", "'a\\b\n\t\r'"),
        (r"50\%", None, r"'50\\%'", r"'50\%'"),
        ("\x001", None, r"'\u00001'", "'\x001'"),
        ("a${b}$c{", None, r"'a\u0024{b}$c{'", "'a${b}$c{'"),
        ("é 日本 😀", None, "'é 日本 😀'", "'é 日本 😀'"),
        ("\u202e\xa0\ufeff\U000e0001", None, r"'\u202e\u00a0\ufeff\U000e0001'", "'\u202e\xa0\ufeff\U000e0001'"),
        ("", None, "''", "''"),
        (b"\x01\xff", None, "X'01ff'", "X'01ff'"),
        (b"", None, "X''", "X''"),
        # date and time
        (dt.date(1, 1, 1), None, "DATE '0001-01-01'", "DATE '0001-01-01'"),
        (dt.date(1582, 10, 10), None, "DATE '1582-10-10'", "CAST('1582-10-10' AS DATE)"),
        (dt.time(1, 2, 3), None, "TIME '01:02:03'", "TIME '01:02:03.000000'"),
        (dt.time(1, 2, 3, 500_000), TimeType(3), "CAST(TIME '01:02:03.5' AS TIME(3))", "TIME '01:02:03.500'"),
        (dt.time(1, 2, 3), TimeType(0), "CAST(TIME '01:02:03' AS TIME(0))", "TIME '01:02:03'"),
        (dt.time(1, 2, 3), TimeType(7), "TIME '01:02:03.0000000'", "TIME '01:02:03.0000000'"),
        (FineTime(1, 2, 3, 5_000_000), None, "TIME '01:02:03.005000000'", "TIME '01:02:03.005000000'"),
        # NULL
        (None, INT, "CAST(NULL AS INT)", "CAST(NULL AS INT)"),
        (None, STRING, "CAST(NULL AS STRING)", "CAST(NULL AS STRING)"),
        (None, BYTES, "CAST(NULL AS BINARY)", "CAST(NULL AS BYTES)"),
        (None, VARIANT, "CAST(NULL AS VARIANT)", "CAST(NULL AS VARIANT)"),
        (None, ArrayType(INT), "CAST(NULL AS ARRAY<INT>)", "CAST(NULL AS ARRAY<INT>)"),
    ],
)  # fmt: skip
def test_text(value: object, data_type: LogicalType | None, in_spark: str, in_flink: str) -> None:
    assert spark(value, data_type) == in_spark
    assert flink(value, data_type) == in_flink


@pytest.mark.parametrize(
    ("moment", "in_spark", "in_flink"),
    [
        ("0001-01-01 00:00", "0001-01-01 00:00:00", "0001-01-01 00:00:00"),
        ("2024-01-02 03:04:05.0006", "2024-01-02 03:04:05.0006", "2024-01-02 03:04:05.0006"),
        ("9999-12-31 23:59:59.999999", "9999-12-31 23:59:59.999999", "9999-12-31 23:59:59.999999"),
    ],
)
def test_timestamps(moment: str, in_spark: str, in_flink: str) -> None:
    assert spark(moment, TIMESTAMP) == f"TIMESTAMP_NTZ '{in_spark}'"
    assert flink(moment, TIMESTAMP) == f"TIMESTAMP '{in_flink}'"


def test_the_days_that_the_gregorian_calendar_skipped() -> None:
    moments = [f"1582-10-{day} 00:00:00" for day in ("04", "05", "14", "15")]
    assert [flink(moment, TIMESTAMP) for moment in moments] == [
        "TIMESTAMP '1582-10-04 00:00:00'",
        "CAST('1582-10-05 00:00:00' AS TIMESTAMP(6))",
        "CAST('1582-10-14 00:00:00' AS TIMESTAMP(6))",
        "TIMESTAMP '1582-10-15 00:00:00'",
    ]


@pytest.mark.parametrize(
    ("moment", "in_spark", "in_flink"),
    [
        ("1970-01-01 01:00:01+01:00", "1970-01-01 00:00:01Z", "1000, 3"),
        ("1969-12-31 23:59:59.9Z", "1969-12-31 23:59:59.9Z", "-100, 3"),
        ("1970-01-01 00:00:00.000001Z", "1970-01-01 00:00:00.000001Z", "1, 6"),
        ("0001-01-01 00:00Z", "0001-01-01 00:00:00Z", "-62135596800000, 3"),
    ],
)
def test_instants(moment: str, in_spark: str, in_flink: str) -> None:
    assert spark(moment, TIMESTAMP_LTZ) == f"TIMESTAMP_LTZ '{in_spark}'"
    assert flink(moment, TIMESTAMP_LTZ) == f"TO_TIMESTAMP_LTZ({in_flink})"


@pytest.mark.parametrize(
    ("months", "data_type", "in_spark", "in_flink"),
    [
        (14, YEAR_MONTH, "INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '1-2' YEAR TO MONTH"),
        (-14, YEAR_MONTH, "INTERVAL '-1-2' YEAR TO MONTH", "INTERVAL -'1-2' YEAR TO MONTH"),
        (-2, YEAR_MONTH, "INTERVAL '-0-2' YEAR TO MONTH", "INTERVAL -'0-2' YEAR TO MONTH"),
        (1200, YEAR_MONTH, "INTERVAL '100-0' YEAR TO MONTH", "INTERVAL '100-0' YEAR(3) TO MONTH"),
        (24, YEARS, "INTERVAL '2' YEAR", "INTERVAL '2' YEAR"),
        (120, MONTHS, "INTERVAL '120' MONTH", "INTERVAL '120' MONTH(3)"),
    ],
)
def test_intervals_of_months(months: int, data_type: LogicalType, in_spark: str, in_flink: str) -> None:
    assert spark(months, data_type) == in_spark
    assert flink(months, data_type) == in_flink


@pytest.mark.parametrize(
    ("length", "fields", "in_spark", "in_flink"),
    [
        ({"days": 2, "milliseconds": 6}, (DAY, SECOND), "'2 00:00:00.006'", "'2 00:00:00.006' DAY TO SECOND(3)"),
        ({"seconds": -1.5}, (DAY, SECOND), "'-0 00:00:01.5'", "-'0 00:00:01.500' DAY TO SECOND(3)"),
        ({"days": 100}, (DAY, SECOND), "'100 00:00:00'", "'100 00:00:00.000' DAY(3) TO SECOND(3)"),
        ({"days": 5}, (DAY, DAY), "'5'", "'5' DAY"),
        ({"days": -5}, (DAY, DAY), "'-5'", "-'5' DAY"),
        ({"days": 5, "hours": 1}, (DAY, HOUR), "'5 01'", "'5 01' DAY TO HOUR"),
        ({"days": 5, "minutes": 1}, (DAY, MINUTE), "'5 00:01'", "'5 00:01' DAY TO MINUTE"),
        ({"hours": 25}, (HOUR, HOUR), "'25'", "'25' HOUR"),
        ({"hours": 125, "minutes": 1}, (HOUR, MINUTE), "'125:01'", "'125:01' HOUR(3) TO MINUTE"),
        ({"hours": 25, "milliseconds": 1}, (HOUR, SECOND), "'25:00:00.001'", "'25:00:00.001' HOUR TO SECOND(3)"),
        ({"minutes": 61}, (MINUTE, MINUTE), "'61'", "'61' MINUTE"),
        ({"minutes": 61, "seconds": 1}, (MINUTE, SECOND), "'61:01'", "'61:01.000' MINUTE TO SECOND(3)"),
        ({"seconds": 100.5}, (SECOND, SECOND), "'100.5'", "'100.500' SECOND(3, 3)"),
        ({"seconds": 0}, (SECOND, SECOND), "'0'", "'0.000' SECOND(2, 3)"),
    ],
)  # fmt: skip
def test_intervals_of_days_and_less(
    length: dict[str, float], fields: tuple[IntervalField, IntervalField], in_spark: str, in_flink: str
) -> None:
    data_type, value = DayTimeIntervalType(*fields), dt.timedelta(**length)
    assert spark(value, data_type) == f"INTERVAL {in_spark} {data_type.as_summary_string().removeprefix('INTERVAL ')}"
    assert flink(value, data_type) == f"INTERVAL {in_flink}"


@pytest.mark.parametrize(
    ("value", "data_type", "message"),
    [
        (-0.0, DOUBLE, "Flink cannot hold the constant -0.0"),
        (-0.0, FLOAT, "Flink cannot hold the constant -0.0"),
        (math.nan, FLOAT, "Flink cannot hold the FLOAT constant nan"),
        (math.inf, FLOAT, "Flink cannot hold the FLOAT constant inf"),
        (dt.time(1, 2, 3, 4), None, "Flink cannot hold the time 01:02:03.000004: its TIME has milliseconds."),
        (dt.timedelta(microseconds=1), None, "Flink cannot hold an interval of 1 microseconds"),
        (dt.timedelta(days=1000), None, "Flink cannot hold an interval of 1000 DAYs: its leading field has at most 3"),
        (-(2**31), MONTHS, "Flink cannot hold an interval of -2147483648 MONTHs"),
    ],
)
def test_literals_supported_only_by_spark(value: object, data_type: LogicalType | None, message: str) -> None:
    assert spark(value, data_type)
    with pytest.raises(TableException) as refusal:
        flink(value, data_type)
    assert message in str(refusal.value)


@pytest.mark.parametrize("notation", [SPARK, FLINK], ids=["spark", "flink"])
@pytest.mark.parametrize(
    ("constant", "message"),
    [
        (ValueLiteral("a\udc00", STRING.not_null()), "position 1 holds half of a surrogate pair"),
        (ValueLiteral(1, VARIANT.not_null()), "A value of type VARIANT NOT NULL cannot be written as a literal"),
        (ValueLiteral((1,), ArrayType(INT).not_null()), "A value of type ARRAY<INT> NOT NULL cannot be written"),
        (ValueLiteral(1, NULL), "A value of type NULL cannot be written"),
        (ValueLiteral(None, DescriptorType()), "The type DESCRIPTOR cannot be written in SQL"),
    ],
)
def test_unwritable_literals_are_rejected(constant: ValueLiteral, message: str, notation: Notation) -> None:
    with pytest.raises(TableException, match=message):
        literal_text(constant, notation)


@given(texts())
def test_text_of_spark_is_one_line_and_holds_no_substitution(value: str) -> None:
    written = spark(value)
    assert "${" not in written
    assert len(written.splitlines()) == 1
    assert written[0] == written[-1] == "'"


@given(st.one_of(literals(FLOAT), literals(DOUBLE)))
def test_text_of_a_floating_point_number_reads_back(constant: ValueLiteral) -> None:
    single = constant.data_type == FLOAT.not_null()
    for through_double in (False, True):
        written = float_text(constant.value, single=single, through_double=through_double)
        assert (written is None) == (not math.isfinite(constant.value))
        if written is not None:
            read = float(written)
            read = struct.unpack("<f", struct.pack("<f", read))[0] if single else read
            assert struct.pack("<d", read) == struct.pack("<d", constant.value)


@pytest.mark.parametrize(
    ("value", "shortest"),
    [
        (16777216.0, "16777216.0"),
        (1e10, "10000000000.0"),
        (2.0**-149, "1.0E-45"),
        (2.0**-126, "1.1754944E-38"),
        (0.10000000149011612, "0.1"),
    ],
)
def test_a_single_is_as_short_as_its_neighbours_allow(value: float, shortest: str) -> None:
    assert float_text(value, single=True) == shortest


def test_a_null_without_a_type_has_no_text_in_flink() -> None:
    assert spark(None) == "NULL"
    with pytest.raises(TableException, match="cast the NULL to another type"):
        flink(None)
