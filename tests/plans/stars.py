"""Star queries over a fact table with a partition per day: each as SQL, as a DataFrame and in the fluent API."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pyspark.sql import functions as f

from tableapi import EnvironmentSettings, Table, TableEnvironment
from tableapi.expressions import col, exists, scalar
from tableapi.window import Over

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DATABASE = "stars"
DAYS = 365
_DAYS_OF_RETURNS = 50
_DIFFERENT = 5
_FACT = "CREATE TABLE {} (store BIGINT, item BIGINT, amount BIGINT, day BIGINT) USING parquet PARTITIONED BY (day)"
_TABLES = {
    "sales": _FACT.format("sales"),
    "returns": _FACT.format("returns"),
    "dates": "CREATE TABLE dates (day_id BIGINT, month BIGINT, day_of_month BIGINT) USING parquet",
    "stores": "CREATE TABLE stores (store_id BIGINT, region BIGINT) USING parquet",
    "regions": "CREATE TABLE regions (region_id BIGINT, region_name STRING) USING parquet",
    "items": "CREATE TABLE items (item_id BIGINT, brand STRING) USING parquet",
}
"""The statement that creates each table, but for its location."""

Fluent = Callable[[Mapping[str, Table]], Table]
Native = Callable[[Mapping[str, "DataFrame"]], "DataFrame"]


class Star(NamedTuple):
    """A query in all its forms, and how many files of fact tables Spark has to read for it."""

    sql: str
    native: Native
    fluent: tuple[Fluent, ...]
    files: int


def create_tables(spark: SparkSession, directory: Path) -> None:
    """Create two fact tables with a file for each day, and their dimensions.

    Spark writes a few files, which are copied to all days. If Spark wrote a file per day, that would take as long as
    all the tests.
    """
    spark = spark.newSession()
    spark.sql(f"CREATE DATABASE {DATABASE}")
    spark.sql(f"USE {DATABASE}")
    rows = spark.range(0, 3 * _DIFFERENT, 1, 1).selectExpr(
        f"id % {_DIFFERENT} AS file", "id % 3 AS store", "id % 7 AS item", "id AS amount"
    )
    rows.write.partitionBy("file").parquet(str(directory / "rows"))
    written = [next((directory / "rows" / f"file={number}").glob("*.parquet")) for number in range(_DIFFERENT)]
    for name, days in {"sales": DAYS, "returns": _DAYS_OF_RETURNS}.items():
        for day in range(days):
            path = directory / name / f"day={day}"
            path.mkdir(parents=True)
            shutil.copy(written[day % _DIFFERENT], path)
        spark.sql(f"{_TABLES[name]} LOCATION '{(directory / name).as_uri()}'")
        spark.sql(f"MSCK REPAIR TABLE {name}")
    dimensions: dict[str, tuple[int, tuple[str, ...]]] = {
        "dates": (DAYS, ("id", "id DIV 30", "id % 30")),
        "stores": (3, ("id", "id % 2")),
        "regions": (2, ("id", "concat('r', id)")),
        "items": (7, ("id", "concat('i', id % 3)")),
    }
    for name, (count, columns) in dimensions.items():
        spark.sql(_TABLES[name])
        spark.range(0, count, 1, 1).selectExpr(*columns).write.insertInto(name)


def declare_tables() -> TableEnvironment:
    """Return an environment without Spark that has the tables."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.with_built_in_database_name(DATABASE).build())
    for name, definition in _TABLES.items():
        env.execute_sql(f"{definition} LOCATION '/{DATABASE}/{name}'")
    return env


def read_tables(env: TableEnvironment) -> dict[str, Table]:
    """Return the tables by their names."""
    return {name: env.from_path(f"{DATABASE}.{name}") for name in _TABLES}


_day = col("day") == col("day_id")
_store = col("store") == col("store_id")
_item = col("item") == col("item_id")
_region = col("region") == col("region_id")
_first = (col("month") == 2) & (col("day_of_month") == 1)
_total = col("amount").sum.alias("total")
_FIRST = "month = 2 AND day_of_month = 1"


