"""Watermarks and streams of a query: kept in the tree, written back, compared; refused in Flink's SQL."""

from __future__ import annotations

import pytest

from ir.operations.operation import QueryOperation
from ir.streaming.event_time import time_columns_of
from tableapi import (
    EnvironmentSettings,
    Schema,
    Table,
    TableDescriptor,
    TableEnvironment,
    TableException,
    ValidationException,
    diff,
)
from tableapi.expressions import col, lit
from tests.programs.tables import environment_without_spark

ENV = environment_without_spark()
LATE = "SELECT k, ts FROM programs.events WATERMARK ts DELAY OF INTERVAL 90 SECONDS AS late WHERE late.k = 'a'"


def _query(text: str) -> Table:
    return ENV.sql_query(text)


def test_watermark_in_the_tree() -> None:
    assert "Watermark: (column: [ts], delay: [INTERVAL 90000000 microseconds])" in repr(_query(LATE).query_operation)


@pytest.mark.parametrize("layout", ["NESTED", "MERGED"])
def test_its_text_is_read_back(layout: str) -> None:
    query = _query(LATE)
    text = query.as_serializable_string(layout=layout)  # type: ignore[arg-type]  # a name of a layout
    assert text.count("WATERMARK `ts` DELAY OF INTERVAL '90' SECOND") == 1
    assert _query(text).query_operation.normalize() is query.query_operation.normalize()


def test_flink_text_is_rejected() -> None:
    with pytest.raises(TableException, match=r"CREATE TABLE, WATERMARK FOR `ts` AS `ts` - INTERVAL '90.000' SECOND"):
        _query(LATE).as_serializable_string("FLINK")


def test_python_code_builds_it() -> None:
    assert '.watermark(col("ts"), lit(90).seconds)' in _query(LATE).to_python()


def test_a_changed_delay_is_one_change() -> None:
    found = diff(_query(LATE), _query(LATE.replace("90", "120")))
    assert "watermark" in str(found)
    assert "delay" in str(found)
    assert len(found.changes) == 1


# --- streams ---------------------------------------------------------------------------------------------------------

STREAMS = [
    "SELECT * FROM STREAM programs.events",
    "SELECT * FROM STREAM(programs.events) AS s WHERE s.k = 'a'",
    "SELECT s.k FROM STREAM programs.events IDENTIFIED BY `a source` "
    "WATERMARK instant DELAY OF INTERVAL 10 SECONDS AS s JOIN programs.orders AS o ON s.e = o.order_id",
    "SELECT * FROM STREAM programs.events WATERMARK CAST(day AS TIMESTAMP) AS d DELAY OF INTERVAL 1 MINUTE",
    "FROM STREAM programs.events |> WHERE k = 'a' |> EXTEND v + 1 AS w",
    "SELECT k, window(instant, '10 seconds') AS w, COUNT(*) AS n FROM STREAM programs.events "
    "WATERMARK instant DELAY OF INTERVAL 10 SECONDS GROUP BY k, window(instant, '10 seconds')",
]


@pytest.mark.parametrize("text", STREAMS)
@pytest.mark.parametrize("layout", ["NESTED", "MERGED"])
def test_text_of_a_stream_is_read_back(text: str, layout: str) -> None:
    operation = _query(text).query_operation
    assert operation.is_unbounded
    written = operation.as_serializable_string(layout=layout)  # type: ignore[arg-type]  # a name of a layout
    assert "FROM STREAM " in written
    assert _query(written).query_operation.normalize() is operation.normalize()
    assert QueryOperation.from_json(operation.to_json()) is operation


@pytest.mark.parametrize("text", STREAMS)
def test_python_code_builds_the_stream(text: str) -> None:
    code = _query(text).to_python()
    assert "stream=True" in code
    names = {"env": ENV}
    exec(code, names)
    assert names["result"].query_operation.normalize() is _query(text).query_operation.normalize()  # type: ignore[attr-defined]


def test_a_table_called_stream_is_still_one() -> None:
    for text in ("SELECT * FROM stream", "SELECT a FROM stream WHERE a = 1"):
        assert not _query(f"WITH stream AS (SELECT 1 AS a) {text}").query_operation.is_unbounded


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("WITH q AS (SELECT 1 AS a) SELECT * FROM STREAM q", "q is a query of WITH"),
        ("SELECT * FROM STREAM programs.evnts", "Did you mean 'events'"),
        (
            "SELECT * FROM STREAM programs.events WATERMARK ts DELAY OF INTERVAL 1 SECOND",
            "declare the column as TIMESTAMP_LTZ",
        ),
        ("SELECT * FROM STREAM programs.events WATERMARK k DELAY OF INTERVAL 1 SECOND", "k is of type STRING"),
        ("SELECT * FROM STREAM programs.events WATERMARK instant DELAY OF INTERVAL -1 SECOND", "must not be negative"),
    ],
)
def test_bad_streams_are_rejected_by_name(text: str, message: str) -> None:
    with pytest.raises(TableException, match=message):
        _query(text)


