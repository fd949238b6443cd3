"""A test runs this file in a separate process: Spark retries tasks, and one of its Python workers is killed."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from tableapi import TableEnvironment, udf
from tableapi.expressions import col
from tableapi.spark.java import find_java
from tests.async_functions.service import ask


def main(port: int, directory: Path) -> None:
    """Print the rows of a query whose first task is killed while it runs."""
    os.environ["JAVA_HOME"] = str(find_java().home)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    mark = str(directory / "killed")
    builder = SparkSession.builder.master("local[2, 4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.warehouse.dir", str(directory / "warehouse"))
    builder = builder.config("spark.sql.timeType.enabled", "true").config("spark.sql.session.timeZone", "UTC")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    env = TableEnvironment.create(spark=session)

    @udf
    async def deadly(x: int) -> int:
        found = int(await ask(port, "deadly", x)) * 10
        if x == 70 and not os.path.exists(mark):
            with open(mark, "w"):
                pass
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    t = env.from_spark(session.range(0, 200, 1, 2))
    rows = t.select(col("id"), deadly(col("id")).alias("r")).execute().collect()
    print(json.dumps({"rows": sorted([*row] for row in rows)}))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
