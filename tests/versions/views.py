"""Store views with the Spark of the running Python, or read those of all versions: ``views.py write|read DIRECTORY``.

``view_pairs.py`` runs this program under each version, one after the other, with one metastore and one warehouse. The
file ``programs.json`` in the directory may have more queries, and the statements that make their tables. Prints a JSON
object: what happened to each view.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pyspark.errors import PySparkException

from tableapi import TableEnvironment
from tableapi.exceptions import TableException
from tests.versions.attached import session

_ORDERS = (
    "SELECT * FROM VALUES (1, 'Ada', 3, TIMESTAMP_NTZ '2024-02-29 10:05:00'), (2, 'Bob', NULL, TIMESTAMP_NTZ "
    "'2024-02-29 10:25:00'), (3, 'Ada', 9, TIMESTAMP_NTZ '2024-03-01 00:00:00') AS o(id, who, n, at)"
)
# The rows are few, so that compiling a query takes longer than running it without.
_UNCOMPILED = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
VIEWS = {
    "plain": "SELECT id, who FROM orders WHERE n > 2",
    "grouped": "SELECT who, SUM(n) AS total, COUNT(*) AS number FROM orders GROUP BY who HAVING COUNT(*) > 0",
    "ansi": "SELECT id, TRY_CAST(who AS INT) AS a, CAST(n AS STRING) AS b, TRY_DIVIDE(n, 0) AS c FROM orders",
    "ordered": "SELECT id, who FROM orders ORDER BY n DESC NULLS LAST LIMIT 2",
    "windows": "SELECT id, ROW_NUMBER() OVER (PARTITION BY who ORDER BY id) AS number FROM orders",
    "qualify": "SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY who ORDER BY id DESC) = 1",
    "lists": "SELECT LISTAGG(who, ',') WITHIN GROUP (ORDER BY who) AS names FROM orders",
    "buckets": "SELECT window_start, COUNT(*) AS n FROM TUMBLE(TABLE orders, DESCRIPTOR(at), INTERVAL '10' MINUTE) "
    "GROUP BY window_start",
    "zoned": "SELECT CAST(at AS TIMESTAMP_LTZ) AS instant FROM orders",
    "joined": "SELECT a.id, b.id AS other FROM orders AS a JOIN orders AS b ON a.who = b.who AND a.id < b.id",
    "exists_": "SELECT id FROM orders AS a WHERE EXISTS (SELECT 1 FROM orders AS b WHERE b.who = a.who AND b.n > a.n)",
    "nested": "SELECT NAMED_STRUCT('a', id, 'b', ARRAY(n, 1)) AS s, MAP(who, n) AS m FROM orders",
    "names_": "SELECT id AS `a b`, who AS `select` FROM orders",
    "over_a_view": "SELECT COUNT(*) AS n FROM {plain}",
    "variant": "SELECT PARSE_JSON('{{\"a\": 1}}') AS v",
    "collated": "SELECT who COLLATE UTF8_LCASE AS who FROM orders",
    "recursive": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r",
}
"""The queries of the views; a view before it is named in braces."""


def write(te: TableEnvironment, version: str, home: Path) -> dict[str, Any]:
    """Store all views that the version has, and return the rows of each, or why it is refused."""
    if "orders" not in te.list_tables():
        te.execute_sql(f"CREATE TABLE orders USING parquet AS {_ORDERS}")
    more: dict[str, Any] = json.loads((home / "programs.json").read_text("utf-8"))
    if more["tables"] and not te.spark.catalog.databaseExists(more["database"]):
        for statement in more["tables"]:
            te.spark.sql(statement)
    found = {}
    for name, text in (VIEWS | more["queries"]).items():
        stored = f"{name}_of_{version}"
        try:
            given = text.format(plain=f"plain_of_{version}") if name in VIEWS else text
            te.create_view(stored, te.sql_query(given))
        except TableException as error:
            found[stored] = {"refused": _shown(error)}
            continue
        found[stored] = read_one(te, stored)
    return found


def read(te: TableEnvironment) -> dict[str, Any]:
    """Return the rows of all views of all versions, or the error."""
    return {stored: read_one(te, stored) for stored in te.list_views()}


def read_one(te: TableEnvironment, stored: str) -> dict[str, Any]:
    """Return the sorted rows of a view, or the error, as plain SQL and as this library reads it."""
    found: dict[str, Any] = {}
    try:
        found["spark"] = _sorted(te.spark.sql(f"SELECT * FROM views.{stored}").collect())
    except (PySparkException, ValueError, ArithmeticError) as error:
        # PySpark 3.5 raises ValueError for a type that it does not know.
        found["spark_error"] = _shown(error)
    try:
        found["library"] = _sorted(te.from_path(stored).execute().collect())
    except TableException as error:
        found["library_error"] = _shown(error)
    return found


def _sorted(rows: Iterable[Any]) -> list[str]:
    """Return the values of rows as texts, in any order; a number is the same text with any digits after the ninth."""
    return sorted(repr([_plain(value) for value in row]) for row in rows)


def _plain(value: Any) -> Any:
    match value:
        case float():
            return f"{value:.9g}"
        case dict():
            return sorted([[_plain(key), _plain(item)] for key, item in value.items()], key=repr)
        case list() | tuple():
            return [_plain(item) for item in value]
        case None | bool() | int() | str():
            return value
        case dt.datetime():
            return value.replace(tzinfo=None).isoformat()
        case _:
            return str(value)


def _shown(error: Exception) -> str:
    """Return the first line of an error, and what its last line says about versions."""
    first, *others = str(error).strip().splitlines()
    return " ".join([f"{type(error).__name__}: {first}", *[line for line in others[-1:] if "stored by Spark" in line]])


def main() -> None:
    """Write or read, and print one JSON object."""
    action, home = sys.argv[1], Path(sys.argv[2])
    spark = session(home, None)
    for name, value in _UNCOMPILED.items():
        spark.conf.set(name, value)
    spark.sql("CREATE DATABASE IF NOT EXISTS views")
    te = TableEnvironment.create(spark=spark, set_required_settings=True)
    te.use_database("views")
    version = "_".join(spark.version.split(".")[:2])
    print(json.dumps(write(te, version, home) if action == "write" else read(te)))


if __name__ == "__main__":
    main()
