"""Statement sets over streams: which inserts share a query, which reads the stream once and writes each row once."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.streaming.sharing import find_shared_source
from tableapi import Schema, StatementSet, StreamOptions, TableDescriptor, TableEnvironment, TableException, udf
from tableapi.exceptions import ValidationException
from tests.streams.conftest import NOW, Drops, rows
from tests.streams.databases import SCHEMA, Database
from tests.streams.queries import DELAY
from tests.streams.streams import read

FIRST = ((1, "a", 1), (2, "b", 2), (3, "a", 3))
SECOND = ((4, "b", 30), (5, "a", 31))

SHARED = {
    "SELECT k, v + 1 AS v FROM s1 WHERE v > 2": None,
    f"SELECT k FROM s1 {DELAY} AS t WHERE ts > TIMESTAMP '2024-01-01 00:00:00'": None,
    "SELECT s1.k, x FROM s1 LATERAL VIEW explode(array(v, 2)) e AS x": None,
    "SELECT s1.k, b1.v FROM s1 JOIN b1 ON s1.k = b1.k": None,
    "SELECT s1.k, b1.v FROM s1 LEFT JOIN b1 ON s1.k = b1.k": None,
    "SELECT s1.k, b1.v FROM b1 RIGHT JOIN s1 ON s1.k = b1.k": None,
    "SELECT k FROM s1 WHERE k IN (SELECT k FROM b1)": None,
    "SELECT k, count(*) AS n FROM s1 GROUP BY k": "its aggregation needs more than the rows of one batch",
    "SELECT DISTINCT k FROM s1": "its removal of duplicates needs more than the rows of one batch",
    "SELECT k FROM s1 LIMIT 3": "needs more than the rows of one batch",
    "SELECT k FROM s1 UNION ALL SELECT k FROM s2": "needs more than the rows of one batch",
    "SELECT /*+ UNBOUNDED_STATE */ s1.k FROM s1 JOIN s2 ON s1.k = s2.k": "needs more than the rows of one batch",
    f"SELECT l.k FROM s1 {DELAY} AS l LEFT SEMI JOIN s2 {DELAY} AS r ON l.k = r.k AND l.ts = r.ts": (
        "needs more than the rows of one batch"
    ),
}
"""Why a query cannot share its stream, None if it can."""


@pytest.mark.parametrize(("text", "reason"), SHARED.items())
def test_which_queries_can_share_a_stream(text: str, reason: str | None) -> None:
    found = find_shared_source(read(text))
    if reason is None:
        assert found.source is read("SELECT * FROM s1")
    else:
        assert found.source is None
        assert reason in found.reason


def _tables(env: TableEnvironment, *names: str) -> None:
    for name in names:
        env.execute_sql(f"CREATE TABLE {name} (id BIGINT, k STRING) USING parquet PARTITIONED BY (k)")


def _set(env: TableEnvironment, **queries: str) -> StatementSet:
    statements = env.create_statement_set()
    for name, where in queries.items():
        statements.add_insert_sql(f"INSERT INTO {name} SELECT id, k FROM events WHERE {where}")
    return statements


def test_a_stream_is_read_once(env: TableEnvironment, drops: Drops, tmp_path: Path) -> None:
    _tables(env, "small", "large")
    schema = Schema.new_builder().column("id", "BIGINT").column("k", "STRING").build()
    copies = TableDescriptor.for_connector("filesystem").schema(schema).format("json")
    env.create_temporary_table("copies", copies.option("path", str(tmp_path / "copies")).build())
    queries = {"small": "id < 3", "large": "id >= 3", "copies": "k = 'a'"}
    drops.drop(*FIRST)
    drops.drop(*SECOND)
    result = _set(env, **queries).execute(options=NOW)
    assert result.wait()
    # One query, which has read each file once.
    assert [(record.batch, record.rows_in) for record in result.progress()] == [(0, 3), (1, 2)]
    assert rows(env, "small") == [(1, "a"), (2, "b")]
    assert rows(env, "large") == [(3, "a"), (4, "b"), (5, "a")]
    assert rows(env, "copies") == [(1, "a"), (3, "a"), (5, "a")]
    # It continues, also after changes of filters.
    drops.drop((6, "a", 40), (7, "b", 41))
    assert _set(env, **{**queries, "copies": "k = 'b'"}).execute(options=NOW).wait()
    assert rows(env, "large") == [(3, "a"), (4, "b"), (5, "a"), (6, "a"), (7, "b")]
    assert rows(env, "copies") == [(1, "a"), (3, "a"), (5, "a"), (7, "b")]


def test_explain_says_what_is_shared(env: TableEnvironment, drops: Drops) -> None:
    _tables(env, "small", "large")
    env.execute_sql("CREATE TABLE counts (k STRING, n BIGINT) USING parquet")
    statements = _set(env, small="id < 3", large="id >= 3")
    statements.add_insert_sql("INSERT INTO counts SELECT k, COUNT(*) AS n FROM events GROUP BY k, ts")
    statements.add_insert(TableDescriptor.for_connector("noop").build(), env.from_path("events"))
    shared, grouped, noop = statements.explain().partition("-- Queries over streams\n")[2].splitlines()
    assert shared.startswith("Statements 1, 2 are one query: it reads the stream ")
    assert shared.endswith("once, keeps each batch, and writes it to each sink.")
    assert grouped == ("Statement 3 is a query of its own: its aggregation needs more than the rows of one batch.")
    assert noop == "Statement 4 is a query of its own: the sink noop cannot tell that it has a batch already."


def test_a_batch_that_only_some_sinks_have_is_written_once(
    env: TableEnvironment, drops: Drops, derby: Database, tmp_path: Path
) -> None:
    _tables(env, "copies")
    derby.declare(env, "log", "id BIGINT")
    derby.run(f"ALTER TABLE {SCHEMA}.log ADD CONSTRAINT small CHECK (id < 10)")
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")

    def execute() -> bool:
        statements = _set(env, copies="TRUE")
        statements.add_insert_sql("INSERT INTO log SELECT id FROM events")
        return statements.execute(options=options).wait()

    drops.drop(*FIRST)
    drops.drop((20, "b", 2))
    with pytest.raises(TableException, match=r"(?i)small") as raised:
        execute()
    assert "py4j" not in str(raised.value)
    # The files have the second batch, and the database does not.
    assert [row[0] for row in rows(env, "copies")] == [1, 2, 3, 20]
    assert rows(env, "log") == [(1,), (2,), (3,)]
    derby.run(f"ALTER TABLE {SCHEMA}.log DROP CONSTRAINT small")
    assert execute()
    assert [row[0] for row in rows(env, "copies")] == [1, 2, 3, 20]
    assert rows(env, "log") == [(1,), (2,), (3,), (20,)]
    # As after a crash between the last sink and Spark's commit.
    for name in ("1", ".1.crc"):
        (tmp_path / "checkpoint" / "1" / "commits" / name).unlink()
    assert execute()
    assert [row[0] for row in rows(env, "copies")] == [1, 2, 3, 20]
    assert rows(env, "log") == [(1,), (2,), (3,), (20,)]


def test_another_set_cannot_continue(env: TableEnvironment, drops: Drops, tmp_path: Path) -> None:
    _tables(env, "small", "large", "other")
    drops.drop(*FIRST)
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    assert _set(env, small="id < 3", large="id >= 3").execute(options=options).wait()
    with pytest.raises(ValidationException, match=r"belongs to another query.* writes to .*large.*small.*other"):
        _set(env, small="id < 3", other="id >= 3").execute(options=options)
    with pytest.raises(TableException, match=r"Statement 1 and 2 of 2: Another query writes to .*its checkpoint is"):
        _set(env, small="id < 3", other="id >= 3").execute(options=NOW)
    assert rows(env, "other") == []


def test_functions_and_checks_of_rows(env: TableEnvironment, drops: Drops, tmp_path: Path) -> None:
    _tables(env, "plain")
    schema = Schema.new_builder().column("id", "BIGINT NOT NULL").column("k", "STRING").build()
    strict = TableDescriptor.for_connector("filesystem").schema(schema).format("parquet")
    env.create_temporary_table("strict", strict.option("path", str(tmp_path / "strict")).build())
    env.create_temporary_function("twice", udf(lambda text: text * 2, input_types=["STRING"], result_type="STRING"))
    drops.drop(*FIRST)
    statements = env.create_statement_set()
    statements.add_insert_sql("INSERT INTO plain SELECT id, twice(k) FROM events")
    statements.add_insert_sql("INSERT INTO strict SELECT id, k FROM events")
    assert statements.execute(options=NOW).wait()
    assert rows(env, "plain") == [(1, "aa"), (2, "bb"), (3, "aa")]
    drops.directory.joinpath("0001.json").write_text('{"k":"c"}\n')
    statements.add_insert_sql("INSERT INTO plain SELECT id, twice(k) FROM events")
    statements.add_insert_sql("INSERT INTO strict SELECT id, k FROM events")
    with pytest.raises(TableException, match="The column id of strict must not be NULL"):
        statements.execute(options=NOW).wait()
    assert rows(env, "strict") == [(1, "a"), (2, "b"), (3, "a")]
