"""Programs with rows that have no columns, so that only their number is known."""

from __future__ import annotations

from tableapi import DataTypes, Table
from tableapi.expressions import col, lit
from tests.programs.program import program
from tests.programs.tables import DATABASE, Tables

_NO_FLINK = "Flink's SQL has no rows without columns"


def _without(t: Tables, condition: str = "TRUE") -> Table:
    return t.env.sql_query(f"SELECT * EXCEPT (x, y) FROM {DATABASE}.left_bag WHERE {condition}")


program(
    "no_columns_of_a_table",
    lambda t: _without(t, "x > 1"),
    rows=[(), ()],
    dataframe=lambda f: f.left_bag.filter("x > 1").drop("x", "y"),
    no_flink=_NO_FLINK,
)
program(
    "no_columns_of_elements",
    lambda t: t.env.from_elements([(), (), ()], []).limit(2).union_all(t.env.from_elements([()], [])),
    rows=[(), (), ()],
    no_flink=_NO_FLINK,
)
program("no_columns_and_no_rows", lambda t: t.env.from_elements([], DataTypes.ROW([])), rows=[], no_flink=_NO_FLINK)
program(
    "no_columns_distinct",
    lambda t: _without(t).distinct().union_all(_without(t).intersect_all(_without(t, "x = 1"))),
    rows=[(), (), ()],
    no_flink=_NO_FLINK,
)
program(
    "no_columns_get_some",
    lambda t: _without(t, "x = 1").filter(lit(1) < 2).add_columns(lit(7).alias("n")).order_by(col("n")),
    rows=[(7,), (7,)],
    no_flink=_NO_FLINK,
)
program(
    "no_columns_joined",
    lambda t: _without(t, "x = 1").join(t.right_bag.filter(col("x") == 1)).join(_without(t, "x = 1")),
    rows=[(1, "a")] * 4,
    no_flink=_NO_FLINK,
)
program(
    "no_columns_counted",
    lambda t: _without(t).select(lit(1).count.alias("n")),
    rows=[(5,)],
    no_flink=_NO_FLINK,
)
