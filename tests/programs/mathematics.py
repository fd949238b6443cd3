"""Programs with functions of numbers."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import call, col, greatest, least, lit, null_of
from tests.programs.program import program

program(
    "rounding",
    lambda t: t.orders.filter(col("order_id") < 104).select(
        col("order_id"),
        col("amount").round(1).alias("to_tenths"),
        col("amount").round(-1).alias("to_tens"),
        col("discount").round().alias("whole_discount"),
        col("amount").ceil.alias("up"),
        col("amount").floor.alias("down"),
        col("order_id").ceil.alias("same"),
        col("discount").ceil.alias("up_of_double"),
    ),
    rows=[
        (100, D("20.0"), D("20"), 0.0, D("20"), D("20"), 100, 1),
        (101, D("5.5"), D("10"), None, D("6"), D("5"), 101, None),
        (102, D("100.0"), D("100"), 0.0, D("100"), D("99"), 102, 0),
        (103, None, None, 0.0, None, None, 103, 1),
    ],
    dataframe=lambda d: d.orders.filter(f.col("order_id") < 104).select(
        "order_id",
        f.round("amount", 1).alias("to_tenths"),
        f.round("amount", -1).alias("to_tens"),
        f.round("discount").alias("whole_discount"),
        f.ceil("amount").alias("up"),
        f.floor("amount").alias("down"),
        f.ceil("order_id").alias("same"),
        f.ceil("discount").alias("up_of_double"),
    ),
)
program(
    "greatest_and_least_pass_over_null",
    lambda t: t.left_bag.select(
        col("x"),
        greatest(col("x"), 2).alias("at_least_2"),
        least(col("x"), lit(2.5)).alias("at_most"),
        greatest(col("y"), "aa").alias("text"),
        greatest(null_of(DataTypes.INT()), col("x")).alias("x_again"),
    ),
    rows=[
        (1, 2, 1.0, "aa", 1),
        (1, 2, 1.0, "aa", 1),
        (2, 2, 2.0, "b", 2),
        (3, 3, 2.5, "aa", 3),
        (None, 2, 2.5, "aa", None),
    ],
    dataframe=lambda d: d.left_bag.select(
        "x",
        f.greatest("x", f.lit(2)).alias("at_least_2"),
        f.least("x", f.lit(2.5)).alias("at_most"),
        f.greatest("y", f.lit("aa")).alias("text"),
        f.greatest(f.lit(None).cast("int"), "x").alias("x_again"),
    ),
)
program(
    "greatest_of_three_of_which_some_may_be_null",
    lambda t: t.left_bag.select(greatest(col("x"), 0, col("x") * -1).alias("size")).distinct(),
    rows=[(1,), (2,), (3,), (0,)],
    no_flink="there, GREATEST is NULL as soon as one value is",
)
program(
    "powers_and_roots",
    lambda t: t.readings.filter(col("n") < 3).select(
        col("n"),
        col("level").abs.alias("size"),
        col("tiny").cast(DataTypes.INT()).abs.sqrt.round(2).alias("root"),
        col("n").power(3).alias("cube"),
        call("POW", col("n"), -1).alias("inverse"),
        (lit(5).days * -1).abs.alias("length"),
    ),
    rows=[(1, 2.25, 1.0, 1.0, 1.0, dt.timedelta(5)), (2, 1e10, 11.31, 8.0, 0.5, dt.timedelta(5))],
    no_flink="its ABS takes no intervals",
)
