"""Programs with nearest-neighbor joins, which Spark's SQL has and the fluent API lacks."""

from __future__ import annotations

from tableapi import Table
from tableapi.expressions import col
from tests.programs.program import program
from tests.programs.tables import DATABASE, Tables

_NO_FLINK = "Flink's SQL lacks a join by NEAREST"


def _joined(t: Tables, how: str, nearest: str) -> Table:
    return t.env.sql_query(
        f"SELECT l.x, l.y, r.x AS other FROM {DATABASE}.left_bag l {how} {DATABASE}.right_bag r {nearest}"
    )


program(
    "nearest_by_distance",
    lambda t: _joined(t, "JOIN", "EXACT NEAREST 1 BY DISTANCE abs(l.x - r.x)").filter(col("x") > 1).distinct(),
    rows=[(2, "b", 2), (3, None, 3)],
    no_flink=_NO_FLINK,
)
program(
    "nearest_by_similarity_keeps_rows",
    lambda t: _joined(t, "LEFT JOIN", "APPROX NEAREST 2 BY SIMILARITY nullif(l.x, 1) + r.x").distinct(),
    rows=[(1, "a", None), (2, "b", 3), (3, None, 3), (None, None, None)],
    no_flink=_NO_FLINK,
)
program(
    "nearest_of_filtered_and_joined",
    lambda t: (
        _joined(t, "JOIN", "EXACT NEAREST 1 BY DISTANCE r.x - l.x")
        .filter(col("other") < 3)
        .join(t.right_bag.alias("rx", "ry"), col("rx") == col("other"))
        .group_by(col("x"))
        .select(col("x"), col("ry").count.alias("n"))
    ),
    rows=[(1, 2), (2, 1), (3, 1)],
    no_flink=_NO_FLINK,
)
