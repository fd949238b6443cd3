"""Programs with window functions, and with operations on their results."""

from __future__ import annotations

from decimal import Decimal as D
from typing import TYPE_CHECKING

from pyspark.sql import Window as W
from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import (
    UNBOUNDED_ROW,
    col,
    cume_dist,
    dense_rank,
    lag,
    lead,
    ntile,
    null_of,
    percent_rank,
    rank,
    row_interval,
    row_number,
)
from tableapi.window import Over
from tests.programs.program import program

if TYPE_CHECKING:
    pass

_BY_ID = Over.order_by(col("order_id"))
_BY_ORDER = Over.order_by(col("line_order"))

# --- window functions ------------------------------------------------------------------------------------------------

program(
    "ranks",
    lambda t: t.left_bag.select(
        col("x"),
        rank().over(Over.order_by(col("x"))).alias("r"),
        dense_rank().over(Over.order_by(col("x"))).alias("d"),
        percent_rank().over(Over.order_by(col("x"))).alias("p"),
        ntile(2).over(Over.order_by(col("x"))).alias("n"),
    ),
    rows=[
        (None, 1, 1, 0.0, 1),
        (1, 2, 2, 0.25, 1),
        (1, 2, 2, 0.25, 1),
        (2, 4, 3, 0.75, 2),
        (3, 5, 4, 1.0, 2),
    ],
    dataframe=lambda d: d.left_bag.select(
        "x",
        f.rank().over(W.orderBy("x")).alias("r"),
        f.dense_rank().over(W.orderBy("x")).alias("d"),
        f.percent_rank().over(W.orderBy("x")).alias("p"),
        f.ntile(2).over(W.orderBy("x")).alias("n"),
    ),
)

program(
    "cumulative_distribution",
    lambda t: t.left_bag.select(col("x"), cume_dist().over(Over.order_by(col("x"))).alias("share")),
    rows=[(None, 0.2), (1, 0.6), (1, 0.6), (2, 0.8), (3, 1.0)],
    no_flink="its CUME_DIST differs between rows with equal sort keys",
    dataframe=lambda d: d.left_bag.select("x", f.cume_dist().over(W.orderBy("x")).alias("share")),
)

program(
    "lag_and_lead",
    lambda t: t.orders.select(
        col("order_id"),
        col("amount").lag().over(_BY_ID).alias("before"),
        col("amount").lag(2).over(_BY_ID).alias("before_that"),
        lead(col("amount"), 1, 0).over(_BY_ID).alias("after"),
        lag(col("status"), 1, "none").over(_BY_ID).alias("status_before"),
        col("order_id").lead(1, col("customer_id")).over(_BY_ID).alias("next"),
    ),
    rows=[
        (100, None, None, D("5.50"), "none", 101),
        (101, D("20.00"), None, D("99.99"), "paid", 102),
        (102, D("5.50"), D("20.00"), None, "open", 103),
        (103, D("99.99"), D("5.50"), D("-1.25"), "paid", 104),
        (104, None, D("99.99"), D("0.00"), "lost", 105),
        (105, D("-1.25"), None, D("0.00"), None, 9),
    ],
    dataframe=lambda d: d.orders.selectExpr(
        "order_id",
        "LAG(amount) OVER (ORDER BY order_id) AS before",
        "LAG(amount, 2) OVER (ORDER BY order_id) AS before_that",
        "LEAD(amount, 1, 0) OVER (ORDER BY order_id) AS after",
        "LAG(status, 1, 'none') OVER (ORDER BY order_id) AS status_before",
        "LEAD(order_id, 1, customer_id) OVER (ORDER BY order_id) AS next",
    ),
)
program(
    "lag_backwards_and_by_nothing",
    lambda t: t.orders.filter(col("order_id") <= 102).select(
        col("order_id"),
        col("order_id").lag(-1).over(_BY_ID).alias("after"),
        col("amount").lag(0).over(_BY_ID).alias("own"),
        col("discount").lag(1, null_of(DataTypes.DOUBLE())).over(_BY_ID).alias("before"),
    ),
    rows=[(100, 101, D("20.00"), None), (101, 102, D("5.50"), 0.1), (102, None, D("99.99"), None)],
    dataframe=lambda d: d.orders.filter("order_id <= 102").selectExpr(
        "order_id",
        "LAG(order_id, -1) OVER (ORDER BY order_id) AS after",
        "LAG(amount, 0) OVER (ORDER BY order_id) AS own",
        "LAG(discount, 1, CAST(NULL AS DOUBLE)) OVER (ORDER BY order_id) AS before",
    ),
)

