"""Flink's streaming SQL on Spark: each query gives the rows of the same query over tables, or is refused by name."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from ir.streaming.refusals import OutputMode
from ir.streaming.rules import refusals_in
from tableapi import Dialect, EnvironmentSettings, StreamOptions, Table, TableDescriptor, TableEnvironment
from tableapi.exceptions import TableException
from tableapi.expression import Expression
from tableapi.expressions import col, lit
from tableapi.window import Cumulate
from tests.cases import some_nightly
from tests.streams.flink_sql import COLUMNS, QUERIES, STREAMS, TIMES, WATERMARKED

_FILES = 3
_START = dt.datetime(2024, 1, 1, 8, tzinfo=dt.timezone.utc)
_END = dt.datetime(2024, 1, 2, tzinfo=dt.timezone.utc)
"""The rows from here on only move the watermark, so that all windows before end."""
RUNNING = {name: query for name, query in QUERIES.items() if query.modes}
COMPARED = [name for name, query in RUNNING.items() if set(query.modes) & {"a", "c"}]
MEMORY = TableDescriptor.for_connector("memory").build()
REFUSED = {name: query for name, query in QUERIES.items() if query.reason}


def _declare(te: TableEnvironment, folder: Path, *, as_streams: bool) -> None:
    for name, columns in COLUMNS.items():
        time = TIMES.get(name)
        table = f"{name} ({columns})"
        if time is not None:
            table = WATERMARKED.format(name=name, columns=columns, time=time)
        options = f"'connector' = 'filesystem', 'path' = '{folder / name}', 'format' = 'json'"
        if as_streams and name in STREAMS:
            options += ", 'streaming' = 'true', 'json.maxFilesPerTrigger' = '1'"
        te.execute_sql(f"CREATE TEMPORARY TABLE {table} WITH ({options})")


def _rows(chance: random.Random) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the tables, in the order of their times but for some seconds."""

    def time(second: int) -> str:
        return (_START + dt.timedelta(seconds=second)).isoformat()

    seconds = sorted(chance.sample(range(3600), 40))
    return {
        "bid": [
            {"bidtime": time(s), "price": chance.randint(1, 900) / 100, "item": f"i{n % 4}", "supplier": f"s{n % 3}"}
            for n, s in enumerate(seconds)
        ],
        "orders": [
            {"id": n, "order_time": time(s), "amount": chance.randint(1, 5), "currency": chance.choice(["EUR", "USD"])}
            for n, s in enumerate(seconds)
        ],
        "shipments": [{"order_id": n, "ship_time": time(s + 200)} for n, s in enumerate(seconds) if n % 3],
        "customers": [{"customer_id": n, "name": f"c{n}"} for n in range(0, 40, 2)],
        "rates": [
            {"code": code, "rate": chance.randint(2, 9), "since": time(s)}
            for s in (700, 1500, 2400)
            for code in ("EUR", "USD")
        ],
        "changes": [],
    }


