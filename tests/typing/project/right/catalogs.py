"""Environments, catalogs, tables, statements and errors."""

from __future__ import annotations

import tempfile

import tableapi
from tableapi import (
    CatalogDescriptor,
    DataTypes,
    EnvironmentSettings,
    FormatDescriptor,
    InMemoryCatalog,
    Schema,
    TableConfig,
    TableDescriptor,
    TableEnvironment,
    TablePipeline,
    TableResult,
    __version__,
)
from tableapi.exceptions import SparkAnalysisException, SuspiciousCastWarning, TableException, ValidationException
from tableapi.expressions import col, lit


def build() -> None:
    """Run the parts that need no Spark."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    with TableEnvironment.create(settings) as te:
        config: TableConfig = te.get_config().set("table.local-time-zone", "Europe/Berlin")
        config.set("table.display.progress", "off").set("table.exec.async-scalar.timeout", "5 s")
        te.register_catalog("other", InMemoryCatalog("other"))
        te.create_catalog("team", CatalogDescriptor.of("team", {"type": "directory", "path": tempfile.mkdtemp()}))
        te.use_catalog("memory")
        schema = (
            Schema.new_builder()
            .column("id", "INT NOT NULL")
            .column("name", DataTypes.STRING())
            .column_by_expression("twice", col("id") * 2)
            .column_by_metadata("file", DataTypes.STRING(), "file_name")
            .primary_key("id")
            .build()
        )
        csv = FormatDescriptor.for_format("csv").option("header", True).build()
        descriptor = (
            TableDescriptor.for_connector("filesystem")
            .schema(schema)
            .option("path", "/data/people")
            .format(csv)
            .build()
        )
        te.create_temporary_table("people", descriptor.to_builder().format(csv).build())
        table = te.from_path("people")
        te.create_temporary_view("renamed", table.alias("number"))
        te.declare("lines", "id BIGINT NOT NULL, name STRING")
        te.declare("pairs", [("id", "BIGINT"), ("name", DataTypes.STRING())], primary_key="id", partitioned_by=["name"])
        te.create_view("answers", te.from_elements([(42,)], ["a"]), comment="All of them", or_replace=True)
        result: TableResult = te.execute_sql("SHOW VIEWS")
        result.print()
        te.execute_script("CREATE DATABASE sales; USE sales").wait()
        print(te.explain_sql("SELECT 1"), te.list_tables(), te.describe_function("hypot"), __version__)
        print(tableapi.expressions.col("a"), tableapi.window.Tumble, tableapi.types.Row, tableapi.Table, tableapi.udf)
        try:
            te.from_path("nothing")
        except tableapi.exceptions.TableNotExistException as error:
            print(error.condition)
        except (SparkAnalysisException, ValidationException, TableException, SuspiciousCastWarning):
            raise


def write(te: TableEnvironment) -> None:
    """Write rows."""
    orders = te.from_path("orders")
    pipeline: TablePipeline = orders.insert_into("copies", overwrite=True, columns=["id"])
    pipeline.execute().wait()
    orders.execute_insert("copies", partition={"day": "2026-01-01"}).wait()
    statements = te.create_statement_set()
    statements.add_insert("copies", orders.filter(col("id") == lit(1))).add_insert_sql("INSERT INTO copies SELECT 1")
    statements.execute().print()
