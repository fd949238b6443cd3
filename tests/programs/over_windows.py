"""Programs with OVER windows: partitions, orders and frames."""

from __future__ import annotations

from decimal import Decimal as D
from typing import TYPE_CHECKING

from pyspark.sql import Window as W
from pyspark.sql import functions as f

from tableapi.expressions import (
    CURRENT_RANGE,
    CURRENT_ROW,
    UNBOUNDED_RANGE,
    UNBOUNDED_ROW,
    col,
    lit,
    null_of,
    range_interval,
    rank,
    row_interval,
    row_number,
)
from tableapi.types import DataTypes as T
from tableapi.window import Over, OverWindow
from tests.programs.program import program

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.window import WindowSpec

    from tableapi import Table
    from tests.programs.tables import Frames, Tables

_BY_ID = Over.order_by(col("order_id"))
_BY_ORDER = Over.order_by(col("line_order"))

# --- as PyFlink has them ---------------------------------------------------------------------------------------------

program(
    "over_window_of_all_rows_so_far",
    lambda t: t.lines.over_window(
        Over.partition_by(col("sku")).order_by(col("line_order")).preceding(UNBOUNDED_RANGE).alias("w")
    ).select(col("sku"), col("line_order"), col("quantity").sum.over(col("w")).alias("total")),
    rows=[("pen", 100, 3), ("pen", 101, 5), ("pen", 102, 5), ("ink", 100, 1), ("pad", 102, 10), ("cap", 999, 1)],
    dataframe=lambda d: d.lines.select(
        "sku", "line_order", f.sum("quantity").over(W.partitionBy("sku").orderBy("line_order")).alias("total")
    ),
)

program(
    "over_window_of_rows",
    lambda t: t.orders.over_window(
        Over.order_by(col("order_id")).preceding(row_interval(2)).following(CURRENT_ROW).alias("w")
    ).select(col("order_id"), col("amount").sum.over(col("w")), col("amount").count.over(col("w"))),
    rows=[
        (100, D("20.00"), 1),
        (101, D("25.50"), 2),
        (102, D("125.49"), 3),
        (103, D("105.49"), 2),
        (104, D("98.74"), 2),
        (105, D("-1.25"), 2),
    ],
    dataframe=lambda d: d.orders.select(
        "order_id",
        f.sum("amount").over(W.orderBy("order_id").rowsBetween(-2, 0)).alias("_c1"),
        f.count("amount").over(W.orderBy("order_id").rowsBetween(-2, 0)).alias("_c2"),
    ),
)

program(
    "over_window_of_a_distance_in_time",
    lambda t: t.orders.over_window(
        Over.order_by(col("ordered_at")).preceding(lit(30).days).following(CURRENT_RANGE).alias("recent")
    ).select(col("order_id"), col("amount").max.over(col("recent")).alias("most")),
    # The rows that each order looks back at: 104 from December 31, 105 from December 2, 100 from January 1 at 10:00,
    # 101 from January 30, 102 from January 31 at 0:00, 103 the rows without a time.
    rows=[
        (103, None),
        (104, D("-1.25")),
        (105, D("0.00")),
        (100, D("20.00")),
        (101, D("20.00")),
        (102, D("99.99")),
    ],
    no_flink="a distance from a timestamp fails there",
    dataframe=lambda d: d.orders.selectExpr(
        "order_id",
        "MAX(amount) OVER (ORDER BY ordered_at RANGE BETWEEN INTERVAL '30' DAY PRECEDING AND CURRENT ROW) AS most",
    ),
)

program(
    "over_window_two_of_them",
    lambda t: t.lines.over_window(
        Over.partition_by(col("sku")).order_by(col("line_order")).preceding(UNBOUNDED_ROW).alias("w"),
        Over.order_by(col("line_order"), col("sku")).preceding(row_interval(1)).alias("w2"),
    ).select(col("line_order"), col("sku"), col("quantity").sum.over(col("w")), col("quantity").sum.over(col("W2"))),
    rows=[
        (100, "ink", 1, 1),
        (100, "pen", 3, 4),
        (101, "pen", 5, 5),
        (102, "pad", 10, 12),
        (102, "pen", 5, 10),
        (999, "cap", 1, 1),
    ],
    dataframe=lambda d: d.lines.select(
        "line_order",
        "sku",
        f.sum("quantity")
        .over(W.partitionBy("sku").orderBy("line_order").rowsBetween(W.unboundedPreceding, 0))
        .alias("_c2"),
        f.sum("quantity").over(W.orderBy("line_order", "sku").rowsBetween(-1, 0)).alias("_c3"),
    ),
)

