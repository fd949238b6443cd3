"""The records of a broker on Spark: broken bytes by format and policy, written bytes, metadata, and streams."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tableapi import Schema, TableDescriptor, TableEnvironment
from tableapi.declarations import kafka
from tableapi.declarations.avro_schemas import enclosing_schema, schema_of
from tableapi.declarations.value_reading import row_type
from tableapi.exceptions import TableException, ValidationException
from tableapi.spark import shipped_sources
from tableapi.spark.streaming.shape import describe_options
from tests.cases import some_nightly
from tests.spark.rows import rows as rows_of
from tests.streams import fake_kafka
from tests.streams.conftest import NOW

pytestmark = pytest.mark.long

_BROKEN = object()


@pytest.fixture
def broker(env: TableEnvironment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The directory of the fake broker, whose data source takes the place of Spark's connector."""
    shipped_sources.register(env.spark, fake_kafka.FakeKafka)
    monkeypatch.setattr(kafka, "SOURCE", fake_kafka.NAME)
    env.get_config().set("table.sql-dialect", "FLINK")
    directory = tmp_path / "broker"
    directory.mkdir()
    return directory


def _declare(env: TableEnvironment, broker: Path, name: str, columns: str, **options: str) -> None:
    given = {"connector": "kafka", "topic": "t", "properties.bootstrap.servers": str(broker)}
    given |= {key.replace("_", "-", 1) if key == "on_error" else key: value for key, value in options.items()}
    pairs = ", ".join(f"'{key}' = '{value.replace(chr(39), chr(39) * 2)}'" for key, value in given.items())
    env.execute_sql(f"CREATE TEMPORARY TABLE {name} ({columns}) WITH ({pairs})")


def rows(env: TableEnvironment, path: str) -> list[Any]:
    """Return the rows of a table in an order that depends on them alone."""
    return rows_of(env.from_path(path))


# --- broken records ---------------------------------------------------------------------------------------------------

