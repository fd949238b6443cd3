"""Names are found in any case in the catalogs of a Spark session, as Spark finds its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from ir.errors import CatalogException
from ir.identifiers import fold
from tableapi import TableEnvironment, udf
from tableapi.expressions import col
from tableapi.spark.catalog_names import find_configured_name


@pytest.fixture
def te(spark: SparkSession) -> Iterator[TableEnvironment]:
    """An environment on a session with a second catalog, whose table names are case-sensitive."""
    session = spark.newSession()
    session.conf.set("spark.sql.catalog.Jd", "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    session.conf.set("spark.sql.catalog.Jd.url", "jdbc:derby:memory:names_test;create=true")
    session.conf.set("spark.sql.catalog.Jd.driver", "org.apache.derby.jdbc.EmbeddedDriver")
    made = TableEnvironment.create(spark=session)
    made.execute_sql("CREATE DATABASE Sales")
    made.execute_sql("CREATE TABLE Sales.Orders (Id INT) USING parquet")
    yield made
    made.execute_sql("DROP DATABASE spark_catalog.sales CASCADE")


def test_two_spellings_of_a_table_are_one_tree(te: TableEnvironment) -> None:
    expected = te.from_path("sales.orders").select(col("Id")).query_operation
    for path in ("Sales.Orders", "SPARK_CATALOG.SALES.ORDERS", "Spark_Catalog.`sALES`.oRDERS"):
        assert te.from_path(path).select(col("id")).query_operation is expected
        assert te.sql_query(f"SELECT Id FROM {path}").query_operation is expected
    assert te.sql_query("SELECT ORDERS.Id FROM SALES.orders").query_operation is expected
    assert "`spark_catalog`.`sales`.`orders`" in te.from_path("SALES.ORDERS").as_serializable_string()


def test_the_namespace(te: TableEnvironment) -> None:
    te.use_catalog("SPARK_CATALOG")
    te.use_database("SALES")
    assert (te.get_current_catalog(), te.get_current_database()) == ("spark_catalog", "sales")
    assert te.list_tables() == ["orders"]
    te.execute_sql("USE SPARK_CATALOG.DEFAULT")
    te.execute_sql("SET CATALOG SPARK_CATALOG")
    assert te.get_current_catalog() == "spark_catalog"


def test_views_and_functions(te: TableEnvironment) -> None:
    te.create_view("SPARK_CATALOG.SALES.Dear", te.from_path("SALES.ORDERS"))
    assert te.from_path("Sales.DEAR").query_operation is te.from_path("sales.dear").query_operation
    te.execute_sql("CREATE FUNCTION Sales.Plus_One(x INT) RETURNS INT RETURN x + 1")
    stored = te.sql_query("SELECT sales.plus_one(1) AS a").query_operation
    assert te.sql_query("SELECT SPARK_CATALOG.SALES.PLUS_ONE(1) AS a").query_operation is stored
    te.create_temporary_function("Sales.PLUS_one", udf(lambda x: x * 10, ["INT"], "INT"))
    for name in ("sales.plus_one", "SALES.PLUS_ONE", "SPARK_CATALOG.Sales.Plus_One"):
        assert [tuple(row) for row in te.sql_query(f"SELECT {name}(1) AS a").execute().collect()] == [(10,)]
    te.execute_sql("USE SALES")
    assert [tuple(row) for row in te.sql_query("SELECT Plus_One(1) AS a").execute().collect()] == [(10,)]
    te.drop_temporary_function("SALES.plus_ONE")
    assert [tuple(row) for row in te.sql_query("SELECT Plus_One(1) AS a").execute().collect()] == [(2,)]


def test_a_catalog_that_spark_finds_by_its_case_alone(te: TableEnvironment) -> None:
    te.execute_sql("USE JD.APP")
    assert (te.get_current_catalog(), te.get_current_database()) == ("Jd", "APP")
    te.execute_sql("CREATE TABLE jd.APP.People (a INT)")
    try:
        te.execute_sql("USE spark_catalog")
        expected = te.from_path("Jd.APP.People").query_operation
        assert te.from_path("JD.app.PEOPLE").query_operation is expected
        assert te.sql_query("SELECT * FROM jd.app.people").query_operation is expected
        assert te.sql_query("SELECT * FROM jd.app.people").to_arrow().num_rows == 0
        assert "People" in [row[1] for row in te.execute_sql("SHOW TABLES IN JD.App").collect()]
    finally:
        te.execute_sql("DROP TABLE jD.APP.People")
    with pytest.raises(CatalogException):
        te.from_path("Jd.APP.People")


def test_catalogs_of_a_session_that_differ_in_case_alone(te: TableEnvironment) -> None:
    session = te.spark
    for name in ("Twin", "TWIN"):
        session.conf.set(f"spark.sql.catalog.{name}", session.conf.get("spark.sql.catalog.Jd"))
    assert [find_configured_name(session, name) for name in ("Twin", "TWIN", "JD", "nowhere", "SPARK_Catalog")] == [
        "Twin",
        "TWIN",
        "Jd",
        None,
        "spark_catalog",
    ]
    with pytest.raises(CatalogException, match=r"several catalogs that 'twin' may mean: \[TWIN, Twin\]"):
        find_configured_name(session, "twin")


def test_the_key_of_a_name_is_sparks(te: TableEnvironment) -> None:
    names = ["SALES", "GRÖSSE", "Straße", "\u0130x", "ΟΔΟΣ", "ΣΑΣ Σ", "ſ", "\u01c4", "\u212a"]
    for name in names:
        te.spark.sql(f"CREATE TEMPORARY VIEW `{name}` AS SELECT 1 AS a")
    assert {row["viewName"] for row in te.spark.sql("SHOW VIEWS").collect()} >= set(map(fold, names))