def _write(folder: Path, chance: random.Random) -> None:
    """Write the rows of each table in files, and two files whose rows move the watermark past all windows."""
    for name, rows in _rows(chance).items():
        time = TIMES.get(name)
        (folder / name).mkdir(parents=True)
        if name not in STREAMS or not rows:
            parts = [rows]
        else:
            cuts = sorted(chance.sample(range(1, len(rows)), _FILES - 1))
            parts = [rows[a:b] for a, b in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
            for part in parts:
                chance.shuffle(part)
            last = rows[-1]
            assert time is not None
            parts += [[{**last, time: (_END + dt.timedelta(days=day)).isoformat()}] for day in (1, 2)]
        for number, part in enumerate(parts):
            path = folder / name / f"{number}.json"
            path.write_text("".join(json.dumps(row, default=str) + "\n" for row in part))
            # A stream reads files in the order of their times.
            os.utime(path, (number, number))


@pytest.fixture(scope="module")
def environments(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[TableEnvironment, TableEnvironment]]:
    """An environment in which the tables are streams, and one in which they are tables."""
    folder = tmp_path_factory.mktemp("flink")
    _write(folder, random.Random(26))
    made = []
    for as_streams in (True, False):
        te = TableEnvironment.create(spark=spark.newSession())
        # Each partition of the state costs files in each batch.
        te.spark.conf.set("spark.sql.shuffle.partitions", "1")
        _declare(te, folder, as_streams=as_streams)
        made.append(te)
    yield made[0], made[1]
    for running in made[0].streams():
        running.stop(0)


@pytest.fixture(scope="module")
def without_spark() -> TableEnvironment:
    """An environment in which the tables are streams, without Spark."""
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    _declare(te, Path("/data"), as_streams=True)
    return te


def _fetch(table: Table) -> list[tuple[object, ...]]:
    with table.execute().collect() as found:
        return [tuple(row) for row in found]


def _is_last(row: tuple[object, ...]) -> bool:
    """Whether a row comes from those that only move the watermark."""
    return any(isinstance(value, dt.datetime) and value.astimezone(dt.timezone.utc) >= _END for value in row)


@pytest.mark.parametrize("name", RUNNING)
def test_modes(without_spark: TableEnvironment, name: str) -> None:
    operation = without_spark.sql_query(RUNNING[name].text, dialect=Dialect.FLINK).query_operation
    assert "".join(mode.value[0] for mode in OutputMode if not refusals_in(mode, operation)) == RUNNING[name].modes


@pytest.mark.parametrize("name", RUNNING)
def test_the_text_for_spark_is_read_back(without_spark: TableEnvironment, name: str) -> None:
    operation = without_spark.sql_query(RUNNING[name].text, dialect=Dialect.FLINK).query_operation
    assert without_spark.sql_query(operation.as_serializable_string()).query_operation is operation
    merged = operation.as_serializable_string(layout="MERGED")
    assert without_spark.sql_query(merged).query_operation.normalize() is operation.normalize()


def test_cumulative_windows_by_methods(without_spark: TableEnvironment) -> None:
    window = Cumulate.over(lit(10).minutes).every(lit(2).minutes).on(col("bidtime")).alias("w")
    bids = without_spark.from_path("bid").window(window).group_by(col("w"), col("item"))
    table = bids.select(col("item"), col("w").start.alias("since"), col("w").end.alias("until"), col("price").sum)
    operation = table.query_operation
    assert [mode for mode in OutputMode if refusals_in(mode, operation)] == []
    text = operation.as_serializable_string()
    assert "WINDOW(`bidtime`, '10 minutes', '2 minutes')" in text
    assert "CUMULATIVE_WINDOWS" not in text
    assert without_spark.sql_query(text).query_operation is operation


@pytest.mark.parametrize("name", ["temporal_join", "left_temporal_join"])
def test_temporal_joins_have_a_text_for_flink(without_spark: TableEnvironment, name: str) -> None:
    operation = without_spark.sql_query(QUERIES[name].text, dialect=Dialect.FLINK).query_operation
    text = operation.as_serializable_string("FLINK")
    assert "`rates` FOR SYSTEM_TIME AS OF `orders`.`order_time` AS " in text
    read = without_spark.sql_query(text, dialect=Dialect.FLINK)
    assert read.query_operation is operation
    assert without_spark.from_tree_json(read.to_tree_json()).query_operation is operation


def test_a_hint_stays_on_the_table_of_a_temporal_join(without_spark: TableEnvironment) -> None:
    text = QUERIES["temporal_join"].text.replace("SELECT", "SELECT /*+ BROADCAST(r) */", 1)
    query = without_spark.sql_query(text, dialect=Dialect.FLINK)
    assert "/*+ BROADCAST(" in query.as_serializable_string(layout="MERGED")
    with pytest.raises(TableException, match="The hint BROADCAST has no text in Flink's SQL"):
        query.as_serializable_string(Dialect.FLINK)


@pytest.mark.parametrize("keeps", [False, True])
def test_as_of_joins_by_methods_are_temporal_joins(without_spark: TableEnvironment, keeps: bool) -> None:
    orders, rates = without_spark.from_path("orders"), without_spark.from_path("rates").alias("c", "x", "at")
    method = orders.left_outer_as_of_join if keeps else orders.as_of_join
    table = method(rates, col("at") <= col("order_time"), col("c") == col("currency"))
    text = table.query_operation.as_serializable_string("FLINK")
    assert f"{'LEFT OUTER' if keeps else 'INNER'} JOIN `rates` FOR SYSTEM_TIME" in text
    read = without_spark.sql_query(text, dialect=Dialect.FLINK)
    assert read.query_operation.schema is table.query_operation.schema


@pytest.mark.parametrize(
    ("match", "predicate"),
    [
        (col("order_time") > col("since"), col("currency") == col("code")),
        (col("order_time") <= col("since"), col("currency") == col("code")),
        (col("order_time") + lit(1).hour >= col("since"), col("currency") == col("code")),
        (col("id") >= col("rate"), col("currency") == col("code")),
        (col("order_time") >= col("since"), (col("currency") == col("code")) & (col("rate") > 1)),
        (col("order_time") >= col("since"), col("currency") > col("code")),
        (col("order_time") >= col("since"), col("code") == "EUR"),
        (col("order_time") >= col("since"), None),
    ],
)
def test_other_as_of_joins_have_no_text_for_flink(
    without_spark: TableEnvironment, match: Expression[Any], predicate: Expression[Any] | None
) -> None:
    table = without_spark.from_path("orders").as_of_join(without_spark.from_path("rates"), match, predicate)
    with pytest.raises(TableException, match="Its temporal join is with a table that declares a primary key"):
        table.query_operation.as_serializable_string("FLINK")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("rates FOR SYSTEM_TIME AS OF o.id AS r ON o.currency = r.code", r"Invalid call of >=\(BIGINT, TIMESTAMP"),
        ("rates FOR SYSTEM_TIME AS OF o.at AS r ON o.currency = r.code", "o.at is no column of the relation before"),
        ("rates FOR SYSTEM_TIME AS OF o.order_time AS r USING (code)", "with ON"),
        ("rates AS r FOR SYSTEM_TIME AS OF o.order_time ON o.currency = r.code", "stands before the alias"),
    ],
)
def test_mistakes_in_temporal_joins(without_spark: TableEnvironment, text: str, reason: str) -> None:
    with pytest.raises(TableException, match=reason):
        without_spark.sql_query(f"SELECT o.id FROM orders AS o JOIN {text}", dialect=Dialect.FLINK)