_JSON: list[tuple[bytes | None, object]] = [
    (b'{"id": 1, "name": "a", "tags": [1, 2], "sub": {"a": 5}}', (1, "a", [1, 2], (5,))),
    (b'{"id": 1}', (1, None, None, None)),
    (b'{"id": null, "name": null}', (None, None, None, None)),
    (b"{}", (None, None, None, None)),
    (b'{"id": 2, "extra": [1], "ID": 7}', (2, None, None, None)),
    (b' {"id": 3}\n', (3, None, None, None)),
    (b'{"id": 1, "name": {"x": 1}}', (1, '{"x":1}', None, None)),
    ('{"name": "Zoë €"}'.encode(), (None, "Zoë €", None, None)),
    (None, (None, None, None, None)),
    (b"", _BROKEN),
    (b"   ", _BROKEN),
    (b"null", _BROKEN),
    (b"5", _BROKEN),
    (b'"a"', _BROKEN),
    (b"[]", _BROKEN),
    (b'[{"id": 1}]', _BROKEN),
    (b"id=1", _BROKEN),
    (b'{"id": 1, "name": "a', _BROKEN),
    (b'{"id": 1,', _BROKEN),
    (b'{"id": "abc"}', _BROKEN),
    (b'{"id": "5"}', _BROKEN),
    (b'{"id": true}', _BROKEN),
    (b'{"id": 3.5}', _BROKEN),
    (b'{"id": 3000000000}', _BROKEN),
    (b'{"tags": [1, "x"]}', _BROKEN),
    (b'{"sub": {"a": "x"}}', _BROKEN),
    (b'{"sub": 5}', _BROKEN),
    (b'{"id": 1} trailing', _BROKEN),
    (b'{"id": 1}{"id": 2}', _BROKEN),
    (b'{"id": 1},{"id": 2}', _BROKEN),
    (b'{"id": 1},"x": 2', _BROKEN),
    (b'{"id": 1},', _BROKEN),
    (b'{"id": 1},null', _BROKEN),
    (b'{"id": 1}}', _BROKEN),
    (b'{"id": 1}]', _BROKEN),
    (b'{"id": 1, "name": "\xff\xfe"}', _BROKEN),
    (b'{"id": 1, "name": "a\x00b"}', _BROKEN),
    (b'\xef\xbb\xbf{"id": 1}', _BROKEN),
    ('{"id": 1}'.encode("utf-16"), _BROKEN),
]
_CSV: list[tuple[bytes | None, object]] = [
    (b"1,a,2.5", (1, "a", Decimal("2.50"))),
    (b"1,,", (1, None, None)),
    (b",,", (None, None, None)),
    (b'1,"a,b",2', (1, "a,b", Decimal("2.00"))),
    (b'1,"say ""hi""",2', (1, 'say "hi"', Decimal("2.00"))),
    (b'1,"two\nlines",2', (1, "two\nlines", Decimal("2.00"))),
    (b"1, a ,2", (1, " a ", Decimal("2.00"))),
    (b"1,a,2\r\n", (1, "a", Decimal("2.00"))),
    (b'1,5" disk,2', (1, '5" disk', Decimal("2.00"))),
    (b"1,a\\,2", (1, "a\\", Decimal("2.00"))),
    (None, (None, None, None)),
    (b"", _BROKEN),
    (b"  ", _BROKEN),
    (b"\n", _BROKEN),
    (b"1", _BROKEN),
    (b"1,a", _BROKEN),
    (b"1,a,2,3", _BROKEN),
    (b"1,a,2,", _BROKEN),
    (b"1,a,2,end", _BROKEN),
    (b"x,a,2", _BROKEN),
    (b"1.5,a,2", _BROKEN),
    (b" 1 ,a,2", _BROKEN),
    (b"3000000000,a,2", _BROKEN),
    (b"1,a,b", _BROKEN),
    (b'1,"a,2', _BROKEN),
    (b"1,a,2\n2,b,3", _BROKEN),
    (b"1,\xff,2", _BROKEN),
    ("1,a,2".encode("utf-16"), _BROKEN),
]
_RAW_TEXT: list[tuple[bytes | None, object]] = [
    (b"plain", ("plain",)),
    (b"", ("",)),
    ("Zoë".encode(), ("Zoë",)),
    (None, (None,)),
    (b"\xff", _BROKEN),
    (b"\xed\xa0\x80", _BROKEN),
    (b"ab\xc3", _BROKEN),
]
_RAW_ASCII: list[tuple[bytes | None, object]] = [(b"plain", ("plain",)), ("Zoë".encode(), _BROKEN), (b"\xff", _BROKEN)]
_RAW_LATIN: list[tuple[bytes | None, object]] = [(b"Zo\xeb", ("Zoë",)), (b"", ("",))]
_RAW_INT: list[tuple[bytes | None, object]] = [
    (b"\x00\x00\x00\x05", (5,)),
    (b"\xff\xff\xff\xfe", (-2,)),
    (b"\x80\x00\x00\x00", (-(2**31),)),
    (None, (None,)),
    (b"", _BROKEN),
    (b"\x05", _BROKEN),
    (b"\x00\x00\x00\x00\x05", _BROKEN),
]
_RAW_BOOLEAN: list[tuple[bytes | None, object]] = [
    (b"\x01", (True,)),
    (b"\x07", (True,)),
    (b"\x00", (False,)),
    (b"", _BROKEN),
    (b"\x00\x00", _BROKEN),
]
_CORPORA: dict[str, tuple[str, dict[str, str], list[tuple[bytes | None, object]]]] = {
    "json": ("id INT, name STRING, tags ARRAY<INT>, sub ROW<a INT>", {"format": "json"}, _JSON),
    "csv": ("id INT, name STRING, price DECIMAL(8, 2)", {"format": "csv"}, _CSV),
    "text": ("line STRING", {"format": "raw"}, _RAW_TEXT),
    "ASCII": ("line STRING", {"format": "raw", "raw.charset": "US-ASCII"}, _RAW_ASCII),
    "Latin 1": ("line STRING", {"format": "raw", "raw.charset": "ISO-8859-1"}, _RAW_LATIN),
    "integers": ("n INT", {"format": "raw"}, _RAW_INT),
    "little-endian": (
        "n BIGINT",
        {"format": "raw", "raw.endianness": "little-endian"},
        [(b"\x05" + bytes(7), (5,)), (b"\xfe" + b"\xff" * 7, (-2,)), (b"\x05", _BROKEN)],
    ),
    "bytes of one": ("n TINYINT", {"format": "raw"}, [(b"\xff", (-1,)), (b"\x7f", (127,)), (b"\x00\x01", _BROKEN)]),
    "truth values": ("b BOOLEAN", {"format": "raw"}, _RAW_BOOLEAN),
    "bytes": ("b BYTES", {"format": "raw"}, [(b"\xff\x00", (b"\xff\x00",)), (b"", (b"",)), (None, (None,))]),
    "one column of CSV": ("s STRING", {"format": "csv"}, [(b"a", ("a",)), (b"", (None,)), (b",", _BROKEN)]),
    "CSV without quotes": (
        "a STRING, b STRING",
        {"format": "csv", "csv.disable-quote-character": "true", "csv.field-delimiter": ";"},
        [(b'"a;b', ('"a', "b")), (b'"a;b"', ('"a', 'b"'))],
    ),
    "CSV with a literal of NULL": (
        "a STRING, b INT",
        {"format": "csv", "csv.null-literal": "end", "csv.field-delimiter": "\\t"},
        [(b'""\t1', ("", 1)), (b"end\tend", (None, None)), (b"\t", (None, None)), (b"x\tx", _BROKEN)],
    ),
}


