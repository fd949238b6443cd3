"""Tables of Kafka without Spark: their options, declarations, queries as text, and secrets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ir.expressions import FieldReference
from ir.operations.operation import QueryOperation
from ir.rendering import Layout
from ir.types import BYTES
from tableapi import Dialect, EnvironmentSettings, FormatDescriptor, Schema, TableDescriptor, TableEnvironment
from tableapi.declarations.kafka import KafkaTable
from tableapi.declarations.kafka_options import OPTIONS, read_kafka_options, refuse_kafka_option
from tableapi.declarations.record_names import FORMATS
from tableapi.declarations.record_options import read_record_formats
from tableapi.declarations.record_tables import Metadata, RecordShape, read_column, read_records
from tableapi.declarations.value_formats import stored_columns
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import col
from tests.streams.streams import environment

_PLACE = {"topic": "orders", "properties.bootstrap.servers": "a:9092"}
_TABLE = {**_PLACE, "format": "json"}


def _environment(settings: EnvironmentSettings | None = None) -> TableEnvironment:
    made = TableEnvironment.create(
        settings or EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    )
    made.execute_sql("CREATE DATABASE shop")
    made.use_database("shop")
    made.get_config().set("table.sql-dialect", "FLINK")
    return made


def _declare(columns: str, options: dict[str, str]) -> tuple[TableEnvironment, KafkaTable]:
    """Declare a table by Flink's SQL; return it with its environment."""
    made = _environment()
    given = ", ".join(f"'{key}' = '{value}'" for key, value in {"connector": "kafka", **options}.items())
    made.execute_sql(f"CREATE TABLE t ({columns}) WITH ({given})")
    found = made._parts.runtime.manager.find(made._parts.runtime.manager.qualify("t"))
    files = found.files  # type: ignore[union-attr]
    assert isinstance(files, KafkaTable)
    return made, files


# --- options ----------------------------------------------------------------------------------------------------------

_READ = {"subscribe": "orders", "kafka.bootstrap.servers": "a:9092"}


