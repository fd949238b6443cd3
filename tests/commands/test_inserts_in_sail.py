"""Inserts into partitioned tables of Delta and Iceberg in Sail, which has no PARTITION and replaces all rows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tableapi import TableEnvironment
from tableapi.exceptions import TableException
from tests.commands.sail import sail_session


@pytest.fixture(scope="module", params=["delta", "iceberg"])
def te(request: pytest.FixtureRequest) -> Iterator[TableEnvironment]:
    """An environment of a server in this process with the table ``parts`` in a table format."""
    with sail_session() as session, tempfile.TemporaryDirectory() as folder:
        columns = "(a INT, k STRING)"
        session.sql(f"CREATE TABLE parts {columns} USING {request.param} PARTITIONED BY (k) LOCATION '{folder}'")
        yield TableEnvironment.create(spark=session)


def _rows(te: TableEnvironment) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in te.execute_sql("SELECT * FROM parts").collect())


def test_partitions_are_appended_and_never_replaced_by_mistake(te: TableEnvironment) -> None:
    te.execute_sql("INSERT OVERWRITE parts VALUES (1, 'x'), (2, 'y')")
    te.execute_sql("INSERT INTO parts PARTITION (k = 'y') SELECT 3")
    te.sql_query("SELECT 4 AS a").insert_into("parts", partition={"k": "z"}).execute()
    te.execute_sql("INSERT INTO parts (k, a) SELECT 'z', 5")
    kept = [(1, "x"), (2, "y"), (3, "y"), (4, "z"), (5, "z")]
    assert _rows(te) == kept
    row = te.sql_query("SELECT 6 AS a, 'x' AS k")
    for overwrite in (
        lambda: row.execute_insert("parts", overwrite=True),
        lambda: te.sql_query("SELECT 6 AS a").insert_into("parts", True, partition={"k": "x"}).execute(),
        lambda: te.execute_sql("INSERT OVERWRITE parts PARTITION (k = 'x') SELECT 6"),
        lambda: te.execute_sql("INSERT INTO parts REPLACE USING (k) SELECT 6 AS a, 'x' AS k"),
        lambda: te.execute_sql("INSERT INTO parts WITH ('a' = 'b') SELECT 6, 'x'"),
    ):
        with pytest.raises(TableException, match="Sail"):
            overwrite()
    assert _rows(te) == kept
    assert [tuple(one) for one in te.execute_sql("INSERT OVERWRITE parts SELECT 6, 'x'").collect()] == [(1,)]


@pytest.mark.parametrize("format", ["delta", "iceberg"])
def test_a_failing_create_table_as_leaves_nothing(te: TableEnvironment, tmp_path: Path, format: str) -> None:
    create = f"CREATE TABLE failing USING {format} LOCATION '{tmp_path / 'files'}' AS "
    with pytest.raises(TableException, match=r"[Dd]ivision"):
        te.execute_sql(f"{create}SELECT id, 1 / (id - 50) AS x FROM range(100)")
    assert "failing" not in te.list_tables()
    te.execute_sql(f"{create}SELECT 1 AS x")
    with pytest.raises(TableException):
        te.execute_sql(f"{create}SELECT 2 AS x")
    assert [tuple(row) for row in te.execute_sql("SELECT * FROM failing").collect()] == [(1,)]
    te.execute_sql("DROP TABLE failing")
