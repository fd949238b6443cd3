"""Error messages of string functions, and their fluent forms."""

from __future__ import annotations

import re

import pytest

from tableapi import Dialect, TableEnvironment, TableException, ValidationException
from tableapi.expressions import call, col, lit
from tests.programs.tables import Tables, environment_without_spark


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    return environment_without_spark()


WRONG = [
    (
        "LPAD('x', 'y')",
        "Invalid call of LPAD('x' STRING NOT NULL, 'y' STRING NOT NULL): argument 2 (length) is not <INT>. Supported: "
        "LPAD(text <BYTES>, length <INT>); LPAD(text <BYTES>, length <INT>, pad <BYTES>); "
        "LPAD(text <STRING>, length <INT>); LPAD(text <STRING>, length <INT>, pad <STRING>).",
    ),
    ("LPAD('x')", "Invalid call of LPAD('x' STRING NOT NULL): it takes 2 or 3 arguments, but 1 was given. Supported: "),
    ("LPADD('x', 1)", "There is no function named 'LPADD'. Did you mean 'LPAD'?"),
    (
        "SUBSTR('x', ' y')",
        "Invalid call of SUBSTR('x' STRING NOT NULL, ' y' STRING NOT NULL): argument 2 (start) is not ",
    ),
    (
        "MASK(y, 'ab')",
        "Invalid call of MASK(STRING, 'ab' STRING NOT NULL): argument 2 (upperChar) is not <STRING constant of one "
        "character, or NULL>. Supported: MASK(str <STRING>[, upperChar <STRING constant of one character, or NULL>]",
    ),
    ("MASK(y, y)", "Invalid call of MASK(STRING, STRING): argument 2 (upperChar) is not <STRING constant of one char"),
    (
        "TO_NUMBER(y, 'abc')",
        "Invalid call of TO_NUMBER(STRING, 'abc' STRING NOT NULL): argument 2 (format) is not <literal of a format of "
        "numbers such as '999D99'>.",
    ),
    (
        "CONCAT_WS(',', MAP(1, 2))",
        "Invalid call of CONCAT_WS(',' STRING NOT NULL, MAP<INT, INT NOT NULL> NOT NULL): argu",
    ),
    ("XPATH(y, y)", "Invalid call of XPATH(STRING, STRING): argument 2 (path) is not <STRING constant>."),
    ("SOUNDEX(1)", "Invalid call of SOUNDEX(1 INT NOT NULL): argument 1 (text) is not <STRING>."),
    (
        "FORMAT_STRING('%0$s', 1)",
        "Invalid call of FORMAT_STRING('%0$s' STRING NOT NULL, 1 INT NOT NULL): argument 1 (f",
    ),
    ("y SIMILAR TO '(a'", "SIMILAR TO has the pattern '(a', and a ( is not closed."),
    ("y SIMILAR TO y", "Invalid call of SIMILAR TO(STRING, STRING): argument 2 (pattern) is not <STRING literal>."),
    (
        "SPLIT_INDEX(y, '', 1)",
        "Invalid call of SPLIT_INDEX(STRING, '' STRING NOT NULL, 1 INT NOT NULL): argument 2 (sep",
    ),
    ("DECODE(1, 2)", "Invalid call of DECODE(1 INT NOT NULL, 2 INT NOT NULL)"),
    (
        "TO_BINARY(y, 'x')",
        "Invalid call of TO_BINARY(STRING, 'x' STRING NOT NULL): argument 2 (format) is not <literal 'h",
    ),
    (
        "RANDSTR(-1)",
        "Invalid call of RANDSTR(-1 INT NOT NULL): argument 1 (length) is not <INT constant that is not neg",
    ),
    (
        "REGEXP_REPLACE(y, 'a', 'b', 0)",
        "Invalid call of REGEXP_REPLACE(STRING, 'a' STRING NOT NULL, 'b' STRING NOT NULL,",
    ),
]


@pytest.mark.parametrize(("written", "message"), WRONG)
def test_wrong_calls(env: TableEnvironment, written: str, message: str) -> None:
    with pytest.raises(ValidationException, match=f"^{re.escape(message)}"):
        env.sql_query(f"SELECT {written} AS m FROM programs.left_bag")


NO_FLINK = [
    (col("y").ascii, "Flink returns the first byte of the text in UTF-8 as a signed number"),
    (col("y").split(","), "Flink splits at a delimiter instead of a regular expression"),
    (
        col("y").regexp(col("y")),
        "an empty pattern matches nothing there, so that the pattern must be a constant that is",
    ),
    (col("y").replace(col("y"), "x"), "an empty text is found everywhere there"),
    (col("y").translate(col("y"), "x"), "characters that are NULL are none there"),
    (col("y").regexp_replace("a", "$1"), "$ and a backslash mean themselves in a replacement there"),
    (col("y").locate("abc", 0), "a start that is not positive, or is NULL, means another there"),
    (lit(0).elt("a"), "there is no option before the first"),
    (call("lpad", lit(b"a"), 2), "LPAD fills up text only"),
    (col("y").lpad(3), "what is filled up with is always given there"),
    (lit("%s").printf(call("array", "a")), "only text, numbers and truth values are"),
    (call("base64", lit(b"a")), "TO_BASE64 takes text only there"),
    (call("concat_ws", ",", call("array", "a")), "CONCAT_WS joins no arrays"),
    (call("soundex", col("y")), "Flink has no such function"),
]


@pytest.mark.parametrize(("expression", "reason"), NO_FLINK)
def test_functions_without_flink_text(env: TableEnvironment, expression: object, reason: str) -> None:
    table = Tables(env).left_bag.select(expression)
    with pytest.raises(TableException, match=re.escape(reason)):
        table.as_serializable_string(Dialect.FLINK)


def test_order_of_arguments_follows_the_dialect(env: TableEnvironment) -> None:
    """LTRIM takes the characters first in Spark, and the string first in Flink."""
    spark = env.sql_query("SELECT LTRIM('x', y) AS t FROM programs.left_bag")
    flink = env.sql_query("SELECT LTRIM(y, 'x') AS t FROM programs.left_bag", dialect=Dialect.FLINK)
    fluent = Tables(env).left_bag.select(col("y").ltrim("x").alias("t"))
    assert "TRIM(LEADING 'x' FROM `y`)" in fluent.as_serializable_string()
    assert spark.query_operation is flink.query_operation is fluent.query_operation


MEMBERS = """
    starts_with ends_with substring substr trim_leading trim_trailing trim replace translate char_length upper_case
    lower_case init_cap like similar position lpad rpad overlay regexp regexp_count regexp_replace regexp_extract
    regexp_extract_all regexp_instr regexp_substr from_base64 to_base64 ascii chr decode encode left right instr locate
    url_decode url_encode parse_url printf ltrim rtrim btrim repeat split_index elt split concat as_argument
"""


@pytest.mark.parametrize("name", MEMBERS.split())
def test_every_member_of_pyflink_for_text(name: str) -> None:
    assert hasattr(type(lit("a")), name)
