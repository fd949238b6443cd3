# ruff: noqa: E501  # sentences are not broken into lines
"""Pairs of queries that differ in expressions, or in the names and types of columns."""

from __future__ import annotations

from tableapi import DataTypes
from tableapi.expressions import coalesce, col, exists, if_then_else, lit
from tableapi.window import Over, Tumble
from tests.query_diff_pairs.pair import pair, said

pair(
    "conj",
    lambda t: t.orders.filter((col("amount") > 10) & (col("status") == "paid")),
    lambda t: t.orders.filter((col("amount") > 20) & col("discount").is_not_null),
    said("""
In the condition of the filter, `status` = 'paid' was removed.
In the condition of the filter, `discount` IS NOT NULL was added.
In the condition of the filter, `amount` > 10 became `amount` > 20.
The columns of the result are the same.
"""),
)

pair(
    "group",
    lambda t: t.orders.group_by(col("customer_id")).select(col("customer_id"), col("amount").sum.alias("total")),
    lambda t: (
        t.orders.group_by(col("customer_id"), col("status"))
        .select(col("customer_id"), col("status"), lit(1).count.alias("orders"), (col("amount") * 2).sum.alias("total"))
        .order_by(col("total").desc)
        .fetch(10)
    ),
    said("""
In the aggregation, the group key `status` was added.
In the column `total` of the aggregation, SUM(`amount`) became SUM(`amount` * 2).
In the aggregation, the column `orders` was added: COUNT(1) AS `orders`.
A sort was added: by `total` DESC, at most 10 rows.
In the result:
  the type of the column `total` became DECIMAL(22, 2), it was DECIMAL(20, 2)
  the column `status` was added, STRING
  the column `orders` was added, BIGINT NOT NULL
Readers of the old columns would notice.
"""),
    said("""
+ Sort: (order: [desc(total)], fetch: [10])
~     Aggregate: the group key `status` was added; in the column `total`, SUM(`amount`) became SUM(`amount` * 2); the column `orders` was added: COUNT(1) AS `orders`
          CatalogTable: [orders]
"""),
)

pair(
    "renamed",
    lambda t: (
        t.orders.select(col("order_id"), col("amount").alias("price")).filter(col("price") > 10).order_by(col("price"))
    ),
    lambda t: (
        t.orders.select(col("order_id"), col("amount").alias("cost"))
        .filter(col("cost") > 10)
        .order_by(col("cost").desc)
    ),
    said("""
In the projection, the column `price` was renamed to `cost`.
In the keys of the sort, `price` became `cost` DESC.
In the result:
  the column `price` was renamed to `cost`
Readers of the old columns would notice.
"""),
    said("""
~ Sort: in the keys, `price` became `cost` DESC
      Filter: (condition: [greaterThan(cost, 10)])
~         Project: the column `price` was renamed to `cost`
              CatalogTable: [orders]
"""),
)

pair(
    "exists",
    lambda t: t.customers.filter(
        exists(t.orders.filter((col("customer_id") == t.customers.outer("id")) & (col("amount") > 10)))
    ),
    lambda t: t.customers.filter(
        exists(t.orders.filter((col("customer_id") == t.customers.outer("id")) & (col("amount") > 20)))
    ),
    said("""
In the subquery of the filter, in the condition of the filter, `amount` > 10 became `amount` > 20.
The columns of the result are the same.
"""),
    said("""
  Filter: (condition: [exists(query)])
      CatalogTable: [customers]
      query:
~         Filter: in the condition, `amount` > 10 became `amount` > 20
              CatalogTable: [orders]
"""),
)

pair(
    "window",
    lambda t: (
        t.events.window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
        .group_by(col("w"), col("k"))
        .select(col("k"), col("w").start.alias("s"), col("v").sum.alias("v"))
    ),
    lambda t: (
        t.events.window(Tumble.over(lit(20).minutes).on(col("ts")).alias("w"))
        .group_by(col("w"), col("k"))
        .select(col("k"), col("w").start.alias("s"), col("v").sum.alias("v"))
    ),
    said("""
In the group key `w` of the aggregation, WINDOW(`ts`, '10 minutes') became WINDOW(`ts`, '20 minutes').
The columns of the result are the same.
"""),
)

