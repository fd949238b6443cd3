"""Judge a query: compare Spark's run of the original text with the result of this library."""

from __future__ import annotations

import re
import traceback
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ir.errors import TableException
from ir.rendering import Layout
from tableapi import Table, TableEnvironment
from tests.comparison import is_sound, nullable, plain
from tests.plans.facts import optimized
from tests.random_joins import defects
from tests.random_joins.plans import written_plan
from tests.random_joins.tables import for_temporary_views

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark's messages when it fails to analyse a query instead of rejecting it. It builds wrong plans for subqueries that
# refer to columns two levels further out, and for lateral joins below them, and detects that only afterwards.
_OWN_ERRORS = ("INTERNAL_ERROR", "[INTERNAL_ERROR", "An error occurred while calling", "MISSING_ATTRIBUTES")
# Of so many queries with the same plans one is run.
_RUN_ALL_THE_SAME = 10


@frozen
class Difference:
    """A difference: its kind and the evidence."""

    kind: str
    detail: str

    @property
    def signature(self) -> str:
        """The common part of differences with the same cause, as far as their texts show it."""
        line = self.detail.splitlines()[0] if self.detail else ""
        line = re.sub(r"(['`\"\[]).*?(['`\"\]])", "…", line)
        return f"{self.kind}: {re.sub(r'[0-9]+|line .*', '#', line)[:120]}"


@frozen
class Verdict:
    """The result for a query: whether Spark and this library accepted it, and the difference, if any."""

    is_taken_by_spark: bool
    is_taken_here: bool
    difference: Difference | None = None
    rows: int | None = None
    """The number of compared rows; None if the plans were the same."""


class Judge:
    """Compare queries with Spark's results for the original text."""

    def __init__(self, spark: SparkSession, environment: TableEnvironment) -> None:
        self.spark = spark
        self.environment = environment
        self.is_python_written = True

    def verdict(self, text: str, is_ordered: bool = False, build: Callable[[], Table] | None = None) -> Verdict:
        """Judge a query: Spark runs ``text``; ``build`` builds the query here, or by reading the text if it is None."""
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import AnalysisException, PySparkException

        theirs: DataFrame | None = None
        refusal, named = "", ""
        try:
            theirs = self._analysed(text)
        except AnalysisException as error:
            refusal = str(error.getCondition())
            named = (error.getMessageParameters() or {}).get("objectName", "")
        except (PySparkException, Py4JJavaError) as error:
            refusal = str(error)
        if refusal.startswith(_OWN_ERRORS):
            return Verdict(False, False)
        try:
            ours = build() if build is not None else self.environment.sql_query(text)
        except TableException as error:
            if theirs is None:
                return Verdict(False, False)
            if _fails(theirs):
                return Verdict(False, False)
            if defects.is_taken_wrongly(str(error), text):
                return Verdict(True, False)
            return Verdict(True, False, Difference("refused here alone", str(error)))
        except Exception:
            return Verdict(theirs is not None, False, Difference("crash", _last_line_first()))
        if theirs is None:
            if defects.is_refused_wrongly(refusal, named, text):
                return Verdict(False, True)
            return Verdict(False, True, Difference("taken here alone", refusal))
        try:
            difference, rows = self._difference(ours, theirs, text, is_ordered)
        except TableException as error:
            difference, rows = Difference("no text", str(error)), None
        except Exception:
            difference, rows = Difference("crash", _last_line_first()), None
        return Verdict(True, True, difference, rows)

    def _difference(
        self, ours: Table, theirs: DataFrame, original: str, is_ordered: bool
    ) -> tuple[Difference | None, int | None]:
        """Return the first difference of a query that both accept, and the number of compared rows."""
        found = _difference_of_schemas(ours, theirs, original)
        if found is not None:
            return found, None
        compared = None
        expected: Any = None
        same = [_optimised(theirs)]
        # Of some queries the rows are compared although their plans are the same.
        is_run = zlib.crc32(original.encode()) % _RUN_ALL_THE_SAME == 0
        for layout in Layout:
            text = ours.as_serializable_string(layout=layout)
            found = self._difference_of_trees(ours, text, layout)
            if found is not None:
                return found, None
            frame = self._frame(text)
            if isinstance(frame, str):
                return Difference(f"{layout.name} is refused by Spark", f"{frame}\n{text}"), None
            if frame.columns != theirs.columns:
                return Difference(f"names of {layout.name}", f"{theirs.columns} {frame.columns}\n{text}"), None
            if _types(frame) != _types(theirs):
                return Difference(f"types of {layout.name}", f"{_types(theirs)} {_types(frame)}\n{text}"), None
            plan = _optimised(frame)
            if not is_run and any(_is_same_plan(plan, other) for other in same):
                continue
            same.append(plan)
            if expected is None:
                expected = _outcome(theirs, is_ordered)
                if isinstance(expected, str) and "INTERNAL_ERROR" in expected:
                    return None, None
            rows = _outcome(frame, is_ordered)
            compared = len(expected) if isinstance(expected, list) else 0
            query = ours.query_operation
            if rows != expected and not (defects.has_other_rows(query) or defects.fails_wrongly(query, rows)):
                return Difference(f"rows of {layout.name}", f"Spark {expected}\nours  {rows}\n{text}"), None
        if self.is_python_written:
            found = self._difference_of_python(ours)
        return found, compared

    def _analysed(self, text: str) -> DataFrame:
        """Return the DataFrame of a query. ``SparkSession.sql`` looks for parameters in it, which takes longer."""
        from pyspark.sql import DataFrame

        return DataFrame(self.spark._jsparkSession.sql(text), self.spark)

    def _frame(self, text: str) -> DataFrame | str:
        """Return the DataFrame of a text of this library, or Spark's error message."""
        from pyspark.errors import PySparkException

        try:
            return self._analysed(for_temporary_views(text))
        except PySparkException as error:
            return str(error).splitlines()[0]

    def _difference_of_trees(self, ours: Table, text: str, layout: Layout) -> Difference | None:
        """Return a difference if the text in a layout is not read as the same tree."""
        try:
            again = self.environment.sql_query(text)
        except TableException as error:
            return Difference(f"{layout.name} is not read again", f"{error}\n{text}")
        if layout is Layout.NESTED and again.query_operation is not ours.query_operation:
            return Difference("NESTED is another tree", text)
        if again.query_operation.normalize() is not ours.query_operation.normalize():
            return Difference(f"{layout.name} has another normal form", text)
        return None

    def _difference_of_python(self, ours: Table) -> Difference | None:
        """Return a difference if the Python code of a query does not build the query."""
        code = ours.to_python("te")
        scope: dict[str, Any] = {"te": self.environment}
        try:
            exec(code, scope)
        except TableException as error:
            return Difference("to_python is refused", f"{error}\n{code}")
        if scope["result"].query_operation is not ours.query_operation:
            return Difference("to_python builds another tree", code)
        return None


