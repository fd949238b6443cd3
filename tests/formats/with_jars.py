"""Sessions of Spark with the jars of Delta Lake or Iceberg, which environment variables name.

No registry of Python packages has these jars. ``DELTA_JARS`` and ``ICEBERG_JARS`` name them, separated by commas, and
``pyspark`` has to be of the version for which they are built. ``python -m tests.formats.with_jars FORMAT FOLDER``
starts a server of Spark Connect in a process of its own, prints its address, and ends with its standard input.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs
import pytest

from tests.connect_server import served

_ROOT: Final = Path(__file__).parents[2]


@attrs.frozen
class JarFormat:
    """A table format whose jars a variable names, and the settings of a session that has it."""

    title: str
    variable: str
    settings: Mapping[str, str]

    @property
    def jars(self) -> str:
        """The jars, separated by commas; empty if nobody named them."""
        return os.environ.get(self.variable, "")


FORMATS: Final = {
    "delta": JarFormat(
        "Delta Lake",
        "DELTA_JARS",
        {
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        },
    ),
    "iceberg": JarFormat(
        "Iceberg",
        "ICEBERG_JARS",
        {
            "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "spark.sql.catalog.spark_catalog": "org.apache.iceberg.spark.SparkSessionCatalog",
            "spark.sql.catalog.spark_catalog.type": "hadoop",
            "spark.sql.catalog.spark_catalog.warehouse": "{folder}/iceberg",
        },
    ),
}


@contextmanager
def server_with_jars(name: str, folder: Path) -> Iterator[str]:
    """Start a server with a table format, and yield its address; skip the test if its jars are not named."""
    wanted = FORMATS[name]
    if not wanted.jars:
        pytest.skip(f"{wanted.variable} does not name the jars of {wanted.title}")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.formats.with_jars", name, str(folder)],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("sc://"), f"Spark does not start with {wanted.variable}={wanted.jars}"
        yield address
    finally:
        process.stdin.close()
        process.wait(60)


def _main(name: str, folder: str) -> None:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.jars", FORMATS[name].jars)
    builder = builder.config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC")
    builder = builder.config("spark.sql.ansi.enabled", "true").config("spark.sql.warehouse.dir", f"{folder}/warehouse")
    for key, value in FORMATS[name].settings.items():
        builder = builder.config(key, value.format(folder=folder))
    spark = builder.getOrCreate()
    # A session with a catalog that cannot be loaded starts, too.
    spark.sql("SHOW TABLES IN spark_catalog.default").collect()
    with served(spark) as address:
        print(address, flush=True)
        sys.stdin.read()
    spark.stop()


if __name__ == "__main__":
    _main(*sys.argv[1:])
