"""Programs with names that would break a careless writer of SQL."""

from __future__ import annotations

from decimal import Decimal as D

from tableapi import DataTypes
from tableapi.expressions import col, lit, row
from tests.programs.program import program

T = DataTypes
HOSTILE = [
    "a b",
    "select",
    "c`d",
    "x.y",
    "${z}",
    "日本",
    "it's",
    '"q"',
    "*",
    "-- no",
    "current_date",
    "😀",
]


def _hostile(t):  # type: ignore[no-untyped-def]
    return t.env.from_elements([tuple(range(len(HOSTILE)))], HOSTILE)


def _column(name: str):  # type: ignore[no-untyped-def]
    from ir.expressions import UnresolvedReference
    from tableapi.expression import Expression

    # col("*") is the star.
    return Expression(UnresolvedReference(name))


program(
    "hostile_columns",
    lambda t: _hostile(t).select(*[_column(n) for n in reversed(HOSTILE)]),
    rows=[tuple(reversed(range(len(HOSTILE))))],
)
program(
    "hostile_columns_grouped",
    lambda t: (
        _hostile(t).group_by(_column("c`d"), _column("*")).select(_column("*"), _column("${z}").sum.alias("it's"))
    ),
    rows=[(8, 4)],
)
program(
    "hostile_columns_filtered_and_sorted",
    lambda t: _hostile(t).filter(_column("x.y") == 3).order_by(_column("current_date").desc).select(_column("-- no")),
    rows=[(9,)],
)
program(
    "hostile_field_names",
    lambda t: (
        t.lines.filter(col("sku") == "cap")
        .select(row(lit(1).alias("a.b"), lit(2).alias("c`d"), lit("x").alias("e f")).alias("r.r"))
        .select(col("r.r").get("a.b").alias("i"), col("r.r").get("c`d").alias("j"), col("r.r").get("e f"))
    ),
    rows=[(1, 2, "x")],
)
program(
    "column_named_like_its_table",
    lambda t: (
        t.lines.select(row(col("quantity").alias("sku")).alias("lines"), col("sku"))
        .filter(col("sku") == "pad")
        .select(col("lines").get("sku").alias("q"), col("sku"))
    ),
    rows=[(10, "pad")],
)
program(
    "join_of_same_named_columns_after_renaming",
    lambda t: (
        t.left_bag.join(t.right_bag.rename_columns(col("x").alias("x2"), col("y").alias("y2")), col("x") == col("x2"))
        .filter(col("y").is_not_null)
        .select(col("x"), col("y"), col("y2"))
    ),
    rows=[(1, "a", "a"), (1, "a", "a"), (2, "b", "c")],
)
program(
    "not_null_types_survive",
    lambda t: t.env.from_elements(
        [(1, "a", D("1.00"))],
        T.ROW([T.FIELD("i", T.INT(False)), T.FIELD("s", T.STRING(False)), T.FIELD("m", T.DECIMAL(10, 2, False))]),
    ).select((col("i") + 1).alias("i"), col("s").upper_case.alias("s"), (col("m") * 2).alias("m")),
    rows=[(2, "A", D("2.00"))],
)
program(
    "line_break_in_a_name",
    lambda t: t.env.from_elements([(1,)], ["new\nline"]).filter(col("new\nline") == 1),
    rows=[(1,)],
    no_flink="identifiers end with the line",
)
