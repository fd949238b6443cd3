"""Compiles a query to SQL where there is neither Spark nor Java: ``python -m examples.without_spark``."""

from __future__ import annotations

import sys

from tableapi import (
    CatalogTable,
    Column,
    DataTypes,
    Dialect,
    EnvironmentSettings,
    InMemoryCatalog,
    ResolvedSchema,
    TableEnvironment,
)
from tableapi.expressions import col, concat, lit


def main() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("hr").build()
    te = TableEnvironment.create(settings)

    # Declared, without rows: enough to build, check and print queries.
    employees = ResolvedSchema(
        (
            Column("id", DataTypes.BIGINT(False)),
            Column("name", DataTypes.STRING()),
            Column("department", DataTypes.STRING()),
            Column("salary", DataTypes.DECIMAL(10, 2)),
        )
    )
    catalog = te.get_catalog("hr")
    assert isinstance(catalog, InMemoryCatalog)
    catalog.create_table(te.get_current_database(), "employees", CatalogTable(employees))

    raises = (
        te.from_path("employees")
        .filter((col("department") == "Research") & col("name").like("A%"))
        .select(concat(col("name"), " (", col("department"), ")").alias("who"), (col("salary") * lit(2)).alias("pay"))
    )
    raises.print_schema()
    for dialect in (Dialect.SPARK, Dialect.FLINK):
        print(f"-- {dialect.name}")
        print(raises.as_serializable_string(dialect))
    print("pyspark was loaded:", "pyspark" in sys.modules)


if __name__ == "__main__":
    main()
