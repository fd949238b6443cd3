"""Spark's exceptions as the user sees them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ir.errors import SQL_STATES, TableException, ValidationException
from tableapi.spark.errors import (
    QueryContext,
    SparkAnalysisException,
    SparkExecutionException,
    readable_errors,
    translate,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# The emoji makes the fragment that Spark quotes off by one here.
DIVISION = "SELECT '😀' AS e, id / (id - id) AS x FROM range(3)"
ENGINE_NOISE = ("py4j", "\tat ", "org.apache", "java.lang", "JVM", "== SQL", "'Project", "ansi.enabled")


def raised(action: Callable[[], object], operation: str | None = None, sql: str | None = None) -> Any:
    with pytest.raises(TableException) as caught, readable_errors(operation, sql):
        action()
    assert caught.value.__suppress_context__
    assert not any(noise in str(caught.value) for noise in ENGINE_NOISE), str(caught.value)
    return caught.value


@pytest.fixture(params=["classic", "connect"])
def session(jvm: None, request: pytest.FixtureRequest) -> Any:
    base = request.getfixturevalue({"classic": "spark", "connect": "connect_spark"}[request.param])
    new = base.newSession()
    new.conf.set("spark.sql.timeType.enabled", "true")
    return new


@pytest.mark.parametrize("action", ["collect", "toArrow", "toPandas"])
def test_runtime_error(session: Any, action: str) -> None:
    error = raised(lambda: getattr(session.sql(DIVISION), action)(), "Project", DIVISION)
    assert type(error) is SparkExecutionException
    assert (error.condition, error.sql_state) == ("DIVIDE_BY_ZERO", "22012")
    assert error.query_context == QueryContext("id / (id - id)", 17, 30)
    assert str(error) == (
        "Project failed: [DIVIDE_BY_ZERO] Division by zero. Use `try_divide` to tolerate divisor being 0 and return "
        "NULL instead. SQLSTATE: 22012\n  at: id / (id - id)   (characters 17 to 30 of the SQL)"
    )


def test_without_operation_and_text(session: Any) -> None:
    error = raised(lambda: session.sql("SELECT CAST('x' AS INT) FROM range(3)").collect())
    assert str(error).startswith("[CAST_INVALID_INPUT] The value 'x' of the type")
    assert error.query_context.fragment == "CAST('x' AS INT)"


def test_analysis_error(session: Any) -> None:
    error = raised(lambda: session.sql("SELECT nope FROM range(3)").schema, "View v", "SELECT nope FROM range(3)")
    assert type(error) is SparkAnalysisException
    assert isinstance(error, ValidationException)
    assert error.condition == "UNRESOLVED_COLUMN.WITH_SUGGESTION"
    assert error.sql_state == "42703"
    assert error.query_context == QueryContext("nope", 7, 10)
    assert "Did you mean one of the following? [`id`]" in str(error)


def test_syntax_error(session: Any) -> None:
    error = raised(lambda: session.sql("SELECT FROM WHERE )"))
    assert isinstance(error, ValidationException)
    assert (error.condition, error.sql_state) == ("PARSE_SYNTAX_ERROR", "42601")


def test_a_syntax_error_has_its_place(session: Any) -> None:
    text = "BEGIN\n  SELECT 1;\n  SELEC 2;\nEND"
    error = raised(lambda: session.sql(text), None, text)
    assert str(error).endswith("line 3, column 9:\n    SELEC 2;\n          ^")


def test_an_error_of_a_script_has_its_line(session: Any) -> None:
    text = "BEGIN\n  DECLARE c CURSOR FOR SELECT 1;\nEND"
    error = raised(lambda: session.sql(text), None, text)
    assert (error.condition, error.sql_state) == ("UNSUPPORTED_FEATURE.SQL_CURSOR", "0A000")
    assert str(error).startswith("[UNSUPPORTED_FEATURE.SQL_CURSOR] The feature is not supported")
    assert str(error).endswith("\nline 2:\n  DECLARE c CURSOR FOR SELECT 1;")


def test_error_within_a_view_points_at_its_use(session: Any) -> None:
    session.sql("CREATE OR REPLACE TEMPORARY VIEW halves AS SELECT 1 / (id - 1) AS h FROM range(3)")
    error = raised(lambda: session.sql("SELECT h FROM halves").collect(), "Source", "SELECT h FROM halves")
    assert error.query_context == QueryContext("halves", 14, 19)


def test_error_of_another_text_is_not_quoted_from_this_one(session: Any) -> None:
    other = "SELECT 'some other text, long enough to hold the position'"
    error = raised(lambda: session.sql("SELECT nope FROM range(3)").schema, "Project", other)
    assert error.query_context == QueryContext("nope", 7, 10)


@pytest.mark.slow
def test_object_that_spark_names_is_named() -> None:
    context = QueryContext("1 / a", 7, 11, "VIEW", "spark_catalog.default.v")
    assert str(context) == "1 / a   (in view spark_catalog.default.v, characters 7 to 11 of the SQL)"


def test_python_function_keeps_its_traceback(spark: SparkSession) -> None:
    from pyspark.sql.functions import udf

    def boom(value: object) -> int:
        raise ValueError(f"bad row {value}")

    error = raised(lambda: spark.range(1).select(udf(boom, "int")("id")).collect(), "Function boom")
    assert error.condition == "PYTHON_EXCEPTION"
    assert "in boom" in str(error)
    assert "ValueError: bad row 0" in str(error)


def test_error_that_pyspark_does_not_convert(spark: SparkSession) -> None:
    error = raised(lambda: spark.sql("SELECT CAST('2020-01-01' AS TIMESTAMP(3))"))
    assert (error.condition, error.sql_state) == ("INVALID_TIMESTAMP_PRECISION", "22023")


def test_error_without_condition_is_its_root_cause(spark: SparkSession) -> None:
    jvm: Any = spark._jvm
    error = raised(lambda: jvm.java.lang.Integer.parseInt("x"))
    assert 'For input string: "x"' in str(error)
    assert error.condition is None


def test_mistake_of_spark(spark: SparkSession) -> None:
    jvm: Any = spark._jvm
    error = raised(lambda: jvm.java.util.Optional.empty().get(), "Project")
    assert str(error) == (
        "Project failed: Spark stopped with an error of its own, NoSuchElementException: No value present. The query "
        "is not wrong; written in another way, for instance with fewer subqueries, it may run."
    )
    assert error.condition is None


def test_method_that_the_jvm_lacks(spark: SparkSession) -> None:
    jvm: Any = spark._jvm
    assert "does not exist" in str(raised(lambda: jvm.java.lang.Integer.parseInt()))


def test_text_too_long_for_the_metastore(spark: SparkSession) -> None:
    text = f"CREATE VIEW long_view AS SELECT '{'x' * 40_000}' AS a"
    error = raised(lambda: spark.sql(text), "CREATE VIEW long_view")
    assert str(error) == (
        "CREATE VIEW long_view failed: The text is too long for the metastore: Derby holds 32,700 characters of a view."
    )


def test_invalid_setting(session: Any) -> None:
    error = raised(lambda: session.conf.set("spark.sql.session.timeZone", "Mars/Base"))
    assert error.condition == "INVALID_CONF_VALUE.TIME_ZONE"


def test_ended_jvm() -> None:
    from py4j.protocol import Py4JNetworkError

    def call() -> None:
        raise Py4JNetworkError("Answer from Java side is empty")

    assert "start a new session" in str(raised(call, "collect"))


class FakeJava:
    """A Java exception with a cause, as py4j shows it."""

    def __init__(self, text: str, cause: FakeJava | None = None) -> None:
        self.text, self.cause = text, cause

    def toString(self) -> str:
        return self.text

    def getCause(self) -> FakeJava | None:
        return self.cause


def test_derby_in_use() -> None:
    from pyspark.errors import AnalysisException

    cause = FakeJava("java.sql.SQLException: ERROR XSDB6: Another instance of Derby has booted the database /x/m.")
    error = AnalysisException("org.apache.hadoop.hive.ql.metadata.HiveException: java.lang.RuntimeException")
    error._origin = FakeJava("HiveException", FakeJava("RuntimeException", cause))  # type: ignore[attr-defined]
    message = str(translate(error, "collect"))
    assert message.startswith("collect failed: Another process has the metastore open (/x/m)")
    assert "TABLEAPI_HOME" in message


def test_full_disk() -> None:
    from pyspark.errors import PySparkException

    cause = FakeJava("java.io.IOException: No space left on device")
    task = "org.apache.spark.SparkException: [TASK_WRITE_FAILED] Task failed while writing rows to file:/out/p.json."
    error = PySparkException("Job aborted.")
    error._origin = FakeJava("StreamingQueryException", FakeJava(task, cause))  # type: ignore[attr-defined]  # PySpark sets it
    assert str(translate(error, "insert")) == (
        "insert failed: A disk is full while file:/out/p.json was written: No space left on device. Make room, and run "
        "it again."
    )


def test_a_worker_that_ended() -> None:
    from pyspark.errors import PySparkException

    worker = "org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)"
    error = PySparkException("Job aborted.")
    error._origin = FakeJava("SparkException", FakeJava(worker, FakeJava("java.io.EOFException")))  # type: ignore[attr-defined]  # PySpark sets it
    assert str(translate(error, "Project")).startswith("Project failed: A Python worker ended in the middle of its")


def test_own_errors_pass_unchanged() -> None:
    own = ValidationException("ours")
    assert translate(own, "collect") is own
    with pytest.raises(ValidationException) as caught, readable_errors("collect"):
        raise own
    assert caught.value is own


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), ConnectionResetError("of something else")])
def test_errors_of_others_pass_unchanged(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, readable_errors("collect"):
        raise error
    assert caught.value is error


def test_every_condition_of_spark_that_is_raised_here_has_its_sql_state(spark: SparkSession) -> None:
    assert spark._jvm is not None
    state_of = spark._jvm.org.apache.spark.SparkThrowableHelper.getSqlState
    root = Path(__file__).resolve().parents[2]
    named = re.compile(r"[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+(?:\.[A-Z0-9_]+)?")
    written = {
        node.value.split(".")[0]
        for package in ("ir", "grammar", "tableapi")
        for file in (root / package).rglob("*.py")
        # What conditions mean that Spark alone raises; tests/ir/test_condition_meanings.py compares their states.
        if file.name != "condition_meanings.py"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and named.fullmatch(node.value)
    }
    # This name is a part of conditions, and also a condition by itself.
    written.remove("UNEXPECTED_INPUT_TYPE")
    states = {name: state for name in sorted(written) if (state := state_of(name)) is not None}
    assert len(states) > 100
    assert {name: SQL_STATES.get(name) for name in states} == states
    assert {name: state_of(name) for name in SQL_STATES} == SQL_STATES