pair(
    "in",
    lambda t: t.orders.filter(col("status").in_("paid", "open")),
    lambda t: t.orders.filter(col("status").in_("paid", "lost", "new")),
    said("""
In the values for `status` in the condition of the filter, 'open' was removed.
In the values for `status` in the condition of the filter, 'lost', 'new' were added.
The columns of the result are the same.
"""),
)

pair(
    "or",
    lambda t: t.orders.filter((col("status") == "paid") | (col("amount") > 1)),
    lambda t: t.orders.filter((col("status") == "paid") | (col("amount") > 2) | col("discount").is_null),
    said("""
In the alternatives in the condition of the filter, `discount` IS NULL was added.
In the condition of the filter, `amount` > 1 became `amount` > 2.
The columns of the result are the same.
"""),
)

pair(
    "cast",
    lambda t: t.orders.select(col("order_id").cast(DataTypes.INT())),
    lambda t: t.orders.select(col("order_id").cast(DataTypes.STRING())),
    said("""
In the projection, the column `order_id-INT` was removed: CAST(`order_id` AS INT) AS `order_id-INT`.
In the projection, the column `order_id-STRING` was added: CAST(`order_id` AS STRING) AS `order_id-STRING`.
In the result:
  the column `order_id-INT` was removed
  the column `order_id-STRING` was added, STRING
Readers of the old columns would notice.
"""),
)

pair(
    "case",
    lambda t: t.orders.select(if_then_else(col("amount") > 1, "a", "b").alias("c")),
    lambda t: t.orders.select(if_then_else(col("amount") > 2, "a", "c").alias("c")),
    said("""
In the column `c` of the projection, CASE WHEN `amount` > 1 THEN 'a' ELSE 'b' END became CASE WHEN `amount` > 2 THEN 'a' ELSE 'c' END.
The columns of the result are the same.
"""),
)

pair(
    "reorder",
    lambda t: t.left_bag.select(col("x"), (col("x") + 1).alias("z"), col("y")),
    lambda t: t.left_bag.select(col("y"), (col("x") + 1).alias("Z"), col("x")),
    said("""
In the projection, the column `z` was renamed to `Z`.
In the projection, the order of the columns became `y`, `Z`, `x`.
In the result:
  the column `z` was renamed to `Z`
  the order of the columns became `y`, `Z`, `x`
Readers that name the old columns would not notice.
"""),
)

pair(
    "condition removed",
    lambda t: t.lines.filter(col("quantity") > 1).select(col("sku")),
    lambda t: t.lines.select(col("sku")),
    said("""
A filter was removed: `quantity` > 1.
The columns of the result are the same.
"""),
)

pair(
    "over",
    lambda t: t.lines.over_window(Over.partition_by(col("sku")).order_by(col("quantity")).alias("w")).select(
        col("sku"), col("quantity").sum.over(col("w")).alias("s")
    ),
    lambda t: t.lines.over_window(Over.partition_by(col("line_order")).order_by(col("quantity")).alias("w")).select(
        col("sku"), col("quantity").sum.over(col("w")).alias("s")
    ),
    said("""
In the column `s` of the projection, SUM(`quantity`) OVER (PARTITION BY `sku` ORDER BY `quantity`) became SUM(`quantity`) OVER (PARTITION BY `line_order` ORDER BY `quantity`).
The columns of the result are the same.
"""),
)

pair(
    "hostile",
    lambda t: t.left_bag.select(col("x").alias("a`b"), col("y").alias("c d")).filter(col("a`b") > 1),
    lambda t: t.left_bag.select(col("x").alias("a`b"), col("y").alias("C D")).filter(col("a`b") > 2),
    said("""
In the projection, the column `c d` was renamed to `C D`.
In the condition of the filter, `a``b` > 1 became `a``b` > 2.
In the result:
  the column `c d` was renamed to `C D`
Readers that name the old columns would not notice.
"""),
)