program(
    "first_last_and_nth_value",
    lambda t: t.orders.select(
        col("order_id"),
        col("amount").first_value.over(_BY_ID).alias("first"),
        col("status").last_value.over(_BY_ID).alias("last"),
        col("amount").nth_value(2).over(_BY_ID.preceding(UNBOUNDED_ROW).following(UNBOUNDED_ROW)).alias("second"),
    ),
    rows=[
        (100, D("20.00"), "paid", D("5.50")),
        (101, D("20.00"), "open", D("5.50")),
        (102, D("20.00"), "paid", D("5.50")),
        (103, D("20.00"), "lost", D("5.50")),
        (104, D("20.00"), None, D("5.50")),
        (105, D("20.00"), "paid", D("5.50")),
    ],
    no_flink="its FIRST_VALUE passes over NULL; with ignore_nulls it does in Spark, too",
    dataframe=lambda d: d.orders.select(
        "order_id",
        f.first("amount").over(W.orderBy("order_id")).alias("first"),
        f.last("status").over(W.orderBy("order_id")).alias("last"),
        f.nth_value("amount", 2)
        .over(W.orderBy("order_id").rowsBetween(W.unboundedPreceding, W.unboundedFollowing))
        .alias("second"),
    ),
)

program(
    "values_that_pass_over_null",
    lambda t: t.orders.select(
        col("order_id"),
        col("amount").last_value.ignore_nulls.over(_BY_ID).alias("last"),
        col("status").first_value.ignore_nulls.over(Over.order_by(col("order_id").desc)).alias("first"),
    ),
    rows=[
        (100, D("20.00"), "paid"),
        (101, D("5.50"), "paid"),
        (102, D("99.99"), "paid"),
        (103, D("99.99"), "paid"),
        (104, D("-1.25"), "paid"),
        (105, D("0.00"), "paid"),
    ],
    dataframe=lambda d: d.orders.select(
        "order_id",
        f.last("amount", ignorenulls=True).over(W.orderBy("order_id")).alias("last"),
        f.first("status", ignorenulls=True).over(W.orderBy(f.desc("order_id"))).alias("first"),
    ),
)

program(
    "neighbours_that_pass_over_null",
    lambda t: t.orders.select(
        col("order_id"),
        col("amount").lag(1).ignore_nulls.over(_BY_ID).alias("before"),
        col("discount").nth_value(2).ignore_nulls.over(_BY_ID).alias("second"),
    ),
    rows=[
        (100, None, None),
        (101, D("20.00"), None),
        (102, D("5.50"), 0.0),
        (103, D("99.99"), 0.0),
        (104, D("99.99"), 0.0),
        (105, D("-1.25"), 0.0),
    ],
    no_flink="its LAG does not pass over NULL",
    dataframe=lambda d: d.orders.selectExpr(
        "order_id",
        "LAG(amount, 1) IGNORE NULLS OVER (ORDER BY order_id) AS before",
        "NTH_VALUE(discount, 2) IGNORE NULLS OVER (ORDER BY order_id) AS second",
    ),
)

