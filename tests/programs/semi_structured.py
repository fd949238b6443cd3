"""Programs that create and read JSON, and extract from VARIANT, CSV and XML."""

from __future__ import annotations

from pyspark.sql import functions as f

from tableapi import DataTypes as T
from tableapi import (
    JsonExistsOnError,
    JsonOnNull,
    JsonQueryOnEmptyOrError,
    JsonQueryWrapper,
    JsonType,
    JsonValueOnEmptyOrError,
    Table,
)
from tableapi.expressions import call, col, concat, json, json_array, json_object, json_string, lit
from tests.programs.program import program
from tests.programs.tables import Tables

_DOCUMENTS = [
    (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
    (2, '{"user": {"name": null}, "total": "12"}'),
    (3, "[1, 2]"),
    (4, "no JSON"),
    (5, None),
]


def _documents(t: Tables) -> Table:
    return t.env.from_elements(_DOCUMENTS, ["id", "j`s"])


program(
    "json_value",
    lambda t: _documents(t).select(
        col("id"),
        col("j`s").json_value("$.user.name").alias("name"),
        col("j`s")
        .json_value(
            "lax $.user.name",
            on_empty=JsonValueOnEmptyOrError.DEFAULT,
            default_on_empty="nobody",
            default_on_error="never",
            on_error=JsonValueOnEmptyOrError.DEFAULT,
        )
        .alias("or_nobody"),
        col("j`s").json_value("$.total", T.INT()).alias("total"),
        col("j`s").json_value("$['total']", T.DOUBLE(), JsonValueOnEmptyOrError.NULL).alias("precise"),
    ),
    rows=[
        (1, "Ada", "Ada", 7, 7.0),
        (2, None, "nobody", 12, 12.0),
        (3, None, "nobody", None, None),
        (4, None, "nobody", None, None),
        (5, None, None, None, None),
    ],
)
program(
    "json_paths_to_several",
    lambda t: _documents(t).select(
        col("id"),
        col("j`s").json_query("lax $.user.tags[*]").alias("tags"),
        col("j`s").json_query("$.user.tags[*]", JsonQueryWrapper.UNCONDITIONAL_ARRAY).alias("wrapped"),
        col("j`s").json_query("$.user.tags", returning_type=T.ARRAY(T.STRING())).alias("texts"),
        col("j`s").json_query("$[-1]", JsonQueryWrapper.CONDITIONAL_ARRAY).alias("last"),
        col("j`s").json_value("$.user.tags[-1]").alias("tag"),
        col("j`s").json_exists("$.user.tags[*]").alias("has_tags"),
    ),
    rows=[
        (1, '["a","b"]', '[["a","b"]]', ["a", "b"], None, "b", True),
        (2, "[]", None, None, None, None, False),
        (3, "[]", None, None, "[2]", None, False),
        (4, None, None, None, None, None, False),
        (5, None, None, None, None, None, None),
    ],
)
program(
    "json_query",
    lambda t: _documents(t).select(
        col("id"),
        col("j`s").json_query("$.user").alias("user"),
        col("j`s").json_query("$.user.tags", on_error=JsonQueryOnEmptyOrError.EMPTY_ARRAY).alias("tags"),
        col("j`s").json_query("$.user.tags[0]", JsonQueryWrapper.CONDITIONAL_ARRAY).alias("first"),
        col("j`s").json_query("$[1]", JsonQueryWrapper.UNCONDITIONAL_ARRAY).alias("second"),
    ),
    rows=[
        (1, '{"name":"Ada","tags":["a","b"]}', '["a","b"]', '["a"]', None),
        (2, '{"name":null}', "[]", None, None),
        (3, None, "[]", None, "[2]"),
        (4, None, "[]", None, None),
        (5, None, None, None, None),
    ],
)
program(
    "json_exists",
    lambda t: (
        _documents(t)
        .filter(col("j`s").json_exists("lax $.user.name", JsonExistsOnError.TRUE) | (col("id") > 2))
        .select(
            col("id"),
            col("j`s").json_exists("$[0]").alias("array"),
            col("j`s").json_exists("$.user", JsonExistsOnError.UNKNOWN).alias("user"),
            col("j`s").json_exists("$.user", JsonExistsOnError.TRUE).alias("always"),
        )
    ),
    rows=[
        (1, False, True, True),
        (3, True, None, True),
        (4, False, None, True),
        (5, None, None, None),
    ],
)
program(
    "json_exists_beside_default",
    lambda t: (
        t.left_bag.select(
            col("y"),
            lit("[1]").json_exists("$[0]").alias("exists"),
            lit("[1]")
            .json_value("$[1]", T.INT(), on_error=JsonValueOnEmptyOrError.DEFAULT, default_on_error=0)
            .alias("v"),
        )
        .filter(col("y") == "b")
        .distinct()
    ),
    rows=[("b", True, 0)],
)
program(
    "is_json",
    lambda t: _documents(t).select(
        col("id"),
        col("j`s").is_json().alias("json"),
        col("j`s").is_json(JsonType.OBJECT).alias("object"),
        col("j`s").is_json(JsonType.ARRAY).alias("array"),
        (~col("j`s").is_json(JsonType.SCALAR)).alias("not_scalar"),
    ),
    rows=[
        (1, True, True, False, True),
        (2, True, True, False, True),
        (3, True, False, True, True),
        (4, False, False, False, True),
        (5, False, False, False, True),
    ],
)
program(
    "json_array",
    lambda t: t.left_bag.filter(col("x") >= 2).select(
        json_array(JsonOnNull.ABSENT, col("x"), col("y")).alias("left_out"),
        json_array(JsonOnNull.NULL, col("x"), col("y")).alias("kept"),
        json_array(JsonOnNull.NULL, col("y"), col("y")).alias("alike"),
        json_array().alias("empty"),
    ),
    rows=[('[2,"b"]', '[2,"b"]', '["b","b"]', "[]"), ("[3]", "[3,null]", "[null,null]", "[]")],
)
program(
    "json_array_nested",
    lambda t: t.left_bag.filter(col("x") == 3).select(
        json_array(
            JsonOnNull.ABSENT, json_array(JsonOnNull.NULL, col("y")), json_object(JsonOnNull.NULL, "y", col("y"))
        ).alias("a"),
        json_object(
            JsonOnNull.ABSENT,
            "a",
            json_array(JsonOnNull.ABSENT, col("x"), col("y")),
            "j",
            json(concat('{"b": 1, "a": [', col("x"), "]}")),
        ).alias("o"),
        json_string(col("y")).alias("no_text"),
        json_string(json_array(JsonOnNull.ABSENT, col("x"))).alias("array"),
        json_string("[3]").json_unquote().alias("unquoted"),
    ),
    rows=[('[[null],{"y":null}]', '{"a":[3],"j":{"a":[3],"b":1}}', None, "[3]", "[3]")],
)
program(
    "variant_paths",
    lambda t: (
        t.left_bag.filter(col("x") == 2)
        .select(json_object(JsonOnNull.NULL, "x", col("x"), "a b", col("y")).parse_json().alias("v"))
        .select(
            col("v").variant_get("$.x", T.INT()).alias("x"),
            col("v").variant_get("$['a b']", T.STRING()).alias("y"),
            col("v").try_variant_get("$['a b']", T.INT()).alias("no_number"),
            col("v").variant_get("$.none").is_null.alias("n"),
            col("v").variant_set("$.x", 5).variant_delete("$['a b']").to_json().alias("changed"),
            col("v").schema_of_variant().alias("schema"),
        )
    ),
    rows=[(2, "b", None, True, '{"x":5}', "OBJECT<`a b`: STRING, x: BIGINT>")],
    no_flink="Flink has no such function",
)
program(
    "variant_path_in_sql",
    lambda t: t.env.sql_query(
        "SELECT v:a.b[0]::INT AS first, v:['a']:b[1]::INT FROM (SELECT PARSE_JSON(:j) AS v)",
        {"j": '{"a":{"b":[1,2]}}'},
    ),
    rows=[(1, 2)],
    no_flink="Flink has no such function",
)
program(
    "from_json",
    lambda t: (
        t.left_bag.filter(col("x") >= 2)
        .select(json_object(JsonOnNull.NULL, "x", col("x"), "y", col("y")).alias("j"))
        .select(col("j").from_json("x INT, y STRING NOT NULL, z ARRAY<INT>").alias("r"))
        .select(col("r").get("x"), col("r").get("y").alias("text"), col("r").get("z"))
    ),
    rows=[(2, "b", None), (3, None, None)],
    no_flink="Flink has no such function",
)
program(
    "from_json_by_dataframe",
    lambda t: t.left_bag.select(
        col("y").from_json(T.ROW([T.FIELD("a", T.INT())]), {"mode": "PERMISSIVE"}).alias("r"),
        col("y").from_json("MAP<STRING, INT>").alias("m"),
        call("get_json_object", col("y"), "$.a").alias("o"),
        col("y").json_array_length().alias("n"),
        col("y").json_object_keys().alias("k"),
    ).filter(col("k").is_not_null),
    rows=[],
    dataframe=lambda d: d.left_bag.select(
        f.from_json("y", "STRUCT<`a`: INT>", {"mode": "PERMISSIVE"}).alias("r"),
        f.from_json("y", "MAP<STRING, INT>").alias("m"),
        f.get_json_object("y", "$.a").alias("o"),
        f.json_array_length("y").alias("n"),
        f.json_object_keys("y").alias("k"),
    ).filter(f.col("k").isNotNull()),
    no_flink="Flink has no such function",
)
program(
    "csv_and_xml",
    lambda t: (
        t.left_bag.filter(col("x") == 2)
        .select(call("named_struct", "x", col("x"), "y", col("y")).alias("r"))
        .select(
            col("r").to_csv().alias("line"),
            col("r").to_csv({"sep": "|"}).from_csv("x INT, y STRING", {"sep": "|"}).get("y").alias("y"),
            lit("<r><x>2</x></r>").from_xml("x INT").get("x").alias("x"),
            col("r").to_json().alias("j"),
        )
    ),
    rows=[("2,b", "b", 2, '{"x":2,"y":"b"}')],
    no_flink="Flink has no such function",
)
program(
    "parts_of_nothing",
    lambda t: t.nothing.select(
        lit("{}").json_value("$.a").alias("v"), lit("{}").parse_json().to_json().alias("j")
    ).distinct(),
    rows=[],
)
