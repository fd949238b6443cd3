"""Programs with as-of joins."""

from __future__ import annotations

from tableapi import Table
from tableapi.expressions import col
from tests.programs.program import program
from tests.programs.tables import Tables

_NO_FLINK = "Flink's SQL lacks ASOF JOIN"


def _other(t: Tables) -> Table:
    return t.right_bag.alias("rx", "ry")


program(
    "as_of_previous_event_of_key",
    lambda t: t.events.as_of_join(
        t.events.select(col("e").alias("before"), col("k").alias("key"), col("ts").alias("since")),
        col("ts") > col("since"),
        col("k") == col("key"),
    ).select(col("e"), col("before")),
    rows=[(2, 1), (4, 2), (6, 4), (5, 3)],
    no_flink=_NO_FLINK,
)
program(
    "as_of_next_value_keeps_rows",
    lambda t: t.left_bag.left_outer_as_of_join(_other(t), col("x") < col("rx")).select(col("x"), col("rx")),
    rows=[(1, 2), (1, 2), (2, 3), (3, None), (None, None)],
    no_flink=_NO_FLINK,
)
program(
    "as_of_computed_value_below_groups",
    lambda t: (
        t.left_bag.as_of_join(_other(t), col("rx") <= col("x") + 1)
        .filter(col("rx") < 3)
        .group_by(col("x"))
        .select(col("x"), col("ry").count.alias("n"))
    ),
    rows=[(1, 2)],
    no_flink=_NO_FLINK,
)
program(
    "as_of_with_another_predicate_than_equality",
    lambda t: t.left_bag.as_of_join(
        _other(t), col("x") >= col("rx"), (col("y") == col("ry")) | col("ry").is_null
    ).select(col("x"), col("rx")),
    rows=[(1, 1), (1, 1), (3, 3)],
    no_flink=_NO_FLINK,
)
program(
    "as_of_of_filtered_sides",
    lambda t: (
        t.left_bag.filter(col("x") > 1)
        .left_outer_as_of_join(_other(t).filter(col("rx") < 3), col("x") >= col("rx"))
        .join(t.right_bag.alias("sx", "sy"), col("sx") == col("rx"))
        .select(col("x"), col("sy"))
    ),
    rows=[(2, "c"), (3, "c")],
    no_flink=_NO_FLINK,
)
