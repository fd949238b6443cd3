"""Programs with the relational operations: projection, filter, grouping, joins, set operations, order."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import col, concat, lit
from tests.programs.program import program

# --- the proposal's own example ---------------------------------------------------------------------------------------

program(
    "flip_393_customers",
    lambda t: (
        t.customers.filter(col("gender").is_not_null)
        .filter(col("has_newsletter") == True)  # noqa: E712  # an expression, not a truth
        .filter(col("date_of_birth") >= lit("1980-01-01").cast(DataTypes.DATE()))
        .select(col("name").upper_case, col("date_of_birth"))
    ),
    rows=[("ADA", dt.date(1985, 12, 10))],
    dataframe=lambda d: (
        d.customers.filter(f.col("gender").isNotNull())
        .filter(f.col("has_newsletter") == f.lit(True))
        .filter(f.col("date_of_birth") >= f.lit("1980-01-01").cast("date"))
        .select(f.upper("name").alias("_c0"), "date_of_birth")
    ),
)

# --- projection -------------------------------------------------------------------------------------------------------

program(
    "select_constants",
    lambda t: t.left_bag.select(lit(1), lit("x").alias("c")),
    rows=[(1, "x")] * 5,
    dataframe=lambda d: d.left_bag.select(f.lit(1).alias("_c0"), f.lit("x").alias("c")),
)
program(
    "select_star",
    lambda t: t.left_bag.select(col("*"), (col("x") + 1).alias("z")).filter(col("z") == 3),
    rows=[(2, "b", 3)],
)
program("select_finds_any_case", lambda t: t.left_bag.select(col("Y"), col("X")).filter(col("x") == 2), rows=[("b", 2)])
program(
    "generated_names",
    lambda t: t.left_bag.filter(col("x") == 2).select(col("x") + 1, col("x").cast(DataTypes.STRING()), col("x") * 2),
    rows=[(3, "2", 4)],
)
program(
    "generated_name_is_taken",
    lambda t: t.left_bag.filter(col("x") == 2).select(col("x") + 1, col("x").alias("_c0"), col("x").alias("_C2")),
    rows=[(3, 2, 2)],
)
program(
    "alias_renames_columns",
    lambda t: t.left_bag.alias("a b", "c`d").filter(col("a b") == 2).select(col("c`d"), col("a b")),
    rows=[("b", 2)],
)
program(
    "add_columns",
    lambda t: t.lines.filter(col("line_order") == 100).add_columns(concat(col("sku"), "-", col("quantity")).alias("k")),
    rows=[(100, "pen", 3, "pen-3"), (100, "ink", 1, "ink-1")],
    dataframe=lambda d: d.lines.filter("line_order = 100").withColumn("k", f.concat("sku", f.lit("-"), "quantity")),
)
program(
    "add_or_replace_columns",
    lambda t: t.left_bag.add_or_replace_columns(col("y").upper_case.alias("y"), (col("x") * 10).alias("ten")).filter(
        col("x") == 2
    ),
    rows=[(2, "B", 20)],
    dataframe=lambda d: d.left_bag.withColumns({"y": f.upper("y"), "ten": f.col("x") * 10}).filter("x = 2"),
)
program(
    "rename_columns",
    lambda t: t.left_bag.rename_columns(col("x").alias("select"), col("y").alias("order by")).filter(
        col("select") == 2
    ),
    rows=[(2, "b")],
    dataframe=lambda d: d.left_bag.withColumnsRenamed({"x": "select", "y": "order by"}).filter("`select` = 2"),
)
program(
    "drop_columns",
    lambda t: t.customers.drop_columns(
        col("gender"), col("street"), col("zip_code"), col("city"), col("date_of_birth"), col("has_newsletter")
    ).filter(col("id") < 3),
    rows=[(1, "Ada"), (2, "Bo")],
    dataframe=lambda d: d.customers.select("id", "name").filter("id < 3"),
)
program(
    "swap_names",
    lambda t: t.env.from_elements([(1, 2)], ["a", "b"]).select(col("a").alias("b"), col("b").alias("a")),
    rows=[(1, 2)],
)
program("twenty_projections", lambda t: _counted(t, 20), rows=[(20,)] * 5, dataframe=lambda d: _counted_frame(d, 20))


def _counted(t, times):  # type: ignore[no-untyped-def]
    table = t.left_bag.select(lit(0).alias("n"))
    for _ in range(times):
        table = table.select((col("n") + 1).alias("n"))
    return table


def _counted_frame(d, times):  # type: ignore[no-untyped-def]
    frame = d.left_bag.select(f.lit(0).alias("n"))
    for _ in range(times):
        frame = frame.select((f.col("n") + 1).alias("n"))
    return frame


# --- filter, distinct -------------------------------------------------------------------------------------------------

program(
    "filter_chain",
    lambda t: t.orders.where(col("order_id") > 100).where(col("order_id") < 104).select(col("order_id")),
    rows=[(101,), (102,), (103,)],
    dataframe=lambda d: d.orders.where("order_id > 100").where("order_id < 104").select("order_id"),
)
program(
    "filter_drops_unknown",
    lambda t: t.orders.filter(col("discount") < 0.3).select(col("order_id")),
    rows=[(100,), (102,), (103,)],
    dataframe=lambda d: d.orders.filter(f.col("discount") < 0.3).select("order_id"),
)
program(
    "filter_constant_false",
    lambda t: t.left_bag.filter(lit(1) > lit(2)),
    rows=[],
    dataframe=lambda d: d.left_bag.filter("1 > 2"),
)
program(
    "distinct_rows",
    lambda t: t.left_bag.distinct(),
    rows=[(1, "a"), (2, "b"), (3, None), (None, None)],
    dataframe=lambda d: d.left_bag.distinct(),
)
program(
    "distinct_column_then_filter",
    lambda t: t.orders.select(col("status")).distinct().filter(col("status").is_not_null),
    rows=[("paid",), ("open",), ("lost",)],
    dataframe=lambda d: d.orders.select("status").distinct().filter("status is not null"),
)

# --- grouping ---------------------------------------------------------------------------------------------------------

program(
    "group_by_column",
    lambda t: t.orders.group_by(col("status")).select(
        col("status"), col("amount").sum.alias("total"), lit(1).count.alias("orders")
    ),
    rows=[("paid", D("119.99"), 3), ("open", D("5.50"), 1), ("lost", None, 1), (None, D("-1.25"), 1)],
    dataframe=lambda d: d.orders.groupBy("status").agg(
        f.sum("amount").alias("total"), f.count(f.lit(1)).alias("orders")
    ),
)
program(
    "group_by_expression_with_alias",
    lambda t: t.lines.group_by((col("line_order") % 2).alias("odd")).select(col("odd"), col("quantity").sum.alias("q")),
    rows=[(0, 14), (1, 3)],
    dataframe=lambda d: d.lines.groupBy((f.col("line_order") % 2).alias("odd")).agg(f.sum("quantity").alias("q")),
)
program(
    "group_by_expression_without_alias",
    lambda t: t.lines.group_by(col("sku").upper_case).select(col("sku").upper_case, col("quantity").max),
    rows=[("PEN", 3), ("INK", 1), ("PAD", 10), ("CAP", 1)],
    dataframe=lambda d: d.lines.groupBy(f.upper("sku")).agg(f.max("quantity")),
)
program(
    "group_alias_shadows_column",
    lambda t: t.lines.group_by(col("sku").substring(1, 1).alias("sku")).select(col("sku"), col("sku").count.alias("n")),
    rows=[("p", 4), ("i", 1), ("c", 1)],
)
program(
    "group_by_constant",
    lambda t: t.lines.group_by(lit(1)).select(col("quantity").sum.alias("q")),
    rows=[(17,)],
)
program("group_by_constant_of_nothing", lambda t: t.nothing.group_by(lit(1)).select(col("a").count.alias("n")), rows=[])
program(
    "aggregate_of_nothing",
    lambda t: t.nothing.select(col("a").count.alias("n"), col("a").sum.alias("s"), col("a").sum0.alias("z")),
    rows=[(0, None, 0)],
    dataframe=lambda d: d.nothing.agg(
        f.count("a").alias("n"), f.sum("a").alias("s"), f.coalesce(f.sum("a"), f.lit(0).cast("bigint")).alias("z")
    ),
)
program("group_of_nothing", lambda t: t.nothing.group_by(col("a")).select(col("a"), col("b").count), rows=[])
program(
    "expressions_over_aggregates",
    lambda t: t.lines.group_by(col("sku")).select(
        col("sku").upper_case.alias("u"), (col("quantity").sum * 10 + col("quantity").count).alias("e")
    ),
    rows=[("PEN", 52), ("INK", 11), ("PAD", 101), ("CAP", 11)],
    dataframe=lambda d: (
        d.lines.groupBy("sku")
        .agg(f.sum("quantity").alias("s"), f.count("quantity").alias("c"))
        .select(f.upper("sku").alias("u"), (f.col("s") * 10 + f.col("c")).alias("e"))
    ),
)
program(
    "having_by_filter",
    lambda t: (
        t.orders.group_by(col("status")).select(col("status"), col("amount").sum.alias("s")).filter(col("s") > 100)
    ),
    rows=[("paid", D("119.99"))],
    dataframe=lambda d: d.orders.groupBy("status").agg(f.sum("amount").alias("s")).filter("s > 100"),
)
program(
    "distinct_aggregates",
    lambda t: t.left_bag.select(
        col("x").count.distinct.alias("c"), col("x").sum.distinct.alias("s"), col("x").avg.distinct.alias("a")
    ),
    rows=[(3, 6, 2.0)],
)
program(
    "global_aggregates",
    lambda t: t.orders.select(
        col("amount").min.alias("lo"),
        col("amount").max.alias("hi"),
        col("amount").avg.alias("mean"),
        col("amount").count.alias("n"),
    ),
    rows=[(D("-1.25"), D("99.99"), D("24.848000"), 5)],
    dataframe=lambda d: d.orders.agg(f.min("amount"), f.max("amount"), f.avg("amount"), f.count("amount")),
)
program(
    "deviation_and_variance",
    lambda t: t.lines.filter(col("quantity") > 1).select(
        col("quantity").var_pop.alias("vp"),
        col("quantity").var_samp.alias("vs"),
        (col("quantity").stddev_pop * col("quantity").stddev_pop).alias("p"),
        (col("quantity").stddev_samp * col("quantity").stddev_samp > 18.9).alias("q"),
    ),
    # 3, 2 and 10 have the mean 5 and the squared differences 4 + 9 + 25 = 38.
    rows=[(38 / 3, 19.0, (38 / 3) ** 0.5 * (38 / 3) ** 0.5, True)],
)
program(
    "same_aggregate_twice",
    lambda t: t.lines.select(col("quantity").sum, col("quantity").sum, col("quantity").sum.alias("third")),
    rows=[(17, 17, 17)],
)
program(
    "first_and_last_of_one",
    lambda t: t.lines.filter(col("sku") == "pad").select(
        col("quantity").first_value.alias("a"), col("quantity").last_value.alias("b")
    ),
    rows=[(10, 10)],
)
program(
    "array_of_group",
    lambda t: t.lines.filter(col("line_order") == 102).select(col("quantity").array_agg.alias("a")),
    rows=[([10],)],
    no_flink="keeps NULL",
)
program(
    "text_of_group",
    lambda t: (
        t.lines.filter(col("line_order") == 100).filter(col("sku") == "pen").select(col("sku").list_agg("|").alias("t"))
    ),
    rows=[("pen",)],
)
program(
    "aggregate_twice",
    lambda t: (
        t.lines.group_by(col("line_order"))
        .select(col("line_order"), col("quantity").sum.alias("q"))
        .select(col("q").max.alias("most"), col("line_order").count.alias("n"))
    ),
    rows=[(10, 4)],
    dataframe=lambda d: (
        d.lines.groupBy("line_order").agg(f.sum("quantity").alias("q")).agg(f.max("q"), f.count("line_order"))
    ),
)

# --- joins ------------------------------------------------------------------------------------------------------------

program(
    "join_inner",
    lambda t: t.customers.join(t.orders, col("id") == col("customer_id")).select(col("name"), col("order_id")),
    rows=[("Ada", 100), ("Ada", 101), ("Bo", 102), ("Cy", 103)],
    dataframe=lambda d: d.customers.join(d.orders, f.col("id") == f.col("customer_id")).select("name", "order_id"),
)
program(
    "join_left_keeps_unmatched",
    lambda t: t.customers.left_outer_join(t.orders, col("id") == col("customer_id")).select(col("id"), col("order_id")),
    rows=[(1, 100), (1, 101), (2, 102), (3, 103), (4, None), (5, None)],
    dataframe=lambda d: d.customers.join(d.orders, f.col("id") == f.col("customer_id"), "left").select(
        "id", "order_id"
    ),
)
program(
    "join_right_keeps_unmatched",
    lambda t: t.customers.right_outer_join(t.orders, col("id") == col("customer_id")).select(
        col("id"), col("order_id")
    ),
    rows=[(1, 100), (1, 101), (2, 102), (3, 103), (None, 104), (None, 105)],
    dataframe=lambda d: d.customers.join(d.orders, f.col("id") == f.col("customer_id"), "right").select(
        "id", "order_id"
    ),
)
program(
    "join_full_keeps_unmatched",
    lambda t: (
        t.customers.full_outer_join(t.orders, col("id") == col("customer_id"))
        .select(col("id"), col("order_id"))
        .filter(col("id").is_null | col("order_id").is_null)
    ),
    rows=[(None, 104), (None, 105), (4, None), (5, None)],
    dataframe=lambda d: (
        d.customers.join(d.orders, f.col("id") == f.col("customer_id"), "full")
        .select("id", "order_id")
        .filter("id is null or order_id is null")
    ),
)
program(
    "join_on_inequality",
    lambda t: (
        t.left_bag.join(t.right_bag.alias("x2", "y2"), col("x") < col("x2")).select(col("x"), col("x2")).distinct()
    ),
    rows=[(1, 2), (1, 3), (2, 3)],
    dataframe=lambda d: (
        d.left_bag.join(d.right_bag.toDF("x2", "y2"), f.col("x") < f.col("x2")).select("x", "x2").distinct()
    ),
)
program(
    "join_every_pair",
    lambda t: t.left_bag.filter(col("x") == 2).join(t.right_bag.alias("x2", "y2")).select(col("y"), col("x2")),
    rows=[("b", 1), ("b", 2), ("b", 3), ("b", 3), ("b", None)],
    dataframe=lambda d: d.left_bag.filter("x = 2").join(d.right_bag.toDF("x2", "y2")).select("y", "x2"),
)
program(
    "join_three_tables",
    lambda t: (
        t.customers.join(t.orders, col("id") == col("customer_id"))
        .join(t.lines, col("order_id") == col("line_order"))
        .group_by(col("name"))
        .select(col("name"), col("quantity").sum.alias("pieces"))
    ),
    rows=[("Ada", 6), ("Bo", 10)],
    dataframe=lambda d: (
        d.customers.join(d.orders, f.col("id") == f.col("customer_id"))
        .join(d.lines, f.col("order_id") == f.col("line_order"))
        .groupBy("name")
        .agg(f.sum("quantity").alias("pieces"))
    ),
)
program(
    "self_join_by_renaming",
    lambda t: t.lines.join(
        t.lines.alias("o2", "s2", "q2"), (col("line_order") == col("o2")) & (col("sku") < col("s2"))
    ).select(col("sku"), col("s2")),
    rows=[("ink", "pen"), ("pad", "pen")],
    dataframe=lambda d: d.lines.join(
        d.lines.toDF("o2", "s2", "q2"), (f.col("line_order") == f.col("o2")) & (f.col("sku") < f.col("s2"))
    ).select("sku", "s2"),
)
program(
    "filter_after_left_join",
    lambda t: (
        t.customers.left_outer_join(t.orders, (col("id") == col("customer_id")) & (col("amount") > 10))
        .filter(col("order_id").is_null)
        .select(col("id"))
    ),
    rows=[(3,), (4,), (5,)],
    dataframe=lambda d: (
        d.customers.join(d.orders, (f.col("id") == f.col("customer_id")) & (f.col("amount") > 10), "left")
        .filter("order_id is null")
        .select("id")
    ),
)
program(
    "in_table",
    lambda t: t.customers.filter(col("id").in_(t.orders.select(col("customer_id")))).select(col("name")),
    rows=[("Ada",), ("Bo",), ("Cy",)],
    dataframe=lambda d: d.customers.filter(f.col("id").isin(d.orders.select("customer_id"))).select("name"),
)
program(
    "not_in_table_without_null",
    lambda t: t.customers.filter(
        ~col("id").in_(t.orders.filter(col("customer_id").is_not_null).select(col("customer_id")))
    ).select(col("id")),
    rows=[(4,), (5,)],
)
program(
    "not_in_table_with_null",
    lambda t: t.customers.filter(~col("id").in_(t.orders.select(col("customer_id")))).select(col("id")),
    rows=[],
)

# --- set operations ---------------------------------------------------------------------------------------------------

program(
    "union_all",
    lambda t: t.left_bag.union_all(t.right_bag),
    rows=[
        (1, "a"),
        (1, "a"),
        (2, "b"),
        (3, None),
        (None, None),
        (1, "a"),
        (2, "c"),
        (3, None),
        (3, None),
        (None, None),
    ],
    dataframe=lambda d: d.left_bag.unionAll(d.right_bag),
)
program(
    "union",
    lambda t: t.left_bag.union(t.right_bag),
    rows=[(1, "a"), (2, "b"), (2, "c"), (3, None), (None, None)],
    dataframe=lambda d: d.left_bag.union(d.right_bag).distinct(),
)
program(
    "intersect",
    lambda t: t.left_bag.intersect(t.right_bag),
    rows=[(1, "a"), (3, None), (None, None)],
    dataframe=lambda d: d.left_bag.intersect(d.right_bag),
)
program(
    "intersect_all",
    lambda t: t.left_bag.intersect_all(t.right_bag),
    rows=[(1, "a"), (3, None), (None, None)],
    dataframe=lambda d: d.left_bag.intersectAll(d.right_bag),
)
program(
    "minus",
    lambda t: t.left_bag.minus(t.right_bag),
    rows=[(2, "b")],
    dataframe=lambda d: d.left_bag.subtract(d.right_bag),
)
program(
    "minus_all",
    lambda t: t.left_bag.minus_all(t.right_bag),
    rows=[(1, "a"), (2, "b")],
    dataframe=lambda d: d.left_bag.exceptAll(d.right_bag),
)
program(
    "union_widens_types",
    lambda t: (
        t.left_bag.select(col("x"), col("y"))
        .union_all(t.orders.select(col("discount"), col("status")))
        .filter(col("x") > 0.2)
    ),
    rows=[(1.0, "a"), (1.0, "a"), (2.0, "b"), (3.0, None), (0.25, "lost"), (0.5, "paid")],
    dataframe=lambda d: d.left_bag.select("x", "y").unionAll(d.orders.select("discount", "status")).filter("x > 0.2D"),
)
program(
    "union_decimals_and_integers",
    lambda t: (
        t.orders.filter(col("order_id") == 100)
        .select(col("amount"))
        .union_all(t.lines.filter(col("sku") == "pad").select(col("quantity")))
    ),
    rows=[(D("20.00"),), (D("10.00"),)],
)
program(
    "set_operations_nested",
    lambda t: t.left_bag.union_all(t.right_bag.minus(t.left_bag)).intersect(t.left_bag).filter(col("x") < 3),
    rows=[(1, "a"), (2, "b")],
)
program(
    "set_operation_over_sorted_halves",
    lambda t: (
        t.lines.order_by(col("quantity").desc).fetch(1).union_all(t.lines.order_by(col("line_order").desc).fetch(1))
    ),
    rows=[(102, "pad", 10), (999, "cap", 1)],
)

# --- order, offset, fetch ---------------------------------------------------------------------------------------------

program(
    "order_by_two_keys",
    lambda t: t.orders.order_by(col("status"), col("order_id").desc).select(col("order_id")),
    rows=[(104,), (103,), (101,), (105,), (102,), (100,)],
    ordered=True,
    dataframe=lambda d: d.orders.orderBy("status", f.desc("order_id")).select("order_id"),
)
program(
    "order_offset_fetch",
    lambda t: t.orders.order_by(col("order_id")).offset(1).fetch(2).select(col("order_id")),
    rows=[(101,), (102,)],
    ordered=True,
    dataframe=lambda d: d.orders.orderBy("order_id").offset(1).limit(2).select("order_id"),
)
program(
    "limit_with_offset",
    lambda t: t.orders.order_by(col("order_id").desc).limit(2, 3).select(col("order_id")),
    rows=[(102,), (101,)],
    ordered=True,
)
program(
    "fetch_then_offset",
    lambda t: t.orders.order_by(col("order_id")).fetch(4).offset(3).select(col("order_id")),
    rows=[(103,)],
    ordered=True,
)
program("fetch_without_order", lambda t: t.left_bag.fetch(0), rows=[])
program("fetch_one_constant", lambda t: t.left_bag.fetch(2).select(lit(7).alias("seven")), rows=[(7,), (7,)])
program(
    "filter_after_fetch",
    lambda t: t.orders.order_by(col("order_id").desc).fetch(3).filter(col("order_id") > 103).select(col("order_id")),
    rows=[(104,), (105,)],
    dataframe=lambda d: d.orders.orderBy(f.desc("order_id")).limit(3).filter("order_id > 103").select("order_id"),
)
program(
    "order_by_expression",
    lambda t: (
        t.lines.filter(col("quantity").is_not_null)
        .order_by(col("quantity") % 3, col("quantity"), col("sku"))
        .select(col("sku"), col("quantity"))
    ),
    rows=[("pen", 3), ("cap", 1), ("ink", 1), ("pad", 10), ("pen", 2)],
    ordered=True,
)
program(
    "order_below_projections_and_filters",
    lambda t: (
        t.lines.order_by(col("quantity").desc, col("sku"))
        .select(col("sku").alias("quantity"), col("line_order"))
        .filter(col("line_order") < 999)
        .select(col("quantity").upper_case.alias("line_order"))
    ),
    rows=[("PAD",), ("PEN",), ("PEN",), ("INK",), ("PEN",)],
    ordered=True,
)
program("order_by_constant_is_no_ordinal", lambda t: t.left_bag.filter(col("x") == 2).order_by(lit(1)), rows=[(2, "b")])

# --- literal rows -----------------------------------------------------------------------------------------------------

program(
    "values_of_all_kinds",
    lambda t: t.env.from_elements(
        [(1, "a'b", 1.5, D("1.20"), True, b"\x01"), (None, None, None, None, None, None)],
        ["i", "s", "d", "m", "b", "y"],
    ),
    rows=[(1, "a'b", 1.5, D("1.20"), True, b"\x01"), (None,) * 6],
)
program(
    "values_of_no_rows",
    lambda t: t.env.from_elements(
        [],
        DataTypes.ROW(
            [DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.ARRAY(DataTypes.STRING()))]
        ),
    ),
    rows=[],
)
program(
    "values_nested",
    lambda t: t.env.from_elements(
        [([1, None], {"k": 1.5}, (1, "x")), ([], {}, (None, None)), (None, None, None)],
        DataTypes.ROW(
            [
                DataTypes.FIELD("a", DataTypes.ARRAY(DataTypes.INT())),
                DataTypes.FIELD("m", DataTypes.MAP(DataTypes.STRING(), DataTypes.DOUBLE())),
                DataTypes.FIELD(
                    "r",
                    DataTypes.ROW([DataTypes.FIELD("n", DataTypes.INT()), DataTypes.FIELD("t", DataTypes.STRING())]),
                ),
            ]
        ),
    ),
    rows=[([1, None], {"k": 1.5}, (1, "x")), ([], {}, (None, None)), (None, None, None)],
)
program(
    "values_joined_with_table",
    lambda t: (
        t.env.from_elements([(1, "one"), (2, "two")], ["k", "word"])
        .join(t.left_bag, col("k") == col("x"))
        .select(col("word"), col("y"))
    ),
    rows=[("one", "a"), ("one", "a"), ("two", "b")],
)
