"""The TPC-DS tables in Spark: they cannot be read, but Spark plans as for scale factor 100.

Each is an empty file with the size at that scale, and each fact table has one partition. Catalog statistics would not
be enough, because Spark uses the file sizes of the partitions that remain after pruning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tableapi import TableEnvironment
from tests.plans.physical import set_plan_settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DATABASE = "tpcds"
# From table 3-2 of the specification.
ROWS = {
    "call_center": 30,
    "catalog_page": 20_400,
    "catalog_returns": 14_404_374,
    "catalog_sales": 143_997_065,
    "customer": 2_000_000,
    "customer_address": 1_000_000,
    "customer_demographics": 1_920_800,
    "date_dim": 73_049,
    "household_demographics": 7_200,
    "income_band": 20,
    "inventory": 399_330_000,
    "item": 204_000,
    "promotion": 1_000,
    "reason": 55,
    "ship_mode": 20,
    "store": 402,
    "store_returns": 28_795_080,
    "store_sales": 287_997_024,
    "time_dim": 86_400,
    "warehouse": 15,
    "web_page": 2_040,
    "web_returns": 7_197_670,
    "web_sales": 72_001_237,
    "web_site": 24,
}
_PARTITION = re.compile(r"PARTITIONED BY \((\w+)\)")
_DAY = 2_451_000
# The approximate size of a value in a compressed file. Spark only compares sums of these with the broadcast threshold.
_BYTES = {"INT": 2, "STRING": 5, "DATE": 2, "DECIMAL": 4}


def definitions() -> dict[str, str]:
    """Return the CREATE statement of each table."""
    text = Path(__file__).with_name("tables.sql").read_text(encoding="utf-8")
    statements = [statement.strip() for statement in text.split(";\n") if statement.strip()]
    return {statement.split()[2]: statement for statement in statements}


@contextmanager
def tpcds_in_spark(spark: SparkSession, files: Path) -> Iterator[TableEnvironment]:
    """Create the tables in Spark's catalog for the duration of a block; their names need no database.

    The session shows plans in full.
    """
    env = TableEnvironment.create(spark=spark)
    spark.sql(f"CREATE DATABASE {DATABASE}")
    env.use_database(DATABASE)
    spark.sql(f"USE {DATABASE}")
    set_plan_settings(spark)
    try:
        for name, definition in definitions().items():
            path = f"{DATABASE}.{name}"
            created = definition.replace(f"TABLE {name} ", f"TABLE {path} ", 1)
            spark.sql(f"{created} LOCATION '{(files / name).as_uri()}'")
            partition = _PARTITION.search(definition)
            day = "" if partition is None else f"{partition[1]}={_DAY}"
            _write_file(files / name / day, ROWS[name] * _width(definition))
            if partition is not None:
                spark.sql(f"ALTER TABLE {path} ADD PARTITION ({day})")
        yield env
    finally:
        spark.sql(f"DROP DATABASE {DATABASE} CASCADE")


def _write_file(directory: Path, size: int) -> None:
    """Write a sparse file of a size, which takes no space on disk."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "part-0.parquet").open("wb") as file:
        file.truncate(size)


def _width(definition: str) -> int:
    """Return the number of bytes of a row."""
    return sum(size * definition.count(f" {type_}") for type_, size in _BYTES.items())
