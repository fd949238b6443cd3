"""Implicit casts of strings: one that always fails is an error at the call, an unlikely one a warning at the line."""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from examples.tpch.data import declare
from examples.tpch.queries import QUERIES
from ir.calls import call
from ir.errors import TableException, ValidationException
from ir.functions.comparison import EQUALS
from ir.implicit_notices import take_notices
from ir.literals import literal
from tableapi import DataTypes, EnvironmentSettings, Schema, Table, TableDescriptor, TableEnvironment
from tableapi.exceptions import SuspiciousCastWarning
from tableapi.expressions import call_sql, coalesce, col, if_then_else, lit

_COLUMNS = {
    "n": DataTypes.INT(),
    "s": DataTypes.STRING(),
    "d": DataTypes.DATE(),
    "ts": DataTypes.TIMESTAMP_LTZ(),
    "b": DataTypes.BOOLEAN(),
    "x": DataTypes.DOUBLE(),
    "arr": DataTypes.ARRAY(DataTypes.INT()),
}


@pytest.fixture
def te() -> TableEnvironment:
    """An environment with the declared table ``t``, without Spark."""
    made = TableEnvironment.create()
    schema = Schema.new_builder()
    for name, data_type in _COLUMNS.items():
        schema = schema.column(name, data_type)
    descriptor = TableDescriptor.for_connector("filesystem").schema(schema.build()).format("parquet")
    made.create_temporary_table("t", descriptor.option("path", "/data/t").build())
    return made


@pytest.fixture
def t(te: TableEnvironment) -> Table:
    """The declared table."""
    return te.from_path("t")


def _warnings_of(make: Callable[[], object]) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        make()
    return [one for one in found if one.category is SuspiciousCastWarning]


# --- constants whose cast always fails -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("n = 'four'", "BIGINT"),
        ("'four' = n", "BIGINT"),
        ("n = '1.5'", "BIGINT"),
        ("n <> ''", "BIGINT"),
        ("n IN (1, 'four')", "BIGINT"),
        ("n NOT IN ('1', 'four')", "BIGINT"),
        ("n BETWEEN 1 AND 'four'", "BIGINT"),
        ("n NOT BETWEEN 'four' AND 5", "BIGINT"),
        ("n <=> 'four'", "BIGINT"),
        ("n + 'x' > 1", "BIGINT"),
        ("-'x' > 1", "DOUBLE"),
        ("x = 'much'", "DOUBLE"),
        ("b = 'maybe'", "BOOLEAN"),
        ("d = '2020-13-01'", "DATE"),
        ("d >= '01.02.2020'", "DATE"),
        ("ts > 'last week'", "TIMESTAMP_LTZ"),
        ("n > 1 AND (b OR n = 'four')", "BIGINT"),
        ("YEAR('x') = 2020", "DATE"),
        ("DATE_ADD('x', 1) > d", "DATE"),
    ],
)
def test_condition_with_a_constant_that_can_never_be_cast(te: TableEnvironment, condition: str, wanted: str) -> None:
    for query in (f"SELECT * FROM t WHERE {condition}", f"SELECT {condition} AS q FROM t"):
        with pytest.raises(ValidationException, match=rf"casts the string '.*' to {wanted}") as caught:
            te.sql_query(query)
        assert caught.value.condition == "CAST_INVALID_INPUT"
        assert "line 1, column" in str(caught.value)
    with pytest.raises(ValidationException, match=rf"casts the string '.*' to {wanted}"):
        te.from_path("t").filter(call_sql(condition))


def test_message_in_sql(te: TableEnvironment) -> None:
    with pytest.raises(ValidationException) as caught:
        te.sql_query("SELECT n\nFROM t\nWHERE b AND n = 'four'")
    assert str(caught.value) == (
        "= casts the string 'four' to BIGINT, because n is of type INT, and Spark refuses that cast whatever the rows "
        "are. Write a value of type INT, or compare strings: CAST(n AS STRING).\n"
        "line 3, column 17:\n"
        "  WHERE b AND n = 'four'\n"
        "                  ^^^^^^"
    )


