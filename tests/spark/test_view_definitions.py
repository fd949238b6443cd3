"""Stored views become queries again, both those of this library and those that other tools have stored on Spark."""

from __future__ import annotations

from typing import Any

import pytest

from tableapi import TableEnvironment, TableException, ValidationException
from tableapi.expressions import col, lit
from tests.spark.rows import rows


@pytest.fixture
def shop(env: TableEnvironment) -> TableEnvironment:
    """An environment with a table, whose database is also the session's current one."""
    env.execute_sql("CREATE TABLE t (a INT, b STRING) USING parquet")
    env.execute_sql("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    env.spark.sql(f"USE {env.get_current_database()}")
    return env


def test_own_views(shop: TableEnvironment) -> None:
    query = shop.from_path("t").filter(col("a") > 1).select(col("b"), (col("a") + 1).alias("n"))
    shop.create_view("v", query, column_comments={"n": "one more"})
    assert shop.from_view_definition("v").query_operation is query.query_operation
    assert rows(shop.from_view_definition("v").select(col("n"))) == [(3,)]
    # A view over a view reads that view instead of expanding it.
    shop.create_view("w", shop.from_path("v").select(col("n")))
    assert "`v`" in shop.from_view_definition("w").as_serializable_string()
    # Too long for the metastore, so the text becomes the body of a function.
    long = shop.from_path("t").select(*[(col("a") + i).alias(f"c{i}") for i in range(1500)])
    shop.create_view("long", long)
    assert shop.from_view_definition("long").query_operation is long.query_operation


def test_views_of_other_tools(shop: TableEnvironment) -> None:
    database = shop.get_current_database()
    shop.spark.sql("CREATE VIEW plain (p COMMENT 'x', q) AS SELECT a + 1 AS x, upper(b) AS y FROM t WHERE a > 1")
    shop.spark.sql("CREATE VIEW star AS SELECT * FROM t")
    shop.spark.sql("CREATE VIEW moment AS SELECT TIMESTAMP '2024-07-01 12:00:00' AS ts")
    shop.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    shop.spark.sql("CREATE VIEW berlin AS SELECT TIMESTAMP '2024-07-01 12:00:00' AS ts")
    shop.spark.conf.set("spark.sql.session.timeZone", "UTC")
    shop.spark.sql("ALTER TABLE t ADD COLUMNS (c INT)")
    # The meaning of the text depends neither on the current database nor on a temporary view.
    shop.create_temporary_view("t", shop.from_elements([(1,)], ["other"]))
    shop.use_database("default")
    stored = shop.from_path(f"{database}.t")
    star = stored.select(col("a"), col("b"))
    assert shop.from_view_definition(f"{database}.star").query_operation is star.query_operation
    plain = shop.from_view_definition(f"{database}.plain")
    assert plain.get_resolved_schema().names == ("p", "q")
    assert rows(plain) == [(3, "Y")]
    for name, hour in (("moment", 12), ("berlin", 10)):
        text = shop.from_view_definition(f"{database}.{name}").as_serializable_string()
        assert text == f"SELECT TIMESTAMP_LTZ '2024-07-01 {hour}:00:00Z' AS `ts`"
    shop.use_database(database)


def test_views_that_mean_something_else(shop: TableEnvironment) -> None:
    database = shop.get_current_database()
    other = shop.spark.newSession()
    other.sql(f"USE {database}")
    other.conf.set("spark.sql.ansi.enabled", "false")
    other.conf.set("spark.sql.caseSensitive", "true")
    other.sql("CREATE VIEW legacy AS SELECT a FROM t")
    with pytest.raises(
        ValidationException, match=r"(?s)spark.sql.ansi.enabled is false, .*spark.sql.caseSensitive is true"
    ):
        shop.from_view_definition("legacy")
    assert len(rows(shop.from_path("legacy"))) == 2
    shop.spark.sql("CREATE VIEW unknown AS\nSELECT nvl(unix_nanos(null), length(b)) || ' years' AS s FROM t")
    with pytest.raises(
        TableException,
        match=r"unknown cannot be read as a query: UNIX_NANOS is not supported: .*\nline 1, column 12:",
    ):
        shop.from_view_definition("unknown")
    with pytest.raises(ValidationException, match="t is a table; only views have a definition"):
        shop.from_view_definition("t")


def test_temporary_views_of_the_session(shop: TableEnvironment) -> None:
    shop.create_temporary_view("mine", shop.from_path("t").select(col("a")))
    assert shop.from_view_definition("mine").query_operation is shop.from_path("t").select(col("a")).query_operation
    shop.spark.sql("CREATE TEMPORARY VIEW theirs AS SELECT a + 1 AS n FROM mine")
    expected = shop.from_path("mine").select((col("a") + lit(1)).alias("n"))
    assert shop.from_view_definition("theirs").query_operation is expected.query_operation
    shop.spark.range(1).createOrReplaceTempView("frame")
    with pytest.raises(ValidationException, match="frame was made of a DataFrame and has no text"):
        shop.from_view_definition("frame")


def test_views_without_a_recorded_ansi_mode(shop: TableEnvironment) -> None:
    shop.spark.sql("CREATE VIEW v AS SELECT a FROM t")
    shop.spark.sql("ALTER VIEW v UNSET TBLPROPERTIES ('view.sqlConfig.spark.sql.ansi.enabled')")
    query = shop.from_path("t").select(col("a"))
    assert shop.from_view_definition("v").query_operation is query.query_operation
    # The view as another version of Spark would have stored it.
    session: Any = shop.spark
    catalog = session._jsparkSession.sharedState().externalCatalog().unwrapped()
    stored = catalog.getTable(shop.get_current_database(), "v")
    fields = [getattr(stored, f"copy$default${i}")() for i in range(1, 23)]
    fields[fields.index(stored.createVersion())] = "3.5.1"
    catalog.alterTable(stored.copy(*fields))
    shop.spark.sql("REFRESH TABLE v")
    with pytest.raises(ValidationException, match=r"spark.sql.ansi.enabled is false, must be true"):
        shop.from_view_definition("v")
