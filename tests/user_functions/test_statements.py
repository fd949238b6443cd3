"""CREATE, ALTER, DROP, SHOW and DESCRIBE of functions, as Flink has them."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from ir.errors import (
    FunctionAlreadyExistException,
    FunctionNotExistException,
    SqlParserException,
    TableException,
    ValidationException,
)
from tableapi import EnvironmentSettings, TableEnvironment
from tableapi.catalog.functions import FunctionLanguage
from tableapi.user_functions.stored import ALLOWED_PACKAGES, imported

MODULE = "tests.user_functions.functions"


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.with_built_in_database_name("d").build())
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    return env


def names(env: TableEnvironment, statement: str) -> list[str]:
    return [row[0] for row in env.execute_sql(statement).collect()]


def test_functions_of_python(env: TableEnvironment) -> None:
    env.execute_sql(f"CREATE FUNCTION plus AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.execute_sql(f"CREATE TEMPORARY SYSTEM FUNCTION words AS '{MODULE}.words' LANGUAGE PYTHON")
    env.execute_sql(f"CREATE TEMPORARY FUNCTION d.total AS '{MODULE}.total' LANGUAGE PYTHON")
    assert names(env, "SHOW USER FUNCTIONS") == ["plus", "total", "words"]
    assert names(env, "SHOW ALL TEMPORARY FUNCTIONS") == ["memory.d.total", "words"]
    assert names(env, "SHOW ALL TEMPORARY SYSTEM FUNCTIONS") == ["words"]
    assert names(env, "SHOW USER FUNCTIONS LIKE 'p*'") == ["plus"]
    assert {"plus", "upper", "words"} <= set(names(env, "SHOW FUNCTIONS"))
    query = env.sql_query("SELECT memory.d.plus(1L), d.total(2L)")
    assert "`memory`.`d`.`plus`(1L)" in query.as_serializable_string()
    env.execute_sql("DROP TEMPORARY SYSTEM FUNCTION words")
    env.execute_sql("DROP TEMPORARY FUNCTION total")
    env.execute_sql("DROP FUNCTION plus")
    env.execute_sql("DROP FUNCTION IF EXISTS plus")
    assert names(env, "SHOW USER FUNCTIONS") == []


def test_code_is_looked_up_once(env: TableEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []

    def counting(path: str) -> object:
        looked_up.append(path)
        return imported(path)

    monkeypatch.setattr("tableapi.user_functions.stored.imported", counting)
    env.execute_sql(f"CREATE TEMPORARY FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.execute_sql(f"CREATE FUNCTION g AS '{MODULE}.plus' LANGUAGE PYTHON")
    assert looked_up == [f"{MODULE}.plus"]
    for _ in range(3):
        env.sql_query("SELECT f(1L), g(2L), f(g(3L))")
    assert looked_up == [f"{MODULE}.plus"] * 2
    env.execute_sql(f"ALTER FUNCTION g AS '{MODULE}.total' LANGUAGE PYTHON")
    env.sql_query("SELECT g(x) FROM VALUES (1L) AS t(x)")
    assert looked_up == [*[f"{MODULE}.plus"] * 2, f"{MODULE}.total"]


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("(x INT) RETURNS INT RETURN y + 1", r"Cannot resolve field \[y\]"),
        ("(x INT, z INT DEFAULT y) RETURNS INT RETURN x", r"Cannot resolve field \[y\]"),
        ("(x INT) RETURNS ARRAY<INT> RETURN x", r"(?s)CAST"),
        ("(x INT) RETURNS TABLE(a INT) RETURN SELECT x AS a, 1 AS b", r"gives 2 columns, but 1 are declared"),
        (
            "(w INT) RETURNS TABLE(a INT) RETURN SELECT 1 AS a FROM VALUES (1) AS t(b) WHERE EXISTS "
            "(SELECT * FROM VALUES (2) AS u(c) WHERE c = w)",
            r"W is a column of a query, or a parameter of a function, two levels further out\.",
        ),
    ],
)
def test_wrong_bodies_are_refused_when_created(env: TableEnvironment, declared: str, message: str) -> None:
    for kind in ("", "TEMPORARY ", "TEMPORARY SYSTEM ", "OR REPLACE TEMPORARY "):
        with pytest.raises(TableException, match=message):
            env.execute_sql(f"CREATE {kind}FUNCTION f{declared}")
    assert names(env, "SHOW USER FUNCTIONS") == []


def test_functions_of_sql(env: TableEnvironment) -> None:
    env.execute_sql("CREATE FUNCTION twice(x BIGINT COMMENT 'of', y BIGINT DEFAULT 2) RETURNS BIGINT RETURN x * y")
    stored = env.get_catalog("memory").get_function("d", "twice")
    assert stored is not None
    assert (stored.language, stored.body) == (FunctionLanguage.SQL, "x * y")
    assert [(p.name, p.default, p.comment) for p in stored.parameters] == [("x", None, "of"), ("y", "2", None)]
    assert str(env.sql_query("SELECT twice(3)").get_resolved_schema()) == "(`twice(3)` BIGINT NOT NULL)"
    (described,) = names(env, "DESCRIBE FUNCTION twice")
    assert described.splitlines()[:3] == [
        "Function: memory.d.twice",
        "Language: SQL",
        "Usage: twice(x BIGINT, y BIGINT) RETURNS BIGINT",
    ]


def test_other_code_and_what_takes_its_place(env: TableEnvironment) -> None:
    env.execute_sql(f"CREATE FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.execute_sql(f"ALTER FUNCTION f AS '{MODULE}.longest' LANGUAGE PYTHON")
    assert "longest" in names(env, "DESCRIBE FUNCTION f")[0]
    env.execute_sql(f"CREATE FUNCTION IF NOT EXISTS f AS '{MODULE}.words' LANGUAGE PYTHON")
    assert "longest" in names(env, "DESCRIBE FUNCTION f")[0]
    env.execute_sql(f"CREATE OR REPLACE TEMPORARY SYSTEM FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.execute_sql("CREATE OR REPLACE TEMPORARY SYSTEM FUNCTION f(x INT) RETURNS INT RETURN x + 1")
    assert env.sql_query("SELECT f(1) AS v").get_resolved_schema().columns[0].data_type.as_summary_string() == (
        "INT NOT NULL"
    )


@pytest.mark.parametrize(
    ("statement", "kind", "message"),
    [
        (
            f"CREATE FUNCTION taken AS '{MODULE}.plus' LANGUAGE PYTHON",
            FunctionAlreadyExistException,
            "does already",
        ),
        ("DROP FUNCTION missing", FunctionNotExistException, r"'memory\.d\.missing' doesn't exist"),
        ("DROP FUNCTION takn", FunctionNotExistException, r"Did you mean 'taken'\?"),
        ("DROP TEMPORARY FUNCTION missing", FunctionNotExistException, r"no temporary function missing"),
        ("DROP TEMPORARY SYSTEM FUNCTION missing", FunctionNotExistException, r"no temporary system function missing"),
        (f"ALTER FUNCTION missing AS '{MODULE}.plus' LANGUAGE PYTHON", FunctionNotExistException, r"Could not alter"),
        (f"ALTER TEMPORARY FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON", ValidationException, r"drop it, and create"),
        ("ALTER FUNCTION taken AS 'a.b'", ValidationException, r"LANGUAGE PYTHON\. A function of SQL is replaced by"),
        ("CREATE TEMPORARY SYSTEM FUNCTION f AS 'os.system' LANGUAGE PYTHON", ValidationException, r"is not allowed"),
        (
            f"CREATE TEMPORARY SYSTEM FUNCTION f AS '{MODULE}.nothing' LANGUAGE PYTHON",
            ValidationException,
            r"has nothing named 'nothing'",
        ),
        (
            f"CREATE TEMPORARY SYSTEM FUNCTION f AS '{MODULE}.dt' LANGUAGE PYTHON",
            ValidationException,
            r"is no function",
        ),
        ("CREATE FUNCTION f(x INT) RETURN x", ValidationException, r"has no RETURNS, which says its type"),
        ("CREATE FUNCTION f(x INT RETURNS INT RETURN x", SqlParserException, r"RETURNS"),
    ],
)
def test_wrong_statements(env: TableEnvironment, statement: str, kind: type[Exception], message: str) -> None:
    env.execute_sql(f"CREATE FUNCTION taken AS '{MODULE}.plus' LANGUAGE PYTHON")
    with pytest.raises(kind, match=message):
        env.execute_sql(statement)
    assert names(env, "SHOW USER FUNCTIONS") == ["taken"]


def test_functions_in_sparks_catalog(spark: SparkSession) -> None:
    session = spark.newSession()
    session.sql("CREATE DATABASE IF NOT EXISTS statements_of_functions")
    env = TableEnvironment.create(spark=session)
    env.use_database("statements_of_functions")
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    env.execute_sql("CREATE FUNCTION full_name(a STRING, b STRING DEFAULT 'x') RETURNS STRING RETURN concat(a, ' ', b)")
    env.execute_sql(f"CREATE FUNCTION plus AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.create_function("upper", lambda x: x + 1, input_types=["INT"], comment="Not the built-in one.")
    assert env.list_user_defined_functions() == ["full_name", "plus", "upper"]
    names_of = "full_name('a'), plus(1L), upper('b'), statements_of_functions.upper(1)"
    query = env.sql_query(f"SELECT {names_of}")
    assert [tuple(row) for row in query.execute().collect()] == [("a x", 11, "B", 2)]
    # Another environment finds them with no registration, and plain Spark what is SQL.
    other = TableEnvironment.create(spark=spark.newSession())
    other.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    found = other.sql_query("SELECT statements_of_functions.full_name('a', 'b'), statements_of_functions.plus(1L, 2L)")
    assert [tuple(row) for row in found.execute().collect()] == [("a b", 3)]
    assert spark.sql("SELECT statements_of_functions.full_name('a')").collect()[0][0] == "a x"
    view = env.sql_query("SELECT full_name('c') AS n")
    env.create_view("named", view)
    assert spark.table("statements_of_functions.named").collect()[0][0] == "c x"
    with pytest.raises(ValidationException, match=r"which is written in Python, and Spark stores no views over such"):
        env.create_view("never", env.sql_query("SELECT plus(1L) AS n"))
    for name in ("plus", "upper"):
        env.execute_sql(f"DROP FUNCTION {name}")
    env.execute_sql("DROP VIEW named")
    env.execute_sql("DROP FUNCTION full_name")
    assert env.list_user_defined_functions() == []
    session.sql("DROP DATABASE statements_of_functions CASCADE")
