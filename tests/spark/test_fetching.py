"""Results that are fetched on demand."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tableapi import DataTypes, FarDate, FarTimestamp, FineTime, Row, Table, TableEnvironment, TableException, udf
from tableapi.expressions import col, lit
from tableapi.spark import batches


@pytest.fixture
def a_partition_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fetch small results in as many jobs as large ones."""
    monkeypatch.setattr(batches, "_SMALL", -1)
    monkeypatch.setattr(batches, "_AT_ONCE", 1)


def counted(env: TableEnvironment, partitions: int) -> tuple[Table, Any]:
    """Return a table with a row per partition, and an accumulator that counts computed partitions."""
    session = env.spark
    computed = session.sparkContext.accumulator(0)

    def rows(numbers: Iterator[int]) -> Iterator[tuple[int]]:
        computed.add(1)
        return ((number,) for number in numbers)

    rdd = session.sparkContext.parallelize(range(partitions), partitions).mapPartitions(rows)
    return env.from_spark(session.createDataFrame(rdd, "n INT")), computed


@pytest.mark.usefixtures("a_partition_at_a_time")
def test_partitions_are_computed_when_their_rows_are_asked_for(spark: SparkSession) -> None:
    table, computed = counted(TableEnvironment.create(spark=spark.newSession()), 30)
    result = table.select(col("n") * 2).execute()
    assert computed.value == 1
    rows = result.collect()
    assert tuple(next(rows)) == (0,)
    assert computed.value == 1
    assert tuple(next(rows)) == (2,)
    assert computed.value == 2
    assert [row[0] for row in rows] == list(range(4, 60, 2))
    assert computed.value == 30


@pytest.mark.usefixtures("a_partition_at_a_time")
def test_closed_results_are_not_computed(spark: SparkSession) -> None:
    table, computed = counted(TableEnvironment.create(spark=spark.newSession()), 30)
    result = table.execute()
    with result.collect() as rows:
        assert [row[0] for _, row in zip(range(2), rows, strict=False)] == [0, 1]
    assert list(result.collect()) == list(rows) == []
    assert computed.value == 2


def test_a_small_result_of_many_partitions_is_there_at_once(spark: SparkSession) -> None:
    table, computed = counted(TableEnvironment.create(spark=spark.newSession()), 30)
    result = table.execute()
    assert computed.value == 30
    assert len(list(result.collect())) == 30
    assert computed.value == 30


def test_rows_are_read_once_and_collect_goes_on(running: TableEnvironment) -> None:
    result = running.sql_query("SELECT id FROM range(0, 4, 1, 4) ORDER BY id").execute()
    assert tuple(next(result.collect())) == (0,)
    assert [row[0] for row in result.collect()] == [1, 2, 3]
    assert list(result.collect()) == []
    listed = running.execute_sql("SHOW CATALOGS")
    assert list(listed.collect()) == list(listed.collect()) != []


@pytest.mark.usefixtures("a_partition_at_a_time")
def test_the_rows_are_of_one_execution_in_its_order(running: TableEnvironment) -> None:
    query = "SELECT id, rand() AS r, uuid() AS u FROM range(0, 1000, 1, 7) ORDER BY id DESC"
    table = running.sql_query(query)
    rows = list(table.execute().collect())
    assert [row.id for row in rows] == list(range(999, -1, -1))
    assert len({row.u for row in rows}) == 1000
    batched = table.to_arrow_batch_reader()
    assert batched.schema == table.to_arrow().schema
    assert batched.read_all()["id"].to_pylist() == list(range(999, -1, -1))


@pytest.mark.usefixtures("a_partition_at_a_time")
def test_an_error_in_a_later_part_is_readable(running: TableEnvironment) -> None:
    table = running.sql_query("SELECT id FROM range(0, 40000, 1, 2)")
    failing = table.select(col("id"), 1 / (col("id") - 39_999))
    message = r"(?s)Project: .*\[DIVIDE_BY_ZERO\] Division by zero.*at: "
    with pytest.raises(TableException, match=message) as caught:
        for _ in failing.execute().collect():
            pass
    assert "py4j" not in str(caught.value)
    assert "\tat " not in str(caught.value)
    assert caught.value.condition == "DIVIDE_BY_ZERO"
    with pytest.raises(TableException, match=message):
        failing.to_arrow_batch_reader().read_all()


