"""Programs with Flink functions that Spark lacks: multisets, URLs, JSON that must exist."""

from __future__ import annotations

from decimal import Decimal

from tableapi import DataTypes as T
from tableapi import JsonExistsOnError, JsonQueryOnEmptyOrError, JsonValueOnEmptyOrError
from tableapi.expressions import UNBOUNDED_ROW, array, call, col, lit, object_of
from tableapi.window import Over
from tests.programs.program import program

program(
    "collect_of_groups",
    lambda t: t.orders.group_by(col("customer_id")).select(
        col("customer_id"),
        col("status").collect.alias("statuses"),
        col("status").collect.where(col("amount") > 10).alias("large"),
        col("status").collect.distinct.cardinality.alias("kinds"),
    ),
    rows=[
        (1, {"paid": 1, "open": 1}, {"paid": 1}, 2),
        (2, {"paid": 1}, {"paid": 1}, 1),
        (3, {"lost": 1}, {}, 1),
        (None, {}, {}, 0),
        (9, {"paid": 1}, {}, 1),
    ],
    no_flink="Flink's result is a MULTISET",
)
program(
    "collect_of_all_and_of_none",
    lambda t: t.nothing.select(col("a").collect.alias("EXPR$0"), col("b").collect.alias("start")),
    rows=[({}, {})],
    no_flink="Flink's result is a MULTISET",
)
program(
    "collect_over_window",
    lambda t: (
        t.lines.over_window(
            Over.partition_by(col("line_order")).order_by(col("sku")).preceding(UNBOUNDED_ROW).alias("w")
        ).select(col("line_order"), col("sku"), col("quantity").collect.over(col("w")).map_keys.alias("so far"))
    ).filter(col("line_order") < 102),
    rows=[(100, "ink", [1]), (100, "pen", [1, 3]), (101, "pen", [2])],
    no_flink="Flink's result is a MULTISET",
)
program(
    "element_of_arrays",
    lambda t: t.orders.select(
        col("order_id"),
        array(col("status")).element.alias("element"),
        array(col("customer_id"), 7).array_slice(1, 1).element.alias("first"),
    ).filter(col("order_id") < 104),
    rows=[(100, "paid", 1), (101, "open", 1), (102, "paid", 2), (103, "lost", 3)],
)
program(
    "addresses",
    lambda t: t.orders.select(
        col("order_id").inet_ntoa.alias("address"),
        (-col("order_id")).inet_ntoa.alias("none"),
        col("status").inet_aton.alias("not one"),
        col("order_id").inet_ntoa.inet_aton.alias("again"),
    ).filter(col("address") == "0.0.0.100"),
    rows=[("0.0.0.100", None, None, 100)],
)
program(
    "json_quoted_names",
    lambda t: t.customers.select(
        col("name").json_quote().alias("name"), col("street").concat("/é\n").json_quote().json_unquote().alias("`")
    ),
    rows=[
        ('"Ada"', "Lime St 1/é\n"),
        ('"Bo"', "Oak Rd 2/é\n"),
        ('"Cy"', None),
        (None, "Elm Av 4/é\n"),
        ('"Di"', "Ash Ln 5/é\n"),
    ],
)
program(
    "json_that_must_be_there",
    lambda t: t.left_bag.select(
        lit('{"a": [1], "b": 2}').json_exists("$.a", JsonExistsOnError.ERROR).alias("e"),
        lit('{"a": [1], "b": 2}').json_value("$.b", T.INT(), on_error=JsonValueOnEmptyOrError.ERROR).alias("v"),
        lit('{"a": [1], "b": 2}').json_value("lax $.b", on_empty=JsonValueOnEmptyOrError.ERROR).alias("t"),
        lit('{"a": [1], "b": 2}').json_query("lax $.a", on_empty=JsonQueryOnEmptyOrError.ERROR).alias("q"),
    ).distinct(),
    rows=[(True, 2, "2", "[1]")],
)
program(
    "computed_constants",
    lambda t: t.orders.filter(col("order_id") == 102).select(
        col("amount").round(lit(2) - 1).alias("r"),
        call("from_json", lit('{"a": 1}'), call("schema_of_json", '{"a": 0}')).get("a").alias("a"),
    ),
    rows=[(Decimal("100.0"), 1)],
    no_flink="from_json",
)
program(
    "objects_updated",
    lambda t: t.products.select(
        col("size").object_update("width", col("size").get("width") + 10).alias("wider"),
        object_of("com.example.Product", "name", col("product"), "from", col("price"))
        .object_update("name", col("product").upper_case)
        .alias("class"),
    ).filter(col("class").get("name") != "INK"),
    rows=[
        ((11, (0.5,)), ("PEN", Decimal("2.50"))),
        ((13, None), ("PAD", None)),
        (None, ("CAP", Decimal("1.00"))),
    ],
)