def test_a_temporal_join_is_at_a_time_of_the_kind_of_the_watermark(without_spark: TableEnvironment) -> None:
    kinds = {"TIMESTAMP": "TIMESTAMP_LTZ", "TIMESTAMP_LTZ": "TIMESTAMP"}
    (time,) = [c.data_type for c in without_spark.from_path("rates").get_resolved_schema().columns if c.name == "since"]
    own = time.as_summary_string().partition("(")[0].partition(" ")[0]
    orders = f"(SELECT id, currency, CAST(order_time AS {kinds[own]}(6)) AS moment FROM orders) AS o"
    text = f"SELECT o.id FROM {orders} JOIN rates FOR SYSTEM_TIME AS OF o.moment AS r ON o.currency = r.code"
    with pytest.raises(TableException, match=f"AS OF takes a column of the type {own}"):
        without_spark.sql_query(text, dialect=Dialect.FLINK)
    cast = without_spark.from_path("orders").select(col("currency"), col("order_time").cast(kinds[own]).alias("moment"))
    rates = without_spark.from_path("rates")
    table = cast.as_of_join(rates, col("moment") >= col("since"), col("currency") == col("code"))
    with pytest.raises(TableException, match="Its temporal join is with a table that declares a primary key"):
        table.query_operation.as_serializable_string("FLINK")


def test_the_dialect_spark_names_as_of_joins(without_spark: TableEnvironment) -> None:
    with pytest.raises(TableException, match=r"The dialect FLINK reads FOR SYSTEM_TIME AS OF t\.at so"):
        without_spark.sql_query(QUERIES["temporal_join"].text)


def test_a_temporal_join_takes_the_version_of_the_time(
    environments: tuple[TableEnvironment, TableEnvironment],
) -> None:
    rows = _rows(random.Random(26))
    expected = []
    for order in rows["orders"]:
        versions = [r for r in rows["rates"] if r["code"] == order["currency"] and r["since"] <= order["order_time"]]
        rate = max(versions, key=lambda version: version["since"])["rate"] if versions else None
        if order["amount"] > 1:
            expected.append((order["id"], rate))
    found = _fetch(environments[1].sql_query(QUERIES["left_temporal_join"].text, dialect=Dialect.FLINK))
    assert sorted([(row[0], row[2]) for row in found if not _is_last(row)], key=repr) == sorted(expected, key=repr)
    assert {None} < {rate for _, rate in expected}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(without_spark: TableEnvironment, name: str) -> None:
    with pytest.raises(TableException, match=REFUSED[name].reason):
        without_spark.sql_query(REFUSED[name].text, dialect=Dialect.FLINK)


@pytest.mark.parametrize("name", some_nightly(COMPARED, each=8))
def test_rows(environments: tuple[TableEnvironment, TableEnvironment], name: str) -> None:
    streams, tables = environments
    query = RUNNING[name]
    mode = "append" if "a" in query.modes else "complete"
    options = StreamOptions(trigger="available-now", output_mode=mode, name=f"flink_{name}")
    result = streams.sql_query(query.text, dialect=Dialect.FLINK).execute_insert(MEMORY, options=options)
    assert result.wait(120_000)
    found = _fetch(streams.from_spark(streams.spark.table(f"flink_{name}")))
    wanted = _fetch(tables.sql_query(query.text, dialect=Dialect.FLINK))
    if mode == "append":
        # The last rows have windows that do not end.
        found, wanted = ([row for row in rows if not _is_last(row)] for rows in (found, wanted))
    if name == "limit":
        assert len(found) == 3
        return
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))
    assert found