@pytest.mark.parametrize(
    ("options", "is_stream", "read"),
    [
        ({}, False, {}),
        ({"topic": "a; b"}, False, {"subscribe": "a,b"}),
        ({"topic": "", "topic-pattern": "a.*"}, False, {"subscribe": "", "subscribePattern": "a.*"}),
        ({"properties.group.id": "g"}, False, {"kafka.group.id": "g"}),
        ({"properties.security.protocol": "SASL_SSL"}, False, {"kafka.security.protocol": "SASL_SSL"}),
        ({"scan.startup.mode": "earliest-offset"}, False, {"startingOffsets": "earliest"}),
        ({"scan.startup.mode": "latest-offset", "streaming": "true"}, True, {"startingOffsets": "latest"}),
        (
            {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "17"},
            False,
            {"startingTimestamp": "17", "startingOffsetsByTimestampStrategy": "latest"},
        ),
        (
            {"scan.startup.mode": "specific-offsets", "scan.startup.specific-offsets": "partition:0,offset:42"},
            False,
            {"startingOffsets": '{"orders": {"0": 42}}'},
        ),
        ({"scan.bounded.mode": "latest-offset"}, False, {"endingOffsets": "latest"}),
        ({"scan.bounded.mode": "unbounded"}, True, {}),
        ({"scan.bounded.mode": "timestamp", "scan.bounded.timestamp-millis": "9"}, False, {"endingTimestamp": "9"}),
        (
            {
                "scan.bounded.mode": "specific-offsets",
                "scan.bounded.specific-offsets": "partition:0,offset:9;partition:1,offset:7",
            },
            False,
            {"endingOffsets": '{"orders": {"0": 9, "1": 7}}'},
        ),
        ({"streaming": "true", "maxoffsetspertrigger": "5"}, True, {"maxOffsetsPerTrigger": "5"}),
        ({"failOnDataLoss": "false"}, False, {"failOnDataLoss": "false"}),
        ({"sink.delivery-guarantee": "at-least-once", "sink.partitioner": "default"}, False, {}),
    ],
)
def test_options_of_flink_are_options_of_spark(options: dict[str, str], is_stream: bool, read: dict[str, str]) -> None:
    given = {key: value for key, value in {**_PLACE, **options}.items() if value}
    streaming = given.pop("streaming", None)
    made = read_kafka_options(given, None if streaming is None else streaming == "true", False, "the table t")
    assert made.is_stream is is_stream
    assert made.read == {key: value for key, value in {**_READ, **read}.items() if value}
    assert not any(key in made.write for key in ("subscribe", "startingOffsets", "kafka.group.id"))
    assert made.write["kafka.bootstrap.servers"] == "a:9092"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"properties.bootstrap.servers": ""}, "no option 'properties.bootstrap.servers'"),
        ({"topic": ""}, "Of the options 'topic' and 'topic-pattern', the table t needs exactly one"),
        ({"topic-pattern": "a"}, "needs exactly one"),
        ({"topic": "a;;b"}, "is a topic, or several with ';' between them"),
        ({"topic": "a,b"}, "is a topic, or several with ';' between them"),
        ({"scan.startup.mode": "group-offsets"}, "reads none of a group.*'earliest-offset'"),
        ({"scan.bounded.mode": "group-offsets"}, "reads none of a group"),
        ({"scan.startup.mode": "earliest"}, r"takes one of \[earliest-offset.*Did you mean 'earliest-offset'"),
        ({"scan.startup.mode": "latest-offset"}, "its rows end now.*'streaming' = 'true'"),
        ({"scan.startup.mode": "timestamp"}, "no option 'scan.startup.timestamp-millis', which it needs"),
        (
            {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "-1"},
            "is a number of milliseconds since 1970, but was given '-1'",
        ),
        ({"scan.startup.timestamp-millis": "1"}, "belongs to 'scan.startup.mode' = 'timestamp'"),
        (
            {"scan.startup.mode": "earliest-offset", "scan.startup.specific-offsets": "partition:0,offset:1"},
            "belongs to 'scan.startup.mode' = 'specific-offsets'",
        ),
        (
            {"scan.startup.mode": "specific-offsets", "scan.startup.specific-offsets": "0:42"},
            "has the form 'partition:0,offset:42;.*but has '0:42'",
        ),
        (
            {
                "scan.startup.mode": "specific-offsets",
                "scan.startup.specific-offsets": "partition:0,offset:1;partition:0,offset:2",
            },
            "twice the same partition",
        ),
        (
            {
                "topic": "a;b",
                "scan.startup.mode": "specific-offsets",
                "scan.startup.specific-offsets": "partition:0,offset:1",
            },
            "needs one topic, and the table has several",
        ),
        ({"scan.bounded.mode": "latest-offset", "streaming": "true"}, "so that its rows end"),
        ({"scan.bounded.mode": "unbounded", "streaming": "false"}, "Leave one of them out"),
        ({"maxOffsetsPerTrigger": "1"}, "which is for streams, and its rows end"),
        ({"sink.partitioner": "fixed"}, "METADATA FROM 'partition'"),
        ({"sink.delivery-guarantee": "exactly-once"}, "Spark writes to Kafka at least once"),
        ({"sink.delivery-guarantee": "always"}, "takes 'at-least-once' or 'none'"),
    ],
)
def test_invalid_options(options: dict[str, str], reason: str) -> None:
    given = {key: value for key, value in {**_PLACE, **options}.items() if value}
    streaming = given.pop("streaming", None)
    with pytest.raises((ValidationException, TableException), match=reason):
        read_kafka_options(given, None if streaming is None else streaming == "true", False, "the table t")


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("topics", "Did you mean 'topic'"),
        ("scan.startup.mod", "Did you mean 'scan.startup.mode'"),
        ("subscribe", "Spark's name of 'topic'"),
        ("startingOffsets", "'scan.startup.mode'"),
        ("endingOffsets", "'scan.bounded.mode'"),
        ("includeHeaders", "METADATA FROM 'headers'"),
        ("assign", "metadata 'partition'"),
        ("kafka.bootstrap.servers", "'properties.bootstrap.servers'"),
        ("properties.auto.offset.reset", "'scan.startup.mode'"),
        ("properties.enable.auto.commit", "Spark keeps offsets in the checkpoint"),
        ("properties.key.deserializer", "'key.format' and 'value.format'"),
        ("properties.interceptor.classes", "no interceptors"),
        ("scan.topic-partition-discovery.interval", "before each batch"),
        ("scan.parallelism", "minPartitions"),
        ("sink.parallelism", "repartition"),
        ("sink.transactional-id-prefix", "no transactions"),
        ("sink.semantic", "'sink.delivery-guarantee'"),
        ("source.monitor-interval", "the trigger of the query"),
    ],
)
def test_options_without_a_meaning_on_spark_are_refused_with_the_reason(key: str, reason: str) -> None:
    with pytest.raises(TableException, match=rf"(?s)option '{key}'.*{reason}"):
        refuse_kafka_option(key)
    with pytest.raises(TableException, match=rf"(?s)option '{key}'.*{reason}"):
        TableDescriptor.for_connector("kafka").option(key, "x")


