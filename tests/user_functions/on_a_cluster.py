"""Run functions of every kind on a Spark master: ``python -m tests.user_functions.on_a_cluster MASTER MODE PYTHON``.

The mode is ``classic`` or ``connect``, and the Python is one with pandas. Print as JSON the result of each function,
the Python that ran it, and the errors about packages that the workers lack.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from ir.errors import TableException
from tableapi import Table, TableEnvironment, udaf, udf
from tableapi.expressions import call, col, descriptor
from tableapi.window import Over
from tests.jvm_names import remember_names
from tests.user_functions import accumulators, failing, functions, needing, processes

ROWS = [(i, "a bb" if i % 2 else None, i % 2) for i in range(1, 9)]


@udf
def where(number: int) -> str:
    """Return the Python that runs the function, and which modules of this project it finds."""
    import importlib.util
    import sys

    wanted = ("tableapi", "ir", "serializer", "grammar", "tests", "attr", "attrs", "lark")
    return f"{sys.executable} {[name for name in wanted if importlib.util.find_spec(name) is not None]}"


def rows(table: Table) -> list[list[Any]]:
    """Return the rows of a table, sorted."""
    return sorted([list(row) for row in table.execute().collect()], key=repr)


def session(master: str, mode: str) -> Any:
    """Return a session on a master, classic or through a Connect server in this process."""
    from pyspark.sql import SparkSession

    from tableapi.spark.required_settings import REQUIRED_SETTINGS

    builder = SparkSession.builder.master(master).config("spark.api.mode", mode)
    settings = {
        "spark.executor.memory": "512m",
        "spark.executor.cores": "1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        # Do not retry failed tasks.
        "spark.task.maxFailures": "1",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    for setting in REQUIRED_SETTINGS:
        if made.conf.get(setting.name, None) not in (None, setting.required):
            made.conf.set(setting.name, setting.required)
    return made


def of_processes(env: TableEnvironment, t: Table) -> dict[str, Any]:
    """Return the results of process table functions."""
    env.create_temporary_view("t", t)
    timed = env.sql_query("SELECT k, id, text, TIMESTAMP_SECONDS(10 * id) AS at FROM t").partition_by(col("k"))
    parted = env.sql_query(
        "SELECT id, ARRAY(NAMED_STRUCT('id', id, 'text', text)) AS parts, "
        "MAP('a', NAMED_STRUCT('id', id, 'text', text)) AS by_name FROM t WHERE id < 3"
    )
    small = env.sql_query("SELECT id, text, k FROM t WHERE id < 4").partition_by(col("k")).order_by(col("id").desc)
    told = timed.process(processes.Timeouts, on_time=descriptor("at"))
    return {
        "process": rows(
            told.select(col("k"), col("what"), col("rows"), col("last").get("id"), col("last").get("text"))
        ),
        "process of objects": rows(parted.process(processes.Parts)),
        "process of two tables": rows(
            env.from_call(processes.Pairs, small.as_argument("left"), small.as_argument("right"))
        ),
    }


def over_windows(t: Table) -> dict[str, Any]:
    """Return the results of aggregates over windows."""
    whole = Over.partition_by(col("k"))
    windows = {"whole": whole, "growing": whole.order_by(col("id"))}
    totals = [functions.total(col("id")).over(col(name)) for name in windows]
    means = [functions.arrow_mean(col("id")).over(col(name)) for name in windows]
    over = t.over_window(*[window.alias(name) for name, window in windows.items()])
    return {"over": rows(over.select(col("id"), *totals, *means))}


def of_pandas(t: Table) -> dict[str, Table]:
    """Return queries with pandas functions."""
    highest = udaf(lambda column: column.max(), ["DOUBLE"], "DOUBLE", func_type="pandas", name="highest")
    whole = Over.partition_by(col("k"))
    windows = {"whole": whole, "growing": whole.order_by(col("id"))}
    totals = [functions.total(col("id")).over(col(name)) for name in windows]
    of_series = [highest(col("id")).over(col(name)) for name in windows]
    over = t.over_window(*[window.alias(name) for name, window in windows.items()])
    return {
        "scalar": t.select(functions.pandas_twice(col("id"))),
        "aggregate": t.group_by(col("k")).select(col("k"), highest(col("id"))),
        "over": over.select(col("id"), *of_series),
        "over both": over.select(col("id"), *of_series, *totals),
    }


def error_of(table: Table) -> str | None:
    """Return the error message of a rejected query."""
    try:
        table.execute()
    except TableException as error:
        return str(error)
    return None


def failures(t: Table, names: Iterable[str]) -> dict[str, str | None]:
    """Return the messages of queries whose error lacks the required contents, by name."""
    wrong: dict[str, str | None] = {}
    for name in names:
        query, begins = failing.QUERIES[name]
        try:
            query(t).execute()
            wrong[name] = None
        except TableException as error:
            if not failing.is_told(str(error), begins):
                wrong[name] = str(error)
    return wrong


def run(master: str, mode: str, with_pandas: str) -> dict[str, Any]:
    """Return the results of every kind of function on a master."""
    spark = session(master, mode)
    env = TableEnvironment.create(spark=spark)
    env.get_config().set("python.job.greeting", "good day")
    frame = spark.createDataFrame(ROWS, "id BIGINT, text STRING, k INT").repartition(2)
    t = env.from_spark(frame)
    groups = t.group_by(col("k"))
    env.create_temporary_system_function("plus_one", udf(lambda i: i + 1, ["BIGINT"], "BIGINT", name="plus_one"))
    env.create_temporary_system_function("twice_plus", lambda x: call("plus_one", x) * 2, input_types=["BIGINT"])
    found: dict[str, Any] = {
        "where": sorted({row[0] for row in rows(t.select(where(col("id"))))}),
        "scalar": rows(t.select(functions.plus(col("id")), functions.length_or_none(col("text")))),
        "opened": rows(t.filter(col("id") == 1).select(functions.greeting(col("text")))),
        "nested": len(rows(t.select(functions.everything(col("id"))))),
        "table": rows(t.join_lateral(functions.words(col("text")).alias("w", "n")).select(col("id"), col("w"))),
        "aggregate": rows(groups.select(col("k"), functions.total(col("id")), functions.arrow_mean(col("id")))),
        "table aggregate": rows(groups.flat_aggregate(functions.largest(col("id"))).select(col("k"), col("value"))),
        "of expressions": rows(t.select(call("twice_plus", col("id")))),
    }
    sums = [aggregate(col("id"), col("k")) for aggregate in accumulators.AGGREGATES.values()]
    found["accumulators"] = [sorted({*values}) for _, *values in rows(groups.select(col("k"), *sums))]
    extremes = [aggregate(col("id"), col("k")) for aggregate in accumulators.TABLE_AGGREGATES.values()]
    found["extremes"] = [rows(groups.flat_aggregate(call).select(col("end"), col("value"))) for call in extremes]
    found.update(over_windows(t))
    found.update(of_processes(env, t))
    failing_rows = env.from_spark(spark.createDataFrame(failing.ROWS, "id BIGINT, k INT"))
    found["failures"] = failures(failing_rows, [name for name in failing.ONE_OF_EACH if name != "pandas"])
    refused = {**of_pandas(t), "attributes_of": t.select(needing.attributes_of(col("text")))}
    found["missing"] = {name: error_of(table) for name, table in refused.items()}
    found["pandas"] = {}
    if mode == "classic":
        # The Python of a Connect server cannot be changed.
        spark.sparkContext.pythonExec = with_pandas
        found["pandas"] = {name: rows(table) for name, table in of_pandas(t).items()}
        found["failures"].update(failures(failing_rows, ["pandas"]))
    spark.stop()
    return found


if __name__ == "__main__":
    remember_names()
    print(json.dumps(run(*sys.argv[1:])))
