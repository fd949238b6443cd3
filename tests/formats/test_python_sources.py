"""Data sources in Python are connectors of tables: declared without Spark, read and written by workers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource

from tableapi import DirectoryCatalog, EnvironmentSettings, Schema, TableDescriptor, TableEnvironment
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import col
from tests.formats.sources import Numbers

_SETTINGS = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
_SCHEMA = Schema.new_builder().column("i", "INT").column("name", "STRING").build()


def _descriptor(**options: Any) -> TableDescriptor:
    builder = TableDescriptor.for_connector(Numbers).schema(_SCHEMA)
    for key, value in options.items():
        builder.option(key, value)
    return builder.build()


def _named(connector: Any) -> TableDescriptor.Builder:
    return TableDescriptor.for_connector(connector)


@pytest.fixture
def te(spark: SparkSession) -> TableEnvironment:
    return TableEnvironment.create(_SETTINGS, spark=spark)


def test_a_source_is_declared_without_spark() -> None:
    te = TableEnvironment.create(_SETTINGS)
    te.create_table("numbers", _descriptor(rows=5))
    te.execute_sql("CREATE TABLE by_name (i INT, name STRING) WITH ('connector' = 'Formats_Numbers', 'rows' = '3')")
    te.execute_sql("CREATE TABLE spark_form (i INT) USING formats_numbers OPTIONS (rows '3')")
    for name in ("numbers", "by_name", "spark_form"):
        assert te.from_path(name).select(col("i") + 1).get_schema().get_field_names() == ["_c0"]
    assert te._parts.runtime.started is None


def test_rows(te: TableEnvironment) -> None:
    te.create_table("numbers", _descriptor(rows=5))
    with te.from_path("numbers").filter(col("i") > 2).execute().collect() as rows:
        assert sorted(map(tuple, rows)) == [(3, "n3"), (4, "n4")]


def test_the_source_says_its_columns(te: TableEnvironment) -> None:
    table = te.from_descriptor(_named("formats_numbers").option("rows", 2).build())
    assert str(table.get_resolved_schema()) == "(`i` INT, `name` STRING)"
    with table.execute().collect() as rows:
        assert sorted(map(tuple, rows)) == [(0, "n0"), (1, "n1")]


def test_rows_are_written(te: TableEnvironment, tmp_path: Path) -> None:
    te.create_table("numbers", _descriptor(folder=str(tmp_path)))

    def written() -> list[Any]:
        return sorted(json.loads(line) for line in (tmp_path / "rows").read_text().splitlines())

    te.execute_sql("INSERT INTO numbers VALUES (1, 'a')")
    te.execute_sql("INSERT INTO numbers VALUES (2, 'b')")
    assert written() == [[1, "a"], [2, "b"]]
    te.execute_sql("INSERT OVERWRITE numbers VALUES (3, 'c')")
    assert written() == [[3, "c"]]
    with pytest.raises(ValidationException, match="does not fit the table"):
        te.execute_sql("INSERT INTO numbers VALUES ('x', 'c', 4)")


def test_the_error_of_a_reader_is_that_of_its_code(te: TableEnvironment) -> None:
    te.create_table("numbers", _descriptor(fail="yes"))
    with pytest.raises(TableException, match="ValueError: the service is down") as caught:
        te.from_path("numbers").to_arrow()
    assert "sources.py" in str(caught.value)
    assert "py4j" not in str(caught.value)


def test_a_source_of_the_same_name_replaces_the_other(te: TableEnvironment) -> None:
    class Other(Numbers):
        def schema(self) -> str:
            return "other INT"

    try:
        found = te.from_descriptor(TableDescriptor.for_connector(Other).build())
        assert str(found.get_resolved_schema()) == "(`other` INT)"
    finally:
        _descriptor()


def test_names_of_sources() -> None:
    class Unnamed(DataSource):
        @classmethod
        def name(cls) -> str:
            return ""

    class Csv(DataSource):
        @classmethod
        def name(cls) -> str:
            return "csv"

    with pytest.raises(ValidationException, match="has no name"):
        TableDescriptor.for_connector(Unnamed)
    with pytest.raises(ValidationException, match="cannot be called 'csv'"):
        TableDescriptor.for_connector(Csv)
    with pytest.raises(ValidationException, match="must be a text"):
        TableDescriptor.for_connector(int)
    _descriptor()
    with pytest.raises(TableException, match="Did you mean 'formats_numbers'"):
        _named("formats_numbrs")


def test_a_directory_catalog_keeps_no_class(tmp_path: Path) -> None:
    te = TableEnvironment.create(_SETTINGS)
    te.register_catalog("d", DirectoryCatalog("d", tmp_path / "catalog"))
    te.use_catalog("d")
    with pytest.raises(TableException, match="is read by the class Numbers of this process"):
        te.create_table("numbers", _descriptor())


def test_a_secret_of_a_source_is_not_shown() -> None:
    assert "abc" not in repr(_descriptor(accessToken="abc"))