def test_options_of_spark_are_told_before_what_is_missing() -> None:
    made = _environment()
    made.get_config().set("table.sql-dialect", "SPARK")
    with pytest.raises(TableException, match="Spark's name of 'topic'"):
        made.execute_sql("CREATE TABLE t (id INT) USING kafka OPTIONS (subscribe 'x', 'kafka.bootstrap.servers' 'a:1')")
    made.execute_sql(
        "CREATE TABLE t (id INT) USING kafka OPTIONS (topic 'x', 'properties.bootstrap.servers' 'a:1', format 'json')"
    )
    assert "'connector' = 'kafka'" in made.table_statement("t").as_serializable_string("FLINK")


def test_every_known_option_is_accepted() -> None:
    for key in OPTIONS:
        refuse_kafka_option(key.replace("…", "x"))
    for format in FORMATS:
        refuse_kafka_option(f"value.{format}.x")


# --- formats ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "value", "key", "policy"),
    [
        ({"format": "json"}, ("json", ["id", "name"]), None, "fail"),
        ({"value.format": "csv", "value.csv.null-literal": "-"}, ("csv", ["id", "name"]), None, "fail"),
        ({"format": "json", "json.ignore-parse-errors": "true"}, ("json", ["id", "name"]), None, "skip"),
        ({"format": "json", "json.fail-on-missing-field": "false"}, ("json", ["id", "name"]), None, "fail"),
        ({"format": "json", "on-error": "keep"}, ("json", ["id", "name"]), None, "keep"),
        ({"format": "avro"}, ("avro", ["id", "name"]), None, "fail"),
        (
            {"format": "json", "key.format": "csv", "key.fields": "ID"},
            ("json", ["id", "name"]),
            ("csv", ["id"]),
            "fail",
        ),
        (
            {"format": "raw", "key.format": "raw", "key.fields": "id", "value.fields-include": "EXCEPT_KEY"},
            ("raw", ["name"]),
            ("raw", ["id"]),
            "fail",
        ),
        (
            {
                "format": "raw",
                "key.format": "json",
                "key.json.ignore-parse-errors": "true",
                "key.fields": "name",
                "key.fields-prefix": "na",
                "value.fields-include": "EXCEPT_KEY",
            },
            ("raw", ["id"]),
            ("json", ["me"]),
            "skip",
        ),
    ],
)
def test_formats(options: dict[str, str], value: Any, key: Any, policy: str) -> None:
    columns = stored_columns(Schema.of("id INT, name STRING").physical_columns)
    made, left = read_record_formats({**options, "topic": "t"}, columns, "the table t")
    assert left == {"topic": "t"}
    assert (made.value.format.name, [column.name for column in made.value.columns]) == value
    assert (made.key and (made.key.format.name, [column.name for column in made.key.columns])) == key
    assert made.on_error == policy


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "no option 'format', which says what the values of its records are: one of"),
        ({"format": "json", "value.format": "json"}, "both 'format' and 'value.format'"),
        ({"format": "jsn"}, r"the formats of values are \[json, csv, avro, raw\].*Did you mean 'json'"),
        ({"format": "avro-confluent"}, "Spark knows no schema registry"),
        ({"format": "debezium-json"}, "Spark's tables have no change rows"),
        ({"format": "parquet"}, "formats of files"),
        ({"format": "json", "json.fail-on-missing-field": "true"}, "Spark reads a missing field as NULL"),
        ({"format": "json", "json.ignore-parse-errors": "yes"}, "takes 'true' or 'false', but was given 'yes'"),
        ({"format": "json", "json.ignore-parse-error": "true"}, "Did you mean 'ignore-parse-errors'"),
        ({"format": "json", "json.map-null-key.mode": "DROP"}, "the keys of a map are never NULL"),
        ({"format": "json", "json.timestamp-format.standard": "ISO"}, "takes 'SQL' or 'ISO-8601'"),
        ({"format": "csv", "csv.field-delimiter": "||"}, "takes one character, but was given"),
        ({"format": "csv", "csv.allow-comments": "true"}, "a comment is none"),
        (
            {"format": "csv", "csv.disable-quote-character": "true", "csv.quote-character": "x"},
            "both 'csv.quote-character' and 'csv.disable-quote-character'",
        ),
        ({"format": "avro", "avro.codec": "snappy"}, "properties.compression.type"),
        ({"format": "raw"}, r"holds one column, and the value of the table t has \[id, name\]"),
        ({"format": "json", "csv.field-delimiter": ";"}, "belongs to no format of the table"),
        ({"format": "json", "key.csv.field-delimiter": ";"}, "belongs to no format of the table"),
        ({"format": "json", "key.format": "json"}, "has 'key.format' and no 'key.fields'"),
        ({"format": "json", "key.fields": "id"}, "has 'key.fields' and no 'key.format'"),
        ({"format": "json", "key.format": "json", "key.fields": "ids"}, r"no stored column.*Did you mean 'id'"),
        ({"format": "json", "key.format": "json", "key.fields": "id;id"}, "names 'id', twice"),
        ({"format": "json", "key.format": "raw", "key.fields": "id;name"}, "the key of the table t has"),
        ({"format": "json", "value.fields-include": "EXCEPT-KEY"}, "Did you mean 'EXCEPT_KEY'"),
        (
            {"format": "json", "key.format": "json", "key.fields": "id", "key.fields-prefix": "i"},
            "needs 'value.fields-include' = 'EXCEPT_KEY'",
        ),
        (
            {
                "format": "json",
                "key.format": "json",
                "key.fields": "id",
                "key.fields-prefix": "k_",
                "value.fields-include": "EXCEPT_KEY",
            },
            "does not begin with the prefix 'k_'",
        ),
        ({"format": "json", "on-error": "ignore"}, r"takes one of \[fail, skip, keep\], but was given 'ignore'"),
        ({"format": "json", "on-error": "fail", "json.ignore-parse-errors": "true"}, "Leave one of them out"),
    ],
)
def test_invalid_formats(options: dict[str, str], reason: str) -> None:
    columns = stored_columns(Schema.of("id INT, name STRING").physical_columns)
    with pytest.raises((ValidationException, TableException), match=reason):
        read_record_formats(options, columns, "the table t")


