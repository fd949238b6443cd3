"""Store views with the Spark of the running Python, or read those of all versions: ``views.py write|read DIRECTORY``.

``test_views.py`` runs this program under each version, one after the other, with one metastore and one warehouse.
Prints a JSON object: by view, its rows or the error.
"""

from __future__ import annotations

import json
import sys
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


def write(te: TableEnvironment, version: str) -> dict[str, Any]:
    """Store all views that the version has, and return their rows or why they are refused."""
    if "orders" not in te.list_tables():
        te.execute_sql(f"CREATE TABLE orders USING parquet AS {_ORDERS}")
    found = {}
    for name, text in VIEWS.items():
        stored = f"{name}_of_{version}"
        try:
            te.create_view(stored, te.sql_query(text.format(plain=f"plain_of_{version}")))
            found[stored] = rows(te, stored)
        except TableException as error:
            found[stored] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return found


def read(te: TableEnvironment) -> dict[str, Any]:
    """Return the rows of all views of all versions, or the error."""
    found = {}
    for stored in te.list_views():
        try:
            found[stored] = rows(te, stored)
        except (TableException, PySparkException, ValueError) as error:
            # PySpark 3.5 raises ValueError for a type that it does not know.
            found[stored] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return found


def rows(te: TableEnvironment, stored: str) -> list[str]:
    """Return the rows of a view as plain SQL reads it, sorted; this library must read as many."""
    whole = "TO_JSON(v)" if stored.startswith("variant") else "TO_JSON(STRUCT(*))"
    text = f"SELECT {whole} FROM views.{stored}"
    by_sql = sorted([str(row[0]) for row in te.spark.sql(text).collect()])
    by_library = te.from_path(stored).execute().collect()
    assert len(list(by_library)) == len(by_sql)
    return by_sql


def main() -> None:
    """Write or read, and print one JSON object."""
    action, home = sys.argv[1], Path(sys.argv[2])
    spark = session(home, None)
    spark.sql("CREATE DATABASE IF NOT EXISTS views")
    te = TableEnvironment.create(spark=spark, set_required_settings=True)
    te.use_database("views")
    version = "_".join(spark.version.split(".")[:2])
    print(json.dumps(write(te, version) if action == "write" else read(te)))


if __name__ == "__main__":
    main()
