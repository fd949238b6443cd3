"""Answer questions about SQL with the Spark of this Python: JSON lines in, JSON lines out (``base_server``)."""

from __future__ import annotations

import json
import os
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.versions.base_server import BaseServer, condition_in, serve
from tests.versions.trees import parsed_tree


def _session(folder: str) -> SparkSession:
    """Start a session whose tables and files are in a folder."""
    builder = SparkSession.builder.master("local[2]").appName("versions")
    for name, value in {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": os.path.join(folder, "warehouse"),
        "spark.sql.shuffle.partitions": "1",
        # Few rows: most of the time would go into planning and compiling; see tests/conftest.py.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.ui.explainMode": "simple",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.buffer.pageSize": "1m",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.ansi.enabled": "true",
    }.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


class SparkServer(BaseServer):
    """A classic session of Spark."""

    # Spark's own conditions, and what no PySpark converts, such as an exception of Java.
    refusals = (PySparkException, Py4JError, ArithmeticError, ValueError)

    def __init__(self, spark: SparkSession) -> None:
        self.jvm: Any = spark._jvm
        self.session: Any = spark._jsparkSession
        super().__init__(spark)

    def activate(self) -> None:
        """Activate the session, because analyzer rules read the settings of the thread's active session."""
        self.jvm.org.apache.spark.sql.SparkSession.setActiveSession(self.session)

    def version(self) -> str:
        """Return the version of Spark that runs."""
        return str(self.jvm.org.apache.spark.package.SPARK_VERSION())

    def settings(self, names: list[str]) -> dict[str, str | None]:
        """Return the default of each setting that this Spark defines, by its full name."""
        companion = self.jvm.java.lang.Class.forName("org.apache.spark.sql.internal.SQLConf$")
        conf = companion.getField("MODULE$").get(None)
        # The entries of a module are defined when it is loaded.
        entries = {name: conf.getConfigEntry(name) for name in names}
        return {name: str(entry.defaultValueString()) for name, entry in entries.items() if entry is not None}

    def all_settings(self) -> list[str]:
        """Return the names of all settings of SQL that this Spark defines."""
        companion = self.jvm.java.lang.Class.forName("org.apache.spark.sql.internal.SQLConf$")
        entries = companion.getField("MODULE$").get(None).getConfigEntries().iterator()
        found = []
        while entries.hasNext():
            found.append(str(entries.next().key()))
        return sorted(found)

    def fields(self, frame: Any) -> list[dict[str, Any]]:
        """Return the columns of a DataFrame as JSON; PySpark lacks some types that Spark has."""
        found: list[dict[str, Any]] = json.loads(frame._jdf.schema().json())["fields"]
        return found

    def condition(self, error: BaseException) -> str:
        """Return the error condition, or the name of the exception of Java or Python."""
        if isinstance(error, Py4JJavaError):
            java = error.java_exception
            return condition_in(str(java.getMessage() or "")) or str(java.getClass().getSimpleName())
        return super().condition(error)

    def message(self, error: BaseException) -> str:
        """Return the message of an exception, that of Java without its stack trace."""
        return str(error.java_exception.getMessage()) if isinstance(error, Py4JJavaError) else str(error)

    def make_empty_view(self, name: str, columns: list[str]) -> None:
        """Make an empty temporary view; each column is the JSON of a field."""
        types = self.jvm.org.apache.spark.sql.types.DataType
        schema = types.fromJson(f'{{"type": "struct", "fields": [{", ".join(columns)}]}}')
        self.session.createDataFrame(self.jvm.java.util.ArrayList(), schema).createOrReplaceTempView(name)

    def parsed_equally(self, pairs: list[list[str]]) -> list[bool]:
        """Return whether both texts of each pair are parsed to the same tree, or are both refused."""
        return [self._parsed(first) == self._parsed(second) for first, second in pairs]

    def _parsed(self, text: str) -> str | None:
        try:
            return parsed_tree(self.session.sessionState().sqlParser(), text)
        except self.refusals:
            return None

    def resolved(self, texts: list[str]) -> list[str]:
        """Return the expressions that the analyzer resolves; an expression alone for which it raises counts as one."""
        state = self.session.sessionState()
        try:
            found = state.analyzer().execute(state.sqlParser().parsePlan(self.select(texts))).expressions()
            return [text for position, text in enumerate(texts) if found.apply(position).resolved()]
        except self.refusals:
            middle = len(texts) // 2
            return texts if middle == 0 else self.resolved(texts[:middle]) + self.resolved(texts[middle:])


if __name__ == "__main__":
    serve(lambda folder: SparkServer(_session(folder)))
