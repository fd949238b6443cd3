"""Tables of NATS are declared without Spark and without a server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ir.operations.source import InlineSource
from ir.rewriting import sources_of
from tableapi import DirectoryCatalog, EnvironmentSettings, Schema, Table, TableDescriptor, TableEnvironment
from tableapi.declarations.external_tables import ExternalTable
from tableapi.declarations.nats import NatsTable
from tableapi.exceptions import TableException, ValidationException
from tableapi.spark import nats_access
from tableapi.spark.external_tables import connection_options
from tableapi.spark.nats_access import describe_repeat
from tableapi.spark.runtime.nats.settings import Settings, read_settings
from tableapi.spark.streaming.shape import describe_options

_NEEDED = {"servers": "nats://localhost:4222", "stream": "ORDERS"}
_SETTINGS = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()


@pytest.fixture
def te() -> TableEnvironment:
    return TableEnvironment.create(_SETTINGS)


def _descriptor(options: Mapping[str, str], schema: Schema | None = None) -> TableDescriptor:
    made = TableDescriptor.for_connector("nats")
    for key, value in options.items():
        made.option(key, value)
    return (made if schema is None else made.schema(schema)).build()


def _handle(table: Table) -> NatsTable:
    (source,) = sources_of(table.query_operation)
    assert isinstance(source, InlineSource)
    assert isinstance(source.handle, NatsTable)
    return source.handle


def test_a_table_without_a_schema_has_all_of_a_message(te: TableEnvironment) -> None:
    table = te.from_descriptor(_descriptor(_NEEDED))
    assert str(table.get_resolved_schema()) == (
        "(`data` BYTES, `subject` STRING, `sequence` BIGINT, `time` TIMESTAMP_LTZ, `headers` MAP<STRING, STRING>)"
    )
    assert not table.query_operation.is_unbounded
    assert te._parts.runtime.started is None


def test_a_table_in_sql(te: TableEnvironment) -> None:
    te.execute_sql(
        "CREATE TABLE orders (id BIGINT, total DECIMAL(10, 2), seq BIGINT METADATA FROM 'sequence' VIRTUAL, "
        "at TIMESTAMP_LTZ METADATA FROM 'time' VIRTUAL, subject STRING METADATA, twice AS id * 2, "
        "WATERMARK FOR at AS at - INTERVAL '5' SECOND) "
        "WITH ('connector' = 'nats', 'servers' = 'nats://a:4222,nats://b:4222', 'stream' = 'ORDERS', "
        "'subject' = 'orders.>', 'scan.startup.mode' = 'latest-offset', 'streaming' = 'true', 'format' = 'json', "
        "'on-error' = 'skip')"
    )
    table = te.from_path("orders")
    assert table.query_operation.is_unbounded
    assert table.get_schema().get_field_names() == ["id", "total", "seq", "at", "subject", "twice"]


def test_a_descriptor_becomes_settings(te: TableEnvironment) -> None:
    schema = Schema.new_builder().column("id", "BIGINT").column_by_metadata("subject", "STRING")
    schema = schema.column_by_metadata("seq", "BIGINT", "sequence", True)
    options = {
        "servers": "nats://a:4222, nats://b:4222",
        "stream": "ORDERS",
        "subject": "orders.>",
        "format": "json",
        "streaming": "true",
        "scan.startup.mode": "timestamp",
        "scan.startup.timestamp-millis": "1700000000000",
        "scan.messages-per-trigger": "50",
        "scan.messages-per-partition": "20",
        "scan.fail-on-data-loss": "false",
        "connection.timeout": "2.5",
    }
    handle = _handle(te.from_descriptor(_descriptor(options, schema.build())))
    assert read_settings(connection_options(handle)) == Settings(
        ("nats://a:4222", "nats://b:4222"),
        "ORDERS",
        "orders.>",
        timeout=2.5,
        start="timestamp",
        start_millis=1_700_000_000_000,
        per_trigger=50,
        per_partition=20,
        fails_on_data_loss=False,
    )
    # Metadata that is VIRTUAL is not written.
    assert [name for name, _ in handle.written] == ["data", "subject"]


def test_a_table_is_a_stream_in_streaming_mode() -> None:
    te = TableEnvironment.create(
        EnvironmentSettings.new_instance().in_streaming_mode().with_built_in_catalog_name("memory").build()
    )
    assert te.from_descriptor(_descriptor(_NEEDED)).query_operation.is_unbounded
    ends = {**_NEEDED, "streaming": "false"}
    assert not te.from_descriptor(_descriptor(ends)).query_operation.is_unbounded


WRONG: list[tuple[dict[str, str], str]] = [
    ({"servers": ""}, "The option 'servers' of .* is URLs with commas between them"),
    ({"servers": "a b"}, "The option 'servers' of .* is URLs"),
    ({"stream": "a.b"}, "The option 'stream' of .* is the name of a stream: without spaces, dots"),
    ({"subject": "a..b"}, "The option 'subject' of .* is a subject: words with dots"),
    ({"scan.startup.mode": "earliest"}, "is one of .*, but was given 'earliest'. Did you mean 'earliest-offset'?"),
    ({"scan.startup.mode": "latest-offset"}, "its rows end now, so that it would have none. Say 'earliest-offset'"),
    ({"scan.startup.mode": "timestamp"}, "no option 'scan.startup.timestamp-millis', which it needs"),
    ({"scan.startup.sequence": "7"}, "which belongs to 'scan.startup.mode' = 'specific-sequence'"),
    ({"scan.startup.mode": "specific-sequence", "scan.startup.sequence": "0"}, "is a whole number from 1"),
    ({"scan.messages-per-trigger": "10"}, "which is for streams, and its rows end. Leave it out"),
    ({"scan.messages-per-trigger": "many", "streaming": "true"}, "is a whole number from 1, but was given 'many'"),
    ({"scan.fail-on-data-loss": "no"}, "is 'true' or 'false', but was given 'no'"),
    ({"connection.timeout": "0"}, "is a number of seconds above 0"),
    ({"username": "ann"}, "has a username and no password; a user needs both"),
    ({"password-variable": "P"}, "has a password and no username; a user needs both"),
    ({"username": "ann", "password": "p", "password-variable": "P"}, "Of 'password' and 'password-variable', .* needs"),
    ({"username": "ann", "password": "p", "token": "t"}, "has a username and a token. Leave one of them out"),
    ({"format": "jsn"}, "Did you mean 'json'?"),
    ({"format": "json", "csv.field-delimiter": ";"}, "'csv.field-delimiter', which belongs to no format of the table"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=[" ".join(options) for options, _ in WRONG])
def test_wrong_options(te: TableEnvironment, options: dict[str, str], message: str) -> None:
    with pytest.raises(TableException, match=message):
        te.from_descriptor(_descriptor({**_NEEDED, **options}, Schema.of({"id": "BIGINT"})))


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("server", "has no option 'server'. Did you mean 'servers'"),
        ("scan.startup.mod", "Did you mean 'scan.startup.mode'"),
        ("key.format", "A message of NATS has no key. Its subject is the metadata 'subject'"),
        ("key.json.x", "A message of NATS has no key"),
        ("topic", "NATS has streams of subjects"),
        ("durable", "Spark keeps in the checkpoint how far a query has read"),
        ("credentials", "NKeys and JWTs are not supported. Use 'username' and 'password', or 'token'"),
        ("source.monitor-interval", "the trigger of the query says when"),
    ],
)
def test_options_that_there_are_not(key: str, message: str) -> None:
    with pytest.raises(TableException, match=message):
        TableDescriptor.for_connector("nats").option(key, "x")


@pytest.mark.parametrize(
    ("missing", "message"), [("servers", "which names the servers"), ("stream", "which names the")]
)
def test_missing_options(te: TableEnvironment, missing: str, message: str) -> None:
    options = {key: value for key, value in _NEEDED.items() if key != missing}
    with pytest.raises(ValidationException, match=f"has no option {missing!r}, {message}"):
        te.from_descriptor(_descriptor(options))


def test_metadata(te: TableEnvironment) -> None:
    def declare(key: str) -> None:
        schema = Schema.new_builder().column("d", "BYTES").column_by_metadata("m", "STRING", key)  # type: ignore[arg-type]
        te.from_descriptor(_descriptor(_NEEDED, schema.build()))

    declare("time")
    with pytest.raises(TableException, match=r"asks for the metadata 'offset'; its records have .*sequence"):
        declare("offset")
    with pytest.raises(TableException, match=r"metadata 'sequens', which no connector has.* Did you mean 'sequence'"):
        declare("sequens")
    with pytest.raises(ValidationException, match=r"'raw'"):
        te.from_descriptor(_descriptor(_NEEDED, Schema.of({"a": "INT", "b": "INT"})))


@pytest.mark.parametrize(
    ("options", "schema", "message"),
    [
        ({}, Schema.of({"d": "BYTES"}), "has no subject, and rows are written to one"),
        ({"subject": "orders.*"}, Schema.of({"d": "BYTES"}), "has the subject 'orders.\\*' with a wildcard"),
        (
            {"subject": "orders"},
            Schema.new_builder().column("d", "BYTES").column_by_metadata("sequence", "BIGINT").build(),
            "does not take the metadata 'sequence' .* Declare the column VIRTUAL",
        ),
    ],
)
def test_tables_that_are_only_read(te: TableEnvironment, options: dict[str, str], schema: Schema, message: str) -> None:
    te.create_temporary_table("t", _descriptor({**_NEEDED, **options}, schema))
    with pytest.raises(TableException, match=f"{message}.*Nothing was written"):
        te.execute_sql("INSERT INTO t SELECT * FROM t")


def test_messages_are_not_overwritten(te: TableEnvironment) -> None:
    te.create_temporary_table("t", _descriptor({**_NEEDED, "subject": "orders"}, Schema.of({"d": "STRING"})))
    with pytest.raises(ValidationException, match=r"so that they cannot be overwritten"):
        te.execute_sql("INSERT OVERWRITE t VALUES ('a')")


def test_secrets(te: TableEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = _descriptor({**_NEEDED, "username": "ann", "password": "hidden"})
    assert "hidden" not in repr(shown)
    assert "hidden" not in repr(_handle(te.from_descriptor(shown)))
    table = te.from_descriptor(_descriptor({**_NEEDED, "token-variable": "NATS_TOKEN"}))
    handle: ExternalTable = _handle(table)
    assert handle.stored_options["token-variable"] == "NATS_TOKEN"
    with pytest.raises(
        ValidationException, match=r"The token of the stream ORDERS of NATS is in the .* NATS_TOKEN, wh"
    ):
        connection_options(handle)
    monkeypatch.setenv("NATS_TOKEN", "abc")
    assert read_settings(connection_options(handle)).token == "abc"
    user = read_settings({**_NEEDED, "servers": "nats://ann:hidden@a:4222, b:4222"})
    assert user.shown_servers == "nats://a:4222, b:4222"


def test_an_unfinished_batch_is_found_in_the_checkpoint(tmp_path: Path) -> None:
    assert describe_repeat(None) == describe_repeat(str(tmp_path)) == {}
    for log, batches in (("offsets", "0 1 2 10"), ("commits", "0 1 2")):
        (tmp_path / log).mkdir()
        for batch in batches.split():
            (tmp_path / log / batch).touch()
        (tmp_path / log / ".10.crc").touch()
    os.utime(tmp_path / "offsets" / "10", (1_700_000_000, 1_700_000_000))
    # Five minutes before, since clocks differ.
    found = {"tableapi.repeated-batch": "10", "tableapi.repeated-since-millis": "1699999700000"}
    assert describe_repeat(str(tmp_path)) == found
    (tmp_path / "commits" / "10").touch()
    assert describe_repeat(str(tmp_path)) == {}


def test_an_older_spark_is_named(te: TableEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_access, "has_limits_of_batches", lambda session: False)
    monkeypatch.setattr(nats_access, "server_version", lambda session: "4.1")
    session: Any = object()
    table = _handle(te.from_descriptor(_descriptor({**_NEEDED, "subject": "a"})))
    for ask in (nats_access.require_stream, nats_access.require_stream_to_write):
        with pytest.raises(TableException, match=r"The stream ORDERS of NATS needs Spark 4\.2, .* this is Spark 4\.1"):
            ask(session, table, _NEEDED)


def test_a_checkpoint_belongs_to_a_stream_and_a_subject() -> None:
    options = {**_NEEDED, "subject": "a", "password": "p", "scan.messages-per-trigger": "10"}
    assert describe_options("tableapi_nats", options) == "['stream=ORDERS', 'subject=a']"


def test_a_catalog_in_a_directory_does_not_keep_the_table(te: TableEnvironment, tmp_path: Path) -> None:
    te.register_catalog("d", DirectoryCatalog("d", tmp_path))
    with pytest.raises(TableException, match=r"is a stream of NATS, which a directory catalog does not keep"):
        te.create_table("d.default.t", _descriptor(_NEEDED, Schema.of({"d": "BYTES"})))


def test_the_declaration_is_printed_and_read_back(te: TableEnvironment) -> None:
    schema = Schema.new_builder().column("id", "BIGINT").column_by_metadata("subject", "STRING")
    schema = schema.column_by_metadata("at", "TIMESTAMP_LTZ", "time", True)
    te.create_table(
        "t", _descriptor({**_NEEDED, "format": "json", "password-variable": "P", "username": "a"}, schema.build())
    )
    text = te.table_statement("t").as_serializable_string("FLINK")
    assert "`subject` STRING METADATA,\n" in text
    assert "`at` TIMESTAMP_LTZ(6) METADATA FROM 'time' VIRTUAL" in text
    assert "'password-variable' = 'P'" in text
    te.drop_table("t")
    te.get_config().set("table.sql-dialect", "FLINK")
    te.execute_sql(text)
    assert te.table_statement("t").as_serializable_string("FLINK") == text


def test_the_name_of_the_connector() -> None:
    with pytest.raises(TableException, match=r"Did you mean 'nats'"):
        TableDescriptor.for_connector("natz")  # type: ignore[arg-type]
