"""The program that ``tests.streams.kills`` kills: three queries over one directory of files, into up to four sinks.

    python killed_program.py DROPS OUT [URL SCHEMA JAR]

It writes the events to files, their windows to a table of the catalog, and, if it gets the URL of a database, the
events and the counts of their keys to two tables there. The files and the database's events are one query, which reads
the stream once. A Python function computes a column, so that the rows pass through Python workers.

It prints ``running`` when the queries run, ``failed`` whenever one has failed, after which it starts them again, and
the rows of all sinks when they have ended.
"""

from __future__ import annotations

import json
import sys

from tableapi import Schema, StatementSet, StreamOptions, TableDescriptor, TableEnvironment, TableException
from tableapi.udf import udf

_WINDOWS = (
    "INSERT INTO windows SELECT w.start, k, n FROM (SELECT w, k, COUNT(*) AS n "
    "FROM (SELECT window(ts, '10 seconds') AS w, k FROM events) GROUP BY w, k)"
)
_TABLES = {"log": "id BIGINT, k STRING", "totals": "k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED"}
# A worker that was killed fails its query; a query that fails of itself would fail for ever.
_FAILURES = 100


def declare(env: TableEnvironment, drops: str, out: str, database: list[str]) -> list[str]:
    """Declare the stream and the sinks, and return the names of the sinks."""
    reader = env.spark.readStream.schema("id BIGINT, k STRING, ts TIMESTAMP").option("maxFilesPerTrigger", 1)
    env.create_temporary_view("events", env.from_spark(reader.json(drops).withWatermark("ts", "5 seconds")))
    env.create_temporary_function("same", udf(lambda number: number, result_type="BIGINT"))
    schema = Schema.new_builder().column("id", "BIGINT").column("k", "STRING").build()
    files = TableDescriptor.for_connector("filesystem").schema(schema).format("json").option("path", out).build()
    env.create_temporary_table("copies", files)
    env.execute_sql("CREATE TABLE IF NOT EXISTS windows (at TIMESTAMP, k STRING, n BIGINT) USING parquet")
    if not database:
        return ["copies", "windows"]
    url, schema_name, jar = database
    env.spark.sql(f"ADD JAR '{jar}'")
    options = f"'url' = '{url}', 'username' = 'ann', 'password' = 's3cret', 'driver' = 'org.postgresql.Driver'"
    for name, columns in _TABLES.items():
        where = f"'connector' = 'jdbc', 'table-name' = '{schema_name}.{name}', {options}"
        env.execute_sql(f"CREATE TEMPORARY TABLE {name} ({columns}) WITH ({where})")
    return ["copies", "windows", "log", "totals"]


def insert(env: TableEnvironment, sinks: list[str]) -> StatementSet:
    """Return the inserts into all sinks."""
    statements = env.create_statement_set()
    statements.add_insert_sql("INSERT INTO copies SELECT same(id) AS id, k FROM events")
    statements.add_insert_sql(_WINDOWS)
    if "log" in sinks:
        statements.add_insert_sql("INSERT INTO log SELECT same(id) AS id, k FROM events")
        statements.add_insert_sql("INSERT INTO totals SELECT k, COUNT(*) AS n FROM events GROUP BY k")
    return statements


def main(drops: str, out: str, *database: str) -> None:
    """Run the queries to their ends, whatever is killed below this process."""
    env = TableEnvironment.create()
    sinks = declare(env, drops, out, list(database))
    for _ in range(_FAILURES):
        result = insert(env, sinks).execute(options=StreamOptions(trigger="available-now"))
        print("running", flush=True)
        try:
            result.wait()
            break
        except TableException as error:
            print("failed", flush=True)
            print(error, file=sys.stderr, flush=True)
            result.stop()
    print(json.dumps({name: sorted(map(str, env.from_path(name).execute().collect())) for name in sinks}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