def _plain(value: object) -> object:
    if isinstance(value, bytearray):
        return bytes(value)
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _shown(value: bytes) -> str:
    """Return how a message shows bytes: as text if they are UTF-8, otherwise as digits; Python escapes the rest."""
    try:
        return repr(value.decode()[:100])[1:-1]
    except UnicodeDecodeError:
        return f"X'{value[:50].hex().upper()}'"


@pytest.mark.parametrize("name", some_nightly(_CORPORA))
def test_broken_records(env: TableEnvironment, broker: Path, name: str) -> None:
    columns, options, corpus = _CORPORA[name]
    for value, _ in corpus:
        fake_kafka.send(broker, "t", value)
    good = [(number, row) for number, (_, row) in enumerate(corpus) if row is not _BROKEN]
    broken = [number for number, (_, row) in enumerate(corpus) if row is _BROKEN]

    metadata = ", o BIGINT METADATA FROM 'offset' VIRTUAL"
    kept = f"{columns}{metadata}, problem STRING METADATA FROM 'error' VIRTUAL, raw BYTES METADATA FROM 'value' VIRTUAL"
    _declare(env, broker, "kept", kept, on_error="keep", **options)
    found = {row[-3]: row for row in rows(env, "kept")}
    assert len(found) == len(corpus)
    for number, (value, row) in enumerate(corpus):
        *values, _, problem, raw = found[number]
        assert (None if raw is None else bytes(raw)) == value
        if row is _BROKEN:
            assert values == [None] * len(values), value
            assert problem == f"The value is not of the format {options['format']} and the declared columns.", value
        else:
            assert problem is None, value
            assert _plain(tuple(values)) == row, value

    _declare(env, broker, "left", columns + metadata, on_error="skip", **options)
    assert sorted(row[-1] for row in rows(env, "left")) == [number for number, _ in good]

    # The first broken record fails, wherever the columns of the value are read.
    _declare(env, broker, "strict", columns + metadata, **options)
    if not broken:
        assert len(rows(env, "strict")) == len(corpus)
        return
    for number in (broken[0], broken[-1]):
        with pytest.raises(TableException, match=rf"at topic t, partition 0, offset {number}: ") as error:
            rows_of(env.sql_query(f"SELECT * FROM strict WHERE o = {number}"))
        value = corpus[number][0]
        assert value is not None
        assert _shown(value) in str(error.value)
        assert "'on-error' = 'skip'" in str(error.value)
    where = ", ".join(str(number) for number, _ in good)
    if good:
        assert len(rows_of(env.sql_query(f"SELECT * FROM strict WHERE o IN ({where})"))) == len(good)


