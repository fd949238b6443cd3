"""Programs with names that need care when SQL is written."""

from __future__ import annotations

from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expressions import col, exists, lit, row
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
    from ir.unresolved import UnresolvedReference
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

# --- aggregates with names of other columns ---------------------------------------------------------------------------

# In all of these, a name in a key or in an aggregate means a column of the input, never an alias of the SELECT.
program(
    "aggregate_named_like_its_key",
    lambda t: t.lines.group_by(col("sku")).select(
        col("sku").alias("quantity"), col("quantity").sum.alias("line_order"), col("line_order").min.alias("sku")
    ),
    rows=[("pen", 5, 100), ("ink", 1, 100), ("pad", 10, 102), ("cap", 1, 999)],
    dataframe=lambda d: (
        d.lines.groupBy("sku").agg(f.sum("quantity"), f.min("line_order")).toDF("quantity", "line_order", "sku")
    ),
)
program(
    "keys_that_swap_their_names",
    lambda t: t.left_bag.group_by(col("x"), col("y")).select(
        col("x").alias("y"), col("y").alias("x"), col("x").count.alias("n")
    ),
    rows=[(1, "a", 2), (2, "b", 1), (3, None, 1), (None, None, 0)],
    dataframe=lambda d: d.left_bag.groupBy("x", "y").agg(f.count("x")).toDF("y", "x", "n"),
)
program(
    "keys_of_expressions_named_like_columns_of_other_keys",
    lambda t: t.lines.group_by(col("quantity") % 2, col("line_order") + 1).select(
        (col("quantity") % 2).alias("line_order"), (col("line_order") + 1).alias("quantity"), lit(1).count.alias("sku")
    ),
    rows=[(1, 101, 2), (0, 102, 1), (0, 103, 1), (None, 103, 1), (1, 1000, 1)],
    dataframe=lambda d: d.lines.groupBy(f.col("quantity") % 2, f.col("line_order") + 1).agg(f.count("*")),
)
program(
    "grouping_sets_with_names_of_other_keys",
    lambda t: t.left_bag.grouping_sets([col("x")], [col("y")]).select(
        col("x").alias("y"),
        col("y").alias("x"),
        col("x").sum.alias("a"),
        col("x").grouping.alias("gx"),
        col("y").grouping.alias("gy"),
    ),
    rows=[
        (1, None, 2, 0, 1),
        (2, None, 2, 0, 1),
        (3, None, 3, 0, 1),
        (None, None, None, 0, 1),
        (None, "a", 2, 1, 0),
        (None, "b", 2, 1, 0),
        (None, None, 3, 1, 0),
    ],
)
program(
    "rollup_with_grouping_named_like_a_key",
    lambda t: t.left_bag.rollup(col("y")).select(
        col("y").alias("z"), col("y").grouping.alias("x"), col("x").max.alias("y")
    ),
    rows=[("a", 0, 1), ("b", 0, 2), (None, 0, 3), (None, 1, 3)],
    dataframe=lambda d: d.left_bag.rollup("y").agg(f.grouping("y"), f.max("x")).toDF("z", "x", "y"),
)


def _renamed(t):  # type: ignore[no-untyped-def]
    pieces = t.lines.group_by(col("sku")).select(col("sku"), col("quantity").sum).alias("a", "b")
    renamed = pieces.rename_columns(col("b").alias("sku")).filter(col("sku") > 1)
    priced = t.products.filter(col("product") == renamed.outer("a")).filter(col("price") > 1)
    return renamed.filter(exists(priced))


program(
    "aggregation_renamed_twice_filtered_and_correlated",
    _renamed,
    rows=[("pen", 5)],
)
