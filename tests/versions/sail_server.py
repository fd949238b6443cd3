"""Answer questions about SQL with the Sail of this Python: JSON lines in, JSON lines out (``base_server``)."""

from __future__ import annotations

import json
import os
from typing import Any

import pyspark.sql.connect.proto as proto
from grpc import RpcError
from pysail.spark import SparkConnectServer
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from tests.versions.base_server import BaseServer, serve

# The queries name the catalog of their tables as Spark does.
_CATALOG = {
    "SAIL_CATALOG__LIST": '[{name="spark_catalog", type="memory", initial_database=["default"]}]',
    "SAIL_CATALOG__DEFAULT_CATALOG": "spark_catalog",
}
_LISTED = ("spark.sql.ansi.enabled", "spark.sql.session.timeZone")


class SailServer(BaseServer):
    """A Spark Connect session of Sail, whose server runs in this process."""

    # PySpark raises TypeError for a geometry in the form in which Sail sends it.
    refusals = (PySparkException, ArithmeticError, ValueError, TypeError, RpcError)

    def __init__(self) -> None:
        os.environ |= _CATALOG
        self.sail = SparkConnectServer(ip="127.0.0.1", port=0)
        self.sail.start(background=True)
        address, port = self.sail.listening_address
        super().__init__(SparkSession.builder.remote(f"sc://{address}:{port}").getOrCreate())
        self.spark.conf.set("spark.sql.session.timeZone", "UTC")

    def version(self) -> str:
        """Return the version of Sail that runs."""
        return str(self.spark.sql("SELECT VERSION()").collect()[0][0])

    def settings(self, names: list[str]) -> dict[str, str | None]:
        """Return the value of each setting that Sail has one for."""
        session: Any = self.spark
        operation = proto.ConfigRequest.Operation(get_option=proto.ConfigRequest.GetOption(keys=names))
        return {name: value for name, value in session.client.config(operation).pairs if value is not None}

    def all_settings(self) -> list[str]:
        """Return the names of the settings that Sail has among a few: it does not list its settings."""
        return sorted(self.settings(list(_LISTED)))

    def fields(self, frame: Any) -> list[dict[str, Any]]:
        """Return the columns of a DataFrame as JSON."""
        found: list[dict[str, Any]] = json.loads(frame.schema.json())["fields"]
        return found

    def make_empty_view(self, name: str, columns: list[str]) -> None:
        """Make an empty temporary view; each column is the JSON of a field."""
        schema = StructType.fromJson(json.loads(f'{{"type": "struct", "fields": [{", ".join(columns)}]}}'))
        self.spark.createDataFrame([], schema).createOrReplaceTempView(name)

    def execute(self, text: str) -> None:
        """Execute a statement; Sail counts the rows of an INSERT in a type that PySpark does not read."""
        try:
            self.spark.sql(text).collect()
        except PySparkException as error:
            if "uint64" not in str(error):
                raise


if __name__ == "__main__":
    serve(lambda folder: SailServer())