def test_a_broken_key(env: TableEnvironment, broker: Path) -> None:
    fake_kafka.send(broker, "t", b"1", b"\xff")
    fake_kafka.send(broker, "t", b"x", b"a")
    fake_kafka.send(broker, "t", b"2", b"b")
    fake_kafka.send(broker, "t", b"3", None)
    options = {"key.format": "raw", "key.fields": "k", "value.fields-include": "EXCEPT_KEY", "format": "csv"}
    columns = "k STRING, v INT"
    _declare(env, broker, "left", columns, on_error="skip", **options)
    assert sorted(rows(env, "left"), key=str) == [("b", 2), (None, 3)]
    _declare(env, broker, "kept", columns + ", e STRING METADATA FROM 'error' VIRTUAL", on_error="keep", **options)
    with env.from_path("kept").execute().collect() as found:
        assert {row[2] and row[2][:9] for row in found} == {None, "The key i", "The value"}
    _declare(env, broker, "strict", columns, **options)
    with pytest.raises(
        TableException, match=r"The (key|value) of a record of the table `?strict`? is not of the format"
    ):
        rows(env, "strict")


# --- metadata ---------------------------------------------------------------------------------------------------------


def test_metadata(env: TableEnvironment, broker: Path) -> None:
    at = dt.datetime(2024, 5, 1, 12, 30, tzinfo=dt.timezone.utc)
    fake_kafka.send(broker, "t", b'{"id": 1}', b"k", [("h", b"1"), ("i", None), ("h", b"2")], 3, at)
    fake_kafka.send(broker, "t", b'{"id": 2}')
    _declare(
        env,
        broker,
        "m",
        "id INT, topic STRING METADATA VIRTUAL, p BIGINT METADATA FROM 'partition' VIRTUAL, `offset` BIGINT METADATA "
        "VIRTUAL, `at` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', kind STRING METADATA FROM 'timestamp-type' VIRTUAL, "
        "n INT METADATA FROM 'timestamp-type' VIRTUAL, h MAP<STRING, BYTES> METADATA FROM 'headers' VIRTUAL, "
        "`key` BYTES METADATA VIRTUAL, next_id AS id + 1",
        format="json",
    )
    one, other = sorted(rows(env, "m"))
    headers = {"h": b"2", "i": None}
    assert one[:5] == (1, "t", 3, 0, at)
    assert one[5:7] == ("CreateTime", 0)
    assert {key: value and bytes(value) for key, value in one[7].items()} == headers
    assert bytes(one[8]) == b"k"
    assert one[9] == 2
    assert other[7:] == (None, None, 3)
    _declare(
        env,
        broker,
        "pairs",
        "id INT, h ARRAY<ROW<`key` STRING, `value` BYTES>> METADATA FROM 'headers' VIRTUAL",
        format="json",
    )
    pairs = {row[0]: row[1] for row in rows(env, "pairs")}
    assert [(name, value and bytes(value)) for name, value in pairs[1]] == [("h", b"1"), ("i", None), ("h", b"2")]


# --- writing ----------------------------------------------------------------------------------------------------------

