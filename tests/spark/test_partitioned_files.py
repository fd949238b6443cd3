"""Queries over partitioned Parquet files read the same files and join in the same way as queries of DataFrames.

Both layouts are compared with a DataFrame written by hand, in the plans that Spark executes: for each scan its
partition filters, its pushed filters, the columns and the number of files; also the joins and the exchanges.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from attrs import frozen

from tableapi import DataTypes, Layout, Table, TableEnvironment
from tableapi.expressions import col, lit
from tableapi.window import Over
from tests.plans.facts import facts, scans

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TABLES = {
    # Twelve files, one for each day and region.
    "sales": "PARTITIONED BY (day, region) AS SELECT id, id % 10 AS product,"
    " CAST(id * 0.5 AS DECIMAL(10, 2)) AS amount, STRUCT(id AS x, STRING(id) AS y) AS detail,"
    " DATE_ADD(DATE '2024-01-01', INT(id % 4)) AS day,"
    " ELEMENT_AT(ARRAY('east', 'north', 'west'), INT(id % 3) + 1) AS region FROM range(0, 120, 1, 1)",
    # Four files.
    "years": "PARTITIONED BY (y) AS SELECT id AS number, INT(2020 + id % 4) AS y FROM range(0, 40, 1, 1)",
    # One file.
    "regions": "AS SELECT ELEMENT_AT(ARRAY('east', 'north', 'west'), INT(id) + 1) AS name, id AS code, "
    "DATE_ADD(DATE '2024-01-01', INT(id)) AS opened FROM range(0, 3, 1, 1)",
}
DAY = "2024-01-02"


@pytest.fixture(scope="module")
def env(spark: Any) -> Iterator[TableEnvironment]:
    """An environment with the tables, in which a plan shows all that runs."""
    session = spark.newSession()
    # Adaptive execution replaces the plan while it runs; the initial plan is the same for all.
    session.conf.set("spark.sql.adaptive.enabled", "false")
    made = TableEnvironment.create(spark=session)
    database = f"files_{uuid.uuid4().hex[:8]}"
    session.sql(f"CREATE DATABASE {database}")
    made.use_database(database)
    session.sql(f"USE {database}")
    for name, rest in TABLES.items():
        session.sql(f"CREATE TABLE {name} USING parquet {rest}")
    made.create_view("sold", made.from_path("sales").select(col("region").alias("place"), col("amount"), col("day")))
    yield made
    session.sql(f"DROP DATABASE {database} CASCADE")


@frozen
class Case:
    """A query on both sides, and the number of files that it reads; a file read for pruning, too, does not count."""

    build: Callable[[Callable[[str], Table]], Table]
    native: Callable[[Callable[[str], DataFrame]], DataFrame]
    files: int


def _days(s: Table) -> Table:
    return s.add_columns((col("amount") * 2).alias("double")).rename_columns(col("day").alias("when"))


CASES = {
    "equality": Case(
        lambda t: t("sales").filter(col("region") == "west").select(col("id")),
        lambda t: t("sales").filter("region = 'west'").select("id"),
        4,
    ),
    "pushed into files as well": Case(
        lambda t: t("sales").filter((col("day") > lit(DAY).to_date) & (col("id") > 100) & col("amount").is_not_null),
        lambda t: t("sales").filter(f"day > DATE '{DAY}' AND id > 100 AND amount IS NOT NULL"),
        6,
    ),
    "a date as a string": Case(
        lambda t: t("sales").filter(col("day").cast(DataTypes.STRING()) == DAY).select(col("amount")),
        lambda t: t("sales").filter(f"CAST(day AS STRING) = '{DAY}'").select("amount"),
        3,
    ),
    "an integer compared with a wider one": Case(
        lambda t: t("years").filter(col("y") == lit(2021, DataTypes.BIGINT())),
        lambda t: t("years").filter("y = 2021L"),
        1,
    ),
    "an integer cast": Case(
        lambda t: t("years").select(col("y").cast(DataTypes.BIGINT()).alias("y"), col("number"))
        .filter(col("y") > 2022),
        lambda t: t("years").selectExpr("CAST(y AS BIGINT) AS y", "number").filter("y > 2022"),
        1,
    ),
    "in a list": Case(
        lambda t: t("sales").filter(col("region").in_("west", "east") & col("product").in_(1, 2, 3)).select(col("id")),
        lambda t: t("sales").filter("region IN ('west', 'east') AND product IN (1, 2, 3)").select("id"),
        8,
    ),
    "like": Case(
        lambda t: t("sales").filter(col("region").like("w%")).select(col("id")),
        lambda t: t("sales").filter("region LIKE 'w%'").select("id"),
        4,
    ),
    "above renaming and computed columns": Case(
        lambda t: _days(t("sales")).filter((col("when") == lit(DAY).to_date) & (col("double") > 5)).select(col("id")),
        lambda t: t("sales")
        .selectExpr("*", "amount * 2 AS double")
        .withColumnRenamed("day", "when")
        .filter(f"when = DATE '{DAY}' AND double > 5")
        .select("id"),
        3,
    ),
    "above a union": Case(
        lambda t: t("sales").union_all(t("sales").filter(col("id") > 5)).filter(col("region") == "west"),
        lambda t: t("sales").unionAll(t("sales").filter("id > 5")).filter("region = 'west'"),
        8,
    ),
    "above an aggregation by the partition": Case(
        lambda t: t("sales")
        .group_by(col("region"))
        .select(col("region"), col("amount").sum.alias("total"))
        .filter(col("region") != "west"),
        lambda t: t("sales").groupBy("region").agg({"amount": "sum"}).filter("region <> 'west'"),
        8,
    ),
    "above an aggregation, with HAVING": Case(
        lambda t: t("sales")
        .group_by(col("region"), col("day"))
        .select(col("region"), col("day"), col("amount").sum.alias("total"))
        .filter((col("total") > 10) & (col("day") == lit(DAY).to_date)),
        lambda t: t("sales")
        .groupBy("region", "day")
        .agg({"amount": "sum"})
        .filter(f"`sum(amount)` > 10 AND day = DATE '{DAY}'"),
        3,
    ),
    "above DISTINCT and a rename": Case(
        lambda t: t("sales").select(col("region").alias("r"), col("product")).distinct().filter(col("r") == "west"),
        lambda t: t("sales").selectExpr("region AS r", "product").distinct().filter("r = 'west'"),
        4,
    ),
    "above a window by the partition": Case(
        lambda t: t("sales")
        .over_window(Over.partition_by(col("region")).order_by(col("id")).alias("w"))
        .select(col("region"), col("id"), col("amount").sum.over(col("w")).alias("so_far"))
        .filter(col("region") == "west"),
        lambda t: t("sales")
        .selectExpr("region", "id", "SUM(amount) OVER (PARTITION BY region ORDER BY id) AS so_far")
        .filter("region = 'west'"),
        4,
    ),
    "through a stored view": Case(
        lambda t: t("sold").rename_columns(col("place").alias("r")).filter(col("r") == "west").select(col("amount")),
        lambda t: t("sales").selectExpr("region AS r", "amount").filter("r = 'west'").select("amount"),
        4,
    ),
    "above a join with renames": Case(
        lambda t: t("sales")
        .select(col("region").alias("r"), col("day").alias("d"), col("amount"))
        .join(t("regions"), col("r") == col("name"))
        .filter((col("d") == lit(DAY).to_date) & (col("amount") > 3))
        .select(col("code"), col("amount")),
        lambda t: t("sales")
        .selectExpr("region AS r", "day AS d", "amount")
        .join(t("regions"), _on("r", "name"))
        .filter(f"d = DATE '{DAY}' AND amount > 3")
        .select("code", "amount"),
        4,
    ),
    "pruned by what is joined": Case(
        lambda t: t("sales").join(t("regions").filter(col("code") == 1), col("region") == col("name")),
        lambda t: t("sales").join(t("regions").filter("code = 1"), _on("region", "name")),
        4,
    ),
    "pruned by what is joined, under renames": Case(
        lambda t: _days(t("sales"))
        .select(col("when"), col("region").alias("r"), col("double"))
        .join(
            t("regions").select(col("opened"), col("code").alias("c")).filter(col("c") > 1),
            col("when") == col("opened"),
        )
        .group_by(col("r"))
        .select(col("r"), col("double").sum.alias("total")),
        lambda t: t("sales")
        .selectExpr("day AS when", "region AS r", "amount * 2 AS double")
        .join(t("regions").selectExpr("opened", "code AS c").filter("c > 1"), _on("when", "opened"))
        .groupBy("r")
        .agg({"double": "sum"}),
        3,
    ),
    "a view pruned by what is joined": Case(
        lambda t: t("sold")
        .join(t("regions").filter(col("code") == 1), col("place") == col("name"))
        .select(col("amount")),
        lambda t: t("sales")
        .selectExpr("region AS place", "amount", "day")
        .join(t("regions").filter("code = 1"), _on("place", "name"))
        .select("amount"),
        4,
    ),
    "left join": Case(
        lambda t: t("sales")
        .left_outer_join(t("regions"), col("region") == col("name"))
        .filter(col("region") == "west")
        .select(col("id"), col("code")),
        lambda t: t("sales")
        .join(t("regions"), _on("region", "name"), "left")
        .filter("region = 'west'")
        .select("id", "code"),
        5,
    ),
    "the partitions that a subquery gives": Case(
        lambda t: t("sales").filter(col("region").in_(t("regions").filter(col("code") == 2).select(col("name")))),
        lambda t: t("sales").filter("region IN (SELECT name FROM regions WHERE code = 2)"),
        4,
    ),
    "a join of the table with itself": Case(
        lambda t: t("sales")
        .filter(col("day") == lit(DAY).to_date)
        .select(col("id"), col("product"))
        .join(
            t("sales").filter(col("region") == "west").select(col("id").alias("other"), col("product").alias("p")),
            col("product") == col("p"),
        ),
        lambda t: t("sales")
        .filter(f"day = DATE '{DAY}'")
        .select("id", "product")
        .join(
            t("sales").filter("region = 'west'").selectExpr("id AS other", "product AS p"),
            _on("product", "p"),
        ),
        7,
    ),
    "fields of a row, and the first rows": Case(
        lambda t: t("sales")
        .filter(col("day") == lit(DAY).to_date)
        .select(col("detail").get("x").alias("x"), col("amount"))
        .order_by(col("amount").desc)
        .limit(3)
        .select(col("x")),
        lambda t: t("sales")
        .filter(f"day = DATE '{DAY}'")
        .selectExpr("detail.x AS x", "amount")
        .orderBy(_descending("amount"))
        .limit(3)
        .select("x"),
        3,
    ),
    "what was common to two": Case(
        lambda t: t("sales")
        .select(col("product"), col("region"))
        .intersect(t("sales").select(col("product"), col("region")))
        .filter(col("region") == "east"),
        lambda t: t("sales").select("product", "region").intersect(t("sales").select("product", "region"))
        .filter("region = 'east'"),
        16,
    ),
}  # fmt: skip


def _on(left: str, right: str) -> Any:
    from pyspark.sql import functions

    return functions.col(left) == functions.col(right)


def _descending(name: str) -> Any:
    from pyspark.sql import functions

    return functions.col(name).desc()


def _files(frame: Any) -> int:
    """Run a query and return the number of files that it read."""
    frame.toArrow()
    plan = frame._jdf.queryExecution().executedPlan()
    return sum(int(scan.metrics().apply("numFiles").value()) for scan in scans(plan))


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_reads_and_joins_as_the_dataframe(case: Case, env: TableEnvironment) -> None:
    native = case.native(env.spark.table)
    ours = case.build(env.from_path)
    merged = env.spark.sql(ours.as_serializable_string(layout=Layout.MERGED))
    nested = env.spark.sql(ours.as_serializable_string())
    assert facts(nested) == facts(merged) == facts(native)
    assert _files(merged) == case.files
