"""What works without an extra: functions that return what they built, and calls that need an extra.

The file is a program that depends on the library alone, so that it also runs where only the wheel is installed. It
prints the results as JSON.
"""

from __future__ import annotations

import datetime as dt
import importlib
import json
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import tableapi
from tableapi import (
    Dialect,
    DirectoryCatalog,
    EnvironmentSettings,
    Layout,
    ProcessTableFunction,
    Row,
    Schema,
    Table,
    TableDescriptor,
    TableEnvironment,
    diff,
    format_sql,
    udf,
)
from tableapi.exceptions import SparkExecutionException, TableException
from tableapi.expressions import call, col, concat, lit
from tableapi.process_functions import TableAsSet

EXTRAS = ("pyspark", "py4j", "pandas", "numpy", "pyarrow", "grpc", "google", "zstandard", "rich")


@udf(result_type="STRING")
def shout(text: str) -> str:
    return text.upper()


@udf(result_type="STRING")
async def fetch(text: str) -> str:
    return text


class Count(ProcessTableFunction):
    def eval(self, rows: TableAsSet[Row]) -> Iterator[int]:
        yield 1


def _environment() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    te = TableEnvironment.create(settings)
    te.declare("orders", {"id": "INT NOT NULL", "customer": "STRING", "amount": "DECIMAL(10, 2)"}, comment="all")
    return te


def _totals(te: TableEnvironment) -> Table:
    orders = te.from_path("orders")
    return orders.group_by(col("customer")).select(col("customer"), col("amount").sum.alias("total"))


# --- what works ------------------------------------------------------------------------------------------------------


def import_modules() -> list[str]:
    found = []
    for package in ("tableapi", "ir", "serializer", "grammar"):
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            # Spark, the command line and the test kit are imported with an extra.
            needs_extra = module.name.startswith(("tableapi.cli.", "tableapi.spark.", "tableapi.testing."))
            if not needs_extra and not module.name.endswith("__main__"):
                found.append(importlib.import_module(module.name).__name__)
    return found


def compile_queries() -> list[str]:
    totals = _totals(_environment())
    spark, flink = Dialect.SPARK, Dialect.FLINK
    texts = [totals.as_serializable_string(spark, layout) for layout in (Layout.NESTED, Layout.MERGED)]
    return [*texts, totals.as_serializable_string(flink), totals.explain(), repr(totals), totals._repr_html_()]


def type_queries() -> list[str]:
    table = _totals(_environment())
    return [str(table.get_resolved_schema()), str(table.get_schema())]


def write_values() -> list[str]:
    values = (
        *(1, 2**40, 1.5, True, None, "a", b"x", Decimal("1.50"), [1, None], {"a": 1}, Row(x=1, y="b")),
        *(dt.date(2020, 1, 1), dt.time(1, 2), dt.datetime(2020, 1, 1), dt.timedelta(days=1)),
        dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc),
    )
    table = _environment().from_elements([values])
    return [table.as_serializable_string(), str(table.get_resolved_schema())]


def read_queries() -> list[str]:
    te = _environment()
    query = te.sql_query(
        "SELECT customer, AVG(amount) AS mean FROM orders WHERE id > :least GROUP BY ALL", {"least": 3}
    )
    merged = te.sql_query("FROM orders |> WHERE id > 1 |> SELECT customer").as_serializable_string(layout="MERGED")
    read = te.sql_query(query.as_serializable_string()).query_operation
    return [query.as_serializable_string(), merged, str(read is query.query_operation), query.to_python()]


def compare_queries() -> str:
    te = _environment()
    return str(
        diff(_totals(te), te.sql_query("SELECT customer, SUM(amount) AS total FROM orders GROUP BY customer, id"))
    )


def format_files() -> list[str]:
    return [format_sql("select 1 as one from t where x"), format_sql("select a from b")]


def use_memory_catalog() -> list[str]:
    te = _environment()
    te.create_view("totals", _totals(te), comment="per customer")
    te.create_temporary_view("big", te.from_path("totals").filter(col("total") > 5))
    te.execute_sql("CREATE VIEW small AS SELECT * FROM totals WHERE total < 5").print()
    te.execute_sql("CREATE FUNCTION next(x INT) RETURNS INT RETURN x + 1")
    listings = (
        *("SHOW CATALOGS", "SHOW DATABASES", "SHOW TABLES", "SHOW VIEWS", "SHOW COLUMNS IN orders", "SET"),
        *("SHOW CREATE VIEW totals", "SHOW CURRENT CATALOG", "SHOW FUNCTIONS LIKE 'array_a*'", "DESCRIBE orders"),
        *("DESCRIBE EXTENDED totals", "DESCRIBE FUNCTION EXTENDED abs", "EXPLAIN SELECT id FROM orders"),
        "DESCRIBE SELECT map('a', 1) AS m, named_struct('x', 1.5BD) AS s, array(DATE '2020-01-01') AS a",
    )
    results = [te.execute_sql(statement) for statement in listings]
    shown = [te.show_create_view("totals"), te.from_view_definition("small").to_python(), repr(results[2])]
    return [*shown, *[result.as_text() for result in results], str(list(results[0].collect()))]


