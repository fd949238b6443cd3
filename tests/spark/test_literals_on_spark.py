"""Literals and names from all of Unicode, drawn by Hypothesis, reach Spark and return unchanged."""

from __future__ import annotations

import datetime as dt
import math
import struct
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql.types import IntegerType, StructField, StructType

from ir.expressions import ValueLiteral
from ir.fine_times import FineTime
from ir.identifiers import quote
from ir.literals import literal, negate
from ir.types import (
    BIGINT,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TINYINT,
    DayTimeIntervalType,
    DecimalType,
    FloatType,
    LocalZonedTimestampType,
    LogicalType,
    RowField,
    RowType,
    YearMonthIntervalType,
)
from serializer.literals import literal_text
from serializer.spark_notation import SPARK
from tableapi.spark.types import from_spark
from tests.strategies import FRAGMENTS, INTERVAL_TYPES, TIME_TYPES, literals, logical_types, names

BATCH = 80  # a query with 80 columns costs Spark hardly more than one with a single column
# Examples are batches, which take longer than single values. Shrinking is off, because a failure already names the
# constant, and shrinking a batch takes minutes.
on_spark = settings(
    max_examples=10,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
batches = st.lists(literals(), min_size=BATCH, max_size=BATCH)
WIDE = Context(prec=80)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@pytest.fixture(scope="module", params=["UTC", "America/St_Johns", "Asia/Kathmandu"])
def session(request: pytest.FixtureRequest, spark: SparkSession) -> SparkSession:
    """Sessions with time zones east and west of Greenwich whose offsets are not whole hours."""
    other = spark.newSession()
    other.conf.set("spark.sql.session.timeZone", request.param)
    other.conf.set("spark.sql.timeType.enabled", "true")
    return other


def text(constant: ValueLiteral) -> str:
    return literal_text(constant, SPARK)


def comparable(value: Any) -> object:
    """Return a value that differs for any two different constants, even if Python considers them equal."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else struct.pack(">d", value)
    if isinstance(value, Decimal):
        return int(value.scaleb(38, context=WIDE))
    return bytes(value) if isinstance(value, bytearray) else value


def probe(constant: ValueLiteral) -> str:
    """Return the constant's text in a form that Python can collect: no instants of year 1, months or nanoseconds."""
    data_type = constant.data_type
    if isinstance(data_type, LocalZonedTimestampType):
        return f"unix_micros({text(constant)})"
    if isinstance(data_type, YearMonthIntervalType):
        return f"CAST(CAST({text(constant)} AS INTERVAL MONTH) AS INT)"
    if isinstance(constant.value, FineTime):
        return f"CAST({text(constant)} AS STRING)"
    return text(constant)


def probed(constant: ValueLiteral) -> object:
    """Return what the probe of the constant is expected to return."""
    value = constant.value
    if value is None:
        return None
    if isinstance(constant.data_type, LocalZonedTimestampType):
        return (value - _EPOCH) // dt.timedelta(microseconds=1)
    if isinstance(constant.data_type, DayTimeIntervalType):
        return dt.timedelta(microseconds=value)
    if isinstance(value, FineTime):
        return str(value).rstrip("0").rstrip(".")
    return comparable(value)


def select(session: SparkSession, expressions: Sequence[str]) -> Any:
    return session.sql("SELECT " + ",\n".join(f"{e} AS c{i}" for i, e in enumerate(expressions)))


def check_trip(session: SparkSession, constants: Sequence[ValueLiteral]) -> None:
    """Fail unless Spark returns the type, including NOT NULL, and the value of every constant."""
    fields = select(session, [text(c) for c in constants]).schema.fields
    for constant, field in zip(constants, fields, strict=True):
        assert from_spark(field.dataType, field.nullable) == constant.data_type, text(constant)
    row = select(session, [probe(c) for c in constants]).collect()[0]
    for constant, value in zip(constants, row, strict=True):
        assert comparable(value) == probed(constant), text(constant)


@on_spark
@given(batches)
def test_literals_of_all_types(session: SparkSession, constants: list[ValueLiteral]) -> None:
    check_trip(session, constants)


@on_spark
@given(st.lists(literals(STRING), min_size=BATCH, max_size=BATCH))
def test_texts(spark: SparkSession, constants: list[ValueLiteral]) -> None:
    check_trip(spark, constants)


def test_every_character_of_the_basic_plane_and_the_edges_of_the_others(spark: SparkSession) -> None:
    codes = [*range(0xD800), *range(0xE000, 0x10000), *(p * 0x10000 + c for p in range(1, 17) for c in (0, 1, 0xFFFF))]
    characters = [chr(code) for code in codes]
    chunks = ["".join(characters[i : i + 1000]) for i in range(0, len(characters), 1000)]
    after_backslash = ["\\" + character + "1" for character in characters[:0x250]]
    check_trip(spark, [literal(chunk) for chunk in [*chunks, *FRAGMENTS, *after_backslash]])


def test_literals_are_not_substituted(spark: SparkSession) -> None:
    other = spark.newSession()
    other.conf.set("spark.sql.variable.substitute", "true")
    other.conf.set("spark.tableapi.test", "substituted")
    values = ["${spark.tableapi.test}", "$${x}", "${${x}}", "$", "{", "${", "\\${x}", "${x\n}"]
    check_trip(other, [literal(value) for value in values])


@on_spark
@given(st.lists(st.one_of(literals(FLOAT), literals(DOUBLE)), min_size=200, max_size=200))
def test_floating_point_numbers(spark: SparkSession, constants: list[ValueLiteral]) -> None:
    check_trip(spark, constants)


def test_every_power_of_two_and_its_neighbours_as_float(spark: SparkSession) -> None:
    bits = {max(0, (e << 23) + d) for e in range(256) for d in (-1, 0, 1)} | {0x7F7FFFFF}
    singles = [struct.unpack(">f", struct.pack(">I", n))[0] for n in sorted(bits)]
    check_trip(spark, [ValueLiteral(value, FLOAT.not_null()) for value in singles if math.isfinite(value)])


def test_the_edges_of_every_decimal_type(spark: SparkSession) -> None:
    constants = []
    for precision in range(1, 39):
        for scale in range(precision + 1):
            for digits in ("9" * precision, "1", "0", "-" + "9" * precision):
                value = Decimal(digits).scaleb(-scale, context=WIDE)
                constants.append(literal(value, DecimalType(precision, scale)))
    check_trip(spark, constants)


@pytest.mark.parametrize("data_type", [*INTERVAL_TYPES, *TIME_TYPES], ids=str)
def test_a_null_of_a_type_with_parameters(spark: SparkSession, data_type: LogicalType) -> None:
    check_trip(spark, [literal(None, data_type)])


@on_spark
@given(st.lists(logical_types(), min_size=20, max_size=20))
def test_nulls_of_nested_types(spark: SparkSession, data_types: list[LogicalType]) -> None:
    check_trip(spark, [literal(None, data_type.as_nullable()) for data_type in data_types])


def is_negated_by_spark(constant: ValueLiteral) -> bool:
    """Whether Spark's unary minus keeps the value: it rounds decimals to 34 digits, and NaN is written as a string."""
    value = constant.value
    if isinstance(value, Decimal):
        return len(value.as_tuple().digits) <= 34
    return not isinstance(value, float) or math.isfinite(value)


@on_spark
@given(batches)
def test_folded_signs_equal_those_of_spark(spark: SparkSession, constants: list[ValueLiteral]) -> None:
    pairs = [(c, negative) for c in constants if is_negated_by_spark(c) and (negative := negate(c)) is not None]
    assume(pairs)
    written = select(spark, [f"- ({text(c)})" for c, _ in pairs])
    folded = select(spark, [text(n) for _, n in pairs])
    assert written.schema == folded.schema
    written_row = select(spark, [f"CAST(- ({text(c)}) AS STRING)" for c, _ in pairs]).collect()[0]
    folded_row = select(spark, [f"CAST({text(n)} AS STRING)" for _, n in pairs]).collect()[0]
    assert list(written_row) == list(folded_row)


@pytest.mark.parametrize("data_type", [TINYINT, SMALLINT, INT, BIGINT, FloatType()], ids=str)
def test_types_that_numpy_scalars_bring(spark: SparkSession, data_type: LogicalType) -> None:
    numpy = pytest.importorskip("numpy")
    name = {"TINYINT": "int8", "SMALLINT": "int16", "INT": "int32", "BIGINT": "int64", "FLOAT": "float32"}
    constant = literal(numpy.dtype(name[data_type.root]).type(5))
    assert constant.data_type == data_type.not_null()
    check_trip(spark, [constant])


# --- names -----------------------------------------------------------------------------------------------------------


def folded_as_field(name: str) -> str:
    """Return the key by which Spark compares field names: by single characters, so ı equals i, unlike in columns."""
    upper = [c.upper() if len(c.upper()) == 1 else c for c in name]
    return "".join(c.lower()[0] for c in upper)


def distinct_names(key: Callable[[str], str]) -> st.SearchStrategy[list[str]]:
    return st.lists(names(empty=True), min_size=20, max_size=60, unique_by=key)


@on_spark
@given(st.lists(names(empty=True), min_size=20, max_size=60))
def test_names_of_output_columns(spark: SparkSession, drawn: list[str]) -> None:
    frame = spark.sql("SELECT " + ", ".join(f"{i} AS {quote(name)}" for i, name in enumerate(drawn)))
    assert frame.columns == drawn
    assert list(frame.collect()[0]) == list(range(len(drawn)))


@settings(on_spark, max_examples=5)
@given(distinct_names(str.lower))
def test_names_of_columns_that_are_read(spark: SparkSession, drawn: list[str]) -> None:
    schema = StructType([StructField(name, IntegerType()) for name in drawn])
    frame = spark.createDataFrame([tuple(range(len(drawn)))], schema)
    selected = frame.selectExpr(*[quote(name) for name in reversed(drawn)])
    assert selected.columns == drawn[::-1]
    assert list(selected.collect()[0]) == list(range(len(drawn)))[::-1]


@on_spark
@given(distinct_names(folded_as_field))
def test_names_of_fields(spark: SparkSession, drawn: list[str]) -> None:
    parts = [f"{text(literal(name))}, {i}" for i, name in enumerate(drawn)]
    frame = spark.sql(f"SELECT named_struct({', '.join(parts)}) AS s")
    data_type = RowType(tuple(RowField(name, INT.not_null()) for name in drawn), nullable=False)
    assert from_spark(frame.schema[0].dataType, nullable=False) == data_type
    null = spark.sql(f"SELECT {text(literal(None, data_type.as_nullable()))}")
    assert from_spark(null.schema[0].dataType) == data_type.as_nullable()
    read = frame.selectExpr(*[f"s.{quote(name)}" for name in drawn])
    assert read.columns == drawn
    assert list(read.collect()[0]) == list(range(len(drawn)))