def test_message_in_python(t: Table) -> None:
    with pytest.raises(ValidationException) as caught:
        t.filter(col("n") == "four")
    assert str(caught.value) == (
        "= casts the string 'four' to BIGINT, because n is of type INT, and Spark refuses that cast whatever the rows "
        "are. Write a value of type INT, or compare strings: col('n').cast(DataTypes.STRING())."
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda t: t.filter(col("n") == "four"),
        lambda t: t.filter(col("n").in_(1, "four")),
        lambda t: t.filter(col("n").between(1, "four")),
        lambda t: t.select(col("n") * "x"),
        lambda t: t.group_by(col("n") == "four").select(col("x").sum),
        lambda t: t.group_by(col("b")).select((col("n") == "four").count),
        lambda t: t.order_by(col("n") == "four"),
        lambda t: t.join(t.select(col("n").alias("m")), (col("n") == col("m")) & (col("m") > "four")),
        lambda t: t.select(col("n")).union_all(t.select(lit("four"))),
        lambda t: t.add_columns((col("b") == "maybe").alias("q")),
    ],
)
def test_step_with_a_constant_that_can_never_be_cast(t: Table, make: Callable[[Table], Table]) -> None:
    with pytest.raises(ValidationException, match=r"casts the string '(four|x|maybe)' to"):
        make(t)


@pytest.mark.parametrize("union", ["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])
def test_column_of_a_set_operation_that_can_never_be_cast(te: TableEnvironment, union: str) -> None:
    with pytest.raises(ValidationException, match=r"Column 1 of .* casts the string 'four' to BIGINT"):
        te.sql_query(f"SELECT n FROM t {union} SELECT 'four'")


@pytest.mark.parametrize(
    "condition",
    [
        *("n = '4'", "n = ' 4 '", "x = 'NaN'", "x > '-inf'", "x = '1e3'", "b = 't'", "b = ' YES '", "d = '2020-2'"),
        *(
            "d = 'today'",
            "ts > 'yesterday'",
            "ts > '2020-01-01T10:00:00Z'",
            "d > '2020-01-01 whatever'",
            "n IN ('1', '2')",
        ),
    ],
)
def test_castable_constants_are_not_reported(te: TableEnvironment, condition: str) -> None:
    assert not _warnings_of(lambda: te.sql_query(f"SELECT * FROM t WHERE {condition}"))


@pytest.mark.parametrize(
    "query",
    [
        # Measured: Spark runs each of these as long as no row needs the cast.
        "SELECT CASE WHEN n = 1 THEN n = 'four' ELSE TRUE END FROM t",
        "SELECT CASE n WHEN 'four' THEN 1 ELSE 2 END FROM t",
        "SELECT COALESCE(n, 'four') FROM t",
        "SELECT NULLIF(n, 'four') FROM t",
        "SELECT COALESCE(n, n + 'x') FROM t",
        "SELECT n FROM (SELECT n, n = 'four' AS q FROM t)",
        "SELECT n FROM (SELECT n, COUNT(n = 'four') AS q FROM t GROUP BY n)",
        "SELECT n FROM t WHERE EXISTS (SELECT n = 'four' FROM t)",
        "SELECT n FROM t WHERE n = 'four' LIMIT 0",
        "SELECT n * NULL + 'x' FROM t",
        "SELECT n + 'x' + NULL FROM t",
        "SELECT n IN (NULL, 'four') FROM t",
        "SELECT FALSE AND n = 'four' FROM t",
        "SELECT TRUE OR b OR n = 'four' FROM t",
        "SELECT FALSE AND b AND 'x!' FROM t",
        "SELECT TRY_ADD(1, 'x') FROM t",
        "SELECT a.n FROM t AS a LEFT JOIN (SELECT DISTINCT n FROM t WHERE n = 'four') AS b ON a.n = b.n",
        "SELECT DISTINCT a.n FROM t AS a LEFT JOIN t AS b ON a.n = b.n AND b.n = 'four'",
        "SELECT * FROM VALUES (1) AS v(n) WHERE n = 2 AND n = 'four'",
        "SELECT b FROM (SELECT n, n FROM t UNION ALL SELECT 'four', 1) AS u(a, b)",
        "SELECT CASE WHEN n = 1 THEN SUM(n + 'x') END FROM t GROUP BY n",
    ],
)
def test_query_that_spark_may_run_is_read_with_a_warning(te: TableEnvironment, query: str) -> None:
    (found,) = _warnings_of(lambda: te.sql_query(query))
    assert "that cast always fails" in str(found.message)


def test_branch_in_python_is_a_warning(t: Table) -> None:
    assert _warnings_of(lambda: t.select(if_then_else(col("b"), col("n") == "four", lit(True))))
    assert _warnings_of(lambda: t.select(coalesce(col("n"), "four")))


# --- casts that are rarely intended ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "by"),
    [
        (lambda t: t.select(col("s").sum), "SUM casts s of type STRING to DOUBLE"),
        (lambda t: t.group_by(col("n")).select(col("s").avg), "AVG casts s of type STRING to DOUBLE"),
        (lambda t: t.filter(col("s") > 5), "> casts s of type STRING to BIGINT"),
        (lambda t: t.filter(col("s") == col("n")), "= casts s of type STRING to BIGINT"),
        (lambda t: t.select(col("s") * 2), r"\* casts s of type STRING to BIGINT"),
        (lambda t: t.select(coalesce(col("s"), 0)), "COALESCE casts s of type STRING to BIGINT"),
        (lambda t: t.select(col("s")).union_all(t.select(col("n"))), "Column 1 of UNION casts s of type STRING"),
        (lambda t: t.select(col("n") + "x"), r"\+ casts n of type INT to STRING and concatenates"),
        (lambda t: t.select("x" + col("n")), r"\+ casts n of type INT to STRING and concatenates"),
    ],
)
def test_cast_of_a_column_is_a_warning(t: Table, make: Callable[[Table], Table], by: str) -> None:
    (found,) = _warnings_of(lambda: make(t))
    assert str(found.message).startswith(by.replace("\\", ""))
    assert Path(found.filename) == Path(__file__)


def test_warning_has_the_line_of_the_user_and_of_the_text(te: TableEnvironment) -> None:
    (found,) = _warnings_of(lambda: te.sql_query("SELECT n,\n  SUM(s) AS q FROM t GROUP BY n"))
    assert str(found.message).endswith("line 2, column 7:\n    SUM(s) AS q FROM t GROUP BY n\n        ^")
    line = test_warning_has_the_line_of_the_user_and_of_the_text.__code__.co_firstlineno + 1
    assert found.lineno == line


@pytest.mark.parametrize(
    "query",
    [
        "SELECT u.s + t.n AS x FROM t JOIN t AS u ON u.n = t.n",
        "SELECT t.n FROM t JOIN t AS u ON u.s = t.n",
        "SELECT t.n FROM t, t AS u WHERE u.s > 1",
    ],
)
def test_warning_calls_a_column_as_the_text_does(te: TableEnvironment, query: str) -> None:
    """The second of two columns of one name has another name in the operations."""
    with pytest.warns(SuspiciousCastWarning, match=r"casts u\.s of type STRING .* CAST\(u\.s AS "):
        te.sql_query(query)


def test_warning_comes_once_for_a_place(te: TableEnvironment) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        for _ in range(3):
            te.sql_query("SELECT SUM(s) AS q FROM t")
    assert len(found) == 1


def test_warning_is_silenced_and_made_an_error_as_usual(te: TableEnvironment) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=SuspiciousCastWarning)
        te.sql_query("SELECT SUM(s) AS q FROM t")
        warnings.filterwarnings("error", category=SuspiciousCastWarning)
        with pytest.raises(SuspiciousCastWarning, match="SUM casts s"):
            te.sql_query("SELECT SUM(s) AS q FROM t")


