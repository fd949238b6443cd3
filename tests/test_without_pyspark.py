"""Without PySpark, queries are built; calls that need it fail with one sentence that contains the install command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# One process for all cases, since each process loads the package anew.
PROGRAM = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pyspark", "py4j"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())

from tableapi import TableEnvironment
from tableapi.expressions import col

te = TableEnvironment.create()
orders = te.declare("orders", {"id": "INT", "amount": "DOUBLE"})
built = orders.group_by(col("id")).select(col("id"), col("amount").sum.alias("total"))
print(te.sql_query(built.as_serializable_string()).as_serializable_string(layout="MERGED").replace("\\n", " "))
te.create_temporary_view("totals", built)
values = te.from_elements([(1,)], ["x"])

for needs in (
    lambda: values.execute(),
    lambda: values.to_pandas(),
    lambda: values.to_spark(),
    lambda: te.execute_sql("SELECT 1"),
    lambda: te.list_tables(),
    lambda: te.from_path("customers"),
    lambda: te.sql_query("SELECT * FROM customers"),
    lambda: te.create_view("v", values),
    lambda: te.spark,
):
    try:
        needs()
    except ImportError as error:
        frames, trace = 0, error.__traceback__
        while trace is not None:
            frames, trace = frames + 1, trace.tb_next
        print(frames, error.name, error, sep="|")
    else:
        print("nothing was raised")
"""


def test_what_needs_pyspark_says_how_to_install_it() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    query, *refused = done.stdout.splitlines()
    assert query == ("SELECT `id`, SUM(`amount`) AS `total` FROM `spark_catalog`.`default`.`orders` GROUP BY `id`")
    needing = [line.split("|")[2] for line in refused]
    assert [line.partition(" ")[0] for line in needing] == [
        *("execute", "to_pandas", "to_spark", "execute_sql", "list_tables", "from_path", "sql_query", "create_view"),
        "spark",
    ]
    for frames, name, message in (line.split("|") for line in refused):
        assert int(frames) == 3  # two of this program, and one of the library
        assert name == "pyspark"
        assert " needs the package pyspark, which is not installed for this Python. Install it with: " in message
        assert message.endswith(" -m pip install 'pyspark[sql]<4.4,>=4.3'")