def _last_line_first() -> str:
    """Return the current traceback, with its message first."""
    lines = traceback.format_exc(limit=-3).strip().splitlines()
    return "\n".join([lines[-1], *lines])


def _difference_of_schemas(ours: Table, theirs: DataFrame, text: str) -> Difference | None:
    """Return a difference if the inferred names, types or nullability differ from Spark's analysis."""
    from tableapi.spark.types import from_spark

    inferred = ours.get_resolved_schema()
    if list(inferred.names) != theirs.columns:
        return Difference("names", f"Spark {theirs.columns}\nours  {list(inferred.names)}")
    for field, column in zip(theirs.schema.fields, inferred.columns, strict=True):
        spark_type = from_spark(field.dataType, field.nullable)
        if nullable(spark_type) is not nullable(column.data_type):
            return Difference("types", f"{field.name}: Spark {spark_type}, ours {column.data_type}")
        # Below INTERSECT, Spark makes both copies of a twice selected column nullable if one of them is.
        if not is_sound(column.data_type, spark_type) and "INTERSECT" not in text.upper():
            return Difference("nullability", f"{field.name}: Spark {spark_type}, ours {column.data_type}")
    return None


def _types(frame: DataFrame) -> list[str]:
    return [field.dataType.simpleString() for field in frame.schema.fields]


def _optimised(frame: DataFrame) -> tuple[Any, str | None] | None:
    """Return the optimised plan with its text without names, None if Spark cannot plan the query."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        return optimized(frame), written_plan(frame)
    except (PySparkException, Py4JJavaError):
        return None


def _is_same_plan(plan: tuple[Any, str | None] | None, other: tuple[Any, str | None] | None) -> bool:
    """Whether two plans give the same rows, as their texts or Spark itself find."""
    if plan is None or other is None:
        return False
    return (plan[1] is not None and plan[1] == other[1]) or bool(plan[0].sameResult(other[0]))


def _fails(frame: DataFrame) -> bool:
    """Whether Spark, which analysed a query, cannot plan or run it."""
    outcome = _outcome(frame, is_ordered=False)
    return isinstance(outcome, str) and outcome.startswith("INTERNAL_ERROR")


def _outcome(frame: DataFrame, is_ordered: bool) -> list[str] | str:
    """Return the rows, sorted if their order is undetermined, or the condition of Spark's error."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        rows = [repr(plain(tuple(row))) for row in frame.collect()]
    except PySparkException as error:
        return str(error.getCondition())
    except Py4JJavaError as error:
        return f"INTERNAL_ERROR {str(error.java_exception)[:200]}"
    return rows if is_ordered else sorted(rows)