_TYPES = (
    "a BIGINT, b STRING, c DOUBLE, d DECIMAL(8, 2), e BOOLEAN, f DATE, g TIMESTAMP(6), h TIMESTAMP_LTZ(6), i SMALLINT"
)
_ROW = (
    "SELECT CAST(5 AS BIGINT), ' x,\"y\" ', CAST(1.5 AS DOUBLE), CAST(2.25 AS DECIMAL(8, 2)), TRUE, DATE '2024-05-01', "
    "TIMESTAMP_NTZ '2024-05-01 10:00:00.123456', CAST('2024-05-01 10:00:00.123456Z' AS TIMESTAMP_LTZ), "
    "CAST(7 AS SMALLINT)"
)


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        (_TYPES, {"format": "json"}),
        (_TYPES, {"format": "json", "json.timestamp-format.standard": "ISO-8601"}),
        (_TYPES, {"format": "json", "json.encode.ignore-null-fields": "true"}),
        (_TYPES, {"format": "csv"}),
        (_TYPES, {"format": "csv", "csv.field-delimiter": "|", "csv.quote-character": "*", "csv.null-literal": "-"}),
        (
            _TYPES,
            {"format": "csv", "key.format": "json", "key.fields": "a;b", "value.fields-include": "EXCEPT_KEY"},
        ),
    ],
)
def test_written_records_are_read_back(
    env: TableEnvironment, broker: Path, columns: str, options: dict[str, str]
) -> None:
    _declare(env, broker, "w", columns, **options)
    env.execute_sql(f"INSERT INTO w {_ROW} UNION ALL SELECT {', '.join(['NULL'] * 9)}")
    with env.sql_query(_ROW).execute().collect() as found:
        expected = tuple(next(iter(found)))
    assert sorted(rows(env, "w"), key=str) == sorted([expected, (None,) * 9], key=str)


_RAW: list[tuple[str, dict[str, str], str, bytes | None]] = [
    ("STRING", {}, "'Zoë'", "Zoë".encode()),
    ("STRING", {"raw.charset": "ISO-8859-1"}, "'Zoë'", b"Zo\xeb"),
    ("BYTES", {}, "X'00FF'", b"\x00\xff"),
    ("BOOLEAN", {}, "TRUE", b"\x01"),
    ("BOOLEAN", {}, "FALSE", b"\x00"),
    ("TINYINT", {}, "-1", b"\xff"),
    ("SMALLINT", {}, "-2", b"\xff\xfe"),
    ("INT", {}, "5", b"\x00\x00\x00\x05"),
    ("INT", {"raw.endianness": "little-endian"}, "-2", b"\xfe\xff\xff\xff"),
    ("BIGINT", {}, "-2", b"\xff" * 7 + b"\xfe"),
    ("BIGINT", {"raw.endianness": "little-endian"}, "258", b"\x02\x01" + bytes(6)),
    ("INT", {}, "NULL", None),
    ("BOOLEAN", {}, "NULL", None),
]


@pytest.mark.parametrize("case", some_nightly(_RAW))
def test_raw_values(env: TableEnvironment, broker: Path, case: tuple[str, dict[str, str], str, bytes | None]) -> None:
    column, options, value, written = case
    _declare(env, broker, "w", f"v {column}", format="raw", **options)
    made = f"SELECT CAST({value} AS {column.replace('BYTES', 'BINARY')}) AS v"
    env.execute_sql(f"INSERT INTO w {made}")
    (record,) = fake_kafka.records(broker, "t")
    assert (record["key"], record["value"]) == (None, written)
    assert rows(env, "w") == rows_of(env.sql_query(made))


def test_json_is_written_as_flink_writes_it(env: TableEnvironment, broker: Path) -> None:
    _declare(env, broker, "w", "a INT, b STRING, c TIMESTAMP(6), d TIMESTAMP_LTZ(6)", format="json")
    env.get_config().set_local_timezone("Asia/Tokyo")
    env.execute_sql(
        "INSERT INTO w SELECT 1, CAST(NULL AS STRING), TIMESTAMP '2024-05-01 10:00:00.5', "
        "CAST('2024-05-01 10:00:00.5Z' AS TIMESTAMP_LTZ)"
    )
    (record,) = fake_kafka.records(broker, "t")
    assert record["value"] == (b'{"a":1,"b":null,"c":"2024-05-01 10:00:00.500000","d":"2024-05-01 10:00:00.500000Z"}')


def test_written_metadata(env: TableEnvironment, broker: Path) -> None:
    columns = (
        "v INT, t STRING METADATA FROM 'topic', p BIGINT METADATA FROM 'partition', h MAP<STRING, BYTES> METADATA FROM "
        "'headers', k BYTES METADATA FROM 'key', o BIGINT METADATA FROM 'offset' VIRTUAL"
    )
    _declare(env, broker, "w", columns, format="json")
    env.execute_sql("INSERT INTO w SELECT 1, 'other', CAST(4 AS BIGINT), MAP('x', X'01'), X'6B'")
    env.execute_sql("INSERT INTO w (v) VALUES (2)")
    (one,) = fake_kafka.records(broker, "other")
    assert (one["key"], one["headers"], one["partition"]) == (b"k", [("x", b"\x01")], 4)
    (other,) = fake_kafka.records(broker, "t")
    assert (other["key"], other["headers"], other["value"]) == (None, None, b'{"v":2}')


