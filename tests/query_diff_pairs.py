# ruff: noqa: E501  # sentences are not broken into lines
"""Pairs of queries, and what is said of the second as a successor of the first."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from tableapi import DataTypes, Table
from tableapi.expressions import call, coalesce, col, exists, if_then_else, lit
from tableapi.window import Over, Tumble
from tests.programs.tables import Tables

Build = Callable[[Tables], Table]


@attrs.frozen
class Pair:
    """Two queries, what is said of them and, where it is given, the tree; tables without catalog and columns."""

    old: Build
    new: Build
    text: str
    tree: str | None = None


PAIRS: dict[str, Pair] = {}


def pair(name: str, old: Build, new: Build, text: str, tree: str | None = None) -> None:
    """Register a pair."""
    assert name not in PAIRS, name
    PAIRS[name] = Pair(old, new, text, tree)


def said(text: str) -> str:
    """Return a text without the line breaks around it."""
    return text.strip("\n")


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
    "join",
    lambda t: t.customers.join(t.orders, col("id") == col("customer_id")).select(col("name"), col("amount")),
    lambda t: t.customers.left_outer_join(
        t.orders.filter(col("status") == "paid"), (col("id") == col("customer_id")) & (col("amount") > 0)
    ).select(col("name"), col("amount")),
    said("""
On the right side of the join, a filter was added: `status` = 'paid'.
In the join, the type INNER became LEFT OUTER.
In the condition of the join, `amount` > 0 was added.
The columns of the result are the same.
"""),
    said("""
  Project: (projections: [name, amount])
~     Join: the type INNER became LEFT OUTER; in the condition, `amount` > 0 was added
          CatalogTable: [customers]
+         Filter: (condition: [equals(status, 'paid')])
              CatalogTable: [orders]
"""),
)

pair(
    "join inserted",
    lambda t: t.orders.filter(col("amount") > 0).select(col("order_id"), col("amount")),
    lambda t: (
        t.orders.filter(col("amount") > 0)
        .join(t.customers.filter(col("city") == "Paris"), col("customer_id") == col("id"))
        .select(col("order_id"), col("amount"), col("name"))
    ),
    said("""
A join was added: INNER JOIN a query of `customers` ON `customer_id` = `id`.
In the projection, the column `name` was added.
In the result:
  the column `name` was added, STRING
Readers that name the old columns would not notice.
"""),
    said("""
~ Project: the column `name` was added
+     Join: (joinType: [INNER], condition: [equals(customer_id, id)])
          Filter: (condition: [greaterThan(amount, 0)])
              CatalogTable: [orders]
+         Filter: (condition: [equals(city, 'Paris')])
+             CatalogTable: [customers]
"""),
)

pair(
    "swapped",
    lambda t: t.customers.join(t.orders, col("id") == col("customer_id")).select(col("name"), col("amount")),
    lambda t: (
        t.orders.filter(col("status") == "paid")
        .join(t.customers, col("id") == col("customer_id"))
        .select(col("name"), col("amount"))
    ),
    said("""
On the left side of the join, a filter was added: `status` = 'paid'.
In the join, the two sides were swapped.
The columns of the result are the same.
"""),
    said("""
  Project: (projections: [name, amount])
~     Join: the two sides were swapped
+         Filter: (condition: [equals(status, 'paid')])
              CatalogTable: [orders]
          CatalogTable: [customers]
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
    "setop",
    lambda t: t.left_bag.union_all(t.right_bag),
    lambda t: t.left_bag.union(t.right_bag.filter(col("x") > 1)),
    said("""
On the right side of the union, a filter was added: `x` > 1.
In the union, the operator UNION ALL became UNION.
The columns of the result are the same.
"""),
    said("""
~ SetOperation: the operator UNION ALL became UNION
      CatalogTable: [left_bag]
+     Filter: (condition: [greaterThan(x, 1)])
          CatalogTable: [right_bag]
"""),
)

pair(
    "setop2",
    lambda t: t.left_bag.intersect(t.right_bag),
    lambda t: t.left_bag.union(t.right_bag),
    said("""
In the intersection, the operator INTERSECT became UNION.
The columns of the result are the same.
"""),
)

