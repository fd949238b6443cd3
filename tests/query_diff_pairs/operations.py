# sentences are not broken into lines
"""Pairs of queries that differ in their operations, or in the places of operations."""

from __future__ import annotations

from tableapi import DataTypes
from tableapi.expressions import call, col
from tests.query_diff_pairs.pair import pair, said

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
    "deep",
    lambda t: t.orders.filter((col("amount") * 2 + 1) / 2 > 10),
    lambda t: t.orders.filter((col("amount") * 3 + 1) / 2 > 10),
    said("""
In the condition of the filter, `amount` * 2 became `amount` * 3.
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
    exact=True,
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
    exact=True,
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
    exact=True,
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
In the rows that are written out, the type of the column `n` became BIGINT NOT NULL, it was INT NOT NULL.
In the rows that are written out, the row (2, 'b') was removed.
In the rows that are written out, the row (3L, 'b') was added.
In the result:
  the type of the column `n` became BIGINT NOT NULL, it was INT NOT NULL
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
    "program",
    lambda t: t.env.sql_query("SELECT TRANSFORM(x) USING 'cat' AS (a INT) FROM left_bag"),
    lambda t: t.env.sql_query("SELECT TRANSFORM(x) USING 'tac' AS (a BIGINT) FROM left_bag"),
    said("""
In the program, the command cat became tac.
In the program, the types INT became BIGINT.
In the result:
  the type of the column `a` became BIGINT, it was INT
Readers of the old columns would notice.
"""),
    said("""
~ Script: the command cat became tac; the types INT became BIGINT
      Project: (projections: [x])
          CatalogTable: [left_bag]
"""),
)

pair(
    "nearest",
    lambda t: t.env.sql_query("SELECT l.x FROM left_bag l JOIN right_bag r EXACT NEAREST 1 BY DISTANCE l.x - r.x"),
    lambda t: t.env.sql_query("SELECT l.x FROM left_bag l JOIN right_bag r APPROX NEAREST 2 BY SIMILARITY l.x"),
    said("""
In the join with the nearest rows, the clause EXACT NEAREST 1 BY DISTANCE became APPROX NEAREST 2 BY SIMILARITY.
In the ranking of the join with the nearest rows, `x` - `r_x` became `x`.
The columns of the result are the same.
"""),
)