program(
    "over_window_sorted_by_a_number",
    lambda t: t.lines.over_window(
        Over.partition_by(col("sku")).order_by(col("quantity")).preceding(UNBOUNDED_RANGE).alias("w")
    ).select(col("line_order"), col("sku"), lit(1).count.over(col("w")).alias("n")),
    # NULL sorts first.
    rows=[
        (102, "pen", 1),
        (101, "pen", 2),
        (100, "pen", 3),
        (100, "ink", 1),
        (102, "pad", 1),
        (999, "cap", 1),
    ],
    dataframe=lambda d: d.lines.select(
        "line_order", "sku", f.count(f.lit(1)).over(W.partitionBy("sku").orderBy("quantity")).alias("n")
    ),
)

# --- partitions and orders -------------------------------------------------------------------------------------------

program(
    "over_a_partition_without_order",
    lambda t: t.left_bag.select(col("x"), col("y"), lit(1).count.over(Over.partition_by(col("x"))).alias("n")),
    # Rows whose key is NULL form one partition.
    rows=[(1, "a", 2), (1, "a", 2), (2, "b", 1), (3, None, 1), (None, None, 1)],
    dataframe=lambda d: d.left_bag.select("x", "y", f.count(f.lit(1)).over(W.partitionBy("x")).alias("n")),
)

program(
    "over_all_rows",
    lambda t: t.lines.select(
        col("sku"), (col("quantity") * 100 / col("quantity").sum.over(Over.partition_by())).alias("percent")
    ).filter(col("sku") == "pad"),
    # 10 of 17
    rows=[("pad", 1000 / 17)],
    dataframe=lambda d: d.lines.select(
        "sku", (f.col("quantity") * 100 / f.sum("quantity").over(W.partitionBy())).alias("percent")
    ).filter("sku = 'pad'"),
)

program(
    "over_several_partition_keys",
    lambda t: t.right_bag.select(
        col("x"),
        row_number().over(Over.partition_by(col("x"), col("y")).order_by(col("x"))).alias("n"),
        lit(1).count.over(Over.partition_by(col("y").is_null, col("x") > 2)).alias("m"),
    ),
    # For (3, NULL), which occurs twice, y is NULL and x > 2; if x is NULL, the comparison is NULL.
    rows=[(1, 1, 2), (2, 1, 2), (3, 1, 2), (3, 2, 2), (None, 1, 1)],
    dataframe=lambda d: d.right_bag.select(
        "x",
        f.row_number().over(W.partitionBy("x", "y").orderBy("x")).alias("n"),
        f.count(f.lit(1)).over(W.partitionBy(f.col("y").isNull(), f.col("x") > 2)).alias("m"),
    ),
)

program(
    "over_orders_with_null_at_either_end",
    lambda t: t.left_bag.select(
        col("x"),
        rank().over(Over.order_by(col("x"))).alias("asc"),
        rank().over(Over.order_by(col("x").nulls_last)).alias("asc_last"),
        rank().over(Over.order_by(col("x").desc)).alias("desc"),
        rank().over(Over.order_by(col("x").desc.nulls_first)).alias("desc_first"),
    ),
    rows=[(None, 1, 5, 5, 1), (1, 2, 1, 3, 4), (1, 2, 1, 3, 4), (2, 4, 3, 2, 3), (3, 5, 4, 1, 2)],
    dataframe=lambda d: d.left_bag.select(
        "x",
        f.rank().over(W.orderBy(f.col("x").asc())).alias("asc"),
        f.rank().over(W.orderBy(f.col("x").asc_nulls_last())).alias("asc_last"),
        f.rank().over(W.orderBy(f.col("x").desc())).alias("desc"),
        f.rank().over(W.orderBy(f.col("x").desc_nulls_first())).alias("desc_first"),
    ),
)

