"""Programs with grouping sets, aggregate filters, pivot, unpivot, column selection, samples and hints."""

from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi.expressions import call, col, concat, grouping_id, lit, range_, row, with_columns, without_columns
from tests.programs.program import program

# --- conditions on aggregates -----------------------------------------------------------------------------------------

program(
    "aggregate_where",
    lambda t: t.lines.group_by(col("sku")).select(
        col("sku"),
        col("quantity").sum.where(col("quantity") > 2).alias("large"),
        col("*").count.where(col("quantity").is_null).alias("unknown"),
        col("*").count.alias("all"),
    ),
    rows=[("pen", 3, 1, 3), ("ink", None, 0, 1), ("pad", 10, 0, 1), ("cap", None, 0, 1)],
    dataframe=lambda d: d.lines.groupBy("sku").agg(
        f.expr("sum(quantity) filter (where quantity > 2)"),
        f.expr("count(1) filter (where quantity is null)"),
        f.count("*"),
    ),
)
program(
    "aggregate_where_distinct",
    lambda t: t.lines.select(
        col("sku").count.distinct.where(col("quantity") >= 2).alias("d"),
        col("quantity").sum0.where(col("sku") == "nothing").alias("z"),
        (col("quantity").max.where(col("sku") == "pen") - col("quantity").min).alias("span"),
    ),
    rows=[(2, 0, 2)],
)
program(
    "aggregate_where_over_no_rows",
    lambda t: t.nothing.select(col("a").count.where(col("b") == "x"), col("a").sum.where(col("b") == "x")),
    rows=[(0, None)],
)

# --- equal keys -------------------------------------------------------------------------------------------------------

program(
    "keys_in_expressions_and_having",
    lambda t: (
        t.lines.group_by(col("sku").upper_case.alias("upper"))
        .select(
            concat(col("upper"), "!").alias("name"),
            col("quantity").sum.alias("s"),
            (col("quantity").sum * col("quantity").sum).alias("square"),
        )
        .filter(col("name") != "CAP!")
    ),
    rows=[("PEN!", 5, 25), ("INK!", 1, 1), ("PAD!", 10, 100)],
)
program(
    "key_beside_one_that_holds_it",
    lambda t: t.left_bag.group_by((col("x") + 1).alias("next"), col("x")).select(
        (col("x") + 1 + 2).alias("p"), (col("next") + 2).alias("q"), lit(1).count.alias("n")
    ),
    rows=[(4, 4, 2), (5, 5, 1), (6, 6, 1), (None, None, 1)],
)
program(
    "equal_keys_with_and_without_an_alias",
    lambda t: t.left_bag.group_by(col("y"), col("y").alias("again"), col("Y").alias("third")).select(
        col("y"), col("again"), col("third"), lit(1).count.alias("n")
    ),
    rows=[("a", "a", "a", 2), ("b", "b", "b", 1), (None, None, None, 2)],
)
program(
    "equal_keys_of_which_the_first_has_an_alias",
    lambda t: t.left_bag.group_by(col("x").alias("n"), col("x")).select(col("x"), col("n"), (col("x") + 1).alias("m")),
    rows=[(1, 1, 2), (2, 2, 3), (3, 3, 4), (None, None, None)],
)

# --- grouping sets ----------------------------------------------------------------------------------------------------