pair(
    "sort",
    lambda t: t.lines.order_by(col("sku"), col("quantity")).fetch(5),
    lambda t: t.lines.order_by(col("quantity"), col("sku").desc).offset(2).fetch(7),
    said("""
In the keys of the sort, `sku` became `sku` DESC.
In the sort, the limit 5 became 7.
In the sort, the offset 2 was added.
The columns of the result are the same.
"""),
)

pair(
    "values",
    lambda t: t.env.from_elements([(1, "a"), (2, "b")], ["n", "s"]),
    lambda t: t.env.from_elements([(1, "a"), (3, "c"), (4, "d")], ["n", "t"]),
    said("""
In the rows that are written out, the column `s` was renamed to `t`.
In the rows that are written out, the row (2, 'b') was removed.
In the rows that are written out, 2 rows were added: (3, 'c'), (4, 'd').
In the result:
  the column `s` was renamed to `t`
Readers of the old columns would notice.
"""),
)

pair(
    "values/table",
    lambda t: t.left_bag,
    lambda t: t.env.from_elements([(1, "a"), (2, "b")], ["x", "y"]),
    said("""
The table `left_bag` became rows that are written out.
In the result:
  the column `x` is never NULL now
  the column `y` is never NULL now
Readers that name the old columns would not notice.
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
    "pivot",
    lambda t: t.orders.group_by(col("customer_id")).pivot(col("status"), ["paid"]).select(col("amount").sum),
    lambda t: t.orders.group_by(col("customer_id")).pivot(col("status"), ["paid", "open"]).select(col("amount").max),
    said("""
In the pivot, the values 'paid' AS `paid` became 'paid' AS `paid`, 'open' AS `open`.
In the pivot, SUM(`amount`) became MAX(`amount`).
In the result:
  the type of the column `paid` became DECIMAL(10, 2), it was DECIMAL(20, 2)
  the column `open` was added, DECIMAL(10, 2)
Readers of the old columns would notice.
"""),
)

pair(
    "rollup",
    lambda t: t.orders.group_by(col("status"), col("customer_id")).select(
        col("status"), col("customer_id"), col("amount").sum.alias("s")
    ),
    lambda t: t.orders.rollup(col("status"), col("customer_id")).select(
        col("status"), col("customer_id"), col("amount").sum.alias("s")
    ),
    said("""
In the aggregation, the grouping by (`status`, `customer_id`), (`status`), () was added.
The columns of the result are the same.
"""),
)

pair(
    "sample hint",
    lambda t: t.orders.sample(0.1).hint("broadcast"),
    lambda t: t.orders.sample(0.2, 5).hint("merge"),
    said("""
In the sample, the percent 10 became 20.
In the sample, the seed 5 was added.
In the hint, the name BROADCAST became MERGE.
The columns of the result are the same.
"""),
)

pair(
    "partitions",
    lambda t: t.orders.distribute_by(col("status")).sort_within_partitions(col("order_id"), col("status")),
    lambda t: t.orders.distribute_by(col("status"), col("order_id") % 2).sort_within_partitions(col("order_id").desc),
    said("""
In the distribution, the keys (`status`) became (`status`, `order_id` % 2).
In the keys of the sort within partitions, `order_id` became `order_id` DESC.
In the keys of the sort within partitions, `status` was removed.
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
    "two sides",
    lambda t: t.left_bag.select(col("x")).union_all(t.left_bag.select(col("x"))),
    lambda t: (
        t.left_bag.filter(col("x") > 1).select(col("x")).union_all(t.left_bag.filter(col("x") > 1).select(col("x")))
    ),
    said("""
A filter was added: `x` > 1.
The columns of the result are the same.
"""),
    said("""
  SetOperation: (type: [UNION ALL])
      Project: (projections: [x])
+         Filter: (condition: [greaterThan(x, 1)])
              CatalogTable: [left_bag]
      Project: (as above)
"""),
)

pair(
    "join became right",
    lambda t: t.orders.filter(col("amount") > 0),
    lambda t: (
        t.customers.select(col("id"))
        .join(t.orders.filter(col("amount") > 0), col("id") == col("customer_id"))
        .select(col("order_id"), col("customer_id"), col("ordered_at"), col("amount"), col("discount"), col("status"))
    ),
    said("""
A join was added: INNER JOIN a query of `customers` ON `id` = `customer_id`.
A projection was added: `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`.
The columns of the result are the same.
"""),
    said("""
+ Project: (projections: [order_id, customer_id, ordered_at, amount, discount, status])
+     Join: (joinType: [INNER], condition: [equals(id, customer_id)])
+         Project: (projections: [id])
+             CatalogTable: [customers]
          Filter: (condition: [greaterThan(amount, 0)])
              CatalogTable: [orders]
"""),
)

pair(
    "lateral",
    lambda t: t.products.join_lateral(call("explode", col("tags")).alias("tag")).select(col("product"), col("tag")),
    lambda t: t.products.left_outer_join_lateral(call("explode", col("tags")).alias("label")).select(
        col("product"), col("label")
    ),
    said("""
In the right side of the lateral join, EXPLODE(`tags`) became EXPLODE_OUTER(`tags`).
In the lateral join, the names `tag` became `label`.
In the result:
  the column `tag` was renamed to `label`
Readers of the old columns would notice.
"""),
)

pair(
    "everything",
    lambda t: t.left_bag,
    lambda t: t.lines.group_by(col("sku")).select(col("sku"), col("quantity").sum.alias("q")),
    said("""
The table `left_bag` became the table `lines`.
An aggregation was added: SUM(`quantity`) AS `q` by `sku`.
In the result:
  the column `x` was removed
  the column `y` was removed
  the column `sku` was added, STRING
  the column `q` was added, BIGINT
Readers of the old columns would notice.
"""),
    said("""
+ Aggregate: (group: [sku], agg: [as(sum(quantity), q)])
~     CatalogTable: the table `left_bag` became the table `lines`
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
    "deep",
    lambda t: t.orders.filter((col("amount") * 2 + 1) / 2 > 10),
    lambda t: t.orders.filter((col("amount") * 3 + 1) / 2 > 10),
    said("""
In the condition of the filter, `amount` * 2 became `amount` * 3.
The columns of the result are the same.
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
    "distinct",
    lambda t: t.orders.select(col("status")).distinct(),
    lambda t: t.orders.group_by(col("status")).select(col("status")),
    said("""
An aggregation was added: by `status`.
A projection was removed: `status`.
A removal of duplicates was removed.
The columns of the result are the same.
"""),
    said("""
- Distinct: ()
-     Project: (projections: [status])
+         Aggregate: (group: [status], agg: [])
              CatalogTable: [orders]
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
    "rename through join",
    lambda t: (
        t.customers.select(col("id"), col("name"))
        .join(t.orders, col("id") == col("customer_id"))
        .filter(col("name") == "Ada")
        .select(col("name"), col("amount"))
    ),
    lambda t: (
        t.customers.select(col("id"), col("name").alias("who"))
        .join(t.orders, col("id") == col("customer_id"))
        .filter(col("who") == "Ada")
        .select(col("who").alias("name"), col("amount"))
    ),
    said("""
In the projection, the column `name` was renamed to `who`.
The columns of the result are the same.
"""),
    said("""
  Project: (projections: [as(who, name), amount])
      Filter: (condition: [equals(who, 'Ada')])
          Join: (joinType: [INNER], condition: [equals(id, customer_id)])
~             Project: the column `name` was renamed to `who`
                  CatalogTable: [customers]
              CatalogTable: [orders]
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
    "every detail of a lateral join",
    lambda t: t.customers.join_lateral(
        t.orders.filter(col("customer_id") == t.customers.outer("id")).select(col("amount"))
    ),
    lambda t: t.customers.left_outer_join_lateral(
        t.orders.filter(col("customer_id") == t.customers.outer("id")).select(col("amount"), col("status"))
    ),
    said("""
In the subquery of the lateral join, in the projection, the column `status` was added.
In the lateral join, the type INNER became LEFT OUTER.
In the result:
  the column `status` was added, STRING
Readers that name the old columns would not notice.
"""),
)

pair(
    "unpivot",
    lambda t: t.readings.select(col("n"), col("tiny"), col("small")).unpivot(
        [col("n")], [col("tiny"), col("small")], "k", "v"
    ),
    lambda t: t.readings.select(col("n"), col("tiny"), col("small"), col("big")).unpivot(
        [col("n")], [col("tiny"), col("small"), col("big")], "k", "v"
    ),
    said("""
In the projection, the column `big` was added.
In the unpivot, the groups (`tiny`, `small`) became (`tiny`, `small`, `big`).
In the unpivot, the labels tiny, small became tiny, small, big.
In the result:
  the type of the column `v` became BIGINT, it was SMALLINT
Readers of the old columns would notice.
"""),
)

pair(
    "a subquery goes",
    lambda t: t.customers.filter(col("id").in_(t.orders.select(col("customer_id")))),
    lambda t: t.customers.filter(col("id") > 1),
    said("""
In the condition of the filter, in(id, query) became `id` > 1.
The columns of the result are the same.
"""),
    said("""
~ Filter: in the condition, in(id, query) became `id` > 1
      CatalogTable: [customers]
-     query:
-         Project: (projections: [customer_id])
-             CatalogTable: [orders]
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
    "moved",
    lambda t: t.orders.filter(col("status") == "paid").select(col("status"), col("amount")),
    lambda t: t.orders.select(col("status"), col("amount")).filter(col("status") == "paid"),
    said("""
A filter was moved to after the projection: `status` = 'paid'.
The columns of the result are the same.
"""),
    said("""
+ Filter: (condition: [equals(status, 'paid')])
      Project: (projections: [status, amount])
-         Filter: (condition: [equals(status, 'paid')])
              CatalogTable: [orders]
"""),
)

pair(
    "moved among others",
    lambda t: (
        t.orders.select(col("status"), col("amount"), col("discount"))
        .distinct()
        .filter(col("status") == "paid")
        .order_by(col("amount"))
    ),
    lambda t: (
        t.orders.filter(col("status") == "paid")
        .select(col("status"), col("amount"), col("discount"))
        .distinct()
        .order_by(col("amount"))
    ),
    said("""
A filter was moved to after the table `orders`: `status` = 'paid'.
The columns of the result are the same.
"""),
    said("""
  Sort: (order: [asc(amount)])
-     Filter: (condition: [equals(status, 'paid')])
          Distinct: ()
              Project: (projections: [status, amount, discount])
+                 Filter: (condition: [equals(status, 'paid')])
                      CatalogTable: [orders]
"""),
)

pair(
    "other types of rows",
    lambda t: t.env.from_elements(
        [(1, "a"), (2, "b")],
        DataTypes.ROW([DataTypes.FIELD("n", DataTypes.INT()), DataTypes.FIELD("s", DataTypes.STRING())]),
    ),
    lambda t: t.env.from_elements(
        [(1, "a"), (3, "b")],
        DataTypes.ROW([DataTypes.FIELD("n", DataTypes.BIGINT()), DataTypes.FIELD("s", DataTypes.STRING())]),
    ),
    said("""
In the rows that are written out, the type of the column `n` became BIGINT, it was INT.
In the rows that are written out, the row (2, 'b') was removed.
In the rows that are written out, the row (3L, 'b') was added.
In the result:
  the type of the column `n` became BIGINT, it was INT
Readers of the old columns would notice.
"""),
)

pair(
    "all of it on the right",
    lambda t: t.left_bag.filter(col("x") > 1),
    lambda t: t.left_bag.union_all(t.left_bag.filter(col("x") > 1)),
    said("""
A union was added: UNION ALL `left_bag`.
The columns of the result are the same.
"""),
    said("""
+ SetOperation: (type: [UNION ALL])
+     CatalogTable: [left_bag]
      Filter: (condition: [greaterThan(x, 1)])
          CatalogTable: [left_bag]
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