@pytest.mark.parametrize(
    ("columns", "options", "reason"),
    [
        ("`at` DOUBLE", {"format": "raw"}, "holds a STRING, BYTES, BOOLEAN or an integer"),
        ("tags ARRAY<INT>", {"format": "csv"}, "values of the format csv hold no ARRAY values"),
        ("n SMALLINT", {"format": "avro"}, "has no SMALLINT. Declare INT"),
        ("n TIME", {"format": "avro"}, "The format 'avro' has no type for TIME"),
        ("id INT, o BIGINT METADATA FROM 'file_size' VIRTUAL", {"format": "json"}, r"its records have \[topic"),
        ("id INT", {"format": "json", "on-error": "keep"}, "problem STRING METADATA FROM 'error' VIRTUAL"),
        ("id INT, e STRING METADATA FROM 'error' VIRTUAL", {"format": "json"}, "'on-error' = 'keep'"),
        ("id INT, h STRING METADATA FROM 'headers' VIRTUAL", {"format": "json"}, "headers are MAP<STRING, BYTES>"),
        (
            "id INT, o ARRAY<INT> METADATA FROM 'offset' VIRTUAL",
            {"format": "json"},
            "cannot have the metadata 'offset'",
        ),
    ],
)
def test_columns_that_records_cannot_have(columns: str, options: dict[str, str], reason: str) -> None:
    with pytest.raises((ValidationException, TableException), match=reason):
        _declare(columns, {**_PLACE, **options})


