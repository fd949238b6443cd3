"""Changes of streams that are applied to keyed tables: Derby, PostgreSQL, and a catalog that takes MERGE."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tableapi import DataTypes, Row, RowKind, StreamOptions, Table, TableEnvironment
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import call, col
from tableapi.process_functions import ChangelogMode, ProcessTableFunction, TableAsSet
from tableapi.udf import udf
from tests.streams import change_model
from tests.streams.conftest import NOW, rows
from tests.streams.databases import Database

KEYED = "k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED"


@pytest.fixture
def feed(env: TableEnvironment, tmp_path: Path) -> Path:
    """The folder of the files of changes, which the stream ``feed`` reads."""
    folder = tmp_path / "feed"
    folder.mkdir()
    where = f"'connector' = 'filesystem', 'path' = '{folder}', 'format' = 'json', 'streaming' = 'true'"
    env.execute_sql(f"CREATE TEMPORARY TABLE feed (code STRING, k STRING, n BIGINT) WITH ({where})")
    return folder


def _changes(env: TableEnvironment) -> Table:
    return env.from_path("feed").from_changelog(op="code", op_mapping=change_model.CODES)


def _forget_last_commit(checkpoint: Path) -> None:
    """Have the last batch come again, as after a crash between the sink and Spark's commit."""
    last = max(int(path.name) for path in (checkpoint / "commits").iterdir() if path.name.isdigit())
    for name in (f"{last}", f".{last}.crc"):
        (checkpoint / "commits" / name).unlink()


@pytest.mark.parametrize("database", ["derby", pytest.param("postgres", marks=pytest.mark.nightly)], indirect=True)
def test_the_last_change_of_each_key_stays(
    env: TableEnvironment, feed: Path, database: Database, tmp_path: Path
) -> None:
    database.declare(env, "totals", KEYED)
    chosen, expected = random.Random(7), dict[str, int | None]()
    pipeline = _changes(env).insert_into("totals")
    assert "exactly once. The changes are applied: a row replaces the one with its key" in pipeline.explain()
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    # Spark reads large files first; those of one batch differ in size.
    for sizes in ((3, 40, 1, 20), (2, 30)):
        for size in sizes:
            changes = change_model.random_changes(chosen, size)
            change_model.drop(feed, len(list(feed.iterdir())), changes)
            change_model.apply(expected, changes)
        assert pipeline.execute(options=options).wait()
        assert rows(env, "totals") == sorted(expected.items())
        _forget_last_commit(tmp_path / "checkpoint")
    assert pipeline.execute(options=options).wait()
    assert rows(env, "totals") == sorted(expected.items())


class Changed(ProcessTableFunction):
    """Pass on the changes of each key."""

    def get_input_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def get_output_changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def eval(self, row: TableAsSet[Row]) -> Iterator[int | None]:
        made: Any = Row.of_kind(row.get_row_kind(), row.n)
        yield made
        if row.n == 1:
            yield Row.of_kind(RowKind.DELETE, None)  # type: ignore[misc]  # a row of a kind


@pytest.mark.nightly
def test_changes_of_a_function_and_their_log_share_it(env: TableEnvironment, feed: Path, derby: Database) -> None:
    derby.declare(env, "totals", KEYED)
    env.execute_sql("CREATE TABLE log (k STRING, op STRING, n BIGINT) USING parquet")
    change_model.drop(feed, 0, [("c", "a", 1), ("c", "b", 2), ("b", "b", 2), ("u", "b", 3), ("c", "c", 5)])
    changed = _changes(env).partition_by(col("k")).process(Changed)
    statements = env.create_statement_set()
    statements.add_insert("totals", changed.select(col("k"), col("op"), col("EXPR$0")))
    statements.add_insert("log", changed)
    with pytest.warns(RuntimeWarning, match="Changed takes changes of a stream without ORDER BY"):
        assert statements.execute(options=NOW).wait()
    assert rows(env, "totals") == [("b", 3), ("c", 5)]
    assert len(rows(env, "log")) == 6


class Numbered(ProcessTableFunction):
    """Yield each key with a number that another run would not give."""

    def eval(self, row: TableAsSet[Row]) -> Iterator[str]:
        yield uuid.uuid4().hex


