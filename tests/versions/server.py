"""Answer questions about SQL with the Spark of this Python: JSON lines in, JSON lines out.

Runs under the Python of any supported Spark. It therefore imports only pyspark and the standard library, in the syntax
of Python 3.10. Each question is an object with a ``kind``; the other keys are the parameters of the method that answers
it. The answer is ``{"answer": …}``. A bug of this program ends it with a traceback on standard error.
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
        value = value.astimezone(dt.timezone.utc)  # Python 3.10 has no dt.UTC
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
        self.jvm.org.apache.spark.sql.SparkSession.setActiveSession(self.session)

    def answer(self, question: dict[str, Any]) -> Any:
        """Answer a question."""
        given = dict(question)
        kind = given.pop("kind")
        answers: dict[str, Callable[..., Any]] = {
            "version": self.version,
            "settings": self.settings,
            "set": self.set,
            "functions": self.functions,
            "all_settings": self.all_settings,
            "commands": self.commands,
            "scripts": self.scripts,
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

    def all_settings(self) -> list[str]:
        """Return the names of all settings of SQL that this Spark defines."""
        companion = self.jvm.java.lang.Class.forName("org.apache.spark.sql.internal.SQLConf$")
        entries = companion.getField("MODULE$").get(None).getConfigEntries().iterator()
        found = []
        while entries.hasNext():
            found.append(str(entries.next().key()))
        return sorted(found)

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

    def scripts(self, scripts: list[list[str]]) -> list[dict[str, Any] | None]:
        """Execute lists of statements, and return the first refusal of each list; the rest of a list is executed."""
        answers = [self.commands(statements) for statements in scripts]
        return [next((refusal for refusal in found if refusal is not None), None) for found in answers]

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
            names = [f"c{number}" for number in range(len(texts))]
            read = [
                f"CAST({n} AS STRING)" if _WITHOUT_VALUE.search(t) else n for n, t in zip(names, texts, strict=True)
            ]
            frame = frame.toDF(*names).selectExpr(*read)
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
        fields = ", ".join(columns)
        schema = types.fromJson(f'{{"type": "struct", "fields": [{fields}]}}')
        frame = self.session.createDataFrame(self.jvm.java.util.ArrayList(), schema)
        frame.createOrReplaceTempView(name)

    def expressions(self, texts: list[str]) -> list[Any]:
        """Return the type and nullability of each expression over the view, or the condition that refuses it.

        Many expressions share one query. If it is refused, those are found first that the analyzer does not resolve,
        without its final check, which stops at the first mistake.
        """
        distinct = list(dict.fromkeys(texts))
        found: dict[str, Any] = {}
        for part in self._threads.map(self._types, _batches(distinct, _LARGE)):
            found.update(part)
        return [found[text] for text in texts]

    def _types(self, texts: list[str]) -> dict[str, Any]:
        try:
            return self._types_at_once(texts)
        except _REFUSALS:
            found: dict[str, Any] = {}
            for batch in _batches(texts, _SMALL):
                resolved = self._resolved(batch)
                found.update(dict.fromkeys([text for text in batch if text not in resolved], "UNRESOLVED"))
                found.update(self._types_in_parts(resolved))
            return found

    def _types_at_once(self, texts: list[str]) -> dict[str, Any]:
        fields = _fields(self.spark.sql(self._select(texts)))
        return {text: _type(field) for text, field in zip(texts, fields, strict=True)}

    def _types_in_parts(self, texts: list[str]) -> dict[str, Any]:
        if not texts:
            return {}
        try:
            return self._types_at_once(texts)
        except _REFUSALS as error:
            if len(texts) == 1:
                return {texts[0]: _condition(error)}
            middle = len(texts) // 2
            return {**self._types_in_parts(texts[:middle]), **self._types_in_parts(texts[middle:])}

    def _resolved(self, texts: list[str]) -> list[str]:
        """Return the expressions that the analyzer resolves; an expression alone for which it raises counts as one."""
        state = self.session.sessionState()
        try:
            resolved = state.analyzer().execute(state.sqlParser().parsePlan(self._select(texts))).expressions()
            return [text for position, text in enumerate(texts) if resolved.apply(position).resolved()]
        except _REFUSALS:
            middle = len(texts) // 2
            return texts if middle == 0 else self._resolved(texts[:middle]) + self._resolved(texts[middle:])

    def _select(self, texts: list[str]) -> str:
        return f"SELECT {', '.join(texts)} FROM {self._view}"


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
