"""Programs with functions that take lambdas, and with the other functions of arrays and maps."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal as D
from typing import Any

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import array, call, col, explode, lit, map_, map_from_arrays, row
from tests.programs.program import program

_NONE = "Flink's SQL has no lambdas"


def _with_all(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function of x whose own inner lambda also names its parameter x."""
    return lambda x: call("transform", array(10, 20), _plus(make(x)))


def _plus(other: Any) -> Callable[[Any], Any]:
    return lambda x: x + other


# --- one lambda ------------------------------------------------------------------------------------------------------

program(
    "lambda_transform",
    lambda t: t.products.select(
        col("product"), call("transform", col("tags"), lambda tag: tag.upper_case).alias("tags")
    ),
    rows=[("pen", ["BLUE", "FINE"]), ("ink", []), ("pad", [None, "A5"]), ("cap", None)],
    dataframe=lambda d: d.products.select("product", f.transform("tags", lambda tag: f.upper(tag)).alias("tags")),
    no_flink=_NONE,
)
program(
    "lambda_transform_with_index_and_column",
    lambda t: t.products.select(
        call("transform", col("tags"), lambda tag, i: col("product") + tag + i.cast(DataTypes.STRING())).alias("tags")
    ),
    rows=[(["penblue0", "penfine1"],), ([],), ([None, "pada51"],), (None,)],
    dataframe=lambda d: d.products.select(
        f.transform("tags", lambda tag, i: f.concat(f.concat("product", tag), i.cast("string"))).alias("tags")
    ),
    no_flink=_NONE,
)
program(
    "lambda_filter_and_exists",
    lambda t: t.products.filter(call("exists", col("tags"), lambda tag: tag.like("%e"))).select(
        col("product"), call("filter", col("tags"), lambda tag: tag > "c").alias("later")
    ),
    rows=[("pen", ["fine"])],
    dataframe=lambda d: d.products.filter(f.exists("tags", lambda tag: tag.like("%e"))).select(
        "product", f.filter("tags", lambda tag: tag > "c").alias("later")
    ),
    no_flink=_NONE,
)
program(
    "lambda_forall_of_nulls",
    lambda t: t.products.select(
        col("product"),
        call("forall", col("tags"), lambda tag: tag.char_length > 1).alias("every"),
        call("exists", col("tags"), lambda tag: tag.is_null).alias("any_null"),
    ),
    rows=[("pen", True, False), ("ink", True, False), ("pad", None, True), ("cap", None, None)],
    dataframe=lambda d: d.products.select(
        "product",
        f.forall("tags", lambda tag: f.char_length(tag) > 1).alias("every"),
        f.exists("tags", lambda tag: tag.isNull()).alias("any_null"),
    ),
    no_flink=_NONE,
)
program(
    "lambda_aggregate",
    lambda t: t.products.select(
        col("product"),
        call(
            "aggregate",
            call("map_values", col("attributes")),
            0,
            lambda total, value: total + value.if_null(0),
            lambda total: total * 10,
        ).alias("total"),
    ),
    rows=[("pen", 120), ("ink", 0), ("pad", 0), ("cap", None)],
    dataframe=lambda d: d.products.select(
        "product",
        f.aggregate(
            f.map_values("attributes"),
            f.lit(0),
            lambda total, value: total + f.ifnull(value, f.lit(0)),
            lambda total: total * 10,
        ).alias("total"),
    ),
    no_flink=_NONE,
)
program(
    "lambda_maps",
    lambda t: t.products.select(
        col("product"),
        call("map_filter", col("attributes"), lambda key, value: value > 5).alias("many"),
        call("transform_keys", col("attributes"), lambda key, value: key.upper_case).alias("upper"),
        call("transform_values", col("attributes"), lambda key, value: value + col("size").width).alias("more"),
    ),
    rows=[
        ("pen", {"stock": 10}, {"STOCK": 10, "MIN": 2}, {"stock": 11, "min": 3}),
        ("ink", {}, {}, {}),
        ("pad", {}, {"STOCK": None}, {"stock": None}),
        ("cap", None, None, None),
    ],
    dataframe=lambda d: d.products.select(
        "product",
        f.map_filter("attributes", lambda key, value: value > 5).alias("many"),
        f.transform_keys("attributes", lambda key, value: f.upper(key)).alias("upper"),
        f.transform_values("attributes", lambda key, value: value + f.col("size.width")).alias("more"),
    ),
    no_flink=_NONE,
)
program(
    "lambda_map_zip_with_and_zip_with",
    lambda t: t.products.filter(col("product") == "pen").select(
        call(
            "map_zip_with", col("attributes"), map_("stock", 1, "new", 2), lambda k, old, new: old.if_null(0) - new
        ).alias("changed"),
        call("zip_with", col("tags"), array(1, 2, 3), lambda tag, i: row(tag, i)).alias("pairs"),
    ),
    rows=[({"stock": 9, "min": None, "new": -2}, [("blue", 1), ("fine", 2), (None, 3)])],
    no_flink=_NONE,
)
program(
    "lambda_array_sort_by_comparator",
    lambda t: t.products.select(
        call(
            "array_sort",
            call("array_compact", col("tags")).array_append("z"),
            lambda a, b: b.char_length - a.char_length,
        ).alias("sorted")
    ),
    rows=[(["blue", "fine", "z"],), (["z"],), (["a5", "z"],), (None,)],
    no_flink="Flink has no such function",
)

