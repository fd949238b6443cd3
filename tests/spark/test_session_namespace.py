"""Where an environment finds unqualified names: in its Spark session's database, until the program chooses another."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tableapi import (
    DatabaseNotExistException,
    EnvironmentSettings,
    InMemoryCatalog,
    TableEnvironment,
    TableNotExistException,
    ValidationException,
)
from tableapi.spark.namespace import SessionNamespace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Databases:
    """Two databases, each with a table ``t`` and a function ``f`` that return the name of their database."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self.one, self.two = (f"at_{uuid.uuid4().hex[:8]}" for _ in range(2))
        for name in (self.one, self.two):
            spark.sql(f"CREATE DATABASE {name}")
            spark.sql(f"CREATE TABLE {name}.t USING parquet AS SELECT '{name}' AS place")
            spark.sql(f"CREATE FUNCTION {name}.f() RETURNS STRING RETURN '{name}'")

    def drop(self) -> None:
        for name in (self.one, self.two):
            self._spark.sql(f"DROP DATABASE IF EXISTS {name} CASCADE")


@pytest.fixture(scope="module")
def databases(spark: SparkSession) -> Iterator[Databases]:
    made = Databases(spark)
    yield made
    made.drop()


@pytest.fixture(params=["classic", pytest.param("connect", marks=pytest.mark.nightly)])
def session(jvm: None, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A new session of each kind."""
    fixture = "spark" if request.param == "classic" else "connect_spark"
    made = request.getfixturevalue(fixture).newSession()
    yield made
    if request.param == "connect":
        made.stop()


def place(env: TableEnvironment) -> list[object]:
    """Return the distinct results of all ways to refer to ``t`` and ``f``, and the current database."""
    tables = [env.from_path("t"), env.sql_query("SELECT place FROM t"), env.sql_query("SELECT f() AS place")]
    found: list[object] = [row[0] for table in tables for row in table.execute().collect()]
    found += [row[0] for row in env.execute_sql("SELECT place FROM t").collect()]
    return [*dict.fromkeys([*found, env.get_current_database()])]


def test_the_database_of_the_session_when_the_environment_is_made(session: Any, databases: Databases) -> None:
    session.sql(f"USE {databases.two}")
    env = TableEnvironment.create(spark=session)
    assert place(env) == [databases.two]
    assert f"`spark_catalog`.`{databases.two}`.`t`" in env.from_path("t").as_serializable_string()


def test_each_way_to_move_the_session_afterwards(session: Any, databases: Databases) -> None:
    env = TableEnvironment.create(spark=session)
    session.sql(f"USE {databases.one}")
    assert place(env) == [databases.one]
    session.catalog.setCurrentDatabase(databases.two)
    assert place(env) == [databases.two]
    session.sql("SET CATALOG 'spark_catalog'")
    session.sql(f"USE SCHEMA {databases.one.upper()}")
    assert place(env) == [databases.one]
    # A query that has been built keeps its table.
    before = env.from_path("t")
    session.sql(f"USE spark_catalog.{databases.two}")
    assert [row[0] for row in before.execute().collect()] == [databases.one]
    assert env.sql_query("SELECT * FROM t").query_operation != before.query_operation


def test_statements_act_where_the_session_is(session: Any, databases: Databases) -> None:
    env = TableEnvironment.create(spark=session)
    session.sql(f"USE {databases.one}")
    name = f"n_{uuid.uuid4().hex[:8]}"
    env.execute_sql(f"CREATE TABLE {name} (a INT) USING parquet")
    env.execute_sql(f"INSERT INTO {name} VALUES (1)")
    env.sql_query("SELECT 2 AS a").execute_insert(name)
    env.create_view(f"{name}_view", env.from_path(name))
    env.execute_sql(f"CREATE VIEW {name}_other AS SELECT * FROM {name}")
    env.execute_sql(f"CREATE FUNCTION {name}_f(x INT) RETURNS INT RETURN x + 1")
    session.sql(f"USE {databases.two}")
    for made in (name, f"{name}_view", f"{name}_other"):
        assert session.table(f"{databases.one}.{made}").count() == 2
        with pytest.raises(TableNotExistException):
            env.from_path(made)
    assert name not in env.list_tables()
    session.sql(f"USE {databases.one}")
    assert {name, f"{name}_view", f"{name}_other"} <= {row[1] for row in env.execute_sql("SHOW TABLES").collect()}
    assert [row[0] for row in env.execute_sql(f"DESCRIBE {name}").collect()] == ["a"]
    assert [row[0] for row in env.sql_query(f"SELECT {name}_f(1) AS a").execute().collect()] == [2]
    env.execute_sql(f"CACHE TABLE {name}")
    assert session.catalog.isCached(f"{databases.one}.{name}")
    env.execute_sql(f"UNCACHE TABLE {name}")
    assert env.drop_view(f"{name}_view")


def test_the_namespace_of_the_program_wins(session: Any, databases: Databases) -> None:
    session.sql(f"USE {databases.two}")
    for choose in (
        lambda env: env.use_database(databases.one),
        lambda env: env.execute_sql(f"USE {databases.one}"),
        lambda env: env.execute_sql(f"USE spark_catalog.{databases.one}"),
        lambda env: env.execute_sql(f"BEGIN USE {databases.one}; SELECT 1; END"),
        lambda env: env.execute_script(f"USE {databases.one}; SELECT * FROM t").wait(),
    ):
        env = TableEnvironment.create(spark=session)
        choose(env)
        assert place(env) == [databases.one]
        # The session belongs to the program, so it remains in its database.
        assert session.catalog.currentDatabase() == databases.two
        session.sql("USE default")
        assert place(env) == [databases.one]
        session.sql(f"USE {databases.two}")
    env.use_catalog("spark_catalog")
    assert env.get_current_database() == "default"
    settings = EnvironmentSettings.new_instance().with_built_in_database_name("mine").build()
    named = TableEnvironment.create(settings, spark=session)
    assert (named.get_current_catalog(), named.get_current_database()) == ("default_catalog", "mine")


def test_a_statement_that_fails_leaves_the_session_where_it_was(session: Any, databases: Databases) -> None:
    session.sql(f"USE {databases.two}")
    env = TableEnvironment.create(spark=session)
    with pytest.raises(Exception, match="nope"):
        env.execute_sql(f"BEGIN USE {databases.one}; SELECT * FROM nope; END")
    assert session.catalog.currentDatabase() == databases.two
    assert place(env) == [databases.two]


def test_two_environments_over_one_session(session: Any, databases: Databases) -> None:
    first, second = TableEnvironment.create(spark=session), TableEnvironment.create(spark=session)
    session.sql(f"USE {databases.one}")
    first.use_database(databases.two)
    assert (place(first), place(second)) == ([databases.two], [databases.one])


def test_temporary_views_come_first(session: Any, databases: Databases) -> None:
    env = TableEnvironment.create(spark=session)
    session.sql(f"USE {databases.one}")
    env.create_temporary_view("t", env.sql_query("SELECT 'temporary' AS place"))
    assert [row[0] for row in env.from_path("t").execute().collect()] == ["temporary"]
    session.sql(f"USE {databases.two}")
    assert [row[0] for row in env.from_path("t").execute().collect()] == ["temporary"]
    assert [row[0] for row in env.from_path(f"{databases.one}.t").execute().collect()] == [databases.one]
    env.execute_sql("DROP VIEW t")
    assert place(env) == [databases.two]


def test_a_database_that_was_dropped_meanwhile(spark: SparkSession, session: Any) -> None:
    name = f"gone_{uuid.uuid4().hex[:8]}"
    spark.sql(f"CREATE DATABASE {name}")
    session.sql(f"USE {name}")
    env = TableEnvironment.create(spark=session)
    spark.sql(f"DROP DATABASE {name}")
    with pytest.raises(DatabaseNotExistException, match=f"no database '{name}'"):
        env.from_path("t")
    # Statements that need no database work.
    env.execute_sql("CREATE TEMPORARY VIEW v AS SELECT 1 AS a")
    assert [tuple(row) for row in env.execute_sql("SELECT * FROM v").collect()] == [(1,)]
    env.execute_sql("DROP VIEW v")
    assert "default" in env.list_databases()
    env.use_database("default")
    assert env.get_current_database() == "default"


def _with_derby(spark: SparkSession) -> SparkSession:
    session = spark.newSession()
    prefix = "spark.sql.catalog.Jd"
    session.conf.set(prefix, "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    session.conf.set(f"{prefix}.url", "jdbc:derby:memory:namespace_test;create=true")
    session.conf.set(f"{prefix}.driver", "org.apache.derby.jdbc.EmbeddedDriver")
    return session


def test_another_catalog_is_the_current_one(spark: SparkSession, databases: Databases) -> None:
    session = _with_derby(spark)
    session.sql("USE Jd.APP")
    session.sql("CREATE TABLE here (a INT)")
    try:
        env = TableEnvironment.create(spark=session)
        assert (env.get_current_catalog(), env.get_current_database()) == ("Jd", "APP")
        assert env.from_path("here").as_serializable_string() == "SELECT `a`\nFROM `Jd`.`APP`.`here`"
        assert env.list_tables() == ["here"]
        # In a catalog without views, a statement can still drop temporary ones.
        env.execute_sql("CREATE TEMPORARY VIEW v AS SELECT 1 AS a")
        env.execute_sql("DROP VIEW v")
        assert env.list_temporary_views() == []
        session.catalog.setCurrentCatalog("spark_catalog")
        session.sql(f"USE {databases.one}")
        assert place(env) == [databases.one]
    finally:
        session.sql("DROP TABLE Jd.APP.here")


def test_a_namespace_that_is_not_a_database(spark: SparkSession, databases: Databases) -> None:
    session = _with_derby(spark)
    session.sql("USE Jd")
    env = TableEnvironment.create(spark=session)
    assert env.get_current_catalog() == "Jd"
    assert "catalog: Jd, database: ," in repr(env)
    with pytest.raises(ValidationException, match=r"The current catalog is Jd, and no database of it.*use_database"):
        env.from_path("t")
    assert env.from_path(f"spark_catalog.{databases.one}.t").get_schema().get_field_names() == ["place"]
    env.execute_sql(f"USE spark_catalog.{databases.one}")
    assert place(env) == [databases.one]
    # A statement runs in the chosen database, and afterwards the session is back where it was.
    env.execute_sql("ANALYZE TABLE t COMPUTE STATISTICS")
    assert SessionNamespace(session).read() == ("Jd",)


def test_a_catalog_of_the_same_name(spark: SparkSession) -> None:
    session = _with_derby(spark)
    env = TableEnvironment.create(spark=session)
    env.register_catalog("Jd", InMemoryCatalog("Jd"))
    session.sql("USE Jd.APP")
    with pytest.raises(ValidationException, match=r"Jd, has the name of a catalog that was registered here"):
        env.from_path("t")
    env.use_catalog("Jd")
    assert env.get_current_catalog() == "Jd"


@pytest.mark.parametrize(
    ("namespace", "parts"),
    [("", ()), ("a", ("a",)), ("a.b", ("a", "b")), ("`a.b`", ("a.b",)), ("`x``y`.`1 z`", ("x`y", "1 z"))],
)
def test_names_with_special_characters(namespace: str, parts: tuple[str, ...]) -> None:
    class Catalog:
        def currentCatalog(self) -> str:
            return "c"

        def currentDatabase(self) -> str:
            return namespace

    read = SessionNamespace(None)  # type: ignore[arg-type]  # what it reads is replaced below
    read._catalog = Catalog()
    assert read.read() == ("c", *parts)


def test_the_session_of_an_environment_that_starts_it(spark: SparkSession, databases: Databases) -> None:
    env = TableEnvironment.create()
    assert env.get_current_database() == "default"
    env.spark.sql(f"USE {databases.one}")
    assert place(env) == [databases.one]


def test_a_query_asks_for_the_namespace_once(
    spark: SparkSession, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = spark.newSession()
    session.sql(f"USE {databases.one}")
    env = TableEnvironment.create(spark=session)
    calls = []
    read = SessionNamespace.read

    def counted(self: SessionNamespace) -> tuple[str, ...]:
        calls.append(1)
        return read(self)

    monkeypatch.setattr(SessionNamespace, "read", counted)
    for count in (1, 50):
        calls.clear()
        env.sql_query(" UNION ALL ".join(f"SELECT f() AS a{n} FROM t AS t{n}, t" for n in range(count)))
        assert len(calls) == 1
    calls.clear()
    env.sql_query(f"SELECT * FROM spark_catalog.{databases.one}.t")
    env.from_path(f"spark_catalog.{databases.one}.t")
    assert calls == []
