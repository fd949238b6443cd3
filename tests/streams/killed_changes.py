"""The program that ``test_killed_changes`` kills: changes in files, applied to a table of PostgreSQL.

    python killed_changes.py DROPS OUT URL SCHEMA JAR

It prints ``running`` when the query runs, and the rows of the table when the query has ended.
"""

from __future__ import annotations

import json
import sys

from tableapi import StreamOptions, TableEnvironment
from tests.streams import change_model


def main(drops: str, _out: str, url: str, schema: str, jar: str) -> None:
    """Run the query to its end."""
    env = TableEnvironment.create()
    env.spark.sql(f"ADD JAR '{jar}'")
    reader = env.spark.readStream.schema("code STRING, k STRING, n BIGINT").option("maxFilesPerTrigger", 2)
    env.create_temporary_view("feed", env.from_spark(reader.json(drops)))
    options = f"'url' = '{url}', 'username' = 'ann', 'password' = 's3cret', 'driver' = 'org.postgresql.Driver'"
    env.execute_sql(
        "CREATE TEMPORARY TABLE totals (k STRING, n BIGINT, PRIMARY KEY (k) NOT ENFORCED) "
        f"WITH ('connector' = 'jdbc', 'table-name' = '{schema}.totals', {options})"
    )
    changes = env.from_path("feed").from_changelog(op="code", op_mapping=change_model.CODES)
    result = changes.execute_insert("totals", options=StreamOptions(trigger="available-now"))
    print("running", flush=True)
    result.wait()
    print(json.dumps({"totals": sorted(map(str, env.from_path("totals").execute().collect()))}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