def test_streams_have_no_text_for_flink() -> None:
    with pytest.raises(TableException, match="the declaration of a table"):
        _query(STREAMS[0]).as_serializable_string("FLINK")
    with pytest.raises(TableException, match="STREAM before a table is of SPARK"):
        ENV.sql_query(STREAMS[0], dialect="FLINK")


def test_older_targets_lack_streams() -> None:
    for target, text in (("spark-4.0", STREAMS[0]), ("spark-4.1", STREAMS[2])):
        with pytest.raises(TableException, match=r"STREAM|IDENTIFIED BY"):
            _query(text).as_serializable_string(target=target)
    assert "STREAM" in _query(STREAMS[0]).as_serializable_string(target="spark-4.1")


def test_a_table_that_becomes_a_stream_is_a_change() -> None:
    found = diff(_query("SELECT * FROM programs.events"), _query(STREAMS[0]))
    assert len(found.changes) == 1
    assert "the mode of reading table became stream" in str(found)


# --- declared streams ------------------------------------------------------------------------------------------------

FILES = TableDescriptor.for_connector("filesystem").format("json").option("path", "/data/clicks")
CLICKS = Schema.new_builder().column("page", "STRING").column("at", "TIMESTAMP_LTZ(3)")


def _environment(*, streaming: bool) -> TableEnvironment:
    builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    return TableEnvironment.create((builder.in_streaming_mode() if streaming else builder).build())


@pytest.mark.parametrize(
    ("streaming", "option", "is_stream"),
    [(True, None, True), (False, None, False), (False, "true", True), (True, "false", False)],
)
def test_the_mode_or_the_option_makes_a_stream(streaming: bool, option: str | None, is_stream: bool) -> None:
    env = _environment(streaming=streaming)
    files = FILES if option is None else FILES.build().to_builder().option("streaming", option)
    env.create_table("clicks", files.schema(CLICKS.build()).build())
    assert env.from_path("clicks").query_operation.is_unbounded is is_stream
    assert env.sql_query("SELECT page FROM clicks").query_operation.is_unbounded is is_stream
    env.create_view("pages", env.sql_query("SELECT page, at FROM clicks"))
    assert env.from_path("pages").query_operation.is_unbounded is is_stream


@pytest.mark.parametrize("watermark", ["at - INTERVAL '10' SECOND", col("at") - lit(10).seconds])
def test_a_declared_watermark_holds_for_every_query(watermark: object) -> None:
    env = _environment(streaming=True)
    schema = Schema.new_builder().from_schema(CLICKS.build()).watermark("at", watermark).build()  # type: ignore[arg-type]
    env.create_temporary_table("clicks", FILES.build().to_builder().schema(schema).build())
    renamed = env.sql_query("SELECT at AS moment, page, date_trunc('HOUR', at) AS hour FROM clicks").query_operation
    assert time_columns_of(renamed) == {0}


def test_flinks_statement_declares_a_stream() -> None:
    env = _environment(streaming=True)
    env.execute_sql(
        """
        CREATE TABLE clicks (
            page STRING, at TIMESTAMP_LTZ(3), WATERMARK FOR at AS at - INTERVAL '10' SECOND
        ) WITH ('connector' = 'filesystem', 'path' = '/data/clicks', 'format' = 'json', 'json.maxFilesPerTrigger' = '1')
        """
    )
    windows = env.sql_query(
        "SELECT page, window_start FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(at), INTERVAL '1' HOUR))"
    )
    assert windows.query_operation.is_unbounded
    assert time_columns_of(env.from_path("clicks").query_operation) == {1}


@pytest.mark.parametrize(
    ("watermark", "message"),
    [("at - INTERVAL '1' MONTH", "knows the delay of a column alone"), ("now()", "knows the delay of a column alone")],
)
def test_other_watermarks_are_rejected(watermark: str, message: str) -> None:
    schema = Schema.new_builder().from_schema(CLICKS.build()).watermark("at", watermark).build()
    with pytest.raises(ValidationException, match=message):
        _environment(streaming=True).create_temporary_table("clicks", FILES.build().to_builder().schema(schema).build())


def test_sources_that_only_streams_read() -> None:
    env = _environment(streaming=False)
    env.create_temporary_table("ticks", TableDescriptor.for_connector("rate").option("rows-per-second", 5).build())
    assert env.from_path("ticks").query_operation.is_unbounded
    assert env.from_path("ticks").get_schema().get_field_names() == ["timestamp", "value"]
    with pytest.raises(TableException, match="Did you mean 'hostname'"):
        TableDescriptor.for_connector("socket").option("hostnam", "localhost")
    with pytest.raises(ValidationException, match="no option 'port', which 'socket' needs"):
        env.create_temporary_table("lines", TableDescriptor.for_connector("socket").option("host", "here").build())
    ticks = TableDescriptor.for_connector("rate").option("streaming", "false").build()
    with pytest.raises(TableException, match="is a stream in any case"):
        env.create_temporary_table("other", ticks)
    unclear = FILES.build().to_builder().option("streaming", "yes").schema(CLICKS.build()).build()
    with pytest.raises(ValidationException, match="is 'true' or 'false', but was given 'yes'"):
        env.create_temporary_table("other", unclear)
