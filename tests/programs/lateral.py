"""Programs with lateral joins: table functions and correlated queries, inner and outer, over all collection types."""

from __future__ import annotations

from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import (
    array,
    call,
    col,
    explode,
    explode_outer,
    if_then_else,
    inline,
    inline_outer,
    json_tuple,
    lit,
    map_,
    posexplode,
    posexplode_outer,
    row,
    scalar,
    stack,
    variant_explode,
)
from tests.programs.program import program

# --- elements of arrays and maps --------------------------------------------------------------------------------------

program(
    "lateral_explode",
    lambda t: t.products.join_lateral(call("explode", col("tags")).alias("tag")).select(col("product"), col("tag")),
    rows=[("pen", "blue"), ("pen", "fine"), ("pad", None), ("pad", "a5")],
    dataframe=lambda d: d.products.lateralJoin(d.session.tvf.explode(f.col("tags").outer()).toDF("tag")).select(
        "product", "tag"
    ),
)
program(
    "lateral_explode_left_outer",
    lambda t: t.products.left_outer_join_lateral(explode(col("tags")).alias("tag")).select(col("product"), col("tag")),
    rows=[("pen", "blue"), ("pen", "fine"), ("ink", None), ("pad", None), ("pad", "a5"), ("cap", None)],
)
program(
    "lateral_explode_outer",
    lambda t: t.products.join_lateral(explode_outer(col("tags"))).select(col("product"), col("col")),
    rows=[("pen", "blue"), ("pen", "fine"), ("ink", None), ("pad", None), ("pad", "a5"), ("cap", None)],
)
program(
    "lateral_explode_map",
    lambda t: t.products.join_lateral(explode(col("attributes"))).select(col("product"), col("key"), col("value")),
    rows=[("pen", "stock", 10), ("pen", "min", 2), ("pad", "stock", None)],
)
program(
    "lateral_explode_map_with_names",
    lambda t: (
        t.products.left_outer_join_lateral(explode(col("attributes")).alias("k`ey", "VALUE"))
        .filter(col("value").is_null)
        .select(col("product"), col("k`ey"))
    ),
    rows=[("ink", None), ("pad", "stock"), ("cap", None)],
)
program(
    "lateral_posexplode",
    lambda t: t.products.join_lateral(posexplode(col("tags")).alias("p", "tag")).select(
        col("product"), col("p"), col("tag")
    ),
    rows=[("pen", 0, "blue"), ("pen", 1, "fine"), ("pad", 0, None), ("pad", 1, "a5")],
)
program(
    "lateral_posexplode_outer_map",
    lambda t: t.products.join_lateral(posexplode_outer(col("attributes"))).select(
        col("product"), col("pos").is_null.alias("none"), col("value")
    ),
    rows=[("pen", False, 10), ("pen", False, 2), ("ink", True, None), ("pad", False, None), ("cap", True, None)],
)
program(
    "lateral_explode_constructed",
    lambda t: (
        t.left_bag.filter(col("y") == "b")
        .join_lateral(explode(array(col("x"), col("x") * 10, 7)).alias("n"))
        .join_lateral(explode(map_(col("y"), col("n"))).alias("k", "v"))
        .select(col("n"), col("k"), col("v"))
    ),
    rows=[(2, "b", 2), (20, "b", 20), (7, "b", 7)],
)
program(
    "lateral_unnest_is_explode",
    lambda t: t.products.join_lateral(call("UNNEST", col("tags")).alias("tag")).select(col("tag")),
    rows=[("blue",), ("fine",), (None,), ("a5",)],
)
program(
    "lateral_explode_of_nothing",
    lambda t: t.nothing.join_lateral(explode(array(col("a"), 1)).alias("x")).left_outer_join_lateral(
        explode(array(col("b"))).alias("y")
    ),
    rows=[],
)
program(
    "lateral_explode_twice_nested",
    lambda t: (
        t.left_bag.filter(col("x") == 3)
        .select(array(array(1, 2), array(col("x"))).alias("a"))
        .join_lateral(explode(col("a")).alias("inner"))
        .join_lateral(explode(col("inner")).alias("n"))
        .select(col("n"))
    ),
    rows=[(1,), (2,), (3,)],
)

# --- rows -------------------------------------------------------------------------------------------------------------