def test_a_null_in_a_column_that_is_not_null_is_refused(env: TableEnvironment, broker: Path) -> None:
    _declare(env, broker, "w", "v INT NOT NULL", format="json")
    with pytest.raises(TableException, match="must not be NULL"):
        env.execute_sql("INSERT INTO w SELECT CAST(NULL AS INT)")
    assert fake_kafka.records(broker, "t") == []


# --- streams ----------------------------------------------------------------------------------------------------------


def test_a_stream_from_topic_to_topic_continues_where_it_was(env: TableEnvironment, broker: Path) -> None:
    columns = "id INT, `at` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL, WATERMARK FOR `at` AS `at`"
    _declare(env, broker, "source", columns, format="json", streaming="true", on_error="skip")
    _declare(env, broker, "sink", "id INT, twice INT", topic="out", format="csv")
    fake_kafka.send(broker, "t", b'{"id": 1}')
    fake_kafka.send(broker, "t", b'{"id": ')
    for number in (2, 3):
        result = env.sql_query("SELECT id, id * 2 AS twice FROM source").execute_insert("sink", options=NOW)
        assert result.wait(60_000)
        assert result.exception() is None
        fake_kafka.send(broker, "t", b'{"id": %d}' % number)
    assert [record["value"] for record in fake_kafka.records(broker, "out")] == [b"1,2", b"2,4"]
    pipeline = env.sql_query("SELECT id, id * 2 AS twice FROM source").insert_into("sink")
    told = pipeline.explain().partition("== Stream ==\n")[2]
    assert "sink: the topic out of Kafka: at least once. A repeated batch is written again" in told
    assert "output modes: append, update, complete" in told


def test_broken_records_go_to_a_table_of_their_own(env: TableEnvironment, broker: Path) -> None:
    columns = (
        "id INT, o BIGINT METADATA FROM 'offset' VIRTUAL, problem STRING METADATA FROM 'error' VIRTUAL, "
        "raw BYTES METADATA FROM 'value' VIRTUAL"
    )
    _declare(env, broker, "source", columns, format="json", streaming="true", on_error="keep")
    env.get_config().set("table.sql-dialect", "SPARK")
    env.execute_sql("CREATE TABLE good (id INT) USING parquet")
    env.execute_sql("CREATE TABLE bad (o BIGINT, raw BINARY) USING parquet")
    for value in (b'{"id": 1}', b"oops", b'{"id": 2}', b""):
        fake_kafka.send(broker, "t", value)
    env.get_config().set("execution.stream.trigger", "available-now")
    # One after the other, since two Python workers that plan at once may both be late on a busy machine.
    for insert in (
        "INSERT INTO good SELECT id FROM source WHERE problem IS NULL",
        "INSERT INTO bad SELECT o, raw FROM source WHERE problem IS NOT NULL",
    ):
        result = env.execute_sql(insert)
        assert result.wait(60_000)
        assert result.exception() is None
    assert rows(env, "good") == [(1,), (2,)]
    assert [(o, bytes(raw)) for o, raw in rows(env, "bad")] == [(1, b"oops"), (3, b"")]


def test_a_broken_record_ends_a_stream_with_its_place(env: TableEnvironment, broker: Path) -> None:
    _declare(env, broker, "source", "id INT", format="json", streaming="true")
    fake_kafka.send(broker, "t", b'{"id": 1}')
    fake_kafka.send(broker, "t", b"oops")
    noop = TableDescriptor.for_connector("noop").build()
    result = env.from_path("source").execute_insert(noop, options=NOW)
    with pytest.raises(TableException, match=r"at topic t, partition 0, offset 1: oops\. Leave such records out"):
        result.wait(60_000)