program(
    "aggregates_over_a_window",
    lambda t: t.lines.filter(col("sku") == "pen").select(
        col("line_order"),
        col("quantity").avg.over(_BY_ORDER).alias("mean"),
        col("quantity").min.over(_BY_ORDER).alias("least"),
        col("quantity").sum0.over(_BY_ORDER.preceding(row_interval(-1)).following(UNBOUNDED_ROW)).alias("later"),
        col("quantity").stddev_pop.over(_BY_ORDER).alias("spread"),
    ),
    rows=[(100, 3.0, 3, 2, 0.0), (101, 2.5, 2, 0, 0.5), (102, 2.5, 2, 0, 0.5)],
    dataframe=lambda d: d.lines.filter("sku = 'pen'").selectExpr(
        "line_order",
        "AVG(quantity) OVER (ORDER BY line_order) AS mean",
        "MIN(quantity) OVER (ORDER BY line_order) AS least",
        "COALESCE(SUM(quantity) OVER (ORDER BY line_order ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0)"
        " AS later",
        "STDDEV_POP(quantity) OVER (ORDER BY line_order) AS spread",
    ),
)

program(
    "aggregates_with_a_condition_over_a_window",
    lambda t: t.orders.select(
        col("order_id"),
        col("amount").sum.where(col("status") == "paid").over(_BY_ID).alias("paid"),
        col("status").last_value.ignore_nulls.where(col("order_id") != 103).over(_BY_ID).alias("status"),
    ),
    rows=[
        (100, D("20.00"), "paid"),
        (101, D("20.00"), "open"),
        (102, D("119.99"), "paid"),
        (103, D("119.99"), "paid"),
        (104, D("119.99"), "paid"),
        (105, D("119.99"), "paid"),
    ],
    no_flink="an aggregate over a window has no condition there",
    dataframe=lambda d: d.orders.selectExpr(
        "order_id",
        "SUM(amount) FILTER (WHERE status = 'paid') OVER (ORDER BY order_id) AS paid",
        "LAST_VALUE(status) FILTER (WHERE order_id != 103) IGNORE NULLS OVER (ORDER BY order_id) AS status",
    ),
)

program(
    "rank_of_subtotals",
    lambda t: t.lines.rollup(col("sku")).select(
        col("sku"),
        rank().over(Over.partition_by(col("sku").grouping).order_by(col("quantity").sum.desc)).alias("place"),
    ),
    rows=[("pad", 1), ("pen", 2), ("ink", 3), ("cap", 3), (None, 1)],
)

program(
    "lists_over_a_window",
    lambda t: t.lines.filter(col("sku") == "pen").select(
        col("line_order"), col("quantity").array_agg.over(_BY_ORDER), col("sku").list_agg("+").over(_BY_ORDER)
    ),
    rows=[(100, [3], "pen"), (101, [3, 2], "pen+pen"), (102, [3, 2], "pen+pen+pen")],
    no_flink="its ARRAY_AGG keeps NULL",
    dataframe=lambda d: d.lines.filter("sku = 'pen'").selectExpr(
        "line_order",
        "ARRAY_AGG(quantity) OVER (ORDER BY line_order) AS _c1",
        "LISTAGG(sku, '+') OVER (ORDER BY line_order) AS _c2",
    ),
)

# --- operations on their results -------------------------------------------------------------------------------------

program(
    "filter_on_a_window",
    lambda t: t.orders.filter(
        row_number().over(Over.partition_by(col("status")).order_by(col("order_id").desc)) == 1
    ).select(col("status"), col("order_id")),
    rows=[("paid", 105), ("open", 101), ("lost", 103), (None, 104)],
    dataframe=lambda d: (
        d.orders.withColumn("n", f.row_number().over(W.partitionBy("status").orderBy(f.desc("order_id"))))
        .filter("n = 1")
        .select("status", "order_id")
    ),
)

program(
    "filter_on_two_windows_and_a_column",
    lambda t: t.lines.filter(
        (rank().over(Over.order_by(col("quantity").desc)) <= 3)
        & (col("quantity") < col("quantity").max.over(Over.partition_by()))
        & (col("sku") != "cap")
    ),
    rows=[(100, "pen", 3), (101, "pen", 2)],
    dataframe=lambda d: (
        d.lines.withColumn("r", f.rank().over(W.orderBy(f.desc("quantity"))))
        .withColumn("m", f.max("quantity").over(W.partitionBy()))
        .filter("r <= 3 AND quantity < m AND sku != 'cap'")
        .drop("r", "m")
    ),
)

