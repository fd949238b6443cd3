"""Compile a query to SQL without Spark and Java: ``python -m examples.without_spark``."""

from __future__ import annotations

import sys

from tableapi import Dialect, TableEnvironment
from tableapi.expressions import col, concat, lit


def main() -> None:
    te = TableEnvironment.create()

    # Declared without rows, which is enough to build, check and print queries.
    employees = te.declare(
        "hr.employees",
        {"id": "BIGINT NOT NULL", "name": "STRING", "department": "STRING", "salary": "DECIMAL(10, 2)"},
    )

    raises = employees.filter((col("department") == "Research") & col("name").like("A%")).select(
        concat(col("name"), " (", col("department"), ")").alias("who"), (col("salary") * lit(2)).alias("pay")
    )
    raises.print_schema()
    for dialect in (Dialect.SPARK, Dialect.FLINK):
        print(f"-- {dialect.name}")
        print(raises.as_serializable_string(dialect))
    print("pyspark was loaded:", "pyspark" in sys.modules)


if __name__ == "__main__":
    main()