def use_directory_catalog() -> list[str]:
    with tempfile.TemporaryDirectory() as directory:
        te = _environment()
        te.register_catalog("files", DirectoryCatalog("files", directory))
        te.use_catalog("files")
        te.declare("people", {"name": "STRING", "born": "DATE"})
        te.create_function("greeting", lambda name: concat(lit("Dear "), name), input_types=["STRING"])
        te.create_view("letters", te.from_path("people").select(call("greeting", col("name")).alias("greeting")))
        files = sorted(path for path in Path(directory).rglob("*.sql"))
        return [te.show_create_view("letters"), *[path.read_text(encoding="utf-8") for path in files]]


def use_functions() -> list[str]:
    te = _environment()
    te.create_temporary_system_function("shout", shout)
    te.create_temporary_system_function("fetch", fetch)
    te.create_temporary_system_function("count_rows", Count)
    orders = te.from_path("orders")
    loud = orders.select(call("shout", col("customer")).alias("loud"), call("fetch", col("customer")).alias("found"))
    counted = te.from_call("count_rows", orders.partition_by(col("customer")))
    texts = [table.as_serializable_string() for table in (loud, counted)]
    return [*texts, str(te.list_user_defined_functions()), str(te.describe_function("percentile"))]


def describe_files() -> list[str]:
    te = _environment()
    schema = Schema.new_builder().column("a", "INT").build()
    files = TableDescriptor.for_connector("filesystem").schema(schema).option("path", "/data").format("parquet").build()
    te.create_temporary_table("files", files)
    inserts = te.create_statement_set()
    inserts.add_insert("files", te.from_path("orders").select(col("id")))
    return [te.from_path("files").as_serializable_string(), inserts.explain()]


def catch_errors() -> list[str]:
    try:
        _environment().from_path("orders").select(col("custmer"))
    except TableException as error:
        return [str(error), SparkExecutionException.__name__]
    return []


WORKING: tuple[Callable[[], Any], ...] = (
    *(compile_queries, type_queries, write_values, read_queries, compare_queries, format_files, use_memory_catalog),
    *(use_directory_catalog, use_functions, describe_files, catch_errors, import_modules),
)


# --- what needs an extra ---------------------------------------------------------------------------------------------


def _needing() -> dict[str, Callable[[], Any]]:
    """Return calls that need an extra: the extra, and the name that the message begins with."""
    te = TableEnvironment.create()
    orders = te.declare("orders", {"id": "INT", "customer": "STRING"})
    values = te.from_elements([(1,)], ["x"])
    members = {"columns": ["x"], "rename": lambda self, columns: self, "set_axis": lambda self, names, axis: self}
    frame = type("DataFrame", (), members)()
    return {
        "spark execute": lambda: values.execute(),
        "spark to_arrow": lambda: values.to_arrow(),
        "spark to_arrow_batch_reader": lambda: values.to_arrow_batch_reader(),
        "spark to_pandas": lambda: values.to_pandas(),
        "spark to_spark": lambda: values.to_spark(),
        "spark cache": lambda: values.cache(),
        "spark execute_insert": lambda: values.execute_insert("sink"),
        "spark spark": lambda: te.spark,
        "spark execute_sql": lambda: te.execute_sql("SELECT 1"),
        "spark list_tables": lambda: te.list_tables(),
        "spark from_path": lambda: te.from_path("customers"),
        "spark sql_query": lambda: te.sql_query("SELECT * FROM customers"),
        "spark create_view": lambda: te.create_view("v", orders),
        "arrow from_pandas": lambda: te.from_pandas(frame),
    }


def _told(needing: Callable[[], Any]) -> list[Any]:
    """Return the kind of the error that a call raises, its frames, and its message."""
    try:
        needing()
    except Exception as error:
        frames, trace = 0, error.__traceback__
        while trace is not None:
            frames, trace = frames + 1, trace.tb_next
        return [type(error).__name__, frames, str(error)]
    return []


def _report() -> dict[str, Any]:
    return {
        "working": {function.__name__: function() for function in WORKING},
        "needing": {name: _told(needing) for name, needing in _needing().items()},
        "loaded": sorted(name for name in EXTRAS if name in sys.modules),
        "library": str(Path(tableapi.__file__).parent),
    }


if __name__ == "__main__":
    standard_output = sys.stdout
    sys.stdout = sys.stderr
    report = _report()
    json.dump(report, standard_output)
