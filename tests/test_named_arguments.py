"""Named arguments of calls, in SQL and in Python."""

from __future__ import annotations

import re

import pytest

from tableapi import TableEnvironment, ValidationException
from tableapi.expressions import call, col, lit
from tests.programs.tables import Tables, environment_without_spark


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    return environment_without_spark()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("MASK(y, digitChar => '#')", "MASK(y, 'X', 'x', '#')"),
        ("MASK(y, DIGITCHAR => '#')", "MASK(y, 'X', 'x', '#')"),
        ("MASK(y, 'a', otherChar => 'o', lowerChar => 'l')", "MASK(y, 'a', 'l', 'n', 'o')"),
        ("MASK(str => y)", "MASK(y)"),
        ("MASK(upperChar => 'a', str => y)", "MASK(y, 'a')"),
        ("MASK(y, upperChar => lower('A'))", "MASK(y, lower('A'))"),
        ("VARIANT_SET(val => y, path => '$.a', v => PARSE_JSON(y))", "VARIANT_SET(PARSE_JSON(y), '$.a', y)"),
        (
            "TRY_VARIANT_SET(PARSE_JSON(y), '$.a', y, create_if_missing => FALSE)",
            "TRY_VARIANT_SET(PARSE_JSON(y), '$.a', y, FALSE)",
        ),
        (
            "VARIANT_STRIP_NULLS(PARSE_JSON(y), include_arrays => FALSE)",
            "VARIANT_STRIP_NULLS(PARSE_JSON(y), FALSE)",
        ),
        ("COUNT_MIN_SKETCH(y, seed => 1, epsilon => 0.5D, confidence => 0.5D)", "COUNT_MIN_SKETCH(y, 0.5D, 0.5D, 1)"),
        ("COUNTER_DIFF(start_time => NULL, value => 1) OVER (ORDER BY y)", "COUNTER_DIFF(1, NULL) OVER (ORDER BY y)"),
        ("TUPLE_SKETCH_AGG_DOUBLE(y, 1D, mode => 'max')", "TUPLE_SKETCH_AGG_DOUBLE(y, 1D, 12, 'max')"),
        ("TUPLE_SKETCH_AGG_INTEGER(summary => 1, key => y)", "TUPLE_SKETCH_AGG_INTEGER(y, 1)"),
        (
            "TUPLE_UNION_AGG_DOUBLE(CAST(y AS BINARY), mode => 'min')",
            "TUPLE_UNION_AGG_DOUBLE(CAST(y AS BINARY), 12, 'min')",
        ),
        (
            "TUPLE_UNION_INTEGER(second => CAST(y AS BINARY), first => X'00', lgNomEntries => 10)",
            "TUPLE_UNION_INTEGER(X'00', CAST(y AS BINARY), 10)",
        ),
        (
            "TUPLE_UNION_THETA_DOUBLE(first => X'00', second => X'01', mode => 'sum')",
            "TUPLE_UNION_THETA_DOUBLE(X'00', X'01', 12, 'sum')",
        ),
    ],
)
def test_named_in_sql(env: TableEnvironment, written: str, meant: str) -> None:
    found, expected = (env.sql_query(f"SELECT {text} AS m FROM programs.left_bag") for text in (written, meant))
    assert found.query_operation is expected.query_operation
    assert env.sql_query(found.as_serializable_string()).query_operation is found.query_operation


def test_column_has_the_name_that_spark_gives_it(env: TableEnvironment) -> None:
    found = env.sql_query("SELECT MASK(y, 'a', otherChar => 'o', digitChar => '9') FROM programs.left_bag")
    assert found.get_schema().get_field_names() == ["mask(y, a, x, 9, o)"]


def test_named_in_python(env: TableEnvironment) -> None:
    table = Tables(env).left_bag
    expected = table.select(call("mask", col("y"), "X", "x", "#")).query_operation
    assert table.select(call("mask", col("y"), digitChar="#")).query_operation is expected
    assert table.select(call("mask", col("y"), lit("#").as_argument("digitchar"))).query_operation is expected
    assert repr(call("mask", col("y"), digitChar="#")) == "mask(y, digitChar => '#')"


def test_table_functions_have_names(env: TableEnvironment) -> None:
    sql = "SELECT x.t FROM programs.products, LATERAL EXPLODE({}tags) AS x(t)"
    found, expected = (env.sql_query(sql.format(name)).query_operation for name in ("collection => ", ""))
    assert found is expected


WRONG = [
    (
        "MASK(y, digitChr => '#')",
        "UNRECOGNIZED_PARAMETER_NAME",
        "MASK has no argument named 'digitChr'; it has str, upperChar, lowerChar, digitChar, otherChar. Did you mean "
        "'digitChar'?",
        "digitChr => '#'",
    ),
    (
        "MASK(y, 'a', upperChar => 'b')",
        "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.BOTH_POSITIONAL_AND_NAMED",
        "The argument upperChar of MASK is given by position and by name.",
        "upperChar => 'b'",
    ),
    (
        "MASK(y, lowerChar => 'a', LowerChar => 'b')",
        "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.DOUBLE_NAMED_ARGUMENT_REFERENCE",
        "The argument lowerChar of MASK is given twice by its name.",
        "LowerChar => 'b'",
    ),
    (
        "MASK(lowerChar => 'a', y)",
        "UNEXPECTED_POSITIONAL_ARGUMENT",
        "An argument of MASK without a name stands after one that has a name; those without names come first.",
        "y)",
    ),
    (
        "MASK(lowerChar => 'a')",
        "REQUIRED_PARAMETER_NOT_FOUND",
        "MASK needs the argument str, which is not given.",
        "lowerChar => 'a'",
    ),
    (
        "UPPER(str => y)",
        "NAMED_PARAMETERS_NOT_SUPPORTED",
        "UPPER takes its arguments by position, and not by name.",
        "str => y",
    ),
]


@pytest.mark.parametrize(("written", "condition", "message", "place"), WRONG)
def test_wrong_names(env: TableEnvironment, written: str, condition: str, message: str, place: str) -> None:
    text = f"SELECT {written} AS m FROM programs.left_bag"
    with pytest.raises(ValidationException, match=f"^{re.escape(message)}\n") as raised:
        env.sql_query(text)
    assert raised.value.condition == condition
    assert raised.value.sql_state == "4274K"
    assert f"line 1, column {text.index(place) + 1}:" in str(raised.value)


def test_wrong_names_in_python(env: TableEnvironment) -> None:
    table = Tables(env).left_bag
    with pytest.raises(
        ValidationException,
        match=r"^MASK has no argument named 'digit'; it has str, upperChar, .+ Did you mean 'digitChar'\?$",
    ):
        table.select(call("mask", col("y"), digit="#"))
    with pytest.raises(ValidationException, match=r"^UPPER takes its arguments by position, and not by name\.$"):
        table.select(call("upper", text=col("y")))
    with pytest.raises(ValidationException, match=r"^The argument a is named where no call is: as_argument is for "):
        table.select(col("y").as_argument("a"))
    with pytest.raises(
        ValidationException, match=r"^The name of an argument must be text that is not empty, but is 1\.$"
    ):
        col("y").as_argument(1)  # type: ignore[arg-type]  # what is refused