# --- names -----------------------------------------------------------------------------------------------------------

program(
    "lambda_parameter_named_like_a_column",
    lambda t: t.products.select(
        call("transform", col("tags"), lambda product: product + col("product")).alias("x"),
        call("transform", col("tags"), lambda product: product + "!").alias("y"),
    ),
    rows=[(["bluepen", "finepen"], ["blue!", "fine!"]), ([], []), ([None, "a5pad"], [None, "a5!"]), (None, None)],
    no_flink=_NONE,
)
program(
    "lambda_nested_with_one_name",
    lambda t: t.products.filter(col("product") == "pen").select(
        call(
            "transform",
            col("tags"),
            lambda x: call("transform", array(1, 2), lambda x: x + 1).cardinality + x.char_length,
        ).alias("inner"),
        call("transform", array(1, 2), _with_all(lambda x: x)).alias("both"),
    ),
    rows=[([6, 6], [[11, 21], [12, 22]])],
    no_flink=_NONE,
)
program(
    "lambda_over_hostile_names",
    lambda t: (
        t.products.select(col("tags").alias("a`b"), col("product").alias("x -> y"), col("size").alias("window"))
        .select(
            call("transform", col("a`b"), lambda window: window + col("x -> y")).alias("EXPR$0"),
            call("transform", array(col("window")), lambda window: window.width).alias("start"),
        )
        .select(call("transform", col("EXPR$0"), lambda start: start.char_length + col("start").at(1)))
    ),
    rows=[([8, 8],), ([],), ([None, 8],), (None,)],
    no_flink=_NONE,
)

# --- beside groups, in subqueries, over operations ------------------------------------------------------------------

program(
    "lambda_with_an_aggregate_in_it",
    lambda t: t.lines.group_by(col("sku")).select(
        col("sku"),
        call("transform", array(1, 10), lambda x: x * col("quantity").sum).alias("sums"),
        call("aggregate", array(col("sku"), "!"), "", lambda all, part: all + part).alias("name"),
    ),
    rows=[
        ("pen", [5, 50], "pen!"),
        ("ink", [1, 10], "ink!"),
        ("pad", [10, 100], "pad!"),
        ("cap", [1, 10], "cap!"),
    ],
    no_flink=_NONE,
)
program(
    "lambda_twice_and_over_an_operation",
    lambda t: (
        t.products.select(call("filter", col("tags"), lambda tag: tag.is_not_null).alias("tags"))
        .select(call("transform", col("tags"), lambda tag: tag.char_length).alias("sizes"), col("tags"))
        .filter(col("sizes").cardinality > 0)
        .join_lateral(explode(col("sizes")).alias("size"))
        .select(col("size"), call("filter", col("tags"), lambda tag: tag.char_length == col("size")).alias("such"))
    ),
    rows=[(4, ["blue", "fine"]), (4, ["blue", "fine"]), (2, ["a5"])],
    no_flink=_NONE,
)
program(
    "lambda_of_nothing",
    lambda t: t.nothing.select(call("transform", array(col("a")), lambda x: x + 1).alias("x")),
    rows=[],
    dataframe=lambda d: d.nothing.select(f.transform(f.array("a"), lambda x: x + 1).alias("x")),
    no_flink=_NONE,
)

# --- without lambdas -------------------------------------------------------------------------------------------------

