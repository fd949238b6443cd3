"""Tables of Spark's catalog are read once, and again after any event that may have changed them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ir.errors import TableNotExistException
from tableapi import TableEnvironment
from tableapi.spark.catalog import SparkCatalog


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the tables that Spark is asked about."""
    names: list[str] = []
    get_table = SparkCatalog.get_table

    def counted(self: SparkCatalog, database: str, name: str) -> object:
        names.append(name)
        return get_table(self, database, name)

    monkeypatch.setattr(SparkCatalog, "get_table", counted)
    return names


def columns(env: TableEnvironment, name: str) -> tuple[str, ...]:
    return tuple(env.from_path(name).get_resolved_schema().names)


def test_tables_are_read_once(env: TableEnvironment, read: list[str]) -> None:
    env.execute_sql("CREATE TABLE once (a INT) USING parquet")
    env.execute_sql("CREATE TABLE beside (b INT) USING parquet")
    assert (columns(env, "once"), columns(env, "beside")) == (("a",), ("b",))
    assert read == ["once", "beside"]

    def asked_again() -> list[str]:
        read.clear()
        assert (columns(env, "once"), columns(env, "beside")) == (("a",), ("b",))
        return list(read)

    # The end of an earlier job and Spark's heartbeat also count as events, and arrive at any time.
    assert any(not asked_again() for _ in range(20))


def _alter(path: str) -> str:
    return f"ALTER TABLE {path} ADD COLUMNS (b INT)"


# Each statement adds a second column to a table of one column.
CHANGES: dict[str, Callable[[TableEnvironment, str], object]] = {
    "a statement that passes through": lambda env, path: env.execute_sql(_alter(path)),
    "a statement of the session": lambda env, path: env.spark.sql(_alter(path)),
    "a DataFrame": lambda env, path: (
        env.spark.createDataFrame([(1, 2)], "a INT, b INT").write.mode("overwrite").saveAsTable(path)
    ),
    "Spark's catalog": lambda env, path: (
        env.spark.sql(f"DROP TABLE {path}"),
        env.spark.catalog.createTable(path, source="parquet", schema=_two_columns()),
    ),
}


def _two_columns() -> object:
    from pyspark.sql.types import IntegerType, StructType

    return StructType().add("a", IntegerType()).add("b", IntegerType())


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_seen(env: TableEnvironment, change: Callable[[TableEnvironment, str], object]) -> None:
    env.execute_sql("CREATE TABLE changed (a INT) USING parquet")
    assert columns(env, "changed") == ("a",)
    path = f"{env.get_current_database()}.changed"
    change(env, path)
    assert columns(env, "changed") == ("a", "b")
    env.spark.sql(f"DROP TABLE {path}")
    with pytest.raises(TableNotExistException):
        env.from_path("changed")


def test_views_are_read_again_when_they_are_replaced(env: TableEnvironment) -> None:
    env.execute_sql("CREATE VIEW v AS SELECT 1 AS a")
    assert columns(env, "v") == ("a",)
    env.create_view("v", env.sql_query("SELECT 2 AS b"), or_replace=True)
    assert columns(env, "v") == ("b",)
    env.spark.sql(f"ALTER VIEW {env.get_current_database()}.v AS SELECT 3 AS c")
    assert columns(env, "v") == ("c",)
    # Spark itself caches the columns of a table that another session changes, until REFRESH TABLE.
    env.spark.newSession().sql(f"ALTER VIEW {env.get_current_database()}.v AS SELECT 4 AS d")
    assert columns(env, "v") == ("d",)
    TableEnvironment.create().execute_sql(f"ALTER VIEW {env.get_current_database()}.v AS SELECT 5 AS e")
    assert columns(env, "v") == ("e",)
