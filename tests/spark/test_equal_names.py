"""Queries with duplicate column names on Spark: names and rows are Spark's, and no file gets such columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableapi import TableDescriptor, TableEnvironment, ValidationException
from tests.spark.rows import rows

_QUERY = "SELECT * FROM VALUES (1, 'x'), (2, 'y') AS a(id, s) JOIN VALUES (1, 7.5), (2, 8.5) AS b(id, S) ON a.id = b.id"
_ROWS = [(1, "x", 1, 7.5), (2, "y", 2, 8.5)]


def test_names_and_rows_equal_those_of_spark(env: TableEnvironment) -> None:
    table = env.sql_query(_QUERY)
    names = env.spark.sql(_QUERY).columns
    assert names == ["id", "s", "id", "S"]
    assert table.to_spark().columns == names
    assert table.to_arrow().column_names == names
    assert list(table.to_pandas().columns) == names
    assert [tuple(map(str, row)) for row in rows(table)] == [tuple(map(str, row)) for row in _ROWS]
    assert rows(table.limit(1).union_all(table.limit(1))) == 2 * rows(table.limit(1))


def test_rows_go_into_a_table_by_position(env: TableEnvironment) -> None:
    env.execute_sql("CREATE TABLE target (n INT, t STRING, m INT, d DOUBLE) USING parquet")
    env.sql_query(_QUERY).execute_insert("target").wait()
    env.execute_sql(f"INSERT INTO target {_QUERY}").wait()
    assert sorted(rows(env.from_path("target"))) == sorted(2 * _ROWS)


def test_stars_of_joins_go_into_a_table_by_position(env: TableEnvironment) -> None:
    """Both stars begin with the key of USING, wherever it stands in the relation."""
    query = "SELECT a.*, b.* FROM VALUES (10, 1) AS a(v, k) JOIN VALUES (20, 1) AS b(w, k) USING (k)"
    env.execute_sql("CREATE TABLE target (p INT, q INT, r INT, s INT) USING parquet")
    env.execute_sql(f"INSERT INTO target {query}").wait()
    env.spark.sql(f"INSERT INTO {env.get_current_database()}.target {query}")
    assert rows(env.from_path("target")) == 2 * [(1, 10, 1, 20)]


def test_no_file_has_other_names(env: TableEnvironment, tmp_path: Path) -> None:
    target = tmp_path / "out"
    files = TableDescriptor.for_connector("filesystem").option("path", str(target)).format("parquet").build()
    with pytest.raises(ValidationException, match=r"columns 1 and 3 are called id, columns 2 and 4 are called s and S"):
        env.sql_query(_QUERY).execute_insert(files)
    with pytest.raises(ValidationException, match=r"The table spark_catalog\.\w+\.t needs columns with distinct names"):
        env.create_table_as("t", env.sql_query(_QUERY))
    assert not target.exists()
    assert env.list_tables() == []


def test_views_over_equal_names_have_names_of_their_own(env: TableEnvironment) -> None:
    database = env.get_current_database()
    env.spark.sql(f"CREATE VIEW {database}.of_spark (p, q) AS SELECT 1 AS a, 2 AS a")
    env.execute_sql("CREATE VIEW own (p, q) AS SELECT 1 AS a, 2 AS a")
    for name in ("of_spark", "own"):
        assert rows(env.from_path(name)) == [(1, 2)]
        assert rows(env.from_view_definition(name)) == [(1, 2)]
        assert env.from_view_definition(name).get_schema().get_field_names() == ["p", "q"]