def test_what_tells_a_source_from_others() -> None:
    given = {
        "subscribe": "t",
        "kafka.bootstrap.servers": "a:1",
        "kafka.sasl.jaas.config": "hidden",
        "startingOffsets": "earliest",
    }
    assert describe_options("kafka", given) == "['subscribe=t']"
    assert describe_options("rate", {"rowsPerSecond": "1", "token": "hidden", "x": "1"}) == "['x=1']"


# --- packages that are missing ----------------------------------------------------------------------------------------


def test_a_missing_package_is_told_with_its_coordinate_before_anything_starts(
    env: TableEnvironment, tmp_path: Path, home: Path
) -> None:
    env.get_config().set("table.sql-dialect", "FLINK")
    _declare(env, tmp_path, "source", "id INT", format="json", streaming="true")
    _declare(env, tmp_path, "bounded", "id INT", format="json")
    version = env.spark.version
    sentence = (
        rf"PySpark does not contain the package org\.apache\.spark:spark-sql-kafka-0-10\. .*"
        rf"org\.apache\.spark:spark-sql-kafka-0-10_2\.1[23]:{version}; or name its jar in spark\.jars"
    )
    noop = TableDescriptor.for_connector("noop").build()
    for run in (
        lambda: env.from_path("bounded").execute(),
        lambda: env.from_path("source").execute_insert(noop, options=NOW),
        lambda: env.execute_sql("INSERT INTO bounded VALUES (1)"),
    ):
        with pytest.raises(TableException, match=sentence):
            run()
    assert not list((home / "streams").glob("*")) if (home / "streams").exists() else True
    # Without the jar, the table is typed and printed.
    assert env.from_path("source").get_schema().get_field_names() == ["id"]
    with pytest.raises(TableException, match=rf"org\.apache\.spark:spark-avro_2\.1[23]:{version}"):
        _declare(env, tmp_path, "avro", "id INT", format="avro")


# --- avro -------------------------------------------------------------------------------------------------------------


def test_marks_enclose_an_avro_value(env: TableEnvironment) -> None:
    """Avro's own library reads a value between the marks, and finds what is missing or too much."""
    jvm: Any = env.spark._jvm
    columns = Schema.of("id BIGINT NOT NULL, name STRING, tags ARRAY<INT>").physical_columns
    row = row_type(list(columns))
    parse = lambda text: jvm.org.apache.avro.Schema.Parser().parse(text)  # noqa: E731
    schema = parse(schema_of(row))
    record = jvm.org.apache.avro.generic.GenericData.Record(schema)
    record.put("id", 7)
    record.put("name", "Zoë")
    stream = jvm.java.io.ByteArrayOutputStream()
    encoder = jvm.org.apache.avro.io.EncoderFactory.get().binaryEncoder(stream, None)
    jvm.org.apache.avro.generic.GenericDatumWriter(schema).write(record, encoder)
    encoder.flush()
    value = bytes(stream.toByteArray())
    enclosing = parse(enclosing_schema(row, "start", "value", "end"))

    def read(given: bytes) -> str | None:
        decoder = jvm.org.apache.avro.io.DecoderFactory.get().binaryDecoder(given, None)
        try:
            found = jvm.org.apache.avro.generic.GenericDatumReader(enclosing).read(None, decoder)
        except Exception:
            return None
        marks = (found.get("start"), found.get("end"))
        return str(found.get("value").toString()) if marks == (1, 1) else None

    assert read(b"\x02" + value + b"\x02") == '{"id": 7, "name": "Zoë", "tags": null}'
    assert read(b"\x02" + value[:-1] + b"\x02") is None
    assert read(b"\x02" + value + b"x" + b"\x02") is None
    assert read(b"\x02" + b"\x02") is None


def test_invalid_inserts_are_refused(env: TableEnvironment, broker: Path) -> None:
    _declare(env, broker, "w", "v INT", format="json")
    with pytest.raises(ValidationException, match="cannot be overwritten"):
        env.execute_sql("INSERT OVERWRITE w VALUES (1)")
    assert fake_kafka.records(broker, "t") == []