@pytest.mark.usefixtures("a_partition_at_a_time")
def test_settings_functions_and_views_are_those_at_the_time_of_execution(spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.create_temporary_view("numbers", env.sql_query("SELECT id FROM range(0, 4, 1, 4)"))
    env.spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    env.create_temporary_function("twice", udf(lambda x: 2 * x, result_type=DataTypes.BIGINT()))
    query = "SELECT twice(id), DATE_FORMAT(TIMESTAMP_SECONDS(id), 'HH') AS h FROM numbers"
    rows = env.sql_query(query).execute().collect()
    env.drop_temporary_function("twice")
    env.drop_temporary_view("numbers")
    env.spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert [tuple(row) for row in rows] == [(0, "09"), (2, "09"), (4, "09"), (6, "09")]


@pytest.mark.usefixtures("a_partition_at_a_time")
def test_every_type_is_as_in_one_table(running: TableEnvironment) -> None:
    table = running.sql_query(
        "SELECT id, id % 2 = 0 AS b, CAST(id AS DECIMAL(30, 5)) AS d, CAST(id AS STRING) AS s, X'00FF' AS x,"
        " DATE '2024-02-29' AS day, TIMESTAMP_SECONDS(id) AS i, TIMESTAMP_NTZ '2024-01-01 00:00:00' AS t,"
        " INTERVAL '1' DAY AS e, INTERVAL '14' MONTH AS m, ARRAY(1, NULL) AS a, MAP('k', id) AS p,"
        " NAMED_STRUCT('f', id, 'g', ARRAY(NAMED_STRUCT('h', 1))) AS r, PARSE_JSON('{\"a\": 1}') AS v, NULL AS n,"
        " CASE WHEN id = 1 THEN NAMED_STRUCT('f', 1, 'g', NAMED_STRUCT('h', 'x')) END AS o FROM range(0, 3, 1, 3)"
    )
    assert table.to_arrow_batch_reader().read_all() == table.to_arrow()
    # A row that is NULL, although its fields are NOT NULL.
    assert [row.o for row in table.execute().collect()] == [None, Row(f=1, g=Row(h="x")), None]
    empty = table.filter(col("id") > 5)
    assert list(empty.execute().collect()) == [] == empty.to_arrow_batch_reader().read_all().to_pylist()


@udf(result_type=DataTypes.BIGINT())
def late(minutes: int) -> int:
    """Take so many minutes."""
    import time

    time.sleep(60 * minutes)
    return minutes


@pytest.mark.usefixtures("a_partition_at_a_time")
def test_closing_from_another_thread_ends_the_job(running: TableEnvironment) -> None:
    rows = running.sql_query("SELECT id FROM range(0, 20, 10, 2)").select(late(col("id"))).execute().collect()
    assert next(rows)[0] == 0
    threading.Timer(1, rows.close).start()
    assert list(rows) == []


def test_print_reads_on_where_widths_are_settled(
    running: TableEnvironment, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tableapi.result._ROWS_THAT_SET_WIDTHS", 2)
    running.sql_query("SELECT REPEAT('x', INT(id)) AS x FROM range(1, 5, 1, 1)").execute().print()
    assert capsys.readouterr().out.splitlines() == [
        "+----+", "| x  |", "+----+", "| x  |", "| xx |", "| xxx |", "| xxxx |", "+----+", "4 rows in set"
    ]  # fmt: skip


def test_dates_that_python_does_not_have(running: TableEnvironment) -> None:
    date, instant = FarDate(10000, 2, 29), FarTimestamp(FarDate(-1, 2, 28), dt.time(1, 2, 3, 4), is_instant=True)
    table = running.from_elements(
        [
            (date, FarTimestamp(date, dt.time(23)), instant, [date, None]),
            (dt.date(2024, 1, 1), dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 1, tzinfo=dt.UTC), None),
            (None, None, None, None),
        ],
        DataTypes.ROW(
            [
                DataTypes.FIELD("day", DataTypes.DATE()),
                DataTypes.FIELD("at", DataTypes.TIMESTAMP()),
                DataTypes.FIELD("instant", DataTypes.TIMESTAMP_LTZ()),
                DataTypes.FIELD("days", DataTypes.ARRAY(DataTypes.DATE())),
            ]
        ),
    )
    far, near, none = [tuple(row) for row in table.execute().collect()]
    assert far == (date, FarTimestamp(date, dt.time(23)), instant, [date, None])
    assert near == (dt.date(2024, 1, 1), dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 1, tzinfo=dt.UTC), None)
    assert none == (None,) * 4
    assert "| +10000-02-29 23:00:00 | -0001-02-28 01:02:03.000004+00:00 |" in table.execute().as_text()
    assert [tuple(row) for row in table.filter(col("day") == lit(date)).execute().collect()] == [far]
    assert [tuple(row) for row in table.filter(col("instant") < lit(instant)).execute().collect()] == []


def test_times_of_day_with_nanoseconds(running: TableEnvironment) -> None:
    fine, coarse = FineTime(1, 2, 3, 123_456_789), dt.time(1, 2, 3, 123_456)
    table = running.from_elements(
        [(fine, coarse, [fine, None], {"a": fine}), (None, None, None, None)],
        DataTypes.ROW(
            [
                DataTypes.FIELD("fine", DataTypes.TIME(9)),
                DataTypes.FIELD("coarse", DataTypes.TIME(6)),
                DataTypes.FIELD("list", DataTypes.ARRAY(DataTypes.TIME(9))),
                DataTypes.FIELD("map", DataTypes.MAP(DataTypes.STRING(), DataTypes.TIME(9))),
            ]
        ),
    )
    rows = [tuple(row) for row in table.execute().collect()]
    assert rows == [(fine, coarse, [fine, None], {"a": fine}), (None,) * 4]
    # A time that Arrow contains keeps its precision.
    again = running.from_arrow(table.to_arrow().select(["fine"]))
    assert again.get_resolved_schema().columns[0].data_type == DataTypes.TIME(9)
    assert [tuple(row) for row in again.filter(col("fine") == lit(fine)).execute().collect()] == [(fine,)]
    assert f"{fine} " in table.execute().as_text()


@pytest.mark.parametrize("size", [0, 1, 3])
def test_rows_without_columns(running: TableEnvironment, size: int, capsys: pytest.CaptureFixture[str]) -> None:
    table = running.sql_query(f"SELECT * EXCEPT (id) FROM range(0, {size}, 1, 2)")
    assert list(table.execute().collect()) == [()] * size
    assert table.to_arrow().num_rows == size
    assert table.to_arrow_batch_reader().read_all().num_rows == size
    assert table.to_pandas().shape == (size, 0)
    table.execute().print()
    rows = ["||"] * size + ["++"] * bool(size)
    assert capsys.readouterr().out.splitlines() == ["++", "||", "++", *rows, f"{size} row{'s' * (size != 1)} in set"]


@pytest.mark.usefixtures("a_partition_at_a_time")
def test_rows_without_columns_a_partition_at_a_time(spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    rows = env.sql_query("SELECT * EXCEPT (id) FROM range(0, 25000, 1, 2)").execute().collect()
    assert sum(1 for row in rows if row == ()) == 25_000