program(
    "over_an_order_by_expressions",
    lambda t: t.customers.select(
        col("id"),
        row_number().over(Over.order_by(col("city").upper_case.desc, col("name").char_length, col("id"))).alias("n"),
    ),
    # PARIS: Bo and Cy with length 2. BERLIN: Di with length 2, Ada with 3. Then the customer without a city.
    rows=[(2, 1), (3, 2), (5, 3), (1, 4), (4, 5)],
    dataframe=lambda d: d.customers.select(
        "id",
        f.row_number().over(W.orderBy(f.upper("city").desc(), f.char_length("name"), "id")).alias("n"),
    ),
)

# --- frames ----------------------------------------------------------------------------------------------------------


def _sums(t: Tables, window: OverWindow) -> Table:
    return t.lines.filter(col("sku") != "pen").select(col("line_order"), col("quantity").sum.over(window).alias("s"))


def _sums_of_frame(d: Frames, window: WindowSpec) -> DataFrame:
    return d.lines.filter("sku != 'pen'").select("line_order", f.sum("quantity").over(window).alias("s"))


# The rows of ``lines`` in these programs are (100, 1), (102, 10) and (999, 1).

program(
    "over_rows_around",
    lambda t: _sums(t, _BY_ORDER.preceding(row_interval(1)).following(row_interval(1))),
    rows=[(100, 11), (102, 12), (999, 11)],
    dataframe=lambda d: _sums_of_frame(d, W.orderBy("line_order").rowsBetween(-1, 1)),
)

program(
    "over_rows_to_the_end",
    lambda t: _sums(t, _BY_ORDER.preceding(CURRENT_ROW).following(UNBOUNDED_ROW)),
    rows=[(100, 12), (102, 11), (999, 1)],
    dataframe=lambda d: _sums_of_frame(d, W.orderBy("line_order").rowsBetween(0, W.unboundedFollowing)),
)

program(
    "over_rows_after",
    lambda t: _sums(t, _BY_ORDER.preceding(row_interval(-1)).following(row_interval(2))),
    rows=[(100, 11), (102, 1), (999, None)],
    dataframe=lambda d: _sums_of_frame(d, W.orderBy("line_order").rowsBetween(1, 2)),
)

program(
    "over_rows_before",
    lambda t: _sums(t, _BY_ORDER.preceding(2).following(-1)),
    rows=[(100, None), (102, 1), (999, 11)],
    dataframe=lambda d: _sums_of_frame(d, W.orderBy("line_order").rowsBetween(-2, -1)),
)

program(
    "over_rows_without_order",
    lambda t: t.left_bag.filter(col("x") == 1).select(
        lit(1).count.over(Over.partition_by(col("x")).preceding(row_interval(1)))
    ),
    rows=[(1,), (2,)],
    no_flink="without an order it takes the whole partition for any frame",
    dataframe=lambda d: d.left_bag.filter("x = 1").select(
        f.count(f.lit(1)).over(W.partitionBy("x").rowsBetween(-1, 0)).alias("_c0")
    ),
)

program(
    "over_whole_partitions_with_an_order",
    lambda t: t.lines.select(
        col("line_order"),
        col("sku"),
        col("quantity").max.over(
            Over.partition_by(col("line_order"))
            .order_by(col("quantity"))
            .preceding(UNBOUNDED_ROW)
            .following(UNBOUNDED_ROW)
        ),
    ),
    rows=[
        (100, "pen", 3),
        (100, "ink", 3),
        (101, "pen", 2),
        (102, "pad", 10),
        (102, "pen", 10),
        (999, "cap", 1),
    ],
    dataframe=lambda d: d.lines.select(
        "line_order",
        "sku",
        f.max("quantity")
        .over(W.partitionBy("line_order").orderBy("quantity").rowsBetween(W.unboundedPreceding, W.unboundedFollowing))
        .alias("_c2"),
    ),
)

program(
    "over_a_range_of_a_number",
    lambda t: _sums(t, _BY_ORDER.preceding(range_interval(5)).following(range_interval(2))),
    rows=[(100, 11), (102, 11), (999, 1)],
    dataframe=lambda d: _sums_of_frame(d, W.orderBy("line_order").rangeBetween(-5, 2)),
)

