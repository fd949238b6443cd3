"""SQL with names that contain ``${…}`` keeps its meaning in a session that substitutes variables, as spark-sql does."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tableapi import TableEnvironment
from tableapi.expressions import col
from tests.serializer.test_substituted_names import HOME, QUERIES, environment


@pytest.fixture(scope="module")
def replacing(spark: SparkSession) -> SparkSession:
    """A session configured like spark-sql's, with the temporary views of the queries."""
    session = spark.newSession()
    session.conf.set("spark.sql.variable.substitute", "true")
    rows = environment().from_elements([(1, "a", 2)], [HOME, "b", "c"]).as_serializable_string()
    session.sql(f"CREATE TEMPORARY VIEW plain AS {rows}")
    session.sql(rf"CREATE TEMPORARY VIEW IDENTIFIER('`\u0024{{view}}`') AS {rows}")
    return session


@pytest.fixture(scope="module")
def te() -> TableEnvironment:
    return environment()


def test_the_session_replaces_names(replacing: SparkSession) -> None:
    assert replacing.sql(f"SELECT 1 AS `{HOME}`").columns != [HOME]


@pytest.mark.parametrize("layout", ["NESTED", "MERGED"])
@pytest.mark.parametrize("name", QUERIES)
def test_text_is_not_substituted(te: TableEnvironment, replacing: SparkSession, name: str, layout: str) -> None:
    table = QUERIES[name](te)
    frame = replacing.sql(table.as_serializable_string(layout=layout))
    assert frame.columns == list(table.get_resolved_schema().names)
    assert frame.collect()


def test_views(replacing: SparkSession, spark: SparkSession) -> None:
    other = spark.newSession()
    other.conf.set("spark.sql.variable.substitute", "true")
    for session in (spark, other):
        te = TableEnvironment.create(spark=session)
        one = te.from_elements([(1, 2)], [HOME, "${x}"]).select(col(HOME), (col("${x}") + 1).alias("${y}"))
        te.create_view("default.substituted", one, or_replace=True, column_comments={HOME: "${env:HOME}"})
        try:
            for reader in (spark, other):
                assert reader.table("default.substituted").columns == [HOME, "${y}"]
                assert [tuple(row) for row in reader.table("default.substituted").collect()] == [(1, 3)]
            assert te.from_path("default.substituted").get_resolved_schema().names == (HOME, "${y}")
            assert "${" not in te.show_create_view("default.substituted")
        finally:
            te.drop_view("default.substituted")
