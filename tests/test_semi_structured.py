"""JSON, schemas and paths: rejected calls, and how paths are read. Programs and function values test the results."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from grammar.schemas import parse_schema
from ir.call_expressions import Call
from ir.errors import SqlParserException
from ir.lowerings import lower_for_spark
from tableapi import (
    DataTypes,
    JsonOnNull,
    JsonValueOnEmptyOrError,
    Table,
    TableException,
    ValidationException,
)
from tableapi.expressions import call, col, json_array, json_string, lit
from tests.programs.tables import Tables, environment_without_spark

ENV = environment_without_spark()
BAG = Tables(ENV).left_bag

Y = col("y")
DEFAULT = JsonValueOnEmptyOrError.DEFAULT


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: Y.json_value("a"), ValidationException, "JSON_VALUE takes a path such as '$.a.b[0]'"),
        (lambda: Y.json_value(" $.a"), ValidationException, "but was given ' $.a'"),
        (lambda: Y.json_value(Y), ValidationException, "JSON_VALUE takes a path such as"),
        (lambda: Y.json_value("$[*]"), TableException, "The path '$[*]' finds an array, since it has a wildcard"),
        (lambda: Y.json_query("$.a[?(@.b > 1)]"), TableException, "no filters, slices, lists of names or indexes"),
        (lambda: Y.json_query("$.a[1:2]"), TableException, "JSON_QUERY cannot follow the path '$.a[1:2]' on Spark"),
        (lambda: Y.json_query("$.a[-0]"), TableException, "JSON_QUERY cannot follow the path '$.a[-0]' on Spark"),
        (lambda: Y.json_query("$" + "[*]" * 31), TableException, "or more than 30 wildcards."),
        (
            lambda: Y.json_query("$.a", returning_type=DataTypes.ARRAY(DataTypes.INT())),
            TableException,
            "JSON_QUERY returns STRING or ARRAY<STRING>, as in Flink, and not ARRAY<INT>: the elements are text, or",
        ),
        (
            lambda: Y.json_query("$.a", returning_type=str),
            ValidationException,
            "The returning_type of json_query must be a type such as DataTypes.INT(), or its text, but is",
        ),
        (lambda: Y.json_exists("$..a"), TableException, "JSON_EXISTS cannot follow the path '$..a' on Spark"),
        (lambda: Y.json_value("$.a", DataTypes.DATE()), TableException, "JSON_VALUE returns STRING, BOOLEAN, INT or"),
        (
            lambda: Y.json_value("$.a", "INTT"),
            SqlParserException,
            "The returning_type of json_value: Cannot read the type: FLINK has no type 'INTT'. Did you mean 'INT'?",
        ),
        (
            lambda: Y.json_value("$.a", DataTypes.INT(), on_error=DEFAULT, default_on_error="x"),
            ValidationException,
            "The default of JSON_VALUE is a constant of type INT, which it returns, but 'x' is of type STRING.",
        ),
        (
            lambda: Y.json_value("$.a", on_error=DEFAULT, default_on_error=Y),
            ValidationException,
            "default_on_error of json_value is a constant, but",
        ),
        (
            lambda: Y.json_exists("$.a", "TRUE"),
            ValidationException,
            "on_error of json_exists is a JsonExistsOnError, one of TRUE, FALSE, UNKNOWN, ERROR, but 'TRUE' was given.",
        ),
        (lambda: Y.is_json("OBJECT"), ValidationException, "json_type of is_json is a JsonType, one of VALUE, SCALAR"),
        (lambda: json_array(Y), ValidationException, "The first argument of json_array is a JsonOnNull, but"),
    ],
)
def test_members_refuse_when_they_are_called(make: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        make()


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (
            Y.json_value("$.a").json_value("$.b"),
            "The JSON text is used more than once on Spark, and JSON_VALUE(y, '$.a'",
        ),
        (Y.json_unquote().json_exists("$.a"), "in it cannot be. Select it under a name first."),
        (col("x").json_value("$.a"), "argument 1 (text) is not <STRING>"),
        (col("x").is_json(), "argument"),
        (json_array(JsonOnNull.NULL, lit(1).days), "argument 2 is not <value that JSON can hold>"),
        (json_string(lit(1).days), "argument 1 (value) is not <value that JSON can hold>"),
        (
            Y.from_json("INT"),
            "FROM_JSON makes a ROW, an ARRAY, a VARIANT or a MAP, all maps with keys of STRING, and no shapes",
        ),
        (Y.from_json("MAP<INT, INT>"), "but the schema is MAP<INT, INT>."),
        (Y.from_json("a NONSENSE"), "SPARK has no type 'NONSENSE'"),
        (Y.from_json("a CHAR(3)"), "A schema of data that is read has no CHAR(3); use STRING."),
        (Y.from_json(Y), "argument 2 (schema) is not <schema literal such as 'a INT, b ARRAY<STRING>'>"),
        (Y.from_json("a INT", {"mode": 1}), "argument 3 (options) is not <MAP of STRING literals>"),
        (Y.from_json("a INT", {}), "argument 3 (options) is not <MAP of STRING literals>"),
        (Y.from_csv("ARRAY<INT>"), "FROM_CSV makes a ROW without shapes, but the schema is ARRAY<INT>."),
        (
            Y.from_xml("ARRAY<INT>"),
            "FROM_XML makes a ROW or a VARIANT, all maps with keys of STRING, and no shapes, but the schema is",
        ),
        (Y.parse_json().variant_get("a"), "argument 2 (path) is not <STRING path such as '$.a[0]' or '$[\"a b\"]'>"),
        (Y.parse_json().variant_get("$.a", "MAP<INT, INT>"), "VARIANT_GET makes what a VARIANT holds, which is no"),
        (Y.parse_json().variant_insert("$", 1), "is not <STRING path that goes further than '$', such as '$.a[0]'>"),
        (Y.variant_get("$.a"), "argument 1 (variant) is not <VARIANT>"),
        (call("schema_of_json", Y), "argument 1 (text) is not <STRING literal>"),
    ],
)
def test_calls_refuse_when_they_become_part_of_a_table(expression: Any, message: str) -> None:
    with pytest.raises(TableException, match=re.escape(message)):
        BAG.select(expression)


def _sql(expression: str) -> Table:
    return ENV.sql_query(f"SELECT {expression} AS v FROM (SELECT '1' AS j, PARSE_JSON('1') AS v, 'a' AS s)")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("v:a[s]", "In brackets of a path into a VARIANT stands the name of a field in quotes or the index of an"),
        ("v:a[-1]", "the index of an element, from 0"),
        ("v:['it''s']", "is no path into a VARIANT: its names have no quotes and are not empty."),
        ("v:``", "is no path into a VARIANT"),
        ("s:a", "argument 1 (variant) is not <VARIANT>"),
        ("JSON_VALUE(j, s)", "The path of JSON_VALUE is a constant such as '$.a[0]'."),
        ("JSON_VALUE(j)", "JSON_VALUE takes a JSON text and a path: JSON_VALUE(a, '$.b')."),
        ("JSON_VALUE(j, '$.a' ABSENT ON NULL)", "JSON_VALUE has no clause ABSENT ON NULL; it has RETURNING, NULL ON"),
        ("JSON_VALUE(j, '$.a' NULL ON ERROR NULL ON ERROR)", "JSON_VALUE has two clauses ERROR."),
        ("JSON_VALUE(j, '$.a' DEFAULT s ON ERROR)", "The default of JSON_VALUE is a constant."),
        ("JSON_QUERY(j, '$.a' TRUE ON ERROR)", "JSON_QUERY has no clause TRUE ON ERROR"),
        ("JSON_QUERY(j, '$.a' RETURNING ARRAY<INT>)", "JSON_QUERY returns STRING or ARRAY<STRING>, as in Flink, and"),
        ("JSON_QUERY(j, '$.a' RETURNING ARRAY<STRING NOT NULL>)", "and not ARRAY<STRING NOT NULL>"),
        (
            "JSON_QUERY(j, '$.a' RETURNING ARRAY<STRING> EMPTY OBJECT ON ERROR)",
            "JSON_QUERY that returns an array has no EMPTY OBJECT; there is EMPTY ARRAY.",
        ),
        ("JSON_VALUE(j, '$.a[*]')", "JSON_QUERY returns the array."),
        ("JSON_EXISTS(j, '$.a' TRUE ON EMPTY)", "JSON_EXISTS has no clause TRUE ON EMPTY; it has TRUE ON ERROR, FALSE"),
        ("JSON_ARRAY(1 WITH WRAPPER)", "JSON_ARRAY has NULL ON NULL and ABSENT ON NULL alone."),
    ],
)
def test_sql_that_is_refused(expression: str, message: str) -> None:
    with pytest.raises(TableException, match=re.escape(message)) as caught:
        _sql(expression)
    assert "line 1, column" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("from_avro", "an Avro schema defines the type of its result"),
        ("to_protobuf", "a descriptor file defines the type of its result"),
    ],
)
def test_unsupported_functions_have_reasons(name: str, reason: str) -> None:
    with pytest.raises(TableException, match=re.escape(reason)):
        BAG.select(call(name, Y))
    with pytest.raises(TableException, match=re.escape(reason)):
        _sql(f"{name}(j)")


# --- paths and clauses that mean the same are one tree ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("v:a.b[0]", "VARIANT_GET(v, '$.a.b[0]')"),
        ("v:a", "VARIANT_GET(v, '$.a', 'variant')"),
        ("v:['a b']", "variant_get(v, '$[''a b'']')"),
        ("v:`x.y`", "v:x.y"),
        ("v:a.b:c", "VARIANT_GET(v:a.b, '$.c')"),
        ("v:a::INT", "CAST(v:a AS INT)"),
        ("JSON_VALUE(j, '$.a')", "JSON_VALUE(j, 'strict $.a' RETURNING STRING NULL ON EMPTY NULL ON ERROR)"),
        ("JSON_VALUE(j, '$.a')", "JSON_VALUE(j, 'LAX $.a')"),
        ("JSON_VALUE(j, '$.a')", "JSON_VALUE(j, '$.a' DEFAULT 'never' ON EMPTY)"),
        ("JSON_VALUE(j, '$.a' DEFAULT 'd' ON ERROR)", "JSON_VALUE(j, 'lax $.a' DEFAULT 'd' ON EMPTY)"),
        ("JSON_VALUE(j, '$.a' RETURNING INT)", "TRY_VARIANT_GET(TRY_PARSE_JSON(j), '$.a', 'INT')"),
        ("JSON_EXISTS(j, '$.a')", "JSON_EXISTS(j, 'lax $.a' TRUE ON ERROR)"),
        ("JSON_QUERY(j, '$.a')", "JSON_QUERY(j, '$.a' WITHOUT ARRAY WRAPPER EMPTY ARRAY ON EMPTY)"),
        ("JSON_QUERY(j, '$.a')", "JSON_QUERY(j, '$.a' RETURNING VARCHAR(9) WITHOUT ARRAY WRAPPER)"),
        ("JSON_QUERY(j, '$.a[*]')", "JSON_QUERY(j, '$.a.*' WITH CONDITIONAL ARRAY WRAPPER)"),
        ("JSON_QUERY(j, '$[*].a')", "JSON_QUERY(j, 'lax $[*].a')"),
        ("JSON_QUERY(j, 'lax $.a[*]')", "JSON_QUERY(j, 'LAX  $.a[*]' ERROR ON ERROR)"),
        ("JSON_QUERY(j, '$.a' RETURNING ARRAY<STRING>)", "TRY_VARIANT_GET(TRY_PARSE_JSON(j), '$.a', 'ARRAY<STRING>')"),
        ("JSON_EXISTS(j, '$.a[*]')", "JSON_EXISTS(j, '$.a[*].b[0]')"),
        ("JSON_EXISTS(j, '$')", "JSON_EXISTS(j, 'lax $.a[*]')"),
        ("JSON_QUERY(j, '$.a' WITH WRAPPER)", "JSON_QUERY(j, '$.a' WITH UNCONDITIONAL ARRAY WRAPPER)"),
        ("j IS JSON", "j IS JSON VALUE"),
        ("j IS JSON", "TRY_PARSE_JSON(j) IS NOT NULL"),
        ("JSON_ARRAY(1, 2)", "JSON_ARRAY(1, 2 NULL ON NULL)"),
        (
            "JSON_ARRAY(1, 's')",
            "TO_JSON(ARRAY(CAST(1 AS VARIANT), CAST('s' AS VARIANT)), MAP('ignoreNullFields', 'false'))",
        ),
        ("JSON_STRING(s)", "TO_JSON(CAST(s AS VARIANT))"),
        ("JSON_STRING(v)", "TO_JSON(v)"),
        ("JSON_STRING(JSON_ARRAY(1))", "JSON_ARRAY(1)"),
        ("JSON(j)", "PARSE_JSON(j)"),
    ],
)
def test_equal_calls_are_one_tree(one: str, other: str) -> None:
    assert _sql(one).query_operation is _sql(other).query_operation


def test_a_lowered_call_holds_its_text_a_few_times_only() -> None:
    """With more copies, each level of nested calls would double the text, which is rejected."""
    value = _sql("JSON_VALUE(JSON_VALUE(j, '$.a' RETURNING INT)::STRING, '$.a' RETURNING INT)").query_operation
    assert len(value.as_serializable_string()) < 400


def test_lowered_calls_are_recognised() -> None:
    operation = _sql("JSON_QUERY(j, '$.a' WITH CONDITIONAL ARRAY WRAPPER EMPTY ARRAY ON ERROR)").query_operation
    (query,) = operation.expressions
    assert isinstance(query, Call)
    assert query.function.name == "JSON_QUERY"
    assert lower_for_spark(query) is not query


# --- schemas ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("INT", "INT"),
        ("a INT", "ROW<`a` INT>"),
        ("a INT NOT NULL, `b c` STRUCT<d: STRING>", "ROW<`a` INT NOT NULL, `b c` ROW<`d` STRING>>"),
        ("key TIMESTAMP, timestamp TIMESTAMP_NTZ", "ROW<`key` TIMESTAMP_LTZ, `timestamp` TIMESTAMP>"),
        ("MAP<STRING, ARRAY<DECIMAL(5, 2)>>", "MAP<STRING, ARRAY<DECIMAL(5, 2)>>"),
        ('"long"', "BIGINT"),
        ('{"type": "array", "elementType": "integer", "containsNull": false}', "ARRAY<INT>"),
        (
            '{"type":"struct","fields":[{"name":"a","type":"short","nullable":true,"metadata":{}}]}',
            "ROW<`a` SMALLINT>",
        ),
    ],
)
def test_schemas(text: str, summary: str) -> None:
    assert parse_schema(text).as_summary_string() == summary


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Cannot read the type: there is no text; expected is a type."),
        ("a:INT", "Cannot read the type: ':' is not expected after 'a'"),
        ("a INT,", "Cannot read the schema: the text ends after ','; expected is a name."),
        ("a INT b", "Cannot read the schema"),
        ("{", "begins like the JSON of a type, but is none"),
        ('{"type": "tuple"}', "is not the JSON of a type as Spark writes it"),
        ('{"fields": []}', "is not the JSON of a type as Spark writes it"),
        ("ARRAY<" * 200 + "INT" + ">" * 200, "A type nested more than 100 levels deep is not supported."),
        ('{"type":"array","elementType":' * 200 + '"integer"' + "}" * 200, "nested more than 100 levels deep"),
    ],
)
def test_invalid_schemas(text: str, message: str) -> None:
    with pytest.raises(SqlParserException, match=re.escape(message)):
        parse_schema(text)
