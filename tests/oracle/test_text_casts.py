"""Casts of constants that always fail: no query that Spark runs is rejected, and nearly all that fail in Spark are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from ir import types as t
from ir.calls import call
from ir.errors import TableException
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import ObjectIdentifier
from ir.implicit_notices import Kind, take_notices
from ir.literals import literal
from ir.operations.aggregate import Aggregate
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.operations.source import Source
from ir.schema import ResolvedSchema
from ir.text_casts import never_casts
from tableapi.queries.cast_findings import suspicions_of_query
from tests.oracle.calls import argument_lists
from tests.oracle.oracle import NOT_NULL, NULLABLE, VIEW, Oracle

_TYPES = [
    *(t.TINYINT, t.SMALLINT, t.INT, t.BIGINT, t.FLOAT, t.DOUBLE, t.DecimalType(10, 2), t.DecimalType(38, 0)),
    *(t.BOOLEAN, t.DATE, t.TIMESTAMP, t.TIMESTAMP_LTZ, t.TimeType(6)),
]
_NUMBERS = """4|+4|-4|--4|4.|4.0|.5|-.5|.|1e3|1.e5|1e|1e+|e5|0x10|0x1p3|0x.8p1|NaN|nan|-nan|inf|+INF|-Infinity|infin|1d
1F|1L|1_000|1,000|٤|４|½|9223372036854775807|9223372036854775808|-9223372036854775808|-9223372036854775809|2147483648|-2147483648
128|-128|-129|32768|0000000000000000000000000000001|99999999999999999999999|1e400|1e99999999999|1 2|$1|four"""
_TRUTHS = "t|TRUE|true|y|Yes|1|f|No|n|0|on|off|2|tr|maybe"
_TIMES = """2020-01-01|2020-1-1|2020-1|2020|2020-13-01|2020-02-30|2020-02-29|2021-02-29|2020-01-01 10:00|2020-01-01T
2020-01-01 x|2020-01-01Tx|2020-01-01x|-2020-01-01|+2020-01-01|10000-01-01|9999999-01-01|99999999-01-01|20200101|20-01-01
0000-01-01|-0001-02-29|today|now|epoch UTC|tomorrow|yesterday x|10:00|T10:00|10:00:00|25:00|10|10 PM|2020-01-01 25:00
2020-01-01T10:00:00.123456789+01:00|2020-01 UTC|2020T|1 day|2020-00|2020-01-32|2020/01/01|10:00 PM"""
_BLANKS = ["{}", " {} ", "\t{}\n", "\u00a0{}", "\x7f{}", "\x00{}", "{}\u2003", "\x1f{}\x1e"]
TEXTS = [
    "",
    *(form.format(text) for part in (_NUMBERS, _TRUTHS, _TIMES) for text in part.split("|") for form in _BLANKS),
]
TEXTS = [line for text in TEXTS for line in (text.split("\n") if "\t" not in text else [text])]


def _false_errors(spark: SparkSession, texts: Sequence[str]) -> dict[str, list[str]]:
    """Return the strings that are considered invalid for a type although Spark casts them to it."""
    frame = spark.createDataFrame(list(enumerate(texts)), "i INT, x STRING")
    casts = [f"TRY_CAST(x AS {kind.as_serializable_string()}) IS NOT NULL" for kind in _TYPES]
    rows = frame.selectExpr("i", *casts).collect()
    return {
        str(kind): wrong
        for number, kind in enumerate(_TYPES, 1)
        if (wrong := [texts[row[0]] for row in rows if row[number] and never_casts(texts[row[0]], kind)])
    }


def test_no_string_that_spark_casts_is_refused(spark: SparkSession) -> None:
    assert _false_errors(spark, TEXTS) == {}


@settings(max_examples=10)
@given(
    st.lists(
        st.text("0123456789+-.eEdDfFxXpP :TtZ/naifNIys\t\x00\u00a0", max_size=9)
        | st.dates().map(str)
        | st.datetimes().map(str)
        | st.from_regex(r"[+-]?\d{1,5}-\d\d?(-\d\d?([ T].?)?)?", fullmatch=True)
        | st.decimals().map(str)
        | st.floats().map(str),
        min_size=300,
        max_size=500,
    )
)
def test_no_random_string_that_spark_casts_is_refused(spark: SparkSession, texts: list[str]) -> None:
    assert _false_errors(spark, texts) == {}


def test_invalid_number_and_date_strings_are_recognised(spark: SparkSession) -> None:
    """Invalid strings that are not detected here depend on the clock, on Java or on the script of their digits."""
    texts = [text for text in TEXTS if text.isascii()]
    frame = spark.createDataFrame(list(enumerate(texts)), "i INT, x STRING")
    for kind in (t.INT, t.BIGINT, t.DOUBLE, t.BOOLEAN):
        name = kind.as_serializable_string()
        refused = [texts[i] for i, bad in frame.selectExpr("i", f"TRY_CAST(x AS {name}) IS NULL").collect() if bad]
        missed = [text for text in refused if not never_casts(text, kind)]
        assert {text.strip("".join(map(chr, range(0x21)))) for text in missed} <= {"-nan"}


# --- calls -----------------------------------------------------------------------------------------------------------


_OPERANDS = (*NULLABLE, *NOT_NULL)
_SOURCE = Source(
    ObjectIdentifier(VIEW), ResolvedSchema.of([o.text for o in _OPERANDS], [o.data_type for o in _OPERANDS])
)


def _refused_calls(definition: FunctionDefinition) -> Iterator[QueryOperation]:
    """Yield queries with a string constant for which a call is rejected here."""
    chosen = random.Random(definition.name)
    lists = argument_lists(definition, 60)
    chosen.shuffle(lists)
    for arguments in lists:
        for position in range(len(arguments)):
            given_arguments = (*arguments[:position], literal("x!"), *arguments[position + 1 :])
            take_notices()
            try:
                made = call(definition, given_arguments)
            except (TableException, AssertionError):
                continue
            notices = [notice for notice in take_notices() if notice.cast.kind is Kind.CONSTANT]
            if not notices:
                continue
            if definition.kind is FunctionKind.AGGREGATE:
                query: QueryOperation = Aggregate(_SOURCE, (), (made,), ("q",))
            else:
                query = project(_SOURCE, (made,), ("q",))
            if any(suspicion.is_certain for suspicion in suspicions_of_query(query, notices)):
                yield query


@pytest.mark.long
@pytest.mark.nightly
def test_no_call_that_spark_runs_is_refused_for_a_constant(oracle: Oracle) -> None:
    """This asks about one rejected call per function; in a manual run, Spark ran none of 1,884 rejected calls."""
    asked = 0
    runs = []
    for definition in BUILT_INS:
        if definition.kind not in (FunctionKind.SCALAR, FunctionKind.AGGREGATE):
            continue
        for query in islice(_refused_calls(definition), 1):
            try:
                text = query.as_serializable_string()
            except TableException:
                # A function of Flink alone.
                continue
            asked += 1
            try:
                oracle.spark.sql(text).collect()
                runs.append(text)
            except PySparkException:
                pass
    assert asked > 100
    assert runs == []
