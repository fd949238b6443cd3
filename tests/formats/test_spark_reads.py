"""Spark parses the text of versions, changes and metadata, and reports tables that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from ir.rendering import Layout
from tableapi import TableEnvironment
from tableapi.exceptions import CatalogNotExistException, TableException, TableNotExistException
from tests.cases import every
from tests.formats.reads import environment, queries


@every("text", queries, str)
def test_spark_parses_the_text(spark: SparkSession, text: str) -> None:
    table = environment().sql_query(text)
    for layout in Layout:
        spark._jsparkSession.sessionState().sqlParser().parsePlan(table.as_serializable_string(layout=layout))


@pytest.fixture
def te(spark: SparkSession) -> Iterator[TableEnvironment]:
    spark.sql("CREATE OR REPLACE VIEW formats_view AS SELECT 1 AS a")
    spark.sql("CREATE TABLE IF NOT EXISTS formats_table (a INT) USING parquet")
    yield TableEnvironment.create(spark=spark)
    spark.sql("DROP VIEW formats_view")
    spark.sql("DROP TABLE formats_table")


def test_spark_decides_whether_a_table_has_changes(te: TableEnvironment) -> None:
    with pytest.raises(TableException, match="does not support Change Data Capture"):
        te.from_path("formats_table").changes(1)
    with pytest.raises(TableException, match="is a view, which has no changes"):
        te.from_path("formats_view").changes(1)


def test_metadata_that_the_table_lacks(te: TableEnvironment) -> None:
    with pytest.raises(TableNotExistException, match=r"has no metadata table 'snapshot'.*mean 'snapshots'"):
        te.from_path("spark_catalog.default.formats_table.snapshot")
    with pytest.raises(TableNotExistException, match="was not found"):
        te.from_path("spark_catalog.default.nowhere.snapshots")
    with pytest.raises(CatalogNotExistException, match="no catalog named 'nowhere'"):
        te.from_path("nowhere.formats_table.snapshots")
