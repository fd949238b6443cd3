"""Programs over strings with collations, such as customer or search tables have."""

from __future__ import annotations

from pyspark.sql import functions as f

from tableapi import DataTypes, Table
from tableapi.expressions import call, col, lit
from tests.programs.program import program
from tests.programs.tables import Tables

NO_FLINK = "Flink has no collations"


def _cities(t: Tables) -> Table:
    """Return the cities as a case-insensitive column."""
    return t.customers.select(col("id"), col("city").collate("unicode_ci").alias("city"))


program(
    "collated_filter",
    lambda t: t.customers.filter(col("city").collate("UTF8_LCASE") == "BERLIN").select(col("name")),
    rows=[("Ada",), ("Di",)],
    dataframe=lambda d: d.customers.filter(f.collate("city", "UTF8_LCASE") == "BERLIN").select("name"),
    no_flink=NO_FLINK,
)
program(
    "collated_group",
    lambda t: (
        _cities(t)
        .union_all(t.customers.select(col("id") + 10, col("city").upper_case.collate("UNICODE_CI")))
        .group_by(col("city"))
        .select(col("city").lower_case.alias("city"), col("id").sum.alias("ids"))
    ),
    rows=[("berlin", 1 + 5 + 11 + 15), ("paris", 2 + 3 + 12 + 13), (None, 4 + 14)],
    no_flink=NO_FLINK,
)
program(
    "collated_join",
    lambda t: (
        _cities(t)
        .alias("one", "city")
        .join(t.customers.select(col("id").alias("other"), col("city").upper_case.collate("UNICODE_CI").alias("town")))
        .where((col("city") == col("town")) & (col("one") < col("other")))
        .select(col("one"), col("other"))
    ),
    rows=[(1, 5), (2, 3)],
    no_flink=NO_FLINK,
)
program(
    "collated_order",
    lambda t: t.env.from_elements(
        [(1, "b"), (2, "A"), (3, "a"), (4, "B"), (5, None)],
        DataTypes.ROW([DataTypes.FIELD("n", DataTypes.INT(False)), DataTypes.FIELD("s", DataTypes.STRING())]),
    ).order_by(col("s").collate("UNICODE").asc, col("n")),
    rows=[(5, None), (3, "a"), (2, "A"), (1, "b"), (4, "B")],
    ordered=True,
    no_flink=NO_FLINK,
)
program(
    "collated_distinct_values",
    lambda t: (
        t.env.from_elements(
            [("Ärger",), ("arger",), ("ARGER ",), (None,)],
            DataTypes.ROW([DataTypes.FIELD("s", DataTypes.STRING(collation="de_ci_ai_rtrim"))]),
        )
        .distinct()
        .select(lit(1).count.alias("groups"), col("s").count.alias("texts"))
    ),
    rows=[(2, 1)],
    no_flink="STRING COLLATE de_CI_AI_RTRIM",
)
program(
    "collated_results",
    lambda t: t.left_bag.filter(col("x") == 2).select(
        col("y").collate("UTF8_LCASE").concat("X").alias("joined"),
        call("coalesce", col("y").collate("UNICODE"), "none").alias("chosen"),
        col("y").collate("UTF8_LCASE").replace("B", "c").alias("replaced"),
        col("y").collation.alias("plain"),
        col("y").collate("sr_cyrl_srb_ai").collation.alias("full"),
        col("y").collate("UTF8_LCASE").in_("A", "B").alias("found"),
        col("y").collate("UNICODE_CI").starts_with("B").alias("begins"),
    ),
    rows=[
        ("bX", "b", "c", "SYSTEM.BUILTIN.UTF8_BINARY", "SYSTEM.BUILTIN.sr_Cyrl_SRB_AI", True, True),
    ],
    no_flink=NO_FLINK,
)
program(
    "collated_of_nothing",
    lambda t: (
        t.nothing.select(col("b").collate("UNICODE_CI").alias("b"), col("a"))
        .group_by(col("b"))
        .select(col("b"), col("a").max.alias("most"))
    ),
    rows=[],
    no_flink=NO_FLINK,
)
program(
    "collated_column_with_hostile_name",
    lambda t: (
        t.left_bag.select(col("y").cast(DataTypes.STRING(collation="UTF8_LCASE")).alias("COLLATE `as`"))
        .filter(col("COLLATE `as`") == "B")
        .select(col("COLLATE `as`"), col("COLLATE `as`").collate("as").upper_case.alias("collation"))
    ),
    rows=[("b", "B")],
    no_flink=NO_FLINK,
)
program(
    "collated_parts",
    lambda t: (
        t.products.filter(col("product") == "pen")
        .select(col("tags").cast(DataTypes.ARRAY(DataTypes.STRING(collation="UTF8_LCASE"))).alias("tags"))
        .select(col("tags").array_contains("BLUE").alias("blue"), col("tags").at(1).alias("first"))
        .filter(col("first") == "Blue")
    ),
    rows=[(True, "blue")],
    no_flink=NO_FLINK,
)
program(
    "collated_column_beside_another_collation",
    lambda t: (
        t.customers.select(col("id"), col("city").collate("UTF8_LCASE").alias("town"), col("city"))
        .filter(col("town") != col("city").upper_case.collate("UTF8_BINARY"))
        .select(col("id"), col("town"))
    ),
    # Two explicit collations in one comparison would be an error; here the collation of a column is implicit and
    # yields.
    rows=[(1, "Berlin"), (2, "Paris"), (3, "Paris"), (5, "Berlin")],
    dataframe=lambda d: (
        d.customers.select("id", f.collate("city", "UTF8_LCASE").alias("town"), "city")
        .filter(f.col("town") != f.collate(f.upper("city"), "UTF8_BINARY"))
        .select("id", "town")
    ),
    no_flink=NO_FLINK,
)
program(
    "collated_aggregate_beside_another_collation",
    lambda t: (
        t.customers.group_by(col("city"))
        .select(col("city"), col("city").max.collate("UTF8_LCASE").alias("most"))
        .filter(col("most") != col("city").upper_case.collate("UTF8_BINARY"))
        .order_by((col("most") == col("city").upper_case.collate("UNICODE_CI")).desc, col("city"))
    ),
    rows=[("Berlin", "Berlin"), ("Paris", "Paris")],
    ordered=True,
    no_flink=NO_FLINK,
)
program(
    "collated_order_by_what_is_left_out",
    lambda t: (
        t.customers.select(col("id"), col("city").collate("UTF8_LCASE").alias("town"), col("city"))
        .order_by((col("town") == col("city").upper_case.collate("UTF8_BINARY")).asc, col("id"))
        .select(col("id"))
    ),
    # A condition that is NULL sorts first.
    rows=[(4,), (1,), (2,), (3,), (5,)],
    ordered=True,
    no_flink=NO_FLINK,
)
