"""Error messages of rejected calls, and the few call rules that no other test covers."""

from __future__ import annotations

import pytest

from ir.calls import Clauses, call
from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression, SymbolLiteral, TypeLiteral
from ir.functions.builtins import BUILT_INS
from ir.literals import literal
from ir.resolution.lookup import BuiltInLookup
from ir.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    INT,
    STRING,
    VARIANT,
    ArrayType,
    DayTimeIntervalType,
    DecimalType,
    IntervalField,
    LogicalType,
    MapType,
)


def column(data_type: LogicalType) -> ResolvedExpression:
    return FieldReference("x", data_type, 0, 0)


EXTRACTED = (
    "EXTRACT(<YEAR | YEAROFWEEK | QUARTER | MONTH | WEEK | DAY | DOW | DOW_ISO | DOY | HOUR | MINUTE | SECOND>, "
    "<DATE, TIME, TIMESTAMP or INTERVAL>)"
)
DAYS = DayTimeIntervalType(IntervalField.DAY, IntervalField.DAY)

REFUSED: list[tuple[str, tuple[ResolvedExpression, ...], str]] = [
    # The number of arguments.
    ("upper", (), "Invalid call of UPPER(): it takes 1 argument, but 0 were given. Supported: UPPER(text <STRING>)."),
    (
        "position",
        (column(STRING),),
        "Invalid call of POSITION(STRING): it takes 2 arguments, but 1 was given. Write POSITION('b' IN s).",
    ),
    (
        "substr",
        (column(STRING),),
        "Invalid call of SUBSTR(STRING): it takes 2 or 3 arguments, but 1 was given. Supported: SUBSTR(text <STRING or "
        "BYTES>, start <INT>); SUBSTR(text <STRING or BYTES>, start <INT>, length <INT>).",
    ),
    (
        "currentDate",
        (literal(1),),
        "Invalid call of CURRENT_DATE(1 INT NOT NULL): it takes no argument, but 1 was given. Supported: "
        "CURRENT_DATE().",
    ),
    (
        "currentTime",
        (literal(1), literal(2)),
        "Invalid call of CURRENT_TIME(1 INT NOT NULL, 2 INT NOT NULL): it takes at most 1 argument, but 2 were given. "
        "Supported: CURRENT_TIME(); CURRENT_TIME(<precision from 0 to 9>).",
    ),
    (
        "and",
        (column(BOOLEAN),),
        "Invalid call of AND(BOOLEAN): it takes at least 2 arguments, but 1 was given. Supported: AND(<BOOLEAN>, "
        "<BOOLEAN>, <BOOLEAN>...).",
    ),
    (
        "map",
        (literal("a"),),
        "Invalid call of MAP('a' STRING NOT NULL): it takes an even number of arguments, but 1 was given. Supported: "
        "MAP(<ANY>, <ANY>, ...).",
    ),
    (
        "JSON_OBJECT",
        (SymbolLiteral("NULL"), literal("a")),
        "Invalid call of JSON_OBJECT(NULL, 'a' STRING NOT NULL): it takes 1 argument and then an even number of "
        "arguments, but 2 were given. Supported: JSON_OBJECT(<NULL | ABSENT>, <STRING literal>, <ANY but shapes>, "
        "...).",
    ),
    # One argument has a wrong type, or is not a constant.
    (
        "upper",
        (column(ArrayType(INT)),),
        "Invalid call of UPPER(ARRAY<INT>): argument 1 (text) is not <STRING>. Supported: UPPER(text <STRING>).",
    ),
    (
        "overlay",
        (column(STRING), column(STRING), column(DATE)),
        "Invalid call of OVERLAY(STRING, STRING, DATE): argument 3 (start) is not <INT>. Supported: OVERLAY(text "
        "<STRING or BYTES>, replacement <STRING or BYTES>, start <INT>); OVERLAY(text <STRING or BYTES>, replacement "
        "<STRING or BYTES>, start <INT>, length <INT>).",
    ),
    (
        "like",
        (column(STRING), literal("a"), literal("xx")),
        "Invalid call of LIKE(STRING, 'a' STRING NOT NULL, 'xx' STRING NOT NULL): argument 3 (escape) is not <literal "
        "of one character>. Supported: LIKE(value <STRING>, pattern <STRING>); LIKE(value <STRING>, pattern <STRING>, "
        "escape <literal of one character>).",
    ),
    (
        "extract",
        (SymbolLiteral("EPOCH"), column(DATE)),
        "Invalid call of EXTRACT(EPOCH, DATE): argument 1 is not <YEAR | YEAROFWEEK | QUARTER | MONTH | WEEK | DAY | "
        f"DOW | DOW_ISO | DOY | HOUR | MINUTE | SECOND>. Supported: {EXTRACTED}.",
    ),
    (
        "row",
        (column(STRING), literal(1)),
        "Invalid call of NAMED_STRUCT(STRING, 1 INT NOT NULL): argument 1 is not <STRING literal>. Supported: "
        "NAMED_STRUCT(<STRING literal>, <ANY>, ...).",
    ),
    (
        "sum",
        (column(BOOLEAN),),
        "Invalid call of SUM(BOOLEAN): argument 1 (value) is not <NUMERIC or INTERVAL>. Supported: SUM(value "
        "<NUMERIC or INTERVAL>).",
    ),
    (
        "at",
        (column(INT), literal(1)),
        "Invalid call of AT(INT, 1 INT NOT NULL): argument 1 is not <ARRAY or MAP>. Supported: AT(<ARRAY>, <INT but "
        "0>); AT(<MAP>, <key>).",
    ),
    ("get", (column(INT), literal(0)), "get(0) needs a value of type ROW, but was called on INT."),
    # Arguments that do not fit together.
    (
        "equals",
        (column(INT), column(DATE)),
        "Invalid call of =(INT, DATE): the types of the arguments do not fit together. Supported: =(<COMPARABLE>, "
        "<COMPARABLE>).",
    ),
    (
        "equals",
        (column(MapType(INT, INT)), column(MapType(INT, INT))),
        "Invalid call of =(MAP<INT, INT>, MAP<INT, INT>): values of type MAP are not compared. "
        "Supported: =(<COMPARABLE>, <COMPARABLE>).",
    ),
    (
        "overlay",
        (column(STRING), column(BYTES), literal(1)),
        "Invalid call of OVERLAY(STRING, BYTES, 1 INT NOT NULL): the types of the arguments do not fit together. "
        "Supported: OVERLAY(text <STRING or BYTES>, replacement <STRING or BYTES>, start <INT>); OVERLAY(text <STRING "
        "or BYTES>, replacement <STRING or BYTES>, start <INT>, length <INT>).",
    ),
    (
        "extract",
        (SymbolLiteral("HOUR"), column(DAYS)),
        "Invalid call of EXTRACT(HOUR, INTERVAL DAY): the types of the arguments do not fit together. Supported: "
        f"{EXTRACTED}.",
    ),
    (
        "cast",
        (column(DATE), TypeLiteral(INT)),
        "Invalid call of CAST(DATE, INT): the types of the arguments do not fit together. Supported: CAST(<ANY>, "
        "<data type>).",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "message"), REFUSED, ids=[name for name, _, _ in REFUSED])