program(
    "rollup",
    lambda t: t.customers.rollup(col("city"), col("gender")).select(
        col("city"),
        col("gender"),
        col("*").count.alias("n"),
        col("gender").grouping.alias("g"),
        grouping_id().alias("i"),
    ),
    rows=[
        ("Berlin", "f", 2, 0, 0),
        ("Paris", "m", 1, 0, 0),
        ("Paris", None, 1, 0, 0),
        (None, "f", 1, 0, 0),
        ("Berlin", None, 2, 1, 1),
        ("Paris", None, 2, 1, 1),
        (None, None, 1, 1, 1),
        (None, None, 5, 1, 3),
    ],
    dataframe=lambda d: d.customers.rollup("city", "gender").agg(f.count("*"), f.grouping("gender"), f.grouping_id()),
)
program(
    "cube_with_expression",
    lambda t: (
        t.lines.filter(col("quantity").is_not_null)
        .cube((col("quantity") % 2).alias("odd"), col("line_order"))
        .select(col("odd"), col("line_order"), col("quantity").sum.alias("s"), col("odd").grouping.alias("g"))
        .filter((col("g") == 1) | (col("odd") == 0))
    ),
    rows=[
        (0, 101, 2, 0),
        (0, 102, 10, 0),
        (0, None, 12, 0),
        (None, 100, 4, 1),
        (None, 101, 2, 1),
        (None, 102, 10, 1),
        (None, 999, 1, 1),
        (None, None, 17, 1),
    ],
)
program(
    "grouping_sets",
    lambda t: t.customers.grouping_sets([col("city"), col("gender")], [col("gender")], []).select(
        col("gender"), col("city"), col("id").max.alias("m"), grouping_id().alias("i")
    ),
    rows=[
        ("f", "Berlin", 5, 0),
        ("m", "Paris", 2, 0),
        (None, "Paris", 3, 0),
        ("f", None, 4, 0),
        ("f", None, 5, 2),
        ("m", None, 2, 2),
        (None, None, 3, 2),
        (None, None, 5, 3),
    ],
    dataframe=lambda d: (
        d.customers.groupingSets([["city", "gender"], ["gender"], []], "city", "gender")
        .agg(f.max("id"), f.grouping_id())
        .select("gender", "city", "max(id)", "grouping_id()")
    ),
)
program(
    "grouping_set_alone_twice",
    lambda t: (
        t.lines.grouping_sets([col("sku")], [col("sku")])
        .select(col("sku"), col("quantity").sum.alias("s"))
        .filter(col("s") > 4)
    ),
    rows=[("pen", 5), ("pen", 5), ("pad", 10), ("pad", 10)],
)
program(
    "rollup_over_no_rows",
    lambda t: t.nothing.rollup(col("a")).select(col("a"), col("b").count.alias("n")),
    rows=[],
    dataframe=lambda d: d.nothing.rollup("a").agg(f.count("b")),
)
program(
    "rollup_of_rollup",
    lambda t: (
        t.lines.rollup(col("sku"))
        .select(col("sku"), col("quantity").sum.alias("s"))
        .rollup(col("s"))
        .select(col("s"), col("sku").count.alias("n"))
    ),
    # Sums: pen 5, ink 1, pad 10, cap 1, all 17.
    rows=[(5, 1), (1, 2), (10, 1), (17, 0), (None, 4)],
)
program(
    "cube_of_key_that_is_aggregated",
    lambda t: t.left_bag.cube(col("x")).select(col("x"), col("x").sum.alias("s"), (col("x").grouping + 1).alias("g")),
    rows=[(1, 2, 1), (2, 2, 1), (3, 3, 1), (None, None, 1), (None, 7, 2)],
)

# --- pivot ------------------------------------------------------------------------------------------------------------

