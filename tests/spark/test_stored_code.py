"""Functions that run arbitrary code, called by stored catalog objects: rejected for every reader, unless allowed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.contents import CODE
from ir.errors import ValidationException
from ir.functions.builtins import BUILT_INS
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.catalog.stored_programs import ALLOWED_PROGRAMS
from tableapi.expressions import call_sql, col, lit

CALL = "reflect('java.lang.Math', 'abs', -1)"
# Each spelling, and each place in a query.
QUERIES = {
    "plain": f"SELECT {CALL} AS a",
    "case": "SELECT ReFlect('java.lang.Math', 'abs', -1) AS a",
    "java_method": "SELECT java_method('java.lang.Math', 'abs', -1) AS a",
    "try_reflect": "SELECT try_reflect('java.lang.Math', 'abs', -1) AS a",
    "quoted": "SELECT `reflect`('java.lang.Math', 'abs', -1) AS a",
    "qualified": "SELECT system.builtin.reflect('java.lang.Math', 'abs', -1) AS a",
    "quoted_path": "SELECT `system`.`builtin`.`JAVA_METHOD`('java.lang.Math', 'abs', -1) AS a",
    "identifier": "SELECT IDENTIFIER('ref' || 'lect')('java.lang.Math', 'abs', -1) AS a",
    "nested": f"SELECT upper(concat({CALL}, 'x')) AS a",
    "condition": f"SELECT 'b' AS a WHERE {CALL} = '1'",
    "lambda": "SELECT transform(array(1), x -> reflect('java.lang.Math', 'abs', x))[0] AS a",
    "scalar_subquery": f"SELECT (SELECT max(x) FROM (SELECT {CALL} AS x)) AS a",
    "exists": f"SELECT 'b' AS a WHERE EXISTS (SELECT 1 FROM (SELECT {CALL} AS x) WHERE x = '1')",
    "join": f"SELECT l.a FROM (SELECT '1' AS a) l JOIN (SELECT {CALL} AS a) r ON l.a = r.a",
    "aggregate": f"SELECT max(x) AS a FROM (SELECT {CALL} AS x)",
    "order": f"SELECT 'b' AS a ORDER BY {CALL}",
    "window": f"SELECT max(a) OVER (PARTITION BY b) AS a FROM (SELECT 'b' AS a, {CALL} AS b)",
    "generator": f"SELECT explode(array({CALL})) AS a",
    "with": f"WITH w AS (SELECT {CALL} AS a) SELECT a FROM w",
    "union": f"SELECT 'b' AS a UNION ALL SELECT {CALL}",
    "case_when": f"SELECT CASE WHEN true THEN {CALL} END AS a",
}
FUNCTIONS = {
    "a_value": f"(x INT) RETURNS STRING RETURN {CALL}",
    "in_query": f"(x INT) RETURNS STRING RETURN (SELECT max(a) FROM (SELECT {CALL} AS a))",
    "by_default": f"(x INT, y STRING DEFAULT {CALL}) RETURNS STRING RETURN y",
    "by_another": "(x INT) RETURNS STRING RETURN a_value(x)",
}
INLINED = {"inlined": f"(x INT) RETURNS STRING INLINE RETURN {CALL}"}
TABLE_FUNCTION = f"(x INT) RETURNS TABLE(a STRING) RETURN SELECT {CALL} AS a"
REFUSED = r" is stored with a call of (REFLECT or JAVA_METHOD|TRY_REFLECT), .* allow it with env\.get_config\(\)\.set\("


def test_every_function_that_names_code_in_its_arguments_says_so() -> None:
    found = {name for definition in BUILT_INS if definition.runs_code for name in definition.sql_names}
    assert found == {"REFLECT", "JAVA_METHOD", "TRY_REFLECT"}
    assert all(definition.contents & CODE for definition in BUILT_INS if definition.runs_code)


def _write(folder: Path, statements: dict[str, str]) -> None:
    for path, text in statements.items():
        file = folder / "default" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + ";\n", encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory catalog that was written by hand."""
    folder = tmp_path_factory.mktemp("team")
    _write(folder, {f"views/{name}.sql": f"CREATE VIEW {name} AS {query}" for name, query in QUERIES.items()})
    _write(folder, {"views/over.sql": "CREATE VIEW over AS SELECT a FROM plain"})
    _write(folder, {"views/further.sql": "CREATE VIEW further AS SELECT a FROM over UNION SELECT 'b'"})
    for name, text in {**FUNCTIONS, **INLINED, "rows_of": TABLE_FUNCTION}.items():
        _write(folder, {f"functions/{name}.sql": f"CREATE FUNCTION {name}{text}"})
    return folder