program(
    "lateral_inline",
    lambda t: t.left_bag.filter(col("x") == 2).join_lateral(
        inline(array(row(col("x").alias("a"), lit("p").alias("b")), row(lit(5).alias("a"), col("y").alias("b"))))
    ),
    rows=[(2, "b", 2, "p"), (2, "b", 5, "b")],
)
program(
    "lateral_inline_of_rows_that_may_be_null",
    lambda t: (
        t.products.select(col("product"), array(col("size")).alias("sizes"))
        .join_lateral(inline_outer(col("sizes")).alias("w", "box"))
        .select(col("product"), col("w"), col("box").get("depth").alias("depth"))
    ),
    rows=[("pen", 1, 0.5), ("ink", 2, None), ("pad", 3, None), ("cap", None, None)],
    no_flink="its UNNEST leaves out rows of an array that are NULL",
)
program(
    "lateral_explode_rows",
    lambda t: (
        t.products.join_lateral(explode(array(col("size"))).alias("s"))
        .filter(col("s").get("width") > 1)
        .select(col("product"), col("s").flatten)
    ),
    rows=[("ink", 2, (None,)), ("pad", 3, None)],
    no_flink="its UNNEST makes columns of the fields of rows",
)

# --- values -----------------------------------------------------------------------------------------------------------

program(
    "lateral_posexplode_rows",
    lambda t: (
        t.left_bag.filter(col("x") >= 2)
        .add_columns(array(row(col("x").alias("x"), lit("a").alias("start"))).alias("rows"))
        .join_lateral(posexplode(col("rows")).alias("field_0", "r"))
        .join_lateral(posexplode_outer(col("rows")).alias("p", "q"))
        .select(col("x"), col("field_0"), col("r").get("start").alias("s"), col("p"), col("q"))
    ),
    rows=[(2, 0, "a", 0, (2, "a")), (3, 0, "a", 0, (3, "a"))],
)
program(
    "lateral_stack",
    lambda t: (
        t.orders.filter(col("order_id") == 100)
        .join_lateral(
            stack(2, "amount", col("amount").cast(DataTypes.DOUBLE()), "discount", col("discount")).alias(
                "what", "value"
            )
        )
        .select(col("order_id"), col("what"), col("value"))
    ),
    rows=[(100, "amount", 20.0), (100, "discount", 0.1)],
    no_flink="it has no table function STACK",
)
program(
    "lateral_stack_fills_with_null",
    lambda t: t.left_bag.filter(col("x") == 2).flat_map(stack(2, col("x"), col("y"), None)),
    rows=[(2, "b"), (None, None)],
    no_flink="it has no table function STACK",
)
program(
    "lateral_json_tuple",
    lambda t: (
        t.env.from_elements([('{"a": 1, "b": {"c": 2}}',), ("{}",), (None,)], ["j"])
        .join_lateral(json_tuple(col("j"), "a", "b"))
        .select(col("c0"), col("c1"))
    ),
    rows=[("1", '{"c":2}'), (None, None), (None, None)],
    no_flink="it has no table function JSON_TUPLE",
)
program(
    "lateral_range",
    lambda t: t.left_bag.filter(col("x") < 3).join_lateral(call("range", 1, 3).alias("i"), col("i") >= col("x")),
    rows=[(1, "a", 1), (1, "a", 1), (1, "a", 2), (1, "a", 2), (2, "b", 2)],
    no_flink="it has no table function RANGE",
)

# --- predicates, and subsequent operations ----------------------------------------------------------------------------

