"""Constants that are folded before Spark sees them, compared with Spark's results."""

from __future__ import annotations

import re

import pytest
from pyspark.sql import SparkSession

from grammar.reading import parse_query
from ir.errors import TableException, ValidationException
from ir.functions.schema_inference import csv_schema, json_schema
from tableapi.spark.types import from_spark
from tests.programs.tables import environment_without_spark

ENVIRONMENT = environment_without_spark()
JSON = [
    *['{"a":1}', '{"b":1,"a":"x"}', '{"a":null}', '{"a":""}', "[1,2]", "[1,2.5]", '[1,"x"]', '[{"a":1},{"b":2}]', "[]"],
    *['[{"a":1},{"a":2.5}]', '[{"a":1},{"a":"x"}]', '{"a":[]}', "[[1],[2.5]]", '{"a":12345678901234567890}', "[null]"],
    *['{"a":123456789012345678901234567890123456789012}', "[1,12345678901234567890]", '{"a":true}', "[true,1]", "1"],
    *['{"a b":1}', '{"ä":1,"B":2,"a":3,"😀":1,"\uffff":2}', '"x"', "1.5", "null", "true", '{"a":[1,null,2]}', '["",1]'],
    *['{"a":1e400}', '{"a":NaN}', '[{"a":[1]},{"a":["x"]}]', '[{"a":1},5]', '[[1],{"a":1}]', '{"a":{"b":{"c":1}}}'],
    *['{"a`b":1}', "[12345678901234567890123456789012345678, 1]", "[1.5,12345678901234567890]", '{"a":{},"b":1}'],
]
CSV = ["1,abc", "1,2147483648,9223372036854775808", "1.5,.5,+1,-2", "true,FALSE,x", "a b,c", "1,,2", "NULL,null"]


@pytest.mark.parametrize(("kind", "text"), [*(("json", text) for text in JSON), *(("csv", text) for text in CSV)])
def test_schemas_are_sparks(spark: SparkSession, kind: str, text: str) -> None:
    given = text.replace("\\", "\\\\").replace("'", "\\'")
    found = spark.sql(f"SELECT SCHEMA_OF_{kind}('{given}')").collect()[0][0]
    (field,) = spark.sql(f"SELECT FROM_JSON('', 'x {found}') AS x").schema[0].dataType.fields
    inferred = (json_schema if kind == "json" else csv_schema)(text)
    assert inferred is from_spark(field.dataType)


@pytest.mark.parametrize("text", ["{}", '{"a":{}}', '{"a":1,"a":2}', "{a", "[" * 101, "[" * 10**5])
def test_schemas_that_are_not_known(text: str) -> None:
    assert json_schema(text) is None


@pytest.mark.parametrize("text", ["2024-02-29", "12:00", '"a"', "1d", "٣", "1.", " a", "inf", "#x"])
def test_values_whose_type_is_not_known(text: str) -> None:
    assert csv_schema(text) is None


@pytest.mark.parametrize(
    ("expression", "kind", "message"),
    [
        ("ROUND(1.5, 2147483647 + 1)", ValidationException, "argument 2 (digits) is not <INT literal>"),
        ("ROUND(1.5, 1 DIV 0)", ValidationException, "argument 2 (digits) is not <INT literal>"),
    ],
)
def test_rejected_constant_expressions(expression: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        ENVIRONMENT.sql_query(f"SELECT {expression}")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("FROM_XML('<a/>', SCHEMA_OF_XML('<p><a>1</a></p>'))", "What schema schema_of_xml("),
        ("FROM_JSON('', SCHEMA_OF_JSON('{}'))", "Select it once, and write the text that it is."),
        ("FROM_JSON('', SCHEMA_OF_JSON('[1]', MAP('a', 'b')))", "finds is known to Spark alone"),
    ],
)
def test_schemas_that_no_session_can_be_asked_for(expression: str, message: str) -> None:
    with pytest.raises(TableException, match=re.escape(message)):
        parse_query(f"SELECT {expression}")


def test_depth() -> None:
    digits = " + ".join(["1"] * 5_000) + " - 4998"
    query = ENVIRONMENT.sql_query(f"SELECT ROUND(1.2345, {digits}) AS x")
    assert query.as_serializable_string() == "SELECT ROUND(1.2345, 2) AS `x`"
