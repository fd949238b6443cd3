"""Types as text: a written type is read back, and an invalid one is rejected with its position."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

import serializer  # noqa: F401  # types write themselves
from grammar.type_texts import parse_type
from ir import types as t
from ir.errors import SqlParserException, TableException
from ir.rendering import Dialect
from ir.types import DEEPEST_TYPE, LogicalType
from tableapi.members.type_arguments import read_data_type
from tests.strategies import logical_types


def _as_written(data_type: LogicalType, dialect: Dialect, inside: bool = False) -> LogicalType:
    """Return the type without the parts that its text in the dialect omits."""
    match data_type:
        case t.ArrayType():
            written: LogicalType = t.ArrayType(_part(data_type.element, dialect))
        case t.MapType():
            written = t.MapType(_as_written(data_type.key, dialect), _part(data_type.value, dialect))
        case t.RowType():
            fields = [t.RowField(f.name, _as_written(f.data_type, dialect, True)) for f in data_type.fields]
            written = t.RowType(tuple(fields))
        case t.VarCharType(length=2147483647):
            written = t.STRING
        case _:
            written = data_type.as_nullable()
    return written.with_nullability(data_type.nullable or not inside)


def _part(data_type: LogicalType, dialect: Dialect) -> LogicalType:
    # Spark cannot write NOT NULL inside ARRAY and MAP.
    return _as_written(data_type, dialect, dialect is Dialect.FLINK)


@pytest.mark.parametrize("dialect", list(Dialect))
@given(data_type=logical_types(max_depth=3))
def test_written_types_are_read_back(dialect: Dialect, data_type: LogicalType) -> None:
    try:
        text = data_type.as_serializable_string(dialect)
    except TableException:
        assert dialect is Dialect.FLINK
        return
    assert parse_type(text, dialect) is _as_written(data_type, dialect)
    assert parse_type(f" {text}\n not  null", dialect) is _as_written(data_type, dialect).not_null()


@given(data_type=logical_types(max_depth=3))
def test_summaries_are_read_back_whole(data_type: LogicalType) -> None:
    # Users copy types from error messages.
    assert parse_type(data_type.as_summary_string(), Dialect.FLINK).as_summary_string() == (
        data_type.as_summary_string().replace("VARCHAR(2147483647)", "STRING")
    )


@pytest.mark.parametrize(
    ("text", "dialect", "expected"),
    [
        ("TIMESTAMP", Dialect.SPARK, t.TIMESTAMP_LTZ),
        ("TIMESTAMP", Dialect.FLINK, t.TIMESTAMP),
        ("timestamp(3) without time zone", Dialect.FLINK, t.TIMESTAMP),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", Dialect.FLINK, t.TIMESTAMP_LTZ),
        ("TIMESTAMP_NTZ", Dialect.SPARK, t.TIMESTAMP),
        ("TIME", Dialect.SPARK, t.TimeType(6)),
        ("TIME", Dialect.FLINK, t.TimeType(0)),
        ("Int Array Not Null", Dialect.FLINK, t.ArrayType(t.INT, nullable=False)),
        ("MULTISET<STRING>", Dialect.FLINK, t.MapType(t.STRING, t.INT.not_null())),
        ("DECIMAL", Dialect.FLINK, t.DecimalType(10, 0)),
        ("dec(5)", Dialect.FLINK, t.DecimalType(5, 0)),
        ("VARCHAR(2147483647)", Dialect.FLINK, t.STRING),
        ("VARBINARY(3)", Dialect.FLINK, t.BYTES),
        ("INT NULL", Dialect.FLINK, t.INT),
        ("DOUBLE PRECISION", Dialect.FLINK, t.DOUBLE),
        ("INTERVAL DAY(2) TO SECOND(3)", Dialect.FLINK, t.DayTimeIntervalType()),
        ("interval month", Dialect.SPARK, t.YearMonthIntervalType(t.IntervalField.MONTH, t.IntervalField.MONTH)),
        ("ROW(a INT, `b` STRING)", Dialect.FLINK, t.RowType((t.RowField("a", t.INT), t.RowField("b", t.STRING)))),
        ("STRUCT<>", Dialect.SPARK, t.RowType()),
        (
            "ROW<date DATE 'it''s', array INT, null INT NOT NULL>",
            Dialect.FLINK,
            t.RowType(
                (t.RowField("date", t.DATE, "it's"), t.RowField("array", t.INT), t.RowField("null", t.INT.not_null()))
            ),
        ),
    ],
)
def test_other_ways_to_write_a_type(text: str, dialect: Dialect, expected: LogicalType) -> None:
    assert parse_type(text, dialect) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("DECMAL(10)", r"FLINK has no type 'DECMAL'. Did you mean 'DECIMAL'\?\nline 1, column 1:"),
        (
            "ROW<a INT, b STRNG>",
            r"no type 'STRNG'.*\nline 1, column 14:\n  ROW<a INT, b STRNG>\n               \^\^\^\^\^$",
        ),
        ("DECIMAL(10,", r"the text ends after ','; expected is a number. The '\(' in line 1, column 8 is not closed"),
        ("INT NOTNULL", r"'NOTNULL' is not expected after 'INT'.*Did you mean NOT NULL instead of NOTNULL\?"),
        ("ARRAY<INT", "the text ends after 'INT'; expected is '>'.* The '<' in line 1, column 6 is not closed"),
        ("ARAY<INT>", r"'<' is not expected after 'ARAY'.*Did you mean ARRAY instead of ARAY\?"),
        ("ROW<a INT b INT>", "Is a comma missing before 'b'"),
        ("INT)", r"'\)' is not expected after 'INT'.* No parenthesis is open here"),
        ("", "there is no text; expected is a type"),
        ("INT; DROP TABLE t", "';' is not expected after 'INT'"),
        ("DECIMAL(40, 1)", "the precision goes from 1 to 38"),
        ("TIMESTAMP(9)", "the precision goes from 0 to 6"),
        ("INT(3)", "INT does not take a number"),
        ("INTERVAL DAY TO YEAR", "from a coarser field to a finer one"),
        ("TIMESTAMP WITH TIME ZONE", "WITH TIME ZONE does not exist in Spark; use TIMESTAMP_LTZ"),
        ("DATE WITH LOCAL TIME ZONE", "follows TIMESTAMP, not DATE"),
        ("CHAR(0)", "the length must be at least 1"),
    ],
)
def test_invalid_types_are_rejected_with_their_position(text: str, message: str) -> None:
    with pytest.raises(SqlParserException, match=message):
        parse_type(text)


def test_deep_types_are_read_without_recursion() -> None:
    depth = DEEPEST_TYPE
    found = parse_type("ARRAY<" * depth + "INT" + ">" * depth)
    for _ in range(depth):
        assert isinstance(found, t.ArrayType)
        found = found.element
    assert found is t.INT


@pytest.mark.parametrize("end", ["", " NOT NULL", " not null", " NULL", "  NOT  NULL", " -- a comment", " KEY"])
def test_a_type_in_one_word_is_that_of_the_parser(end: str) -> None:
    words = [
        "INT",
        "bigint",
        " String",
        "Double\n",
        "DATE",
        "TINYINT",
        "SMALLINT",
        "FLOAT",
        "BOOLEAN",
        "INTEGER",
        "TIME",
    ]
    for text in [f"{word}{end}" for word in words]:
        try:
            expected: LogicalType | str = parse_type(text)
        except TableException as error:
            with pytest.raises(SqlParserException, match=re.escape(str(error))):
                read_data_type(text, "x")
        else:
            assert read_data_type(text, "x") is expected
