"""The options of each format are all that Spark's own classes read."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi.declarations.format_options import require_known_option

_CLASSES = {
    "csv": "catalyst.csv.CSVOptions",
    "json": "catalyst.json.JSONOptions",
    "xml": "catalyst.xml.XmlOptions",
    "text": "execution.datasources.text.TextOptions",
    "parquet": "execution.datasources.parquet.ParquetOptions",
    "orc": "execution.datasources.orc.OrcOptions",
}


@pytest.mark.parametrize("format", _CLASSES)
def test_every_option_of_spark_is_known(spark: SparkSession, format: str) -> None:
    options: Any = spark._jvm
    for part in f"org.apache.spark.sql.{_CLASSES[format]}".split("."):
        options = getattr(options, part)
    names = options.getAllOptions().iterator()
    found = []
    while names.hasNext():
        found.append(names.next())
    assert "compression" in found
    for name in found:
        require_known_option(format, name, "The table")