program(
    "pivot",
    lambda t: t.orders.group_by(col("customer_id")).pivot(col("status"), ["paid", "open"]).select(col("amount").sum),
    rows=[(1, D("20.00"), D("5.50")), (2, D("99.99"), None), (3, None, None), (None, None, None), (9, D("0.00"), None)],
    dataframe=lambda d: (
        d.orders.select("customer_id", "status", "amount")
        .groupBy("customer_id")
        .pivot("status", ["paid", "open"])
        .sum("amount")
    ),
)
program(
    "pivot_several_aggregates",
    lambda t: (
        t.orders.group_by(col("customer_id").is_null.alias("anonymous"))
        .pivot(col("status"), {"p": "paid", "none": None})
        .select(col("amount").max.alias("most"), col("*").count.alias("n"))
    ),
    rows=[(False, D("99.99"), 3, None, None), (True, None, None, D("-1.25"), 1)],
)
program(
    "pivot_two_columns",
    lambda t: (
        t.customers.group_by()
        .pivot([col("city"), col("gender")], {"b f": ("Berlin", "f"), "p": ("Paris", None)})
        .select(col("id").sum + 1)
    ),
    rows=[(7, 4)],
)
program(
    "pivot_key_that_is_aggregated",
    lambda t: t.left_bag.group_by(col("x")).pivot(col("x") == 1, {"yes": True, "no": False}).select(col("x").sum),
    rows=[(1, 2, None), (2, None, 2), (3, None, 3), (None, None, None)],
)
program(
    "pivot_text",
    lambda t: (
        t.customers.group_by(col("gender"))
        .pivot(col("city"), ["Berlin", "Paris"])
        .select(col("name").max.alias("last"), col("name").count.alias("n"))
    ),
    # Beside a string aggregate, Spark returns the count 0 instead of NULL for a cell without rows.
    rows=[("f", "Di", 2, None, 0), ("m", None, 0, "Bo", 1), (None, None, 0, "Cy", 1)],
)
program(
    "pivot_over_no_rows",
    lambda t: t.nothing.group_by(col("a")).pivot(col("b"), ["x"]).select(col("a").count),
    rows=[],
)
program(
    "pivot_of_pivot",
    lambda t: (
        t.orders.group_by(col("customer_id"), col("status"))
        .pivot(col("amount") > 6, {"high": True})
        .select(col("*").count)
        .group_by(col("status"))
        .pivot(col("customer_id"), {"one": 1, "two": 2})
        .select(col("high").sum)
    ),
    rows=[("paid", 1, 1), ("open", None, None), ("lost", None, None), (None, None, None)],
)

# --- unpivot ----------------------------------------------------------------------------------------------------------

program(
    "unpivot",
    lambda t: t.customers.filter(col("id") > 3).unpivot([col("id")], [col("name"), col("city")], "what", "value"),
    rows=[(4, "name", None), (4, "city", None), (5, "name", "Di"), (5, "city", "Berlin")],
    dataframe=lambda d: d.customers.filter("id > 3").unpivot(["id"], ["name", "city"], "what", "value"),
)
program(
    "unpivot_without_nulls",
    lambda t: t.customers.unpivot([], [col("name"), col("gender")], "what", "value", include_nulls=False),
    rows=[
        ("name", "Ada"),
        ("gender", "f"),
        ("name", "Bo"),
        ("gender", "m"),
        ("name", "Cy"),
        ("gender", "f"),
        ("name", "Di"),
        ("gender", "f"),
    ],
)
program(
    "unpivot_widens",
    lambda t: t.readings.filter(col("n") == 1).unpivot(
        [col("n")], [col("tiny"), col("big"), col("level")], "name", "value"
    ),
    rows=[(1, "tiny", 1.0), (1, "big", 100.0), (1, "level", 2.25)],
    dataframe=lambda d: d.readings.filter("n = 1").unpivot(["n"], ["tiny", "big", "level"], "name", "value"),
)
program(
    "unpivot_equal_names",
    lambda t: t.customers.filter(col("id") < 3).unpivot(
        [col("id")], [("name", col("name")), ("where", col("city")), ("where", [col("street")])], "kind", "value"
    ),
    rows=[
        (1, "name", "Ada"),
        (1, "where", "Berlin"),
        (1, "where", "Lime St 1"),
        (2, "name", "Bo"),
        (2, "where", "Paris"),
        (2, "where", "Oak Rd 2"),
    ],
)
program(
    "unpivot_several_columns",
    lambda t: t.customers.filter(col("id") < 4).unpivot(
        [col("id")],
        {"who's": [col("name"), col("gender")], "where": [col("city"), col("street")]},
        "kind of",
        ["first", "second"],
        include_nulls=False,
    ),
    rows=[
        (1, "who's", "Ada", "f"),
        (1, "where", "Berlin", "Lime St 1"),
        (2, "who's", "Bo", "m"),
        (2, "where", "Paris", "Oak Rd 2"),
        (3, "who's", "Cy", None),
        (3, "where", "Paris", None),
    ],
)
program(
    "unpivot_one_column",
    lambda t: t.left_bag.filter(col("x") > 1).unpivot(None, [col("y")], "n`m", "v.v"),
    rows=[(2, "y", "b"), (3, "y", None)],
)
program(
    "unpivot_without_nulls_to_hostile_names",
    lambda t: t.left_bag.filter(col("x").is_null | (col("x") > 1)).unpivot(
        None, {"x's": [col("x"), col("y")]}, "EXPR$0", ["a`b", "c d.e"], include_nulls=False
    ),
    rows=[("x's", 2, "b"), ("x's", 3, None)],
)
program(
    "unpivot_without_nulls_to_a_hostile_name",
    lambda t: t.left_bag.unpivot([col("x")], [col("y")], "EXPR$0", "EXPR$1", include_nulls=False),
    rows=[(1, "y", "a"), (1, "y", "a"), (2, "y", "b")],
    dataframe=lambda d: d.left_bag.unpivot(["x"], ["y"], "EXPR$0", "EXPR$1").filter("`EXPR$1` IS NOT NULL"),
)
program(
    "pivot_then_unpivot",
    lambda t: (
        t.lines.group_by(col("line_order"))
        .pivot(col("sku"), ["pen", "ink"])
        .select(col("quantity").sum)
        .unpivot([col("line_order")], None, "sku", "total", include_nulls=False)
    ),
    rows=[(100, "pen", 3), (100, "ink", 1), (101, "pen", 2)],
)