program(
    "filter_on_a_window_twice",
    lambda t: (
        t.lines.filter(row_number().over(Over.order_by(col("line_order"), col("sku"))) > 1)
        .filter(row_number().over(Over.order_by(col("line_order"), col("sku"))) > 1)
        .select(col("line_order").alias("EXPR$0"), col("sku"))
        .filter(rank().over(Over.order_by(col("EXPR$0").desc)) == 1)
    ),
    rows=[(999, "cap")],
)

program(
    "add_a_column_over_a_window",
    lambda t: t.left_bag.add_columns(
        (col("x") - col("x").lag(1, 0).over(Over.order_by(col("x"), col("y")))).alias("step")
    ),
    rows=[(None, None, None), (1, "a", None), (1, "a", 0), (2, "b", 1), (3, None, 1)],
    dataframe=lambda d: d.left_bag.withColumn("step", f.expr("x - LAG(x, 1, 0) OVER (ORDER BY x, y)")),
)

program(
    "order_by_a_window",
    lambda t: (
        t.lines.filter(col("sku") != "pen")
        .add_columns(row_number().over(Over.order_by(col("quantity").desc, col("sku"))).alias("place"))
        .order_by(col("place"))
    ),
    rows=[(102, "pad", 10, 1), (999, "cap", 1, 2), (100, "ink", 1, 3)],
    ordered=True,
    dataframe=lambda d: (
        d.lines.filter("sku != 'pen'")
        .withColumn("place", f.row_number().over(W.orderBy(f.desc("quantity"), "sku")))
        .orderBy("place")
    ),
)

program(
    "over_groups",
    lambda t: t.lines.group_by(col("sku")).select(
        col("sku"),
        col("quantity").sum.alias("total"),
        rank().over(Over.order_by(col("quantity").sum.desc)).alias("place"),
        col("quantity").sum.sum.over(Over.partition_by()).alias("everything"),
    ),
    rows=[("pad", 10, 1, 17), ("pen", 5, 2, 17), ("ink", 1, 3, 17), ("cap", 1, 3, 17)],
    dataframe=lambda d: (
        d.lines.groupBy("sku")
        .agg(f.sum("quantity").alias("total"))
        .select(
            "sku",
            "total",
            f.rank().over(W.orderBy(f.desc("total"))).alias("place"),
            f.sum("total").over(W.partitionBy()).alias("everything"),
        )
    ),
)

program(
    "over_the_only_group",
    lambda t: t.nothing.select(
        col("a").count.sum.over(Over.partition_by()), col("a").max.count.over(Over.partition_by())
    ),
    rows=[(0, 0)],
)

program(
    "aggregate_of_a_window",
    lambda t: (
        t.orders.select(col("status"), rank().over(Over.order_by(col("amount"))).alias("place"))
        .group_by(col("status"))
        .select(col("status"), col("place").max)
    ),
    # The order by amount: NULL (lost), -1.25 (none), 0.00 (paid), 5.50 (open), 20.00 (paid), 99.99 (paid).
    rows=[("lost", 1), (None, 2), ("open", 4), ("paid", 6)],
    dataframe=lambda d: (
        d.orders.select("status", f.rank().over(W.orderBy("amount")).alias("place"))
        .groupBy("status")
        .agg(f.max("place").alias("EXPR$0"))
    ),
)

program(
    "a_window_over_a_window",
    lambda t: t.left_bag.select(col("x"), row_number().over(Over.order_by(col("x"), col("y"))).alias("n")).select(
        col("x"), col("n").sum.over(Over.partition_by(col("x"))).alias("s")
    ),
    rows=[(None, 1), (1, 5), (1, 5), (2, 4), (3, 5)],
    dataframe=lambda d: d.left_bag.select("x", f.row_number().over(W.orderBy("x", "y")).alias("n")).select(
        "x", f.sum("n").over(W.partitionBy("x")).alias("s")
    ),
)

