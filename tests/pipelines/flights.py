"""A project of 12 datasets over flights and airlines, for the tests of pipelines."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.project.projects import write

SETTINGS: Final = """\
[project]
name = "air"
database = "air"

[pipeline]
storage = "checkpoints"

[pipeline.configuration]
"spark.sql.shuffle.partitions" = "2"

[targets.files]
directory = "target"
"""
TABLES: Final = {
    "flights": "id BIGINT, day DATE, carrier STRING, origin STRING, dest STRING, delay INT, distance DECIMAL(8, 1)",
    "airlines": "carrier STRING, name STRING",
}
ROWS: Final = {
    "flights": """\
(1, DATE '2013-01-01', 'UA', 'EWR', 'IAH', 11, 1400.0),
(2, DATE '2013-01-01', 'AA', 'JFK', 'MIA', 33, 1089.5),
(3, DATE '2013-01-01', 'B6', 'JFK', 'BQN', NULL, 1576.0),
(4, DATE '2013-01-02', 'UA', 'EWR', 'ORD', -18, 719.0),
(5, DATE '2013-01-02', 'AA', 'LGA', 'MIA', 12, 1096.0),
(6, DATE '2013-01-02', 'XX', 'LGA', 'ATL', 64, 762.5),
(7, DATE '2013-01-03', 'UA', 'JFK', 'IAH', 0, 1417.0)""",
    "airlines": "('UA', 'United'), ('AA', 'American'), ('B6', 'JetBlue')",
}
STREAMS: Final = """\
from tableapi import materialized_view, streaming_table, temporary_view
from tableapi.expressions import col, lit


@temporary_view("late_flights")
def late_flights(te):
    return te.from_path("flights", stream=True).filter(col("delay") > 10)


@streaming_table("kept_flights", comment="late ones", partitioned_by=["day"], columns={"id": "of the flight"})
def kept_flights(te):
    return late_flights(te).select(col("id"), col("day"), col("delay"))


@streaming_table("very_late")
def very_late(te):
    return te.from_path("kept_flights", stream=True).filter(col("delay") > 50)


@materialized_view("late_days")
def late_days(te):
    return kept_flights(te).group_by(col("day")).select(col("day"), col("id").count.alias("n"))
"""
STREAMS_IN_SQL: Final = {
    "air/temporary_views/late_flights.sql": (
        "CREATE TEMPORARY VIEW late_flights AS SELECT * FROM STREAM flights WHERE delay > 10;\n"
    ),
    "air/streaming_tables/kept_flights.sql": (
        "CREATE STREAMING TABLE kept_flights (id BIGINT COMMENT 'of the flight', day DATE, delay INT)\n"
        "PARTITIONED BY (day) COMMENT 'late ones' AS SELECT id, day, delay FROM STREAM(late_flights);\n"
    ),
    "air/streaming_tables/very_late.sql": (
        "CREATE STREAMING TABLE very_late AS SELECT * FROM STREAM kept_flights WHERE delay > 50;\n"
    ),
    "air/materialized_views/late_days.sql": (
        "CREATE MATERIALIZED VIEW late_days AS SELECT day, count(id) AS n FROM kept_flights GROUP BY day;\n"
    ),
}
"""The same datasets in files."""
CODE: Final = """\
from collections.abc import Iterator
from dataclasses import dataclass

from tableapi import Row, materialized_view, sink, streaming_table, temporary_view
from tableapi.expressions import call, col
from tableapi.process_functions import ProcessTableFunction, State, TableAsSet
from tableapi.udf import udaf, udf, udtf
from views.words import louder


@udf(result_type="STRING")
def shout(text: str) -> str:
    return louder(text)


@udf(result_type="BIGINT")
async def slowly(number: int) -> int:
    return number * 2


@udtf(result_types=["STRING"])
def letters(text: str) -> Iterator[str]:
    yield from text


@udaf(result_type="BIGINT", func_type="pandas")
def spread(values):
    return values.max() - values.min() if values.notna().any() else None


@dataclass
class Total:
    total: int = 0


class RunningTotal(ProcessTableFunction):
    def eval(self, state: State[Total], input: TableAsSet[Row], factor: int = 1) -> Iterator[Total]:
        state.total += (input["delay"] or 0) * factor
        yield Total(state.total)


@temporary_view("shouted", comment="Names in capitals.")
def shouted(te):
    return te.sql_query("SELECT carrier, shout(lower(name)) AS name FROM airlines WHERE shout(name) <> 'x{y}'")


@materialized_view("loud", comment="it's loud", columns={"name": "the \\"name\\""}, partitioned_by=["carrier"])
def loud(te):
    return te.sql_query("SELECT concat(shout(name), '!') AS name, count(*) AS n, carrier FROM shouted GROUP BY 1, 3")


@materialized_view("totals")
def totals(te):
    return te.sql_query(
        "SELECT carrier, total FROM running_total(input => TABLE flights PARTITION BY carrier ORDER BY id, factor => 2)"
    )