# --- choices of columns -----------------------------------------------------------------------------------------------

program(
    "with_columns",
    lambda t: t.customers.filter(col("id") == 1).select(with_columns(range_("NAME", "has_newsletter"), 1), lit(0)),
    rows=[("Ada", "f", True, 1, 0)],
    dataframe=lambda d: d.customers.filter("id = 1").select("name", "gender", "has_newsletter", "id", f.lit(0)),
)
program(
    "without_columns",
    lambda t: t.customers.filter(col("id") == 2).select(without_columns(range_(3, 7), "id")),
    rows=[("Bo", "Paris")],
    dataframe=lambda d: d.customers.filter("id = 2").select("name", "city"),
)
program(
    "columns_as_arguments",
    lambda t: t.left_bag.filter(col("x") == 2).select(call("concat", with_columns("y", "y")), row(1, 2).alias("r")),
    rows=[("bb", (1, 2))],
)
program(
    "columns_of_groups",
    lambda t: t.lines.group_by(with_columns("sku")).select(with_columns(col("sku")), col("quantity").max),
    rows=[("pen", 3), ("ink", 1), ("pad", 10), ("cap", 1)],
    dataframe=lambda d: d.lines.groupBy("sku").agg(f.max("quantity")),
)
program(
    "order_by_columns",
    lambda t: t.left_bag.order_by(with_columns(range_(1, 2))),
    rows=[(None, None), (1, "a"), (1, "a"), (2, "b"), (3, None)],
    ordered=True,
    dataframe=lambda d: d.left_bag.orderBy("x", "y"),
)
program(
    "order_of_groups_by_a_column_left_out",
    lambda t: (
        t.left_bag.group_by(col("y"))
        .select(col("y"), col("x").sum.alias("total"), (col("x").sum + 1).alias("more"))
        .order_by(col("more").desc, col("y"))
        .select(col("y"), col("total"))
    ),
    rows=[(None, 3), ("a", 2), ("b", 2)],
    ordered=True,
)
program(
    "order_by_a_column_left_out_of_columns_kept",
    lambda t: (
        t.left_bag.select(col("x"), col("y"), (col("x") * -1).alias("less"))
        .order_by(col("less"), col("y"))
        .select(col("x"), col("y"))
    ),
    rows=[(None, None), (3, None), (2, "b"), (1, "a"), (1, "a")],
    ordered=True,
)
program(
    "order_by_a_column_kept_and_one_left_out",
    lambda t: (
        t.left_bag.select(col("x").alias("n"), col("y").char_length.alias("size"))
        .order_by((col("n") + col("size")).desc, col("n"))
        .select(col("n"))
    ),
    rows=[(2,), (1,), (1,), (None,), (3,)],
    ordered=True,
)
program(
    "map_to_row",
    lambda t: t.left_bag.filter(col("x") == 2).map(row((col("x") + 1).alias("next"), col("y"))),
    rows=[(3, "b")],
    dataframe=lambda d: d.left_bag.filter("x = 2").select(f.expr("x + 1"), f.col("y").alias("f1")),
)
program(
    "map_to_column_of_rows",
    lambda t: t.products.map(col("size")),
    rows=[(1, (0.5,)), (2, (None,)), (3, None), (None, None)],
    dataframe=lambda d: d.products.select("size.width", "size.box"),
)
program(
    "aggregate_then_select",
    lambda t: (
        t.lines.group_by(col("sku"))
        .aggregate(col("quantity").sum.alias("s"))
        .select(concat(col("sku"), "!"), col("s") * 2)
    ),
    rows=[("pen!", 10), ("ink!", 2), ("pad!", 20), ("cap!", 2)],
)
program(
    "aggregate_all_then_select",
    lambda t: t.nothing.aggregate(col("a").count.alias("n")).select(col("n") + 1),
    rows=[(1,)],
)

