"""Attach to the Spark of the running Python, ask many things in one session, and print the answers as JSON.

``test_attach.py`` runs this program under each version. The first argument is a directory for tables, the second, if
there is one, the address of a Spark Connect server, or ``sail`` for one of Sail in this process.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tableapi import AggregateFunction, AsyncScalarFunction, Row, ScalarFunction, TableEnvironment
from tableapi.exceptions import TableException
from tableapi.expressions import col
from tableapi.process_functions import Context, ProcessTableFunction, State, TableAsSet
from tableapi.udf import udaf, udf, udtf

_INSTANT = dt.datetime(2020, 3, 29, 1, 30, 0, 5, tzinfo=dt.UTC)
# Values that pandas or PySpark change on their way: NULL beside large integers and NaN, times outside of nanoseconds.
_TYPES = {
    "BOOLEAN": True,
    "INT": 7,
    "BIGINT": 2**60 + 1,
    "DOUBLE": float("nan"),
    "FLOAT": 0.5,
    "STRING": "é\n",
    "BYTES": b"\x00a",
    "DATE": dt.date(1, 1, 1),
    "DECIMAL(20, 2)": Decimal("123456789012345678.90"),
    "TIMESTAMP_LTZ": _INSTANT,
    "TIMESTAMP": dt.datetime(2400, 1, 1, 0, 0, 0, 1),
    "INTERVAL DAY TO SECOND": dt.timedelta(days=200_000, microseconds=3),
    "ARRAY<BIGINT>": [2**60 + 1, None],
    "MAP<STRING, DOUBLE>": {"a": None, "b": 0.5},
    "ROW<p TIMESTAMP_LTZ, q ARRAY<INT>>": (_INSTANT, [1]),
}


@dataclass
class Count:
    """The state and the output of a process table function."""

    count: int = 0


class Counting(ProcessTableFunction):
    """Counts the rows of each partition."""

    def eval(self, ctx: Context, state: State[Count], input: TableAsSet[Row]) -> Iterator[Count]:
        state.count += 1
        yield Count(state.count)


class Mean(AggregateFunction):
    """The mean of a column, one row at a time."""

    def create_accumulator(self) -> list[int]:
        return [0, 0]

    def accumulate(self, accumulator: list[int], value: int | None) -> None:
        if value is not None:
            accumulator[0] += value
            accumulator[1] += 1

    def get_value(self, accumulator: list[int]) -> float | None:
        return accumulator[0] / accumulator[1] if accumulator[1] else None


class Opened(ScalarFunction):
    """Needs ``open()``, and writes a file in ``close()``."""

    def __init__(self, closed: str) -> None:
        self.closed = closed

    def open(self, function_context: Any) -> None:
        self.added = 10

    def eval(self, value: int | None) -> Any:
        return None if value is None else value + self.added

    def close(self) -> None:
        Path(self.closed).touch()


class OpenedList(Opened):
    """Returns an array, which no pandas series holds."""

    def eval(self, value: int | None) -> Any:
        return [value, self.added]


class Twice(AsyncScalarFunction):
    """A call of a service."""

    async def eval(self, value: int | None) -> int | None:
        await asyncio.sleep(0.001)
        return None if value is None else 2 * value


_RUNNING: list[Any] = []


def session(home: Path, address: str | None) -> Any:
    """Return a session: of a server, or a new one with its own metastore."""
    if address == "sail":
        from pysail.spark import SparkConnectServer

        # Sail keeps tables below the current directory.
        os.chdir(home)
        server = SparkConnectServer(ip="127.0.0.1", port=0)
        server.start(background=True)
        # A server without references ends.
        _RUNNING.append(server)
        address = "sc://{}:{}".format(*server.listening_address)
    if address is not None:
        from pyspark.sql.connect.session import SparkSession as ConnectSession

        return ConnectSession.builder.remote(address).create()
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.warehouse.dir": str(home / "warehouse"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={home / 'metastore'};create=true",
        "spark.driver.extraJavaOptions": f"-Dderby.system.durability=test -Dderby.system.home={home}",
    }
    builder = SparkSession.builder.master("local[1]")
    for name, value in options.items():
        builder = builder.config(name, value)
    made = builder.enableHiveSupport().getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


def questions(te: TableEnvironment, home: Path) -> dict[str, Callable[[], Any]]:
    """Return what is asked, in order: each returns something with the same ``repr`` on every Spark."""

    def rows(query: str) -> list[Any]:
        return sorted([tuple(row) for row in te.sql_query(query).execute().collect()], key=repr)

    def run(statement: str) -> None:
        te.execute_sql(statement)

    te.use_database("attached")
    orders = te.from_elements(
        [("Ada", "tea", 4), ("Bob", "milk", 3), ("Ada", "rum", None)], "ROW<customer STRING, product STRING, n INT>"
    )
    te.create_temporary_view("drinks", orders)
    for name, value in {"half": lambda n: n // 2, "fails": lambda n: n // 0}.items():
        te.create_temporary_function(name, udf(value, result_type="INT", input_types=["INT NOT NULL"]))

    @udtf(result_types=["STRING", "INT"])
    def repeat(text: str, count: int | None) -> Iterator[tuple[str, int]]:
        for number in range(count or 0):
            yield text, number

    te.create_temporary_function("repeated", repeat)
    te.create_temporary_function("own_mean", udaf(Mean(), result_type="DOUBLE", input_types=["INT"]))
    te.create_temporary_function(
        "pandas_mean", udaf(lambda s: s.mean(), result_type="DOUBLE", input_types=["INT"], func_type="pandas")
    )
    for name, made, result in (("opened", Opened, "INT"), ("opened_list", OpenedList, "ARRAY<INT>")):
        te.create_temporary_function(name, udf(made(str(home / name)), result_type=result, input_types=["INT"]))
    te.create_temporary_function("twice", udf(Twice(), result_type="INT", input_types=["INT"]))
    te.create_temporary_function("counting", Counting())

    asked: dict[str, Callable[[], Any]] = {
        "rows of this process": lambda: rows("SELECT * FROM drinks"),
        "types": lambda: rows(
            "SELECT TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP_NTZ '2400-01-01 00:00:00', INTERVAL '1' DAY, "
            "INTERVAL '1-2' YEAR TO MONTH, ARRAY(1), NAMED_STRUCT('a', 1), MAP('a', 1), NULL"
        ),
        "rows of Arrow": lambda: _rows_of_arrow(te),
        "no rows of Arrow": lambda: list(te.from_arrow(_arrow_table().slice(0, 0)).execute().collect()),
        "rows of pandas": lambda: [
            tuple(row)
            for row in te.from_pandas(pd.DataFrame({"n": [1, 2], "s": ["x", None]}))
            .order_by(col("n"))
            .execute()
            .collect()
        ],
        "many rows": lambda: sum(
            1 for _ in te.sql_query("SELECT REPEAT(STRING(id), 60) FROM RANGE(100000)").execute().collect()
        ),
        "to_pandas": lambda: te.sql_query("SELECT n FROM drinks ORDER BY n DESC LIMIT 1").to_pandas().to_dict(),
        "create table": lambda: run("CREATE TABLE orders (customer STRING, product STRING, n INT) USING parquet"),
        "insert": lambda: orders.execute_insert("orders").wait(),
        "overwrite": lambda: orders.execute_insert("orders", overwrite=True).wait(),
        "read": lambda: rows("SELECT * FROM orders"),
        "create view": lambda: te.create_view(
            "totals", te.sql_query("SELECT customer, SUM(n) AS n FROM orders GROUP BY 1")
        ),
        "read view": lambda: rows("SELECT * FROM totals"),
        "replace view": lambda: run(
            "CREATE OR REPLACE VIEW totals (customer COMMENT 'who', n) COMMENT 'most' TBLPROPERTIES ('a' = 'b') AS "
            "SELECT customer, MAX(n) FROM orders GROUP BY customer"
        ),
        "read replaced view": lambda: rows("SELECT * FROM totals"),
        "Spark reads the view": lambda: sorted(map(tuple, te.spark.sql("SELECT * FROM attached.totals").collect())),
        "show view": lambda: _definition(te),
        "drop view": lambda: run("DROP VIEW totals"),
        "temporary view of others": lambda: (
            te.spark.sql("CREATE TEMPORARY VIEW theirs AS SELECT 1 AS a").collect(),
            rows("SELECT a FROM theirs"),
        )[1],
        "Spark reads a temporary view": lambda: te.spark.sql("SELECT COUNT(*) FROM drinks").collect()[0][0],
        "error": lambda: rows("SELECT 1 / (n - 4) FROM orders"),
        "scalar": lambda: rows("SELECT half(n) FROM orders"),
        "failing": lambda: rows("SELECT fails(n) FROM orders WHERE n = 4"),
        "table": lambda: rows("SELECT customer, a, b FROM orders, LATERAL repeated(product, n) AS t(a, b)"),
        "aggregate": lambda: rows("SELECT customer, own_mean(n) FROM orders GROUP BY customer"),
        "filtered aggregate over": lambda: rows(
            "SELECT own_mean(n) FILTER (WHERE n > 3) OVER (PARTITION BY customer ORDER BY product) FROM orders"
        ),
        "pandas aggregate": lambda: rows("SELECT customer, pandas_mean(n) FROM orders GROUP BY customer"),
        "pandas aggregate over": lambda: rows("SELECT pandas_mean(n) OVER (PARTITION BY customer) FROM orders"),
        "opened": lambda: (rows("SELECT opened(n) FROM orders"), (home / "opened").exists()),
        "opened, by rows": lambda: (rows("SELECT opened_list(n) FROM orders"), (home / "opened_list").exists()),
        "asynchronous": lambda: rows("SELECT customer, twice(n) FROM orders"),
        "process": lambda: rows("SELECT * FROM counting(input => TABLE orders PARTITION BY customer)"),
    }
    for data_type, value in _TYPES.items():
        for func_type in ("general", "arrow", "pandas"):
            asked[f"{func_type} {data_type}"] = lambda d=data_type, v=value, f=func_type: _returned(te, d, v, f)
    return asked


def _arrow_table() -> pa.Table:
    """Return a table with a column of each type that Arrow and every Spark have, and NULL in each but the first."""
    return pa.table(
        {
            "number": pa.array([1, 2], pa.int64()),
            "small": pa.array([-1, None], pa.int8()),
            "part": pa.array([0.5, None], pa.float32()),
            "amount": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
            "text": pa.array(["é\n", None]).dictionary_encode(),
            "bytes": pa.array([b"\x00a", None], pa.large_binary()),
            "day": pa.array([dt.date(1, 1, 1), None]),
            "instant": pa.array([_INSTANT, None], pa.timestamp("us", "Europe/Berlin")),
            "time": pa.array([dt.datetime(2400, 1, 1, 0, 0, 0, 1), None], pa.timestamp("us")),
            "span": pa.array([dt.timedelta(days=2, microseconds=3), None], pa.duration("us")),
            "list": pa.array([[2**60 + 1, None], None], pa.list_(pa.int64())),
            "map": pa.array([[("a", None), ("b", 0.5)], None], pa.map_(pa.string(), pa.float64())),
            "row": pa.array(
                [{"p": _INSTANT, "q": [1]}, None],
                pa.struct({"p": pa.timestamp("us", "UTC"), "q": pa.list_(pa.int32())}),
            ),
        }
    )


def _rows_of_arrow(te: TableEnvironment) -> Any:
    table = te.from_arrow(_arrow_table())
    return table.get_resolved_schema(), [tuple(row) for row in table.order_by(col("number")).execute().collect()]


def _definition(te: TableEnvironment) -> Any:
    view = te.get_catalog("spark_catalog").get_table("attached", "totals")
    return view.text, view.comment, dict(view.properties)["a"], [column.comment for column in view.schema.columns]


def _returned(te: TableEnvironment, data_type: str, value: Any, func_type: str) -> list[Any]:
    """Return a value and NULL after a function got and returned them."""
    same = udf(_same, result_type=data_type, func_type=func_type)
    table = te.from_elements([(value,), (None,)], f"ROW<v {data_type}>")
    return [tuple(row) for row in table.select(same(col("v"))).execute().collect()]


def _same(value: Any) -> Any:
    return value


def answer(question: Callable[[], Any]) -> str:
    """Return the answer to a question as text, or the error of this library or of PySpark with its first line."""
    try:
        return repr(question())
    except (TableException, PySparkException) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


def main() -> None:
    """Ask everything, and print one JSON object."""
    home = Path(sys.argv[1])
    address = sys.argv[2] if len(sys.argv) > 2 else None
    spark = session(home, address)
    spark.sql("CREATE DATABASE IF NOT EXISTS attached")
    answers: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        te = TableEnvironment.create(spark=spark, set_required_settings=True)
        answers["warnings"] = [str(one.message) for one in caught if "Spark Connect server" in str(one.message)]
    answers["version"] = spark.version
    for name, question in questions(te, home).items():
        answers[name] = answer(question)
    print(json.dumps(answers))


if __name__ == "__main__":
    main()
