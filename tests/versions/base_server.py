"""What the servers of all engines have in common: they answer questions about SQL, as JSON lines.

Runs under the Python of any supported engine. It therefore imports only pyspark and the standard library, in the syntax
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
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

_LARGE, _SMALL = 400, 100
# Types of which PySpark has no Python value: intervals, and maps whose keys are rows, arrays or points, which Python
# cannot hash.
_WITHOUT_VALUE = re.compile('"interval"|"interval (year|month)|"keyType": ({|"geo)')
# The error of a task is within the message about its job in Spark 3.5.
_CONDITION = re.compile(r"^(?:Job aborted due to stage failure: .*?Exception: )?\[([A-Z][A-Z0-9_.]*)\]", re.DOTALL)


def condition_in(message: str) -> str | None:
    """Return the error condition with which a message, or the error of a task in it, begins; None if there is none."""
    match = _CONDITION.match(message)
    return match[1] if match else None


class BaseServer:
    """The session, and the answers of all kinds of questions."""

    refusals: tuple[type[Exception], ...] = (PySparkException, ArithmeticError, ValueError)
    """What the engine raises for a question."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self._threads = ThreadPoolExecutor(2, initializer=self.activate)
        self.activate()
        self._view = ""

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
            "view_of": self.view_of,
            "expressions": self.expressions,
            "parsed_equally": self.parsed_equally,
        }
        return answers[kind](**given)

    # --- what engines do in different ways ---------------------------------------------------------------------------

    def activate(self) -> None:
        """Prepare the current thread for questions."""

    def version(self) -> str:
        """Return the version of the engine that runs."""
        raise NotImplementedError

    def settings(self, names: list[str]) -> dict[str, str | None]:
        """Return the default of each setting that the engine defines, by its full name."""
        raise NotImplementedError

    def all_settings(self) -> list[str]:
        """Return the names of all settings of SQL that the engine defines."""
        raise NotImplementedError

    def fields(self, frame: Any) -> list[dict[str, Any]]:
        """Return the columns of a DataFrame as JSON."""
        raise NotImplementedError

    def make_empty_view(self, name: str, columns: list[str]) -> None:
        """Make an empty temporary view; each column is the JSON of a field."""
        raise NotImplementedError

    def parsed_equally(self, pairs: list[list[str]]) -> list[bool]:
        """Return whether both texts of each pair are parsed to the same tree, or are both refused.

        Only Spark's own parser answers; Sail is not asked, since its words are not measured.
        """
        raise NotImplementedError

    def resolved(self, texts: list[str]) -> list[str]:
        """Return the expressions of a refused query that may be valid, without those that are certainly not."""
        return texts

    def condition(self, error: BaseException) -> str:
        """Return the error condition, or the name of the exception."""
        if isinstance(error, PySparkException):
            read = getattr(error, "getCondition", None) or error.getErrorClass
            found = read()
            if found:
                return str(found)
        return condition_in(str(error)) or type(error).__name__

    def message(self, error: BaseException) -> str:
        """Return the message of an exception."""
        return str(error)

    # --- questions ---------------------------------------------------------------------------------------------------

    def set(self, values: dict[str, str]) -> list[str]:
        """Set those settings that the engine defines, and return their names."""
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
                self.execute(text)
                found.append(None)
            except self.refusals as error:
                found.append(self._refusal(error))
        return found

    def execute(self, text: str) -> None:
        """Execute a statement."""
        self.spark.sql(text).collect()

    def scripts(self, scripts: list[list[str]]) -> list[dict[str, Any] | None]:
        """Execute lists of statements, and return the first refusal of each list; the rest of a list is executed."""
        answers = [self.commands(statements) for statements in scripts]
        return [next((refusal for refusal in found if refusal is not None), None) for found in answers]

    def queries(self, texts: list[str], rows: bool = True) -> list[dict[str, Any]]:
        """Return the schema of each query and, unless ``rows`` is False, its rows."""
        return list(self._threads.map(lambda text: self._query(text, rows), texts))

    def view(self, name: str, columns: list[str]) -> list[str]:
        """Make an empty view with those columns that the engine has a type for; return the names of the others.

        Each column is the JSON of a field.
        """
        made, missing = [], []
        for column in columns:
            try:
                self.make_empty_view(name, [column])
                made.append(column)
            except self.refusals:
                missing.append(json.loads(column)["name"])
        self.make_empty_view(name, made)
        self._view = name
        return missing

    def view_of(self, name: str, query: str) -> None:
        """Make a temporary view of the rows of a query, which is analysed once."""
        self.spark.sql(query).createOrReplaceTempView(name)

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

    def select(self, texts: list[str]) -> str:
        """Return the query of expressions over the view."""
        return f"SELECT {', '.join(texts)} FROM {self._view}"

    # --- parts of answers --------------------------------------------------------------------------------------------

    def _refusal(self, error: BaseException) -> dict[str, Any]:
        """Describe an exception of the engine: its condition and the first line of its message."""
        return {"refused": self.condition(error), "message": self.message(error).strip().split("\n")[0][:400]}

    def _query(self, text: str, rows: bool) -> dict[str, Any]:
        try:
            frame = self.spark.sql(text)
            found: dict[str, Any] = {"schema": [[field["name"], *_type(field)] for field in self.fields(frame)]}
        except self.refusals as error:
            return self._refusal(error)
        if rows:
            try:
                found["rows"] = self._rows(frame)
            except self.refusals as error:
                found["failed"] = self._refusal(error)
        return found

    def _rows(self, frame: Any) -> list[Any]:
        """Fetch rows; values of types that PySpark cannot represent are cast to strings."""
        texts = [json.dumps(field["type"]) for field in self.fields(frame)]
        if any(_WITHOUT_VALUE.search(text) for text in texts):
            names = [f"c{number}" for number in range(len(texts))]
            read = [
                f"CAST({n} AS STRING)" if _WITHOUT_VALUE.search(t) else n for n, t in zip(names, texts, strict=True)
            ]
            frame = frame.toDF(*names).selectExpr(*read)
        return [_plain(tuple(row)) for row in frame.collect()]

    def _types(self, texts: list[str]) -> dict[str, Any]:
        try:
            return self._types_at_once(texts)
        except self.refusals:
            found: dict[str, Any] = {}
            for batch in _batches(texts, _SMALL):
                resolved = self.resolved(batch)
                found.update(dict.fromkeys([text for text in batch if text not in resolved], "UNRESOLVED"))
                found.update(self._types_in_parts(resolved))
            return found

    def _types_at_once(self, texts: list[str]) -> dict[str, Any]:
        fields = self.fields(self.spark.sql(self.select(texts)))
        return {text: _type(field) for text, field in zip(texts, fields, strict=True)}

    def _types_in_parts(self, texts: list[str]) -> dict[str, Any]:
        if not texts:
            return {}
        try:
            return self._types_at_once(texts)
        except self.refusals as error:
            if len(texts) == 1:
                return {texts[0]: self.condition(error)}
            middle = len(texts) // 2
            return {**self._types_in_parts(texts[:middle]), **self._types_in_parts(texts[middle:])}


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


def _batches(texts: list[str], size: int) -> list[list[str]]:
    return [texts[start : start + size] for start in range(0, len(texts), size)]


def serve(start: Callable[[str], BaseServer]) -> None:
    """Answer the questions on standard input until it ends; ``start`` gets a folder for tables and files."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What the engine or its launcher prints must not get between the answers.
    os.dup2(2, 1)
    server = start(sys.argv[1])
    answers.write(json.dumps({"answer": server.version(), "pyspark": pyspark.__version__}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps({"answer": server.answer(json.loads(line))}) + "\n")
        answers.flush()
    server.spark.stop()
