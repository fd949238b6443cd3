"""Answer questions about SQL with the Spark of this Python: JSON lines in, JSON lines out.

Runs under the Python of any supported Spark, so it imports nothing but pyspark and the standard library, and its syntax
is that of Python 3.10. Each question is an object with a ``kind``; the other keys are the parameters of the function that
answers it. The answer is ``{"answer": …}``. A bug of this program ends it with a traceback on standard error.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyspark
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

# What Spark raises for a question: its own conditions, and what no PySpark converts, such as an exception of Java.
_REFUSALS = (PySparkException, Py4JError, ArithmeticError, ValueError)
_LARGE, _SMALL = 400, 100
# Interval types of which PySpark has no Python value.
_WITHOUT_VALUE = re.compile('"interval"|"interval (year|month)')
_CONDITION = re.compile(r"^\[([A-Z][A-Z0-9_.]*)\]")


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


def _condition(error: BaseException) -> str:
    """Return the error condition, or the name of the exception."""
    if isinstance(error, PySparkException):
        read = getattr(error, "getCondition", None) or error.getErrorClass
        found = read()
        if found:
            return str(found)
    if isinstance(error, Py4JJavaError):
        java = error.java_exception
        message = str(java.getMessage() or "")
        match = _CONDITION.match(message)
        return match[1] if match else str(java.getClass().getSimpleName())
    match = _CONDITION.match(str(error))
    return match[1] if match else type(error).__name__


def _refusal(error: BaseException) -> dict[str, Any]:
    """Describe an exception of Spark: its condition and the first line of its message."""
    message = str(error.java_exception.getMessage()) if isinstance(error, Py4JJavaError) else str(error)
    return {"refused": _condition(error), "message": message.strip().split("\n")[0][:400]}


def _fields(frame: Any) -> list[dict[str, Any]]:
    """Return the columns of a DataFrame as JSON; PySpark lacks some types that Spark has."""
    found: list[dict[str, Any]] = json.loads(frame._jdf.schema().json())["fields"]
    return found


def _type(field: dict[str, Any]) -> list[Any]:
    """Return type and nullability of a column. The collations of its strings are metadata of the field."""
    collations = field["metadata"].get("__COLLATIONS")
    return [[field["type"], collations] if collations else field["type"], field["nullable"]]


def _plain(value: Any) -> Any:
    """Return a value as JSON that is the same for every version."""
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {"map": sorted([[_plain(key), _plain(item)] for key, item in value.items()], key=repr)}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": bytes(value).hex()}
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        value = value.astimezone(dt.timezone.utc)
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return repr(value)
    return {type(value).__name__: str(value)}


class Server:
    """The session, and the answers of all kinds of questions."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self.jvm: Any = spark._jvm
        self.session: Any = spark._jsparkSession
        self._threads = ThreadPoolExecutor(2, initializer=self._activate)
        self._activate()
        self._view = ""

    def _activate(self) -> None:
        # Analyzer rules read the settings of the thread's active session.
        active = getattr(self.jvm.org.apache.spark.sql, "SparkSession")
        active.setActiveSession(self.session)

    def answer(self, question: dict[str, Any]) -> Any:
        """Answer a question."""
        given = dict(question)
        kind = given.pop("kind")
        answers: dict[str, Callable[..., Any]] = {
            "version": self.version,
            "settings": self.settings,
            "set": self.set,
            "functions": self.functions,
            "commands": self.commands,
            "queries": self.queries,
            "view": self.view,
            "expressions": self.expressions,
        }
        return answers[kind](**given)

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

    def set(self, values: dict[str, str]) -> list[str]:
        """Set those settings that this Spark defines, and return their names."""
        known = self.settings(list(values))
        for name in known:
            self.spark.conf.set(name, values[name])
        return sorted(known)

    def functions(self) -> list[str]:
        """Return the names of all built-in functions."""
        return [row[0] for row in self.spark.sql("SHOW SYSTEM FUNCTIONS").collect()]

    def commands(self, texts: list[str]) -> list[dict[str, Any] | None]:
        """Execute statements in order; return None for each that succeeds."""
        found: list[dict[str, Any] | None] = []
        for text in texts:
            try:
                self.spark.sql(text).collect()
                found.append(None)
            except _REFUSALS as error:
                found.append(_refusal(error))
        return found

    def queries(self, texts: list[str], rows: bool = True) -> list[dict[str, Any]]:
        """Return the schema of each query and, unless ``rows`` is False, its rows."""
        return list(self._threads.map(lambda text: self._query(text, rows), texts))

    def _query(self, text: str, rows: bool) -> dict[str, Any]:
        try:
            frame = self.spark.sql(text)
            found: dict[str, Any] = {"schema": [[field["name"], *_type(field)] for field in _fields(frame)]}
        except _REFUSALS as error:
            return _refusal(error)
        if rows:
            try:
                found["rows"] = self._rows(frame)
            except _REFUSALS as error:
                found["failed"] = _refusal(error)
        return found

    def _rows(self, frame: Any) -> list[Any]:
        """Fetch rows; values of types that PySpark cannot represent are cast to strings."""
        texts = [json.dumps(field["type"]) for field in _fields(frame)]
        if any(_WITHOUT_VALUE.search(text) for text in texts):
            columns = ["CAST(c%d AS STRING)" if _WITHOUT_VALUE.search(t) else "c%d" for t in texts]
            numbered = frame.toDF(*["c%d" % number for number in range(len(texts))])
            frame = numbered.selectExpr(*[column % number for number, column in enumerate(columns)])
        return [_plain(tuple(row)) for row in frame.collect()]

    def view(self, name: str, columns: list[str]) -> list[str]:
        """Make an empty view with those columns that this Spark has a type for; return the names of the others.

        Each column is the JSON of a field.
        """
        types = self.jvm.org.apache.spark.sql.types.DataType
        made, missing = [], []
        for column in columns:
            try:
                self._empty_view(types, name, [column])
                made.append(column)
            except _REFUSALS:
                missing.append(json.loads(column)["name"])
        self._empty_view(types, name, made)
        self._view = name
        return missing

    def _empty_view(self, types: Any, name: str, columns: list[str]) -> None:
        schema = types.fromJson('{"type": "struct", "fields": [%s]}' % ", ".join(columns))
        frame = self.session.createDataFrame(self.jvm.java.util.ArrayList(), schema)
        frame.createOrReplaceTempView(name)

    def expressions(self, texts: list[str], likely: bool = True) -> list[Any]:
        """Return the type and nullability of each expression over the view, or the condition that refuses it.

        Many expressions share one query, which is split if it is refused. Expressions that are not ``likely`` to be
        accepted are resolved first without the analyzer's final check, because the check stops at the first mistake.
        """
        distinct = list(dict.fromkeys(texts))
        found: dict[str, Any] = {}
        if likely:
            rest = distinct
        else:
            rest = []
            for resolved in self._threads.map(self._resolved, _batches(distinct, _SMALL)):
                for text, is_resolved in resolved:
                    if is_resolved:
                        rest.append(text)
                    else:
                        found[text] = "unresolved"
        for part in self._threads.map(self._checked, _batches(rest, _LARGE if likely else _SMALL)):
            found.update(part)
        return [found[text] for text in texts]

    def _resolved(self, texts: list[str]) -> list[tuple[str, bool]]:
        state = self.session.sessionState()
        try:
            query = "SELECT %s FROM %s" % (", ".join(texts), self._view)
            plan = state.analyzer().execute(state.sqlParser().parsePlan(query))
            resolved = plan.expressions()
            return [(text, bool(resolved.apply(i).resolved())) for i, text in enumerate(texts)]
        except _REFUSALS:
            if len(texts) == 1:
                # The caller asks alone again, for the condition.
                return [(texts[0], True)]
            middle = len(texts) // 2
            return self._resolved(texts[:middle]) + self._resolved(texts[middle:])

    def _checked(self, texts: list[str]) -> dict[str, Any]:
        try:
            query = "SELECT %s FROM %s" % (", ".join(texts), self._view)
            fields = _fields(self.spark.sql(query))
            return {text: _type(field) for text, field in zip(texts, fields)}
        except _REFUSALS as error:
            if len(texts) == 1:
                return {texts[0]: _condition(error)}
            middle = len(texts) // 2
            found = self._checked(texts[:middle])
            found.update(self._checked(texts[middle:]))
            return found


def _batches(texts: list[str], size: int) -> list[list[str]]:
    return [texts[start : start + size] for start in range(0, len(texts), size)]


def main() -> None:
    """Answer the questions on standard input until it ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What Spark or its launcher prints must not get between the answers.
    os.dup2(2, 1)
    server = Server(_session(sys.argv[1]))
    answers.write(json.dumps({"answer": server.version(), "pyspark": pyspark.__version__}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps({"answer": server.answer(json.loads(line))}) + "\n")
        answers.flush()
    server.spark.stop()


if __name__ == "__main__":
    main()