program(
    "lateral_with_predicate",
    lambda t: t.products.join_lateral(
        explode(col("tags")).alias("tag"), (col("tag") != "fine") & (col("product") != "pad")
    ).select(col("product"), col("tag")),
    rows=[("pen", "blue")],
)
program(
    "lateral_left_outer_with_predicate",
    lambda t: t.products.left_outer_join_lateral(
        explode(col("tags")).alias("tag"), col("tag") == scalar(t.products.select(lit("a5").max))
    ).select(col("product"), col("tag")),
    rows=[("pen", None), ("ink", None), ("pad", "a5"), ("cap", None)],
    no_flink="it plans no lateral join with a predicate",
)
program(
    "lateral_then_aggregate",
    lambda t: (
        t.products.join_lateral(explode(col("attributes")).alias("k", "v"))
        .group_by(col("k"))
        .select(col("k"), col("product").count.alias("n"), col("v").sum.alias("s"))
    ),
    rows=[("stock", 2, 10), ("min", 1, 2)],
)
program(
    "lateral_after_aggregate",
    lambda t: (
        t.lines.group_by(col("line_order"))
        .select(col("line_order"), col("quantity").max.alias("most"), col("quantity").min.alias("least"))
        .join_lateral(explode(array(col("most"), col("least"))).alias("n"))
        .filter(col("n") > 2)
        .select(col("line_order"), col("n"))
    ),
    rows=[(100, 3), (102, 10), (102, 10)],
)
program(
    "lateral_flat_map",
    lambda t: t.products.flat_map(explode(col("tags"))),
    rows=[("blue",), ("fine",), (None,), ("a5",)],
    dataframe=lambda d: d.products.select(f.explode("tags").alias("col")),
)
program(
    "lateral_flat_map_under_the_name_of_a_column",
    lambda t: t.products.flat_map(explode(col("tags")).alias("TAGS")).filter(col("tags").is_not_null),
    rows=[("blue",), ("fine",), ("a5",)],
)
program(
    "lateral_with_hostile_names",
    lambda t: (
        t.left_bag.filter(col("x") == 2)
        .select(row(array(col("x")).alias("x"), lit(9).alias("n")).alias("lateral"), array(7, 8).alias("LATERAL_"))
        .join_lateral(explode(col("lateral").get("x")).alias("x y"), col("lateral").get("n") > col("x y"))
        .join_lateral(explode(col("lateral_")).alias("n"))
        .select(col("x y"), col("n"))
    ),
    rows=[(2, 7), (2, 8)],
    no_flink="its UNNEST does not find fields of a row",
)
program(
    "lateral_in_a_subquery",
    lambda t: t.lines.filter(
        col("sku").in_(
            t.products.join_lateral(explode(col("tags")).alias("tag"))
            .filter(col("tag").is_not_null & (col("product") == t.lines.outer("sku")))
            .select(col("product"))
        )
    ).select(col("line_order"), col("sku")),
    rows=[(100, "pen"), (101, "pen"), (102, "pad"), (102, "pen")],
    no_flink="it does not plan a correlated subquery with a lateral join in it",
)

# --- queries ----------------------------------------------------------------------------------------------------------

program(
    "lateral_query",
    lambda t: t.orders.join_lateral(
        t.lines.filter(col("line_order") == t.orders.outer("order_id"))
        .order_by(col("quantity").desc)
        .fetch(1)
        .select(col("sku"), col("quantity"))
    ).select(col("order_id"), col("sku"), col("quantity")),
    rows=[(100, "pen", 3), (101, "pen", 2), (102, "pad", 10)],
    no_flink="its answers to correlated queries of a lateral join are not reliable",
)
program(
    "lateral_query_left_outer_with_predicate",
    lambda t: t.orders.left_outer_join_lateral(
        t.lines.filter(col("line_order") == t.orders.outer("order_id")).select(
            col("quantity").sum.alias("q"), lit(1).count.alias("n")
        ),
        (col("n") > 0) & (col("amount") < 50),
    ).select(col("order_id"), col("q"), col("n")),
    rows=[(100, 4, 2), (101, 2, 1), (102, None, None), (103, None, None), (104, None, None), (105, None, None)],
    no_flink="its answers to correlated queries of a lateral join are not reliable",
)
program(
    "lateral_query_of_the_row_alone",
    lambda t: t.lines.filter(col("line_order") == 100).join_lateral(
        t.left_bag.filter(col("y").is_not_null & (col("x") < t.lines.outer("quantity"))).select(
            (col("x") + t.lines.outer("quantity")).alias("s"), col("y")
        )
    ),
    rows=[(100, "pen", 3, 4, "a"), (100, "pen", 3, 4, "a"), (100, "pen", 3, 5, "b")],
    no_flink="its answers to correlated queries of a lateral join are not reliable",
)

# --- rows as columns --------------------------------------------------------------------------------------------------

program(
    "flatten",
    lambda t: t.products.filter(col("product") == "pen").select(
        col("product"), col("size").flatten, row(1, "a").flatten, col("size").get("box").flatten
    ),
    rows=[("pen", 1, (0.5,), 1, "a", 0.5)],
)
program(
    "flatten_in_add_columns",
    lambda t: (
        t.products.select(col("product"), col("size"), col("price"))
        .add_columns(col("size").flatten)
        .select(col("product"), if_then_else(col("size$width") > 1, D("1.0"), D("2.0")).alias("w"), col("size$box"))
    ),
    rows=[("pen", D("2.0"), (0.5,)), ("ink", D("1.0"), (None,)), ("pad", D("1.0"), None), ("cap", D("2.0"), None)],
)
program(
    "lateral_variant",
    lambda t: (
        t.env.from_elements([('[1, "x"]',), ("3",)], ["j"])
        .join_lateral(variant_explode(call("parse_json", col("j"))))
        .select(col("pos"), col("key"), call("to_json", col("value")).alias("v"))
    ),
    rows=[(0, None, "1"), (1, None, '"x"')],
    no_flink="it has no table function VARIANT_EXPLODE",
)