def _native_total(frame: DataFrame, *keys: str) -> DataFrame:
    return frame.groupBy(*keys).agg({"amount": "sum"}).toDF(*keys, "total")


def _total_by(table: Table, key: str) -> Table:
    return table.group_by(col(key)).select(col(key), _total)


STARS: dict[str, Star] = {
    "one dimension": Star(
        f"SELECT sum(amount) AS total FROM sales, dates WHERE day = day_id AND {_FIRST}",
        lambda t: _native_total(t["sales"].join(t["dates"], f.expr("day = day_id")).where(_FIRST)),
        (
            lambda t: t["sales"].join(t["dates"]).filter(_day & _first).select(_total),
            lambda t: t["sales"].join(t["dates"], _day).filter(_first).select(_total),
            lambda t: t["sales"].join(t["dates"].filter(_first)).filter(_day).select(_total),
        ),
        files=1,
    ),
    "the dimension first, and no aggregate": Star(
        "SELECT amount, day_of_month FROM dates, sales WHERE month = 3 AND day = day_id",
        lambda t: (
            t["dates"].where("month = 3").join(t["sales"], f.expr("day = day_id")).select("amount", "day_of_month")
        ),
        (
            lambda t: (
                t["dates"]
                .join(t["sales"])
                .filter(_day)
                .filter(col("month") == 3)
                .select(col("amount"), col("day_of_month"))
            ),
            lambda t: (
                t["dates"].join(t["sales"], _day & (col("month") == 3)).select(col("amount"), col("day_of_month"))
            ),
        ),
        files=30,
    ),
    "two dimensions": Star(
        "SELECT region, sum(amount) AS total FROM sales, dates, stores "
        f"WHERE day = day_id AND store = store_id AND {_FIRST} GROUP BY region",
        lambda t: _native_total(
            t["sales"]
            .join(t["dates"].where(_FIRST), f.expr("day = day_id"))
            .join(t["stores"], f.expr("store = store_id")),
            "region",
        ),
        (
            lambda t: _total_by(t["sales"].join(t["dates"]).join(t["stores"]).filter(_day & _store & _first), "region"),
            lambda t: _total_by(t["sales"].join(t["dates"], _day).join(t["stores"], _store).filter(_first), "region"),
        ),
        files=1,
    ),
    "three dimensions, each before the facts": Star(
        "SELECT brand, sum(amount) AS total FROM items, stores, dates, sales "
        f"WHERE item = item_id AND store = store_id AND day = day_id AND region = 0 AND {_FIRST} GROUP BY brand",
        lambda t: _native_total(
            t["sales"]
            .join(t["dates"].where(_FIRST), f.expr("day = day_id"))
            .join(t["stores"].where("region = 0"), f.expr("store = store_id"))
            .join(t["items"], f.expr("item = item_id")),
            "brand",
        ),
        (
            lambda t: _total_by(
                t["items"]
                .join(t["stores"])
                .join(t["dates"])
                .join(t["sales"])
                .filter(_item & _store & _day & (col("region") == 0) & _first),
                "brand",
            ),
            lambda t: _total_by(
                t["sales"]
                .join(t["dates"], _day)
                .join(t["stores"], _store)
                .join(t["items"], _item)
                .filter((col("region") == 0) & _first),
                "brand",
            ),
        ),
        files=1,
    ),
    "a snowflake": Star(
        "SELECT region_name, sum(amount) AS total FROM sales, stores, regions, dates "
        f"WHERE store = store_id AND region = region_id AND day = day_id AND {_FIRST} GROUP BY region_name",
        lambda t: _native_total(
            t["sales"]
            .join(t["stores"].join(t["regions"], f.expr("region = region_id")), f.expr("store = store_id"))
            .join(t["dates"].where(_FIRST), f.expr("day = day_id")),
            "region_name",
        ),
        (
            lambda t: _total_by(
                t["sales"]
                .join(t["stores"].join(t["regions"]).filter(_region))
                .join(t["dates"])
                .filter(_store & _day & _first),
                "region_name",
            ),
            lambda t: _total_by(
                t["sales"].join(t["stores"].join(t["regions"], _region), _store).join(t["dates"], _day).filter(_first),
                "region_name",
            ),
        ),
        files=1,
    ),
    "IN": Star(
        f"SELECT sum(amount) AS total FROM sales WHERE day IN (SELECT day_id FROM dates WHERE {_FIRST})",
        lambda t: _native_total(t["sales"].join(t["dates"].where(_FIRST), f.expr("day = day_id"), "leftsemi")),
        (lambda t: t["sales"].filter(col("day").in_(t["dates"].filter(_first).select(col("day_id")))).select(_total),),
        files=1,
    ),
    "EXISTS": Star(
        f"SELECT sum(amount) AS total FROM sales WHERE EXISTS (SELECT 1 FROM dates WHERE day_id = day AND {_FIRST})",
        lambda t: _native_total(t["sales"].join(t["dates"].where(_FIRST), f.expr("day = day_id"), "leftsemi")),
        (
            lambda t: (
                t["sales"]
                .filter(exists(t["dates"].filter((col("day_id") == t["sales"].outer("day")) & _first)))
                .select(_total)
            ),
        ),
        files=1,
    ),
    "a subquery for the day": Star(
        f"SELECT sum(amount) AS total FROM sales WHERE day = (SELECT max(day_id) FROM dates WHERE {_FIRST})",
        lambda t: _native_total(
            t["sales"].where(f.col("day") == t["dates"].where(_FIRST).agg({"day_id": "max"}).scalar())
        ),
        (
            lambda t: (
                t["sales"]
                .filter(col("day") == scalar(t["dates"].filter(_first).select(col("day_id").max)))
                .select(_total)
            ),
        ),
        files=1,
    ),
    "a left join that keeps the facts": Star(
        f"SELECT sum(amount) AS total, count(day_id) AS n FROM sales LEFT JOIN dates ON day = day_id AND {_FIRST}",
        lambda t: (
            t["sales"]
            .join(t["dates"].where(_FIRST), f.expr("day = day_id"), "left")
            .agg(f.sum("amount").alias("total"), f.count("day_id").alias("n"))
        ),
        (
            lambda t: (
                t["sales"].left_outer_join(t["dates"], _day & _first).select(_total, col("day_id").count.alias("n"))
            ),
        ),
        files=DAYS,
    ),
    "a left join that keeps the dimension": Star(
        f"SELECT sum(amount) AS total FROM dates LEFT JOIN sales ON day = day_id WHERE {_FIRST}",
        lambda t: _native_total(t["dates"].where(_FIRST).join(t["sales"], f.expr("day = day_id"), "left")),
        (lambda t: t["dates"].left_outer_join(t["sales"], _day).filter(_first).select(_total),),
        # Pruning would need Spark to broadcast the preserved side of the join, which it cannot.
        files=DAYS,
    ),
    "a left join beside the star": Star(
        f"SELECT brand, sum(amount) AS total FROM sales JOIN dates LEFT JOIN items ON item = item_id "
        f"WHERE day = day_id AND {_FIRST} GROUP BY brand",
        lambda t: _native_total(
            t["sales"]
            .join(t["dates"], f.expr("day = day_id"))
            .join(t["items"], f.expr("item = item_id"), "left")
            .where(_FIRST),
            "brand",
        ),
        (
            lambda t: _total_by(
                t["sales"].join(t["dates"]).left_outer_join(t["items"], _item).filter(_day & _first), "brand"
            ),
        ),
        files=1,
    ),
    "two fact tables in one": Star(
        "SELECT sum(amount) AS total "
        "FROM (SELECT day, amount FROM sales UNION ALL SELECT day, amount FROM returns), dates "
        f"WHERE day = day_id AND {_FIRST.replace('2', '1')}",
        lambda t: _native_total(
            t["sales"]
            .select("day", "amount")
            .unionAll(t["returns"].select("day", "amount"))
            .join(t["dates"].where(_FIRST.replace("2", "1")), f.expr("day = day_id"))
        ),
        (
            lambda t: (
                t["sales"]
                .select(col("day"), col("amount"))
                .union_all(t["returns"].select(col("day"), col("amount")))
                .join(t["dates"])
                .filter(_day & (col("month") == 1) & (col("day_of_month") == 1))
                .select(_total)
            ),
        ),
        files=2,
    ),
    "two fact tables by the same day": Star(
        "SELECT sum(s.amount) AS total FROM sales s, returns r, dates "
        f"WHERE s.day = day_id AND r.day = s.day AND {_FIRST.replace('2', '1')}",
        lambda t: _native_total(
            t["sales"]
            .join(
                t["returns"].selectExpr("day AS other", "store AS s", "item AS i", "amount AS a"), f.expr("other = day")
            )
            .join(t["dates"], f.expr("day = day_id"))
            .where(_FIRST.replace("2", "1"))
        ),
        (
            lambda t: (
                t["sales"]
                .join(t["returns"].select(col("day").alias("other")))
                .join(t["dates"])
                .filter(_day & (col("other") == col("day")) & (col("month") == 1) & (col("day_of_month") == 1))
                .select(_total)
            ),
        ),
        # Spark prunes only the table that is joined directly to the dimension.
        files=1 + _DAYS_OF_RETURNS,
    ),
    "facts that are grouped by day before": Star(
        "SELECT total FROM (SELECT day, sum(amount) AS total FROM sales GROUP BY day), dates "
        f"WHERE day = day_id AND {_FIRST}",
        lambda t: (
            _native_total(t["sales"], "day").join(t["dates"], f.expr("day = day_id")).where(_FIRST).select("total")
        ),
        (lambda t: _total_by(t["sales"], "day").join(t["dates"]).filter(_day & _first).select(col("total")),),
        files=1,
    ),
    "windows above": Star(
        f"SELECT sum(amount) OVER (PARTITION BY store) AS total FROM sales, dates WHERE day = day_id AND {_FIRST}",
        lambda t: (
            t["sales"]
            .join(t["dates"], f.expr("day = day_id"))
            .where(_FIRST)
            .selectExpr("sum(amount) OVER (PARTITION BY store) AS total")
        ),
        (
            lambda t: (
                t["sales"]
                .join(t["dates"])
                .filter(_day & _first)
                .over_window(Over.partition_by(col("store")).alias("w"))
                .select(col("amount").sum.over(col("w")).alias("total"))
            ),
        ),
        files=1,
    ),
    "the first rows": Star(
        f"SELECT amount FROM sales, dates WHERE day = day_id AND {_FIRST} ORDER BY amount DESC LIMIT 1",
        lambda t: (
            t["sales"]
            .join(t["dates"], f.expr("day = day_id"))
            .where(_FIRST)
            .select("amount")
            .orderBy(f.desc("amount"))
            .limit(1)
        ),
        (
            lambda t: (
                t["sales"]
                .join(t["dates"])
                .filter(_day & _first)
                .select(col("amount"))
                .order_by(col("amount").desc)
                .limit(1)
            ),
        ),
        files=1,
    ),
    "a constant day": Star(
        "SELECT sum(amount) AS total FROM sales, stores WHERE store = store_id AND day = 7 AND region = 0",
        lambda t: _native_total(
            t["sales"].where("day = 7").join(t["stores"].where("region = 0"), f.expr("store = store_id"))
        ),
        (
            lambda t: (
                t["sales"].join(t["stores"]).filter(_store & (col("day") == 7) & (col("region") == 0)).select(_total)
            ),
        ),
        files=1,
    ),
    "a range of days, and a dimension": Star(
        "SELECT sum(amount) AS total FROM sales, dates WHERE day = day_id AND day BETWEEN 55 AND 70 AND month = 2",
        lambda t: _native_total(
            t["sales"].where("day BETWEEN 55 AND 70").join(t["dates"].where("month = 2"), f.expr("day = day_id"))
        ),
        (
            lambda t: (
                t["sales"]
                .join(t["dates"])
                .filter(_day & col("day").between(55, 70) & (col("month") == 2))
                .select(_total)
            ),
        ),
        files=11,
    ),
}