def test_explicit_casts_are_not_suspicious(t: Table, te: TableEnvironment) -> None:
    assert not _warnings_of(lambda: t.select(col("s").cast(DataTypes.DOUBLE()).sum))
    assert not _warnings_of(lambda: te.sql_query("SELECT SUM(CAST(s AS INT)), SUM(TRY_CAST(s AS INT)) FROM t"))
    assert not _warnings_of(lambda: te.sql_query("SELECT * FROM t WHERE d = s AND s = 'four' AND s || n = 'a1'"))


def test_reading_again_is_silent(te: TableEnvironment) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        te.create_temporary_view("v", te.sql_query("SELECT n, SUM(s) AS q FROM t GROUP BY n"))
    view = te.from_path("v")
    for make in (
        lambda: te.from_view_definition("v"),
        lambda: te.sql_query("SELECT q FROM v WHERE n > 1"),
        lambda: view.filter(col("q") > 1).select(col("n")),
        lambda: view.as_serializable_string(layout="MERGED"),
        lambda: view.query_operation.normalize(),
        view.to_python,
        view.explain,
        lambda: copy.copy(view.query_operation),
    ):
        assert not _warnings_of(make)


def test_mistakes_are_reported_only_in_their_step(t: Table) -> None:
    with pytest.raises(TableException):
        t.select(col("s").sum, col("missing"))
    assert not _warnings_of(lambda: t.select(col("n")))


def test_queries_of_tpch_are_silent() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    env = TableEnvironment.create(settings.with_built_in_database_name("tpch").build())
    declare(env, "tpch", Path("/tpch"))
    for query in QUERIES.values():
        assert not _warnings_of(functools.partial(query, lambda name: env.from_path(f"tpch.{name}")))


def test_notices_of_constants_are_few() -> None:
    """Notices from internal calls, which no step collects, are discarded."""
    for number in range(1_000):
        call(EQUALS, (literal(number), literal("four")))
    assert len(take_notices()) <= 256
