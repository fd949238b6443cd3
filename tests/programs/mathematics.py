"""Programs with numeric functions."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import (
    call,
    col,
    greatest,
    least,
    lit,
    log,
    monotonically_increasing_id,
    null_of,
    rand,
    rand_integer,
    uuid,
)
from tests.programs.program import program

program(
    "rounding",
    lambda t: t.orders.filter(col("order_id") < 104).select(
        col("order_id"),
        col("amount").round(1).alias("to_tenths"),
        col("amount").round(-1).alias("to_tens"),
        col("discount").round().alias("whole_discount"),
        col("amount").ceil().alias("up"),
        col("amount").floor().alias("down"),
        col("order_id").ceil().alias("same"),
        col("discount").ceil().alias("up_of_double"),
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

program(
    "digests_and_digits",
    lambda t: (
        t.left_bag.filter(col("x") < 3)
        .distinct()
        .select(
            col("x"),
            col("y").md5.alias("md5"),
            col("y").sha2(224).alias("sha2"),
            col("y").hex.alias("hex"),
            (col("x") + 9).bin.alias("bin"),
            col("y").hex.unhex.cast(DataTypes.STRING()).alias("y"),
        )
    ),
    rows=[
        (
            1,
            "0cc175b9c0f1b6a831c399e269772661",
            "abd37534c7d9a2efb9465de931cd7055ffdb8879563ae98078d6d6d5",
            "61",
            "1010",
            "a",
        ),
        (
            2,
            "92eb5ffee6ae2fec3ad71c777531578f",
            "c681e18b81edaf2b66dd22376734dba5992e362bc3f91ab225854c17",
            "62",
            "1011",
            "b",
        ),
    ],
    dataframe=lambda d: (
        d.left_bag.filter(f.col("x") < 3)
        .distinct()
        .select(
            "x",
            f.md5("y").alias("md5"),
            f.sha2("y", 224).alias("sha2"),
            f.hex("y").alias("hex"),
            f.bin(f.col("x") + 9).alias("bin"),
            f.unhex(f.hex("y")).cast("string").alias("y"),
        )
    ),
)
program(
    "conditions_as_functions",
    lambda t: t.left_bag.select(
        col("x"),
        call("IF", col("x") > 1, "many", "one").alias("size"),
        call("NVL2", col("y"), col("y"), "none").alias("name"),
        col("x").null_if(2).alias("not_two"),
        call("ZEROIFNULL", col("x")).alias("number"),
        call("EQUAL_NULL", col("y"), null_of(DataTypes.STRING())).alias("is_missing"),
    ),
    rows=[
        (1, "one", "a", 1, 1, False),
        (1, "one", "a", 1, 1, False),
        (2, "many", "b", None, 2, False),
        (3, "many", "none", 3, 3, True),
        (None, "one", "none", None, 0, True),
    ],
)
program(
    "truncated_towards_zero",
    lambda t: t.orders.select(
        col("order_id").truncate(-1).alias("tens"),
        col("amount").truncate().alias("whole"),
        col("amount").truncate(1).alias("tenths"),
        (col("discount") * -10).truncate().alias("steps"),
    ),
    rows=[
        (100, D("20"), D("20.0"), -1.0),
        (100, D("5"), D("5.5"), None),
        (100, D("99"), D("99.9"), 0.0),
        (100, None, None, -2.0),
        (100, D("-1"), D("-1.2"), None),
        (100, D("0"), D("0.0"), -5.0),
    ],
)
program(
    "logarithms_of_what_is_not_positive_are_null",
    lambda t: t.left_bag.filter(col("x").is_not_null).select(
        col("x"),
        (col("x") - 2).ln.alias("ln"),
        log(col("x") - 1, 2).alias("log2"),
        lit(8).log(col("x")).round(2).alias("of_8"),
    ),
    rows=[(1, None, None, float("inf")), (1, None, None, float("inf")), (2, None, 0.0, 3.0), (3, 0.0, 1.0, 1.89)],
)
program(
    "random_numbers_of_a_row",
    lambda t: t.nothing.select(
        rand().alias("r"), rand_integer(6).alias("die"), uuid().alias("id"), monotonically_increasing_id().alias("n")
    ).filter((col("r") < 1) & (col("die") < 6)),
    rows=[],
    no_flink="Flink has no such function",
)
program(
    "random_keys_are_computed_once",
    lambda t: t.left_bag.group_by((rand() * 0).alias("zero")).select(col("zero"), col("x").count.alias("n")),
    rows=[(0.0, 4)],
)