@pytest.fixture
def env(spark: SparkSession, folder: Path) -> TableEnvironment:
    env = TableEnvironment.create(spark=spark.newSession())
    env.register_catalog("team", DirectoryCatalog("team", folder))
    env.use_catalog("team")
    return env


def _rows(table: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.execute().collect()]


@pytest.mark.parametrize("name", QUERIES)
def test_a_view_of_a_directory(env: TableEnvironment, name: str) -> None:
    assert env.from_path(name).get_resolved_schema().names == ("a",)
    assert "CREATE VIEW" in env.show_create_view(name)
    for use in (
        lambda: _rows(env.from_path(name)),
        lambda: _rows(env.sql_query(f"SELECT count(*) FROM {name}")),
        lambda: env.from_path(name).to_spark(),
        lambda: env.from_view_definition(name),
    ):
        with pytest.raises(ValidationException, match=rf"The view team\.default\.{name}{REFUSED}"):
            use()
    env.get_config().set(ALLOWED_PROGRAMS, "true")
    if name != "lambda":
        # Spark itself fails on such a lambda function.
        assert len(_rows(env.from_path(name))) >= 1
    assert env.from_view_definition(name).get_resolved_schema().names == ("a",)


@pytest.mark.parametrize("name", ["over", "further"])
def test_a_view_over_such_a_view(env: TableEnvironment, name: str) -> None:
    read = env.from_path(name)
    for use in (
        read.execute,
        lambda: env.create_temporary_view("mine", read),
        env.sql_query(f"SELECT * FROM (SELECT a FROM {name}) WHERE a > ''").execute,
    ):
        with pytest.raises(ValidationException, match=rf"The view team\.default\.plain{REFUSED}"):
            use()


@pytest.mark.parametrize("name", [*FUNCTIONS, *INLINED])
def test_a_function_of_a_directory(env: TableEnvironment, name: str) -> None:
    owner = "a_value" if name == "by_another" else name
    with pytest.raises(ValidationException, match=rf"The function team\.default\.{owner}{REFUSED}"):
        env.sql_query(f"SELECT {name}(1) AS a").execute()
    env.get_config().set(ALLOWED_PROGRAMS, "true")
    assert _rows(env.sql_query(f"SELECT {name}(1) AS a")) == [("1",)]


def test_a_table_function_of_a_directory(env: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=rf"The function team\.default\.rows_of{REFUSED}"):
        env.sql_query("SELECT a FROM rows_of(1)").execute()
    env.get_config().set(ALLOWED_PROGRAMS, "true")
    assert _rows(env.sql_query("SELECT a FROM rows_of(1)")) == [("1",)]


def test_code_of_the_program_is_its_own(env: TableEnvironment) -> None:
    own = env.sql_query(QUERIES["plain"])
    env.create_temporary_view("own", own)
    rows = env.from_elements([(-1,)], ["x"]).select(call_sql("reflect('java.lang.Math', 'abs', x)").alias("a"))
    for table in (own, env.from_path("own"), env.from_view_definition("own"), rows.filter(col("a") == lit("1"))):
        assert _rows(table) == [("1",)]


def test_a_view_in_memory_is_of_the_program(spark: SparkSession, folder: Path) -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings, spark=spark.newSession())
    env.register_catalog("team", DirectoryCatalog("team", folder))
    env.create_view("own", env.sql_query(QUERIES["plain"]))
    assert _rows(env.from_path("own")) == [("1",)]
    env.create_view("over_team", env.sql_query("SELECT a FROM team.default.plain"))
    with pytest.raises(ValidationException, match=rf"The view team\.default\.plain{REFUSED}"):
        env.from_path("over_team").execute()