program(
    "over_nothing",
    lambda t: t.nothing.over_window(Over.partition_by(col("b")).order_by(col("a")).alias("w")).select(
        col("a").sum.over(col("w")), rank().over(col("w"))
    ),
    rows=[],
    dataframe=lambda d: d.nothing.select(
        f.sum("a").over(W.partitionBy("b").orderBy("a")).alias("_c0"),
        f.rank().over(W.partitionBy("b").orderBy("a")).alias("_c1"),
    ),
)

program(
    "over_hostile_names",
    lambda t: (
        t.lines.select(col("line_order").alias("window"), col("sku").alias("a`b.c"), col("quantity").alias("EXPR$0"))
        .over_window(Over.partition_by(col("a`b.c")).order_by(col("window").desc).alias("row"))
        .select(col("window"), col("EXPR$0").lag(1).over(col("ROW")).alias("order by"))
    ),
    rows=[(102, None), (101, None), (100, 2), (100, None), (102, None), (999, None)],
    dataframe=lambda d: d.lines.selectExpr(
        "line_order AS window", "sku AS `a``b.c`", "quantity AS `EXPR$0`"
    ).selectExpr("window", "LAG(`EXPR$0`, 1) OVER (PARTITION BY `a``b.c` ORDER BY window DESC) AS `order by`"),
)

program(
    "over_rows_of_rows",
    lambda t: t.products.select(
        col("product"),
        col("size").lag(1).over(Over.order_by(col("product"))).get("width").alias("before"),
        col("tags").first_value.ignore_nulls.over(Over.order_by(col("product").desc)).alias("tags"),
        row_number().over(Over.partition_by(col("size")).order_by(col("product"))).alias("n"),
    ),
    # The order: cap, ink, pad, pen. Only cap has neither size nor tags.
    rows=[
        ("cap", None, ["blue", "fine"], 1),
        ("ink", None, ["blue", "fine"], 1),
        ("pad", 2, ["blue", "fine"], 1),
        ("pen", 3, ["blue", "fine"], 1),
    ],
    no_flink="its LAG takes no ROW",
    dataframe=lambda d: d.products.selectExpr(
        "product",
        "(LAG(size, 1) OVER (ORDER BY product)).width AS before",
        "FIRST_VALUE(tags) IGNORE NULLS OVER (ORDER BY product DESC) AS tags",
        "ROW_NUMBER() OVER (PARTITION BY size ORDER BY product) AS n",
    ),
)
program(
    "rank_of_groups_whose_sets_are_chosen",
    lambda t: (
        t.left_bag.rollup(col("y"))
        .select(col("y"), col("x").sum.alias("total"), col("y").grouping.alias("g"))
        .filter(col("g") == 0)
        .select(col("y"), rank().over(Over.order_by(col("total"))).alias("r"))
    ),
    rows=[("a", 1), ("b", 1), (None, 3)],
    dataframe=lambda d: (
        d.left_bag.rollup("y")
        .agg(f.sum("x").alias("total"), f.grouping("y").alias("g"))
        .filter("g = 0")
        .select("y", f.rank().over(W.orderBy("total")))
    ),
)
program(
    "rank_of_groups_whose_keys_are_chosen",
    lambda t: (
        t.left_bag.rollup(col("y"))
        .select(col("y"), col("x").sum.alias("total"))
        .filter(col("y").is_not_null)
        .select(col("y"), rank().over(Over.order_by(col("total").desc)).alias("r"))
    ),
    rows=[("a", 1), ("b", 1)],
    dataframe=lambda d: (
        d.left_bag.rollup("y")
        .agg(f.sum("x").alias("total"))
        .filter("y IS NOT NULL")
        .select("y", f.rank().over(W.orderBy(f.desc("total"))))
    ),
)