def test_a_table_without_columns_or_with_partition_keys_is_refused() -> None:
    made = _environment()
    kafka = TableDescriptor.for_connector("kafka").option("topic", "t").option("properties.bootstrap.servers", "a:1")
    with pytest.raises(ValidationException, match="needs a schema: the records of Kafka are bytes"):
        made.create_temporary_table("t", kafka.format("json").build())
    parts = kafka.schema(Schema.of("id INT")).format("json").partitioned_by("id").build()
    with pytest.raises(TableException, match="the metadata 'partition'"):
        made.create_temporary_table("t", parts)


def test_a_descriptor_says_what_the_statement_says() -> None:
    descriptor = (
        TableDescriptor.for_connector("kafka")
        .schema(
            Schema.new_builder()
            .column("id", "INT")
            .column("name", "STRING")
            .column_by_metadata("o", "BIGINT", "offset", True)
            .column_by_metadata("headers", "MAP<STRING, BINARY>")
            .column_by_expression("twice", col("id") * 2)
            .build()
        )
        .option("topic", "orders")
        .option("properties.bootstrap.servers", "a:9092")
        .format(FormatDescriptor.for_format("csv").option("field-delimiter", ";").build(), "value.format")
        .format(FormatDescriptor.for_format("raw").option("endianness", "little-endian").build(), "key.format")
        .option("key.fields", "id")
        .build()
    )
    made, _ = _declare(
        "id INT, name STRING, o BIGINT METADATA FROM 'offset' VIRTUAL, headers MAP<STRING, BYTES> METADATA, "
        "twice AS id * 2",
        {
            **_PLACE,
            "value.format": "csv",
            "value.csv.field-delimiter": ";",
            "key.format": "raw",
            "key.raw.endianness": "little-endian",
            "key.fields": "id",
        },
    )
    assert made.table_statement("t", descriptor).get_command() is made.table_statement("t").get_command()


# --- declarations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "options", "is_unbounded"),
    [
        ("batch", {}, False),
        ("batch", {"streaming": "true"}, True),
        ("batch", {"scan.bounded.mode": "unbounded"}, True),
        ("streaming", {}, True),
        ("streaming", {"scan.bounded.mode": "latest-offset"}, False),
        ("streaming", {"streaming": "false"}, False),
    ],
)
def test_the_mode_and_the_table_say_whether_the_rows_end(
    settings: str, options: dict[str, str], is_unbounded: bool
) -> None:
    builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    made = _environment((builder.in_streaming_mode() if settings == "streaming" else builder).build())
    kafka = TableDescriptor.for_connector("kafka").schema(Schema.of("id INT"))
    for key, value in {**_TABLE, **options}.items():
        kafka.option(key, value)
    made.create_temporary_table("t", kafka.build())
    assert made.from_path("t").query_operation.is_unbounded is is_unbounded


_SHOWN = """\
CREATE TABLE `memory`.`shop`.`t` (
    `id` INT,
    `at` TIMESTAMP_LTZ(6) METADATA FROM 'timestamp' VIRTUAL,
    `headers` MAP<STRING, BYTES> METADATA,
    `twice` AS `id` * 2,
    WATERMARK FOR `at` AS `at` - INTERVAL '5.000' SECOND(2, 3)
)
WITH (
    'connector' = 'kafka',
    'format' = 'json',
    'properties.bootstrap.servers' = 'a:9092',
    'properties.sasl.jaas.config' = '******',
    'properties.ssl.key.password' = '******',
    'properties.ssl.keystore.key' = '******',
    'streaming' = 'true',
    'topic' = 'orders'
)"""
_SECRETS = {
    "properties.sasl.jaas.config": 'org.Login required username="u" password="hidden-1";',
    "properties.ssl.key.password": "hidden-2",
    "properties.ssl.keystore.key": "hidden-3",
}