@pytest.fixture(scope="module")
def in_spark(spark: SparkSession) -> Iterator[str]:
    """A database in Spark's catalog that contains the same objects."""
    spark.sql("CREATE DATABASE stored_code")
    other = spark.newSession()
    other.sql("USE stored_code")
    for name, text in QUERIES.items():
        other.sql(f"CREATE VIEW q_{name} AS {text}")
    for name, text in FUNCTIONS.items():
        other.sql(f"CREATE FUNCTION {name}{text}")
    other.sql(f"CREATE FUNCTION rows_of{TABLE_FUNCTION}")
    for name, text in {
        "over": "SELECT a FROM q_plain",
        "further": "SELECT a FROM over UNION SELECT 'b'",
        "by_function": "SELECT a_value(1) AS a",
        "by_rows": "SELECT a FROM rows_of(1)",
        "script": "SELECT TRANSFORM(1) USING 'cat' AS (a STRING)",
        "harmless": "SELECT 'reflect(' AS a, 1 AS `java_method(x)`",
    }.items():
        other.sql(f"CREATE VIEW {name} AS {text}")
    yield "stored_code"
    spark.sql("DROP DATABASE stored_code CASCADE")


@pytest.fixture
def shop(spark: SparkSession, in_spark: str) -> TableEnvironment:
    env = TableEnvironment.create(spark=spark.newSession())
    env.use_database(in_spark)
    return env


@pytest.mark.parametrize("name", QUERIES)
def test_a_view_of_spark(shop: TableEnvironment, name: str) -> None:
    table = shop.from_path(f"q_{name}")
    for use in (
        lambda: _rows(table),
        lambda: table.to_spark(),
        lambda: shop.sql_query(f"SELECT count(*) FROM q_{name}").to_pandas(),
    ):
        with pytest.raises(ValidationException, match=rf"The view spark_catalog\.stored_code\.q_{name}{REFUSED}"):
            use()
    shop.get_config().set(ALLOWED_PROGRAMS, "true")
    if name != "lambda":
        # Spark itself fails on such a lambda function.
        assert len(_rows(table)) >= 1


def test_views_of_spark_that_lead_to_code(shop: TableEnvironment) -> None:
    for name, owner in {
        "over": "q_plain",
        "further": "q_plain",
        "by_function": "by_function",
        "by_rows": "by_rows",
    }.items():
        with pytest.raises(ValidationException, match=rf"The view spark_catalog\.stored_code\.{owner}{REFUSED}"):
            shop.from_path(name).execute()
    with pytest.raises(
        ValidationException, match=r"The view spark_catalog\.stored_code\.script is stored with TRANSFORM"
    ):
        shop.from_path("script").execute()
    assert _rows(shop.from_path("harmless")) == [("reflect(", 1)]
    own = shop.sql_query(f"SELECT {CALL} AS b, a FROM harmless")
    assert _rows(own) == [("1", "reflect(")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_spark(shop: TableEnvironment, name: str) -> None:
    owner = "a_value" if name == "by_another" else name
    with pytest.raises(ValidationException, match=rf"The function spark_catalog\.stored_code\.{owner}{REFUSED}"):
        shop.sql_query(f"SELECT {name}(1) AS a").execute()
    with pytest.raises(ValidationException, match=rf"The function spark_catalog\.stored_code\.rows_of{REFUSED}"):
        shop.sql_query("SELECT a FROM rows_of(1)").execute()


def test_statements_over_views_of_spark(shop: TableEnvironment) -> None:
    shop.execute_sql("CREATE TABLE t (a STRING) USING parquet")
    for statement in (
        "INSERT INTO t SELECT a FROM over",
        "CREATE TABLE t2 USING parquet AS SELECT a FROM over",
        "CACHE TABLE kept AS SELECT a FROM over",
        "INSERT INTO t SELECT a FROM by_function",
    ):
        with pytest.raises(ValidationException, match=r"is stored with a call of"):
            shop.execute_sql(statement)
    assert _rows(shop.from_path("t")) == []
    with pytest.raises(ValidationException, match=r"is stored with a call of"):
        shop.from_path("further").execute_insert("t").wait()


def test_on_connect(connect_spark: Any, in_spark: str) -> None:
    env = TableEnvironment.create(spark=connect_spark.newSession())
    env.use_database(in_spark)
    for name in ("q_plain", "q_lambda", "further", "by_function", "script"):
        with pytest.raises(ValidationException, match=r"is stored with a call of"):
            env.from_path(name).execute()
    assert _rows(env.sql_query(f"SELECT {CALL} AS a")) == [("1",)]