# --- samples and hints ------------------------------------------------------------------------------------------------

program(
    "sample_of_everything",
    lambda t: t.left_bag.sample(1.0, seed=7).select(col("x").count),
    rows=[(4,)],
    no_flink="A sample has no text in Flink's SQL",
)
program(
    "sample_of_nothing",
    lambda t: t.left_bag.sample(0),
    rows=[],
    no_flink="A sample has no text in Flink's SQL",
)
program(
    "hint_broadcast",
    lambda t: t.orders.join(t.customers.hint("broadcast"), col("customer_id") == col("id")).select(
        col("order_id"), col("name")
    ),
    rows=[(100, "Ada"), (101, "Ada"), (102, "Bo"), (103, "Cy")],
    dataframe=lambda d: d.orders.join(d.customers.hint("broadcast"), f.expr("customer_id = id")).select(
        "order_id", "name"
    ),
    no_flink="The hint BROADCAST has no text in Flink's SQL",
)
program(
    "hint_below_computed_columns",
    lambda t: t.orders.join(
        t.customers.hint("broadcast").filter(col("id") > 1).select(col("id"), col("name").upper_case.alias("shouted")),
        col("customer_id") == col("id"),
    ).select(col("order_id"), col("shouted")),
    rows=[(102, "BO"), (103, "CY")],
    dataframe=lambda d: d.orders.join(
        d.customers.hint("broadcast").filter("id > 1").selectExpr("id", "upper(name) AS shouted"),
        f.expr("customer_id = id"),
    ).select("order_id", "shouted"),
    no_flink="The hint BROADCAST has no text in Flink's SQL",
)
program(
    "hint_repartition",
    lambda t: t.lines.hint("REPARTITION", 3, col("SKU")).hint("coalesce", 1).filter(col("quantity") > 5),
    rows=[(102, "pad", 10)],
    dataframe=lambda d: d.lines.repartition(3, "sku").hint("coalesce", 1).filter("quantity > 5"),
    no_flink="The hint COALESCE has no text in Flink's SQL",
)
program(
    "hint_rebalance",
    lambda t: t.left_bag.hint("rebalance").hint("repartition_by_range", col("x")).distinct(),
    rows=[(1, "a"), (2, "b"), (3, None), (None, None)],
    no_flink="The hint REPARTITION_BY_RANGE has no text in Flink's SQL",
)