def test_show_create_table_keeps_the_declaration_without_secrets() -> None:
    made, table = _declare(
        "id INT, `at` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL, headers MAP<STRING, BYTES> METADATA, "
        "twice AS id * 2, WATERMARK FOR `at` AS `at` - INTERVAL '5' SECOND",
        {**_TABLE, **_SECRETS, "streaming": "true"},
    )
    for dialect in Dialect:
        made.get_config().set("table.sql-dialect", dialect.name)
        with made.execute_sql("SHOW CREATE TABLE t").collect() as rows:
            assert [row[0] for row in rows] == [_SHOWN]
    # The statement reads back as the same table; only the secrets are not there.
    again = _environment()
    again.execute_sql(_SHOWN)
    assert again.table_statement("t").as_serializable_string("FLINK") == _SHOWN
    with made.execute_sql("DESCRIBE EXTENDED t").collect() as rows:
        assert "hidden" not in repr(list(rows))
    for text in (repr(table), table.shown, str(made.from_path("t").explain), repr(table.stored_options)):
        assert "hidden" not in text
    with pytest.raises(TableException) as error:
        made.execute_sql("SELECT nothing FROM t")
    assert "hidden" not in str(error.value)


def test_a_directory_catalog_refuses_the_table(tmp_path: Any) -> None:
    made = _environment()
    made.execute_sql(f"CREATE CATALOG team WITH ('type' = 'directory', 'path' = '{tmp_path}')")
    made.execute_sql("CREATE DATABASE team.d")
    options = ", ".join(f"'{key}' = '{value}'" for key, value in {"connector": "kafka", **_TABLE}.items())
    with pytest.raises(TableException, match="a topic of Kafka, which a directory catalog does not keep"):
        made.execute_sql(f"CREATE TABLE team.d.t (id INT) WITH ({options})")


# --- trees and texts --------------------------------------------------------------------------------------------------

_SHAPE = RecordShape(
    environment().declare("records", {"id": "BIGINT", "bytes": "BINARY", "name": "BINARY"}).get_resolved_schema(),
    {"id": Metadata(read_column("id"))},
    ("id",),
    key="name",
    value="bytes",
)


def _read(columns: str, options: dict[str, str]) -> QueryOperation:
    """Return the query that reads the records of a broker that has nothing to do with Kafka."""
    env = environment()
    builder = (
        Schema.new_builder().from_schema(Schema.of(columns)).column_by_metadata("number", "BIGINT", "offset", True)
    )
    schema = builder.build()
    formats, _ = read_record_formats(options, stored_columns(schema.physical_columns), "the table t")
    shape = RecordShape(_SHAPE.columns, {"offset": _SHAPE.metadata["id"]}, _SHAPE.position, "name", "bytes")
    source = env.from_path("records").query_operation
    return read_records(schema, source, shape, formats, env._parts.lookup, lambda text: col(text), "the table t")  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("policy", ["fail", "skip"])
@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ("a INT, b STRING", {"format": "json"}),
        ("a INT, b ARRAY<STRING>, c MAP<STRING, INT>, d ROW<x DOUBLE, y DATE>", {"format": "json"}),
        ("a INT, b STRING", {"format": "csv", "csv.field-delimiter": "\\t", "csv.null-literal": "end"}),
        ("a STRING", {"format": "raw"}),
        ("a STRING", {"format": "raw", "raw.charset": "ISO-8859-1"}),
        ("a STRING", {"format": "raw", "raw.charset": "US-ASCII"}),
        ("a BIGINT", {"format": "raw"}),
        ("a SMALLINT", {"format": "raw", "raw.endianness": "little-endian"}),
        ("a BOOLEAN", {"format": "raw"}),
        ("a BYTES", {"format": "raw"}),
        (
            "a STRING, b INT",
            {"format": "json", "key.format": "raw", "key.fields": "a", "value.fields-include": "EXCEPT_KEY"},
        ),
    ],
)
def test_the_query_of_a_table_is_printed_and_read_back(columns: str, options: dict[str, str], policy: str) -> None:
    read = _read(columns.replace("BYTES", "BINARY"), {**options, "on-error": policy})
    for dialect_text in (read.as_serializable_string(), read.as_serializable_string(layout=Layout.MERGED)):
        again = environment().sql_query(dialect_text).query_operation
        assert again.normalize() is read.normalize()
    assert environment().sql_query(read.as_serializable_string()).query_operation is read


def test_a_key_and_a_value_in_merged_text(snapshot: Any) -> None:
    options = {"key.format": "raw", "key.fields": "k", "value.fields-include": "EXCEPT_KEY", "format": "json"}
    for policy in ("fail", "skip"):
        read = _read("k STRING, v INT", {**options, "on-error": policy})
        assert read.as_serializable_string(layout=Layout.MERGED, quoting="NEEDED") == snapshot(name=policy)


