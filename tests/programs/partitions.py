"""Programs that distribute rows over partitions and sort them within each."""

from __future__ import annotations

from tableapi.expressions import col, lit
from tests.programs.program import program

_NO_FLINK = "BY has no text in Flink's SQL: partitions are how Spark spreads rows"

program(
    "distribute_by_columns",
    lambda t: t.left_bag.distribute_by(col("y"), col("x")),
    rows=[(1, "a"), (1, "a"), (2, "b"), (3, None), (None, None)],
    dataframe=lambda f: f.left_bag.repartition("y", "x"),
    no_flink=_NO_FLINK,
)

program(
    "distribute_by_expression_and_constant",
    lambda t: t.left_bag.distribute_by(col("x") % 2, lit(5)).filter(col("x") > 1),
    rows=[(2, "b"), (3, None)],
    no_flink=_NO_FLINK,
)

program(
    "sort_within_partitions",
    lambda t: t.left_bag.sort_within_partitions(col("y").desc, col("x").nulls_last),
    rows=[(1, "a"), (1, "a"), (2, "b"), (3, None), (None, None)],
    dataframe=lambda f: f.left_bag.sortWithinPartitions(f.left_bag.y.desc(), f.left_bag.x.asc_nulls_last()),
    no_flink=_NO_FLINK,
)

program(
    "sort_within_partitions_by_constant_is_no_ordinal",
    lambda t: t.left_bag.sort_within_partitions(lit(2), col("x") + 1).select(col("x")).filter(col("x") == 3),
    rows=[(3,)],
    no_flink=_NO_FLINK,
)

program(
    "distribute_and_sort_twice",
    lambda t: (
        t.left_bag.distribute_by(col("x"))
        .sort_within_partitions(col("x"), col("y"))
        .distribute_by(col("y"))
        .sort_within_partitions(col("x").desc)
        .group_by(col("y"))
        .select(col("y"), col("x").max.alias("most"))
    ),
    rows=[("a", 1), ("b", 2), (None, 3)],
    no_flink=_NO_FLINK,
)

program(
    "distribute_and_sort_nothing",
    lambda t: t.nothing.distribute_by(col("a")).sort_within_partitions(col("b")),
    rows=[],
    no_flink=_NO_FLINK,
)

program(
    "distribute_by_below_a_limit_and_in_a_subquery",
    lambda t: t.left_bag.filter(
        col("x").in_(t.right_bag.distribute_by(col("y")).sort_within_partitions(col("x")).select(col("x")))
    ).limit(9),
    rows=[(1, "a"), (1, "a"), (2, "b"), (3, None)],
    no_flink=_NO_FLINK,
)
