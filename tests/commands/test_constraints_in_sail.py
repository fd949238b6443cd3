"""A row that violates a constraint of a table in Sail is named, and nothing is written."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tableapi import TableEnvironment
from tableapi.exceptions import TableException
from tableapi.expressions import col
from tests.commands.sail import sail_session

_ROWS = "SELECT CAST(id AS INT) AS id, CAST(3 - id AS INT) AS amount FROM range(2, 6)"
_WITHOUT_ID = "SELECT NULLIF(CAST(id AS INT), 4) AS id, CAST(id AS INT) AS amount FROM range(3, 6)"
_MERGE = "MERGE INTO things AS t USING (SELECT 1 AS id, 0 AS amount UNION ALL SELECT 9, -9) AS s ON t.id = s.id "
_Run = Callable[[TableEnvironment], Any]


@pytest.fixture(scope="module", params=["delta", "iceberg"])
def lake(request: pytest.FixtureRequest) -> Iterator[tuple[str, TableEnvironment]]:
    """A table format, and an environment of a server in this process with the table ``things``."""
    with sail_session() as session, tempfile.TemporaryDirectory() as folder:
        session.sql(f"CREATE TABLE things (id INT NOT NULL, amount INT) USING {request.param} LOCATION '{folder}/t'")
        if request.param == "delta":
            session.sql("ALTER TABLE things ADD CONSTRAINT positive CHECK (amount > 0)")
        session.sql("INSERT INTO things VALUES (1, 1)").collect()
        yield request.param, TableEnvironment.create(spark=session)


@pytest.mark.parametrize(
    ("run", "row"),
    [
        (lambda te: te.execute_sql(f"INSERT INTO things {_ROWS}"), "id = 3, amount = 0"),
        (lambda te: te.sql_query(_ROWS).execute_insert("things"), "id = 3, amount = 0"),
        (lambda te: te.execute_sql("UPDATE things SET amount = amount - 1"), "id = 1, amount = 0"),
        (lambda te: te.update("things").set(amount=col("amount") - 1).all_rows().execute(), "id = 1, amount = 0"),
        (lambda te: te.execute_sql(f"{_MERGE} WHEN MATCHED THEN UPDATE SET amount = s.amount"), "id = 1, amount = 0"),
        (
            lambda te: te.execute_sql(f"{_MERGE} WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *"),
            "id = 9, amount = -9",
        ),
    ],
)
def test_a_row_that_violates_a_check(lake: tuple[str, TableEnvironment], run: _Run, row: str) -> None:
    format, te = lake
    if format == "iceberg":
        pytest.skip("Iceberg has no CHECK.")
    with pytest.raises(
        TableException, match=rf"positive \(amount > 0\) violated\. A row that violates it: {row}\. Nothing was"
    ):
        run(te)
    assert [tuple(one) for one in te.execute_sql("SELECT * FROM things").collect()] == [(1, 1)]


@pytest.mark.parametrize(
    ("run", "row"),
    [
        (lambda te: te.execute_sql(f"INSERT INTO things {_WITHOUT_ID}"), "id = NULL, amount = 4"),
        (lambda te: te.execute_sql("UPDATE things SET id = NULLIF(amount, 1)"), "id = NULL, amount = 1"),
    ],
)
def test_a_row_that_has_null_where_it_must_not(lake: tuple[str, TableEnvironment], run: _Run, row: str) -> None:
    _, te = lake
    with pytest.raises(TableException, match=rf"(?i)null.*\. A row that violates it: {row}\. Nothing was written\."):
        run(te)
    assert [tuple(one) for one in te.execute_sql("SELECT * FROM things").collect()] == [(1, 1)]
