"""Names that consist of blanks, in back-quotes: like any other name, as in Spark, in SQL and in fluent calls."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from ir.errors import TableException, ValidationException
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.expressions import call, col

BLANKS = [" ", "  ", "\t", "\u00a0"]
QUERIES = [
    "SELECT 1 AS {name}",
    "SELECT {name} FROM (SELECT 1 AS {name})",
    "SELECT {name}.a FROM (SELECT 1 AS a) AS {name}",
    "WITH {name} AS (SELECT 1 AS a) SELECT * FROM {name}",
    "SELECT * FROM VALUES (1) AS t({name})",
    "SELECT named_struct('a', 1) AS {name}",
    "SELECT CAST(NULL AS STRUCT<{name}: INT>) AS a",
    "SELECT transform(array(1), {name} -> {name} + 1) AS a",
    "SELECT sum(1) OVER {name} AS a WINDOW {name} AS (PARTITION BY 1)",
]
STATEMENTS = [
    "CREATE TEMPORARY VIEW {name} AS SELECT 1 AS a",
    "SELECT a FROM {name}",
    "DROP VIEW {name}",
    "CREATE TEMPORARY FUNCTION {name}(x INT) RETURNS INT RETURN x",
    "SELECT {name}(1) AS a",
    "DROP TEMPORARY FUNCTION {name}",
]


@pytest.fixture(params=["memory", "directory"])
def te(request: pytest.FixtureRequest, tmp_path: Path) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    if request.param == "directory":
        te.register_catalog("team", DirectoryCatalog("team", tmp_path))
        te.use_catalog("team")
    return te


@pytest.mark.parametrize("blank", BLANKS)
def test_objects_of_catalogs(te: TableEnvironment, blank: str) -> None:
    name = f"`{blank}`"
    te.execute_sql(f"CREATE DATABASE {name}")
    te.execute_sql(f"USE {name}")
    te.create_view(name, te.sql_query(f"SELECT 1 AS {name}"))
    te.execute_sql(f"CREATE FUNCTION {name}(x INT) RETURNS INT RETURN x")
    assert te.get_current_database() == blank
    assert te.list_views() == [blank]
    assert te.from_path(name).query_operation is te.sql_query(f"SELECT * FROM {name}").query_operation
    assert te.from_path(name).get_resolved_schema().names == (blank,)
    by_call = te.from_path(name).select(call(blank, col(blank)).alias(blank))
    assert by_call.query_operation is te.sql_query(f"SELECT {name}({name}) AS {name} FROM {name}").query_operation
    assert te.sql_query(by_call.as_serializable_string()).query_operation is by_call.query_operation
    te.execute_sql(f"DROP VIEW {name}")
    te.execute_sql(f"DROP FUNCTION {name}")
    assert te.list_views() == []


@pytest.mark.parametrize("blank", BLANKS)
def test_temporary_objects(te: TableEnvironment, blank: str) -> None:
    name = f"`{blank}`"
    te.create_temporary_view(name, te.from_elements([(1,)], [blank]))
    assert te.from_path(name).select(col(blank)).get_resolved_schema().names == (blank,)
    assert te.sql_query(f"SELECT * FROM {name}").query_operation is te.from_path(name).query_operation
    te.drop_temporary_view(name)
    for text in STATEMENTS:
        te.execute_sql(text.format(name=name)) if text.startswith(("CREATE", "DROP")) else te.sql_query(
            text.format(name=name)
        )


def test_no_name(te: TableEnvironment) -> None:
    for use in (te.from_path, te.use_database, lambda path: te.create_view(path, te.sql_query("SELECT 1 AS a"))):
        with pytest.raises((ValidationException, TableException)):
            use("``")


@pytest.mark.parametrize("blank", BLANKS)
def test_spark_reads_the_same(spark: SparkSession, blank: str) -> None:
    session, name = spark.newSession(), f"`{blank}`"
    te = TableEnvironment.create(spark=spark.newSession())
    for text in QUERIES:
        ours, theirs = te.sql_query(text.format(name=name)), session.sql(text.format(name=name))
        assert list(ours.get_resolved_schema().names) == theirs.columns
        assert [tuple(row) for row in ours.execute().collect()] == [tuple(row) for row in theirs.collect()]
    for text in STATEMENTS:
        te.execute_sql(text.format(name=name))
        session.sql(text.format(name=name))
    for text in (f"CREATE VIEW {name} AS SELECT 1 AS a", f"CREATE DATABASE {name}"):
        with pytest.raises(PySparkException):
            session.sql(text)
        with pytest.raises(TableException, match=r"only the letters A to Z|Valid names only contain"):
            te.execute_sql(text)