def test_the_columns_of_the_sink_are_expressions_over_the_stored_columns() -> None:
    _, table = _declare(
        "k STRING, v INT, h MAP<STRING, BYTES> METADATA FROM 'headers', p BIGINT METADATA FROM 'partition', "
        "t STRING METADATA FROM 'topic', o BIGINT METADATA FROM 'offset' VIRTUAL",
        {**_PLACE, "format": "json", "key.format": "raw", "key.fields": "k", "value.fields-include": "EXCEPT_KEY"},
    )
    assert table.schema is not None
    assert table.schema.names == ("k", "v", "h", "p", "t")
    assert dict(table.written) == {
        "key": "CAST(`k` AS BINARY)",
        "value": (
            "CAST(TO_JSON(NAMED_STRUCT('v', `v`), MAP('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSX', "
            "'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC', 'ignoreNullFields', 'false')) "
            "AS BINARY)"
        ),
        "headers": "MAP_ENTRIES(`h`)",
        "partition": "CAST(`p` AS INT)",
        "topic": "COALESCE(`t`, 'orders')",
    }
    assert table.options["includeHeaders"] == "true"
    assert "includeHeaders" not in table.write_options


@pytest.mark.parametrize(
    ("columns", "options", "reason"),
    [
        ("id INT, a TIMESTAMP_LTZ METADATA FROM 'timestamp'", {}, "does not take the metadata 'timestamp'"),
        ("id INT, o BIGINT METADATA FROM 'offset'", {}, r"It takes \[headers, key, partition, topic\]"),
        ("id INT", {"topic": "a;b"}, "no single topic to write to"),
        ("id INT", {"topic": "", "topic-pattern": "a.*"}, "no single topic to write to"),
    ],
)
def test_tables_that_are_only_read(columns: str, options: dict[str, str], reason: str) -> None:
    given = {key: value for key, value in {**_TABLE, **options}.items() if value}
    made, _ = _declare(columns, given)
    with pytest.raises(TableException, match=rf"{reason}.*Nothing was written"):
        made.from_path("t").insert_into("t")
    assert made._parts.runtime.started is None


def test_records_are_not_overwritten() -> None:
    made, _ = _declare("id INT", _TABLE)
    with pytest.raises(ValidationException, match=r"cannot be overwritten\. Append the rows"):
        made.execute_sql("INSERT OVERWRITE t VALUES (1)")


def test_tables_of_one_topic_have_one_place() -> None:
    _, one = _declare("id INT", _TABLE)
    _, other = _declare("name STRING", {**_TABLE, "properties.client.rack": "x"})
    _, another = _declare("id INT", {**_TABLE, "topic": "x"})
    assert one.place == other.place
    assert one.place != another.place


def test_the_schema_of_avro_values() -> None:
    from ir.types import RowType
    from tableapi.declarations.avro_schemas import schema_of
    from tableapi.declarations.value_reading import row_type

    columns = "id BIGINT NOT NULL, tags ARRAY<STRING>, at TIMESTAMP_LTZ, price DECIMAL(8, 2) NOT NULL, r ROW<x INT>"
    row = row_type(list(Schema.of(columns).physical_columns))  # type: ignore[misc]
    assert isinstance(row, RowType)
    assert json.loads(schema_of(row))["fields"] == [
        {"name": "id", "type": "long"},
        {"name": "tags", "type": ["null", {"type": "array", "items": ["null", "string"]}]},
        {"name": "at", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 8, "scale": 2}},
        {
            "name": "r",
            "type": [
                "null",
                {"type": "record", "name": "record_4", "fields": [{"name": "x", "type": ["null", "int"]}]},
            ],
        },
    ]


def test_a_field_reference_stands_for_the_bytes() -> None:
    from ir.schema import Column
    from ir.types import STRING
    from tableapi.declarations.value_formats import ValueFormat
    from tableapi.declarations.value_reading import read_value

    value = FieldReference("payload", BYTES, 0, 0)
    made = read_value(ValueFormat("raw"), value, [Column("line", STRING)])
    assert "`payload`" in made.as_serializable_string()