program(
    "arrays_in_a_row",
    lambda t: t.products.select(
        col("product"),
        col("tags").array_append("new").alias("appended"),
        col("tags").array_prepend("first").array_distinct().alias("prepended"),
        col("tags").array_contains("fine").alias("has"),
        col("tags").array_position("a5").alias("place"),
        col("tags").array_remove("fine").alias("removed"),
        col("tags").array_join("+", "?").alias("joined"),
        col("tags").array_max().alias("greatest"),
        col("tags").array_min().alias("least"),
    ),
    rows=[
        ("pen", ["blue", "fine", "new"], ["first", "blue", "fine"], True, 0, ["blue"], "blue+fine", "fine", "blue"),
        ("ink", ["new"], ["first"], False, 0, [], "", None, None),
        ("pad", [None, "a5", "new"], ["first", None, "a5"], None, 2, [None, "a5"], "?+a5", "a5", "a5"),
        ("cap", None, None, None, None, None, None, None, None),
    ],
    dataframe=lambda d: d.products.select(
        "product",
        f.array_append("tags", "new").alias("appended"),
        f.array_distinct(f.array_prepend("tags", "first")).alias("prepended"),
        f.array_contains("tags", "fine").alias("has"),
        f.array_position("tags", "a5").alias("place"),
        f.array_remove("tags", "fine").alias("removed"),
        f.array_join("tags", "+", "?").alias("joined"),
        f.array_max("tags").alias("greatest"),
        f.array_min("tags").alias("least"),
    ),
    no_flink="ARRAY_CONTAINS(tags, 'fine') has no text",
)
program(
    "arrays_as_sets",
    lambda t: t.products.select(
        col("tags").array_union(array("fine", "x")).alias("together"),
        col("tags").array_intersect(array("fine", "x")).alias("common"),
        col("tags").array_except(array("fine", "x")).alias("rest"),
        call("arrays_overlap", col("tags"), array("fine", "x")).alias("overlap"),
    ),
    rows=[
        (["blue", "fine", "x"], ["fine"], ["blue"], True),
        (["fine", "x"], [], [], False),
        ([None, "a5", "fine", "x"], [], [None, "a5"], None),
        (None, None, None, None),
    ],
    dataframe=lambda d: d.products.select(
        f.array_union("tags", f.array(f.lit("fine"), f.lit("x"))).alias("together"),
        f.array_intersect("tags", f.array(f.lit("fine"), f.lit("x"))).alias("common"),
        f.array_except("tags", f.array(f.lit("fine"), f.lit("x"))).alias("rest"),
        f.arrays_overlap("tags", f.array(f.lit("fine"), f.lit("x"))).alias("overlap"),
    ),
    no_flink="Flink has no such function",
)
program(
    "arrays_of_flink",
    lambda t: t.products.select(
        col("product"),
        col("tags").array_slice(1, 1).alias("first"),
        col("tags").array_slice(-1).alias("last"),
        col("tags").array_slice(col("size").width, -1).alias("rest"),
        col("tags").array_concat(["x"], col("tags")).array_reverse().alias("turned"),
        col("attributes").map_union({"stock": 0}).alias("updated"),
        col("product").reverse.alias("back"),
    ),
    rows=[
        (
            "pen",
            ["blue"],
            ["fine"],
            ["blue", "fine"],
            ["fine", "blue", "x", "fine", "blue"],
            {"stock": 0, "min": 2},
            "nep",
        ),
        ("ink", [], [], [], ["x"], {"stock": 0}, "kni"),
        ("pad", [None], ["a5"], [], ["a5", None, "x", "a5", None], {"stock": 0}, "dap"),
        ("cap", None, None, None, None, None, "pac"),
    ],
)
program(
    "maps_and_entries",
    lambda t: t.products.filter(col("product") != "pen").select(
        col("attributes").map_keys.alias("keys"),
        col("attributes").map_values.alias("values"),
        col("attributes").map_entries.alias("entries"),
        map_from_arrays(array(col("product")), array(col("price"))).alias("prices"),
        call("map_contains_key", col("attributes"), "stock").alias("has"),
        call("map_concat", col("attributes"), map_("a", 1)).alias("more"),
    ),
    rows=[
        ([], [], [], {"ink": D("12.00")}, False, {"a": 1}),
        (["stock"], [None], [("stock", None)], {"pad": None}, True, {"stock": None, "a": 1}),
        (None, None, None, {"cap": D("1.00")}, None, None),
    ],
    dataframe=lambda d: d.products.filter(f.col("product") != "pen").select(
        f.map_keys("attributes").alias("keys"),
        f.map_values("attributes").alias("values"),
        f.map_entries("attributes").alias("entries"),
        f.map_from_arrays(f.array("product"), f.array("price")).alias("prices"),
        f.map_contains_key("attributes", "stock").alias("has"),
        f.map_concat("attributes", f.create_map(f.lit("a"), f.lit(1))).alias("more"),
    ),
    no_flink="Flink has no such function",
)
program(
    "sequences_and_zips",
    lambda t: t.products.select(
        col("product"),
        call("sequence", 1, col("size").width).alias("numbers"),
        call("arrays_zip", col("tags"), call("sequence", 1, col("size").width)).alias("zipped"),
        call("array_repeat", col("product"), 2).alias("twice"),
        call("flatten", array(col("tags"), ["x"])).alias("flat"),
        call("sort_array", col("tags"), lit(False)).alias("down"),
    ),
    rows=[
        ("pen", [1], [("blue", 1), ("fine", None)], ["pen", "pen"], ["blue", "fine", "x"], ["fine", "blue"]),
        ("ink", [1, 2], [(None, 1), (None, 2)], ["ink", "ink"], ["x"], []),
        ("pad", [1, 2, 3], [(None, 1), ("a5", 2), (None, 3)], ["pad", "pad"], [None, "a5", "x"], ["a5", None]),
        ("cap", None, None, ["cap", "cap"], None, None),
    ],
    no_flink="Flink has no such function",
)
program(
    "zips_keep_the_names_of_fields",
    lambda t: t.products.group_by(col("tags").alias("t")).select(
        call("arrays_zip", col("tags"), array(1)).at(1).get("tags").alias("tag"),
        call("arrays_zip", array(col("price").max), array(1)).at(1).get("0").alias("price"),
    ),
    rows=[("blue", D("2.50")), (None, D("12.00")), (None, None), (None, D("1.00"))],
    no_flink="Flink has no such function",
)