program(
    "over_a_range_of_a_descending_decimal",
    lambda t: t.orders.select(
        col("order_id"),
        lit(1).count.over(
            Over.order_by(col("amount").desc).preceding(CURRENT_RANGE).following(range_interval(D("6.75")))
        ),
    ),
    # After 20.00 there is nothing down to 13.25; after 5.50 come all rows down to -1.25.
    rows=[(102, 1), (100, 1), (101, 3), (105, 2), (104, 1), (103, 1)],
    dataframe=lambda d: d.orders.selectExpr(
        "order_id",
        "COUNT(1) OVER (ORDER BY amount DESC RANGE BETWEEN CURRENT ROW AND 6.75 FOLLOWING) AS _c1",
    ),
)

program(
    "over_a_range_of_days",
    lambda t: t.readings.select(
        col("n"), lit(1).count.over(Over.order_by(col("day")).preceding(lit(9000).days + lit(24).hours))
    ),
    # The frame reaches from 2024-02-29 back to 1999-07-06 and so contains 2000-01-01.
    rows=[(1, 2), (2, 1), (3, 1), (4, 1)],
    no_flink="at most 3 digits",
    dataframe=lambda d: d.readings.selectExpr(
        "n", "COUNT(1) OVER (ORDER BY day RANGE BETWEEN INTERVAL '9001' DAY PRECEDING AND CURRENT ROW) AS _c1"
    ),
)

program(
    "over_a_range_of_a_few_days",
    lambda t: t.customers.select(
        col("id"), lit(1).count.over(Over.order_by(col("date_of_birth")).preceding(lit(2).days))
    ),
    rows=[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)],
    dataframe=lambda d: d.customers.selectExpr(
        "id", "COUNT(1) OVER (ORDER BY date_of_birth RANGE BETWEEN INTERVAL '2' DAY PRECEDING AND CURRENT ROW) AS _c1"
    ),
)

program(
    "over_a_range_of_months",
    lambda t: t.orders.select(
        col("order_id"),
        lit(1).count.over(Over.order_by(col("ordered_at")).preceding(lit(1).months).following(lit(1).year)),
    ),
    # Order 100, of January 31 at 10:00, reaches back to December 31 at 10:00, which is after order 104.
    rows=[(104, 5), (105, 5), (100, 4), (101, 3), (102, 2), (103, 1)],
    no_flink="a distance from a timestamp fails there",
)

program(
    "over_a_range_with_equal_keys",
    lambda t: t.left_bag.select(
        col("x"),
        lit(1).count.over(Over.order_by(col("x"))).alias("so_far"),
        lit(1).count.over(Over.order_by(col("x")).preceding(CURRENT_RANGE)).alias("equal"),
        lit(1).count.over(Over.order_by(col("x")).preceding(CURRENT_RANGE).following(UNBOUNDED_RANGE)).alias("left"),
    ),
    rows=[(None, 1, 1, 5), (1, 3, 2, 4), (1, 3, 2, 4), (2, 4, 1, 2), (3, 5, 1, 1)],
    dataframe=lambda d: d.left_bag.select(
        "x",
        f.count(f.lit(1)).over(W.orderBy("x")).alias("so_far"),
        f.count(f.lit(1)).over(W.orderBy("x").rangeBetween(0, 0)).alias("equal"),
        f.count(f.lit(1)).over(W.orderBy("x").rangeBetween(0, W.unboundedFollowing)).alias("left"),
    ),
)

program(
    "over_a_range_of_null_and_without_end",
    lambda t: t.left_bag.select(
        col("x"),
        lit(1).count.over(Over.order_by(col("x")).preceding(range_interval(null_of(T.INT())))).alias("from_nulls"),
        lit(1)
        .count.over(
            Over.order_by(col("x").desc).preceding(range_interval(1)).following(range_interval(null_of(T.INT())))
        )
        .alias("to_nulls"),
        lit(1)
        .count.over(
            Over.order_by(col("x").cast(T.DOUBLE()))
            .preceding(range_interval(float("inf")))
            .following(range_interval(float("nan")))
        )
        .alias("numbers"),
    ),
    # NULL sorts before all numbers, NaN after them. A bound at the distance NULL is NULL, one at NaN is NaN.
    rows=[(None, 1, 1, 1), (1, 3, 4, 4), (1, 3, 4, 4), (2, 4, 5, 4), (3, 5, 5, 4)],
    no_flink="no frame with the bound null PRECEDING",
)
