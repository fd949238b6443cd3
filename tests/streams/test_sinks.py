"""Sinks of streams: the rows of each equal those of the same query in batch."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.datasource import DataSource, DataSourceStreamWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from tableapi import Schema, StreamOptions, Table, TableDescriptor, TableEnvironment, TableException, udf
from tableapi.exceptions import ValidationException
from tableapi.expressions import col
from tests.streams.conftest import NOW, Drops, rows

FIRST = ((1, "a", 1), (2, "b", 2), (3, "a", 3))
SECOND = ((4, "b", 30), (5, "a", 31))


def connector(name: str) -> TableDescriptor:
    return TableDescriptor.for_connector(name).build()  # type: ignore[arg-type]


def test_a_catalog_table_gets_each_row_once(env: TableEnvironment, drops: Drops) -> None:
    env.execute_sql("CREATE TABLE t (k STRING, id BIGINT) USING parquet PARTITIONED BY (id)")
    drops.drop(*FIRST)
    query = env.from_path("events").filter(col("k") == "a").select(col("k"), col("id"))
    result = query.execute_insert("t", options=NOW)
    assert result.wait()
    assert rows(env, "t") == [("a", 1), ("a", 3)]
    drops.drop(*SECOND)
    env.get_config().set("execution.stream.trigger", "available-now")
    # The statement is the same query, so that it continues with the second file.
    assert env.execute_sql("INSERT INTO t SELECT k, id FROM events WHERE k = 'a'").wait()
    assert rows(env, "t") == [("a", 1), ("a", 3), ("a", 5)]
    assert rows(env, "t") == sorted(("a", row[0]) for row in (*FIRST, *SECOND) if row[1] == "a")
    explained = query.insert_into("t").explain()
    assert "exactly once" in explained
    assert "trigger: available-now" in explained


def test_a_window_in_append_mode_equals_batch(env: TableEnvironment, drops: Drops) -> None:
    env.execute_sql("CREATE TABLE t (start TIMESTAMP, k STRING, n BIGINT) USING parquet")
    query = """
        SELECT w.start, k, n
        FROM (SELECT window(ts, '10 seconds') AS w, k, COUNT(*) AS n FROM {} GROUP BY window(ts, '10 seconds'), k)
    """
    for seconds in ((0, 5, 10), (8, 15, 20), (30, 31, 39)):
        drops.drop(*[(second, "ab"[second % 2], second) for second in seconds])
    # The watermark passes all windows but the last ones.
    drops.drop((100, "z", 600))
    assert env.sql_query(query.format("events")).execute_insert("t", options=NOW).wait()
    batch = env.from_spark(env.spark.read.schema("id BIGINT, k STRING, ts TIMESTAMP").json(str(drops.directory)))
    env.create_temporary_view("all_events", batch)
    expected = sorted(map(tuple, env.sql_query(query.format("all_events")).execute().collect()))
    assert rows(env, "t") == [row for row in expected if row[1] != "z"] != []


def test_files_in_a_temporary_table(env: TableEnvironment, drops: Drops, tmp_path: Path) -> None:
    descriptor = (
        TableDescriptor.for_connector("filesystem")
        .schema(Schema.new_builder().column("id", "BIGINT NOT NULL").column("at", "TIMESTAMP_LTZ").build())
        .option("path", str(tmp_path / "out"))
        .format("csv")
        .build()
    )
    env.create_temporary_table("out", descriptor)
    drops.drop(*FIRST)
    query = env.from_path("events").select(col("id"), col("ts"))
    assert query.execute_insert("out", options=NOW).wait()
    assert [row[0] for row in rows(env, "out")] == [1, 2, 3]
    # A file that no finished batch lists is not seen.
    (tmp_path / "out" / "part-9.csv").write_text("9,2024-05-01T10:00:00.000000Z\n")
    assert [row[0] for row in rows(env, "out")] == [1, 2, 3]
    drops.directory.joinpath("0001.json").write_text('{"k":"c"}\n')
    with pytest.raises(TableException, match="The column id of out must not be NULL"):
        query.execute_insert("out", options=NOW).wait()
    assert [row[0] for row in rows(env, "out")] == [1, 2, 3]


def test_memory_console_and_noop(env: TableEnvironment, drops: Drops) -> None:
    drops.drop(*FIRST)
    drops.drop(*SECOND)
    counts = env.sql_query("SELECT k, COUNT(*) AS n FROM events GROUP BY k")
    with pytest.raises(ValidationException, match=r"The sink memory needs the name of the query"):
        counts.execute_insert(connector("memory"), options=NOW)
    named = StreamOptions(name="counts", trigger="available-now")
    assert counts.execute_insert(connector("memory"), options=named).wait()
    # The output mode complete is chosen, so that the view has one row for each key.
    assert rows(env, "counts") == [("a", 3), ("b", 2)]
    env.spark.catalog.dropTempView("counts")
    env.create_temporary_table(
        "screen",
        TableDescriptor.for_connector("console")
        .schema(Schema.new_builder().column("k", "STRING").build())
        .option("truncate", False)
        .build(),
    )
    # Spark prints them from its own process.
    printed = env.from_path("events").select(col("k")).execute_insert("screen", options=NOW)
    assert printed.wait()
    assert [record.rows_in for record in printed.progress()] == [3, 2]
    result = env.from_path("events").execute_insert(connector("noop"), options=NOW)
    assert result.wait()
    assert [record.rows_in for record in result.progress()] == [3, 2]
    assert [record.rows_out for record in result.progress()] == [3, 2]
    with pytest.raises(TableException, match="'console' is only written, and cannot be read"):
        env.from_path("screen").execute()
    with pytest.raises(ValidationException, match=r"has the options \[numRows, truncate\].*Did you mean 'numRows'"):
        env.create_temporary_table("other", TableDescriptor.for_connector("console").option("numrows", 3).build())


def test_a_function_of_each_batch(env: TableEnvironment, drops: Drops) -> None:
    seen: list[tuple[int, list[int]]] = []

    def take(batch: Table, number: int) -> None:
        # The table is one of the environment, over which any query runs.
        seen.append((number, sorted(row[0] for row in batch.filter(col("id") > 1).execute().collect())))

    drops.drop(*FIRST)
    options = StreamOptions(name="taken", trigger="available-now")
    assert env.from_path("events").for_each_batch(take, options=options).wait()
    drops.drop(*SECOND)
    assert env.from_path("events").for_each_batch(take, options=options).wait()
    # With a name, the second query continues the first one.
    assert seen == [(0, [2, 3]), (1, [4, 5])]
    with pytest.raises(ValidationException, match="for_each_batch is for streams"):
        env.from_elements([(1,)], ["id"]).for_each_batch(take)


def test_a_failed_function_is_told_with_its_line(env: TableEnvironment, drops: Drops) -> None:
    def fail(batch: Table, number: int) -> None:
        raise KeyError("no such city")

    drops.drop(*FIRST)
    result = env.from_path("events").for_each_batch(fail, options=NOW)
    with pytest.raises(TableException) as raised:
        result.wait()
    told = str(raised.value)
    assert told.startswith("The function test_a_failed_function_is_told_with_its_line.<locals>.fail failed on batch 0:")
    assert "KeyError: 'no such city'" in told
    assert 'raise KeyError("no such city")' in told
    assert "py4j" not in told
    assert "\tat " not in told
    assert str(result.exception()) == told


def test_a_failed_user_defined_function_is_told_with_its_row(env: TableEnvironment, drops: Drops) -> None:
    @udf(result_type="BIGINT")
    def halve(x: int) -> int:
        if x == 2:
            raise ValueError("unlucky number")
        return x // 2

    drops.drop(*FIRST)
    result = env.from_path("events").select(halve(col("id"))).execute_insert(connector("noop"), options=NOW)
    with pytest.raises(TableException, match=r"The function halve failed on \(2\): ValueError: unlucky number"):
        result.wait()
    assert "Traceback of the function" in str(result.exception())
    assert "py4j" not in str(result.exception())


class Collected(DataSourceStreamWriter):
    """Writes the ids of each batch to a file of its own, which a repeated batch replaces."""

    def __init__(self, path: str) -> None:
        self.path = path

    def write(self, iterator: Any) -> WriterCommitMessage:
        message: Any = WriterCommitMessage()
        message.ids = [row.id for row in iterator]
        return message

    def commit(self, messages: Any, batchId: int) -> None:
        ids = sorted(i for message in messages if message is not None for i in message.ids)
        Path(self.path, str(batchId)).write_text(repr(ids))


class Notebook(DataSource):
    """A data source that is only written."""

    @classmethod
    def name(cls) -> str:
        return "notebook_of_batches"

    def schema(self) -> str:
        return "id BIGINT"

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamWriter:
        return Collected(self.options["folder"])


def test_a_data_source_in_python(env: TableEnvironment, drops: Drops, tmp_path: Path) -> None:
    folder = tmp_path / "batches"
    folder.mkdir()
    drops.drop(*FIRST)
    drops.drop(*SECOND)
    sink = (
        TableDescriptor.for_connector(Notebook)
        .schema(Schema.new_builder().column("id", "BIGINT").build())
        .option("folder", str(folder))
        .build()
    )
    pipeline = env.from_path("events").select(col("id")).insert_into(sink)
    assert "at least once" in pipeline.explain()
    assert pipeline.execute(options=NOW).wait()
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"0": "[1, 2, 3]", "1": "[4, 5]"}
    # Spark would refuse this in the first batch.
    with pytest.raises(
        ValidationException, match=r"does not accept the output mode 'update'; it accepts \[append, com"
    ):
        env.from_path("events").select(col("id")).execute_insert(sink, options=StreamOptions(output_mode="update"))


def test_a_set_of_streams_and_tables_is_refused(env: TableEnvironment, drops: Drops) -> None:
    env.execute_sql("CREATE TABLE small (id BIGINT) USING parquet")
    env.execute_sql("CREATE TABLE large (id BIGINT) USING parquet")
    statements = env.create_statement_set()
    statements.add_insert("small", env.from_path("events").select(col("id")))
    statements.add_insert("large", env.from_elements([(7,)], ["id"]))
    with pytest.raises(ValidationException, match="Statement 2 of the set reads no stream, and others do"):
        statements.execute(options=NOW)


def test_rows_that_readers_would_not_see_are_refused(env: TableEnvironment, drops: Drops) -> None:
    env.execute_sql("CREATE TABLE t (id BIGINT) USING parquet")
    env.execute_sql("INSERT INTO t VALUES (100)")
    drops.drop(*FIRST)
    query = env.from_path("events").select(col("id"))
    with pytest.raises(TableException, match=r"There are rows in the table .* that no streaming query wrote"):
        query.execute_insert("t", options=NOW)
    assert rows(env, "t") == [(100,)]
    env.execute_sql("CREATE TABLE u (id BIGINT) USING parquet")
    assert query.execute_insert("u", options=NOW).wait()
    with pytest.raises(TableException, match="the rows of this insert would be lost"):
        env.from_elements([(100,)], ["id"]).execute_insert("u")
    with pytest.raises(TableException, match=r"Another query writes to the table .*: its checkpoint is .*streams_"):
        query.execute_insert("u", options=StreamOptions(name="other", trigger="available-now"))
    with pytest.raises(ValidationException, match="A stream has no end, so that it cannot overwrite"):
        query.execute_insert("u", overwrite=True, options=NOW)
    assert rows(env, "u") == [(1,), (2,), (3,)]


def test_output_modes_are_checked_before_the_start(env: TableEnvironment, drops: Drops, home: Path) -> None:
    env.execute_sql("CREATE TABLE t (k STRING, n BIGINT) USING parquet")
    counts = env.sql_query("SELECT k, COUNT(*) AS n FROM events GROUP BY k")
    with pytest.raises(
        ValidationException,
        match=r"The table spark_catalog\.\w+\.t accepts \[append\], and the query",
    ):
        counts.execute_insert("t")
    with pytest.raises(ValidationException, match=r"does not accept the output mode 'update'; it accepts \[append\]"):
        counts.execute_insert("t", options=StreamOptions(output_mode="update"))
    with pytest.raises(ValidationException, match=r"The query runs in the output modes \[update, complete\]"):
        counts.execute_insert(connector("noop"), options=StreamOptions(output_mode="append"))
    assert not (home / "streams").exists()
    with pytest.raises(ValidationException, match="options is for queries over streams"):
        env.from_elements([("a", 1)], ["k", "n"]).execute_insert("t", options=NOW)


def test_a_table_belongs_to_one_query_from_its_start(env: TableEnvironment, drops: Drops) -> None:
    env.execute_sql("CREATE TABLE t (id BIGINT) USING parquet")
    query = env.from_path("events").select(col("id"))
    # There are no files yet, so that no batch is finished.
    running = query.execute_insert("t", options=StreamOptions(name="first"))
    with pytest.raises(TableException, match=r"Another query writes to the table .*: its checkpoint is .*/first"):
        query.execute_insert("t", options=StreamOptions(name="second"))
    running.stop()
    drops.drop(*FIRST)
    assert query.execute_insert("t", options=StreamOptions(name="first", trigger="available-now")).wait()
    assert rows(env, "t") == [(1,), (2,), (3,)]


def test_a_permanent_view_over_a_stream(env: TableEnvironment) -> None:
    env.execute_sql("CREATE TABLE source (id BIGINT) USING parquet")
    env.execute_sql("CREATE TABLE t (id BIGINT) USING parquet")
    env.execute_sql("INSERT INTO source VALUES (1), (2)")
    database = env.get_current_database()
    env.spark.sql(f"CREATE VIEW {database}.big AS SELECT id FROM STREAM {database}.source WHERE id > 1")
    assert env.from_path("big").execute_insert("t", options=NOW).wait()
    assert rows(env, "t") == [(2,)]
    env.spark.sql(f"CREATE VIEW {database}.own AS SELECT id FROM STREAM {database}.t")
    with pytest.raises(ValidationException, match="to which it writes: each batch would be read again"):
        env.from_path("own").execute_insert("t", options=NOW)


@pytest.mark.parametrize(
    ("sink", "promise"),
    [
        ("t", "is not computed again once the sink has it"),
        (TableDescriptor.for_connector(Notebook).option("folder", "/nowhere").build(), "nothing notices other rows"),
        (connector("noop"), None),
    ],
    ids=["table", "data source", "noop"],
)
def test_explain_says_what_a_repeated_batch_does(
    env: TableEnvironment, drops: Drops, sink: Any, promise: str | None
) -> None:
    env.execute_sql("CREATE TABLE IF NOT EXISTS t (id BIGINT) USING parquet")
    told = drops.stream().select(col("id")).insert_into(sink).explain()
    if promise is None:
        assert "a repeated batch" not in told
    else:
        assert f"a repeated batch: {promise}" in told.replace("is computed again; ", "")


def test_random_rows_of_a_repeated_batch_are_warned_of(env: TableEnvironment, drops: Drops) -> None:
    drops.drop(*FIRST)
    env.create_temporary_system_function("draw", udf(lambda k: k, result_type="STRING", deterministic=False))
    events = env.from_path("events")
    for query, names in (
        (env.sql_query("SELECT id, RAND() AS r, UUID() AS u FROM events"), "RAND and UUID"),
        (env.sql_query("SELECT draw(k) AS k FROM events"), "DRAW"),
    ):
        with pytest.warns(RuntimeWarning, match=f"(?i)the function .* gets the last batch again, and {names} may"):
            assert query.for_each_batch(lambda rows, batch: None, options=NOW).wait()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Where nothing is kept of the first run, and where all rows follow from the input, nothing is warned of.
        env.sql_query("SELECT id, RAND() AS r FROM events").execute_insert(connector("noop"), options=NOW).wait()
        events.for_each_batch(lambda rows, batch: None, options=NOW).wait()
