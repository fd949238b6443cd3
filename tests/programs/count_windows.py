"""Programs with group windows that count rows."""

from __future__ import annotations

from tableapi import DataTypes
from tableapi.expressions import col, lit, row_interval
from tableapi.window import Slide, Tumble
from tests.programs.program import program
from tests.programs.times import at

program(
    "count_tumble",
    lambda t: (
        t.events.window(Tumble.over(row_interval(2)).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(col("v").sum, col("ts").min.alias("since"))
    ),
    # By time: 1, 7, 2, 3, 4, 5, 6. The last row alone fills no window.
    rows=[(8, at(10)), (5, at(10, 4, 30)), (9, at(10, 12, 0, 123000))],
)
program(
    "count_tumble_by_keys",
    lambda t: (
        t.events.window(Tumble.over(row_interval(2)).on(col("instant")).alias("w"))
        .group_by(col("k").upper_case.alias("upper"), col("w"))
        .select(col("upper"), col("v").sum.alias("s"), lit(1).count.alias("n"))
    ),
    rows=[("A", 3, 2), ("A", 10, 2), ("B", 8, 2)],
)
program(
    "count_tumble_of_one",
    lambda t: (
        t.events.window(Tumble.over(row_interval(1)).on(col("day")).alias("k"))
        .group_by(col("k"))
        .select(col("e").max.alias("e"), col("k").max.alias("key"))
        .filter(col("e") < 4)
    ),
    # Inside an aggregate, k is the column.
    rows=[(1, "a"), (2, "a"), (3, "b")],
)
program(
    "count_slide_by_key",
    lambda t: (
        t.events.window(Slide.over(row_interval(3)).every(row_interval(1)).on(col("ts")).alias("w"))
        .group_by(col("w"), col("k"))
        .select(col("k"), col("v").sum.alias("s"))
    ),
    # a: 1, 2, 4 and 2, 4, 6; b has two rows, the key NULL one.
    rows=[("a", 7), ("a", 12)],
)
program(
    "count_slide_that_does_not_divide_the_size",
    lambda t: (
        t.events.window(Slide.over(row_interval(3)).every(row_interval(2)).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(col("v").sum.alias("s"), col("e").count.distinct.alias("n"))
    ),
    # 1, 7, 2, then 2, 3, 4, then 4, 5, 6.
    rows=[(10, 3), (9, 3), (15, 3)],
)
program(
    "count_slide_longer_than_the_size",
    lambda t: (
        t.events.window(Slide.over(row_interval(2)).every(row_interval(3)).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(col("v").sum.alias("s"))
    ),
    # Sums of 1, 7 and of 3, 4; the rows 2 and 5 are skipped, and 6 alone fills no window.
    rows=[(8,), (7,)],
)
program(
    "count_window_of_nothing",
    lambda t: (
        t.nothing.add_columns(col("b").cast(DataTypes.DATE()).alias("EXPR$0"))
        .window(Slide.over(row_interval(4)).every(row_interval(2)).on(col("EXPR$0")).alias("EXPR$1"))
        .group_by(col("EXPR$1"), col("a"))
        .select(col("a"), lit(1).count)
    ),
    rows=[],
)
program(
    "count_tumble_aggregate",
    lambda t: (
        t.events.window(Tumble.over(row_interval(2)).on(col("ts")).alias("w"))
        .group_by(col("w"), col("k"))
        .aggregate(col("v").sum.alias("s"))
        .select(col("s") + 1, col("k"))
    ),
    rows=[(4, "a"), (11, "a"), (9, "b")],
)