@temporary_view("moving")
def moving(te):
    return te.sql_query("SELECT id, shout(origin) AS origin FROM STREAM flights WHERE delay > 10")


@streaming_table("loud_flights", partitioned_by=["origin"])
def loud_flights(te):
    return moving(te).select(col("id"), call("shout", col("origin")).alias("origin"))


@sink("late_files", format="json", options={"path": "OUTPUT"})
def late_files(te):
    return te.from_path("loud_flights", stream=True)
"""
WORDS: Final = "def louder(text):\n    return None if text is None else text.upper()\n"
FUNCTIONS: Final = {
    "shout": "views.code.shout",
    "slowly": "views.code.slowly",
    "letters": "views.code.letters",
    "spread": "views.code.spread",
    "running_total": "views.code.RunningTotal",
}
"""Functions in Python, by their names in the catalog."""
PYTHON: Final = """\
from tableapi import materialized_view, temporary_view, view
from tableapi.expressions import col


@temporary_view("flown", comment="Flights that were not cancelled.")
def flown(te):
    return te.from_path("flights").filter(col("delay").is_not_null)


@temporary_view("late")
def late(te):
    return flown(te).filter(col("delay") > 10)


@materialized_view("by_carrier", comment="it's per carrier", columns={"n": "late flights"}, owner="ops")
def by_carrier(te):
    flights = late(te)
    return flights.group_by(col("carrier")).select(
        col("carrier"), col("id").count.alias("n"), col("delay").avg.alias("delay"), col("distance").sum.alias("miles")
    )


@materialized_view("by_day", partitioned_by=["day"], format="parquet")
def by_day(te):
    flights = flown(te)
    return flights.group_by(col("day")).select(col("id").count.alias("n"), col("delay").max.alias("worst"), col("day"))


@view("named", comment="With the names of airlines.", columns={"name": "of the airline"})
def named(te):
    left, right = by_carrier(te), te.from_path("airlines").select(col("carrier").alias("code"), col("name"))
    return left.left_outer_join(right, col("carrier") == col("code")).select(col("carrier"), col("name"), col("n"))


@view("known")
def known(te):
    return named(te).filter(col("name").is_not_null)


@materialized_view("air_reports.ranked")
def ranked(te):
    return te.sql_query(
        "SELECT id, carrier, delay, RANK() OVER (PARTITION BY carrier ORDER BY delay DESC) AS place FROM flown"
    )
"""
SQL: Final = {
    "air/materialized_views/routes.sql": (
        "CREATE MATERIALIZED VIEW routes\nPARTITIONED BY (origin)\nCOMMENT 'per route'\n"
        "AS SELECT dest, count(*) AS n, origin FROM flights GROUP BY origin, dest;\n"
    ),
    "air/materialized_views/matrix.sql": (
        "CREATE MATERIALIZED VIEW matrix AS\nSELECT * FROM (SELECT carrier, origin, id FROM flown)\n"
        "PIVOT (count(id) FOR origin IN ('EWR', 'JFK', 'LGA'));\n"
    ),
    "air/temporary_views/worst.sql": "CREATE TEMPORARY VIEW worst AS SELECT carrier, max(delay) AS delay FROM late "
    "GROUP BY carrier;\n",
    "air/materialized_views/worst_flights.sql": (
        "CREATE MATERIALIZED VIEW worst_flights AS\n"
        "WITH w AS (SELECT carrier, delay FROM worst)\n"
        "SELECT f.id, f.carrier, f.delay FROM flights f JOIN w ON f.carrier = w.carrier AND f.delay = w.delay;\n"
    ),
    "air/views/busy.sql": "CREATE VIEW busy AS SELECT origin, SUM(n) AS n FROM routes GROUP BY origin;\n",
}
MATERIALIZED: Final = (
    "air.by_carrier",
    "air.by_day",
    "air.matrix",
    "air.routes",
    "air.worst_flights",
    "air_reports.ranked",
)
PERSISTENT: Final = ("air.busy", "air.known", "air.named")
TEMPORARY: Final = ("flown", "late", "worst")


def write_code(folder: Path, output: Path) -> None:
    """Add functions in Python, datasets that call them, and a sink that writes files into a folder."""
    write(folder, "views/code.py", CODE.replace("OUTPUT", output.as_posix()))
    write(folder, "views/words.py", WORDS)
    for name, place in FUNCTIONS.items():
        write(folder, f"catalog/air/functions/{name}.sql", f"CREATE FUNCTION {name} AS '{place}' LANGUAGE PYTHON;\n")


def write_flights(folder: Path) -> Path:
    """Write the project into a folder."""
    write(folder, "tableapi.toml", SETTINGS)
    write(folder, "catalog/air_reports/database.sql", "CREATE DATABASE air_reports;\n")
    for name, columns in TABLES.items():
        write(folder, f"catalog/air/tables/{name}.sql", f"CREATE TABLE {name} ({columns});\n")
    write(folder, "views/flights.py", PYTHON)
    for name, text in SQL.items():
        write(folder, f"catalog/{name}", text)
    return folder