@pytest.mark.nightly
def test_a_repeated_batch_with_other_rows_is_noticed(env: TableEnvironment, feed: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        env.execute_sql(f"CREATE TABLE {name} (k STRING, id STRING) USING parquet")
    change_model.drop(feed, 0, [("c", "a", 1), ("c", "b", 2)])
    numbered = env.from_path("feed").partition_by(col("k")).process(Numbered)
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")

    def run() -> bool:
        statements = env.create_statement_set()
        for name in ("first", "second"):
            statements.add_insert(name, numbered)
        return statements.execute(options=options).wait()

    assert run()
    written = rows(env, "first")
    assert len(written) == 2
    (checkpoint,) = [path.parent for path in (tmp_path / "checkpoint").rglob("commits")]
    _forget_last_commit(checkpoint)
    with pytest.warns(RuntimeWarning, match="repeats batch 0 after a crash, and gets other values for the same input"):
        assert run()
    assert rows(env, "first") == rows(env, "second") == written


def test_changes_that_cannot_be_applied(env: TableEnvironment, feed: Path, derby: Database, tmp_path: Path) -> None:
    derby.declare(env, "totals", "k STRING, n BIGINT NOT NULL, PRIMARY KEY (k) NOT ENFORCED")
    env.create_temporary_function("same", udf(lambda n: n, result_type=DataTypes.BIGINT()))
    change_model.drop(feed, 0, [("c", "a", 1), ("c", "b", 2), ("d", "b", None)])
    # The Python function has read the rows ahead.
    by_python = _changes(env).select(col("op"), col("k"), call("same", col("n")).alias("n"))
    with pytest.raises(ValidationException, match=r"2 changes for .*totals.* have the key k = b, and a batch does not"):
        by_python.execute_insert("totals", options=NOW).wait()
    assert rows(env, "totals") == []
    change_model.drop(feed, 1, [("u", "a", None)])
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "null")
    with pytest.raises(TableException, match="The column n of totals must not be NULL"):
        _changes(env).execute_insert("totals", options=options).wait()
    # One file in the place of the other: of two failing tasks, either may be the first.
    change_model.drop(feed, 1, [("x", "a", 1)])
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "code")
    with pytest.raises(TableException, match="No kind of change belongs to the code x in the column code"):
        _changes(env).execute_insert("totals", options=options).wait()
    kinds = env.sql_query("SELECT UPPER(code) AS op, k, n FROM feed")
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "kind")
    with pytest.raises(TableException, match=r"A value of the column op is no kind of change; .* It is [A-Z]"):
        kinds.execute_insert("totals", options=options).wait()
    assert rows(env, "totals") == []
    env.execute_sql("CREATE TABLE plain (k STRING, n BIGINT) USING parquet")
    with pytest.raises(ValidationException, match=r"they cannot be applied to it. The table takes no MERGE"):
        _changes(env).execute_insert("plain", options=NOW)
    # One change of each key needs no order.
    new = env.from_path("feed").filter(col("code") == "c").from_changelog(op="code", op_mapping=change_model.CODES)
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "new")
    single = new.select(col("op"), col("k"), call("same", col("n")).alias("n")).filter(col("n") == 1)
    assert single.execute_insert("totals", options=options).wait()
    assert rows(env, "totals") == [("a", 1)]


Feeds = st.lists(st.tuples(st.sampled_from("crbud"), st.sampled_from("ab"), st.integers(0, 9)), min_size=1, max_size=8)


@given(feeds=st.lists(Feeds, min_size=20, max_size=20))
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
def test_current_rows_equal_the_model(env: TableEnvironment, feeds: list[list[change_model.Change]]) -> None:
    """All feeds are one query, so that Spark answers once."""
    given = [
        (str(number), place, code, key, None if code == "d" else value)
        for number, feed in enumerate(feeds)
        for place, (code, key, value) in enumerate(feed)
    ]
    schema = DataTypes.ROW(
        [
            DataTypes.FIELD("feed", DataTypes.STRING()),
            DataTypes.FIELD("place", DataTypes.INT()),
            DataTypes.FIELD("code", DataTypes.STRING()),
            DataTypes.FIELD("k", DataTypes.STRING()),
            DataTypes.FIELD("n", DataTypes.BIGINT()),
        ]
    )
    changes = env.from_elements(given, schema).from_changelog(op="code", op_mapping=change_model.CODES)
    current = changes.apply_changelog(col("feed"), col("k"), order_by=col("place"))
    expected = list[tuple[object, ...]]()
    for number, feed in enumerate(feeds):
        state = dict[str, int | None]()
        change_model.apply(state, [(code, key, None if code == "d" else value) for code, key, value in feed])
        expected += [(str(number), key, value) for key, value in state.items()]
    # Back to the codes: of the two codes of INSERT only one, and no row before an update.
    codes = changes.to_changelog(op="code", op_mapping={"INSERT": "c", "UPDATE_AFTER": "u", "DELETE": "d"})
    with current.select(col("feed"), col("k"), col("n")).execute().collect() as found:
        assert sorted(map(tuple, found)) == sorted(expected)
    with codes.execute().collect() as found:
        back = sorted((row[1], row[2], row[0]) for row in found)
    assert back == sorted((f, p, "c" if code == "r" else code) for f, p, code, _, _ in given if code != "b")