def test_refused_call(name: str, arguments: tuple[ResolvedExpression, ...], message: str) -> None:
    with pytest.raises(ValidationException) as refused:
        call(BUILT_INS.by_name(name), arguments)
    assert str(refused.value) == message


def test_distinct_is_for_aggregates() -> None:
    with pytest.raises(ValidationException) as refused:
        call(BUILT_INS.by_name("upper"), (column(STRING),), Clauses(distinct=True))
    assert str(refused.value) == (
        "UPPER does not support DISTINCT. It is for aggregate functions whose result depends on how often a value "
        "occurs."
    )


def test_distinct_needs_groupable_values() -> None:
    with pytest.raises(ValidationException) as refused:
        call(BUILT_INS.by_name("count"), (column(VARIANT),), Clauses(distinct=True))
    assert str(refused.value) == (
        "Invalid call of COUNT(VARIANT): DISTINCT cannot tell the values apart. Supported: COUNT(value <ANY>, "
        "<ANY>...)."
    )


def test_unknown_function() -> None:
    with pytest.raises(ValidationException) as refused:
        BuiltInLookup().find("uper")
    assert str(refused.value) == "There is no function named 'uper'. Did you mean 'UPPER'?"


def test_a_long_list_of_arguments_is_cut() -> None:
    with pytest.raises(ValidationException, match=r"^Invalid call of IN\((INT, ){10}…\): ") as refused:
        call(BUILT_INS.by_name("in"), (*[column(INT)] * 400, column(DATE)))
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("name", ["equals", "lessThan"])
def test_a_whole_number_counts_with_its_own_digits_beside_a_decimal(name: str) -> None:
    """Spark casts the literal to a decimal with as many digits, and counts this as a cast that may fail."""
    decimal = column(DecimalType(10, 2, nullable=False))
    assert call(BUILT_INS.by_name(name), (decimal, literal(1))).data_type is BOOLEAN
    assert call(BUILT_INS.by_name(name), (decimal, column(BIGINT.not_null()))).data_type is BOOLEAN.not_null()


@pytest.mark.parametrize("name", ["round", "bround"])
@pytest.mark.parametrize("number", [INT, BIGINT, DOUBLE, DecimalType(5, 3)], ids=str)
def test_a_rounded_number_is_nullable(name: str, number: LogicalType) -> None:
    """``nullable`` of Spark's ``RoundBase`` is true for each type of the number."""
    assert call(BUILT_INS.by_name(name), (column(number.not_null()), literal(1))).data_type.nullable