pair(
    "null literal",
    lambda t: t.orders.filter(col("status").is_null),
    lambda t: t.orders.filter(col("status").is_not_null),
    said("""
In the condition of the filter, `status` IS NULL became `status` IS NOT NULL.
The columns of the result are the same.
"""),
)

pair(
    "agg distinct",
    lambda t: t.orders.select(col("status").count.alias("n")),
    lambda t: t.orders.select(col("status").count.distinct.alias("n")),
    said("""
In the column `n` of the aggregation, COUNT(`status`) became COUNT(DISTINCT `status`).
The columns of the result are the same.
"""),
)

pair(
    "agg where",
    lambda t: t.orders.select(col("status").count.alias("n")),
    lambda t: t.orders.select(col("status").count.where(col("amount") > 1).alias("n")),
    said("""
In the column `n` of the aggregation, COUNT(`status`) became COUNT(`status`) FILTER (WHERE `amount` > 1).
The columns of the result are the same.
"""),
)

pair(
    "names swapped",
    lambda t: t.left_bag.select(col("x").alias("p"), (col("x") + 1).alias("q")).filter(col("p") > 1),
    lambda t: t.left_bag.select(col("x").alias("q"), (col("x") + 1).alias("p")).filter(col("p") > 1),
    said("""
In the column `q` of the projection, `x` + 1 became `x`.
In the column `p` of the projection, `x` became `x` + 1.
In the projection, the order of the columns became `q`, `p`.
In the result:
  the order of the columns became `q`, `p`
Readers that name the old columns would not notice.
"""),
)

pair(
    "conditions in another order",
    lambda t: t.lines.filter((col("quantity") > 1) & (col("sku") == "pen")),
    lambda t: t.lines.filter((col("sku") == "pen") & (col("quantity") > 1)),
    said("""
In the condition of the filter, the order became `sku` = 'pen', `quantity` > 1.
The columns of the result are the same.
"""),
)

pair(
    "keys in another order",
    lambda t: t.lines.order_by(col("sku"), col("quantity")),
    lambda t: t.lines.order_by(col("quantity"), col("sku")),
    said("""
In the keys of the sort, the order became `quantity`, `sku`.
The columns of the result are the same.
"""),
)

pair(
    "nullability",
    lambda t: t.lines.select(coalesce(col("quantity"), 0).alias("q")),
    lambda t: t.lines.select(col("quantity").alias("q")),
    said("""
In the column `q` of the projection, COALESCE(`quantity`, 0) became `quantity`.
In the result:
  the column `q` may be NULL now
Readers of the old columns would notice.
"""),
)

pair(
    "names that nobody chose",
    lambda t: t.lines.group_by(col("sku")).select(col("sku"), col("quantity").sum, col("quantity").sum),
    lambda t: t.lines.group_by(col("sku")).select(
        col("sku"), lit(1).count, (col("quantity") * 2).sum, (col("quantity") * 3).sum
    ),
    said("""
In the aggregation, SUM(`quantity`) became SUM(`quantity` * 2).
In the aggregation, COUNT(1) was added.
In the aggregation, SUM(`quantity` * 3) was added.
A projection was removed: `sku`, `EXPR$0`, `EXPR$0` AS `_c2`.
In the result:
  the column `EXPR$0` is never NULL now
  the column `_c2` was renamed to `EXPR$1`
  the column `EXPR$2` was added, BIGINT
Readers of the old columns would notice.
"""),
)

pair(
    "a name for what had none",
    lambda t: t.lines.select(col("quantity") + 1),
    lambda t: t.lines.select((col("quantity") + 1).alias("more")),
    said("""
In the projection, the column `_c0` was renamed to `more`.
In the result:
  the column `_c0` was renamed to `more`
Readers of the old columns would notice.
"""),
)

pair(
    "a constant column",
    lambda t: t.lines.select(col("sku"), lit(1).alias("n")),
    lambda t: t.lines.select(col("sku"), lit("x").alias("n")),
    said("""
In the column `n` of the projection, 1 became 'x'.
In the result:
  the type of the column `n` became STRING NOT NULL, it was INT NOT NULL
Readers of the old columns would notice.
"""),
)
