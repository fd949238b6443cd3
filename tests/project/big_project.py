"""A project of 60 views over TPC-H and flights, in two versions: for deployments that are killed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from examples.tpch.data import COLUMNS
from tests.project.projects import write

VIEWS: Final = 60
FLIGHTS: Final = {
    "year": "INT",
    "month": "INT",
    "day": "INT",
    "carrier": "STRING",
    "flight": "INT",
    "origin": "STRING",
    "dest": "STRING",
    "dep_delay": "DOUBLE",
    "arr_delay": "DOUBLE",
    "distance": "DOUBLE",
    "time_hour": "TIMESTAMP",
}
# The queries of TPC-H, as views in Python.
_IMPORTS: Final = """\
from examples.tpch import queries
from tableapi import view
"""
_VIEW: Final = """

@view("tpch.q{number}", comment="The TPC-H query {number}.", owner="sales")
def q{number}(te):
    return queries.q{number}(lambda table: te.from_path(f"tpch.{{table}}"))
"""
_QUERIES: Final = 22
_SETTINGS: Final = """\
[project]
name = "warehouse"
database = "flights"

[targets.here]
%s
journal = "journal"
"""
_WRITTEN: Final = {
    "delayed": "SELECT * FROM flights WHERE arr_delay > 15",
    "carriers": "SELECT carrier, COUNT(*) AS n, AVG(arr_delay) AS delay FROM flights GROUP BY carrier",
    "worst_carriers": "SELECT carrier, delay FROM carriers ORDER BY delay DESC LIMIT 5",
    "routes": "SELECT origin, dest, COUNT(*) AS n, MIN(distance) AS distance FROM flights GROUP BY origin, dest",
    "long_routes": "SELECT origin, dest FROM routes WHERE distance > 1000",
    "days": "SELECT CAST(time_hour AS DATE) AS day, COUNT(*) AS n FROM flights GROUP BY CAST(time_hour AS DATE)",
    "busiest_days": "SELECT day FROM days QUALIFY RANK() OVER (ORDER BY n DESC) <= 3",
    "on_busiest_days": "SELECT f.* FROM flights AS f WHERE CAST(f.time_hour AS DATE) IN (SELECT day FROM busiest_days)",
}


def write_big_project(folder: Path, target: str) -> Path:
    """Write the project, with the lines of ``tableapi.toml`` that say how its target is reached."""
    write(folder, "tableapi.toml", _SETTINGS % target)
    views = [_VIEW.format(number=number) for number in range(1, _QUERIES + 1)]
    write(folder, "views/tpch.py", "".join([_IMPORTS, *views]))
    for name, columns in COLUMNS.items():
        write(folder, f"catalog/tpch/tables/{name}.sql", f"CREATE TABLE {name} ({_listed(columns)});\n")
    write(folder, "catalog/flights/tables/flights.sql", f"CREATE TABLE flights ({_listed(FLIGHTS)});\n")
    for name, query in _WRITTEN.items():
        write(folder, f"catalog/flights/views/{name}.sql", f"CREATE VIEW {name} AS {query};\n")
    # Chains of views, each over the one before.
    before = "delayed"
    for number in range(VIEWS - _QUERIES - len(_WRITTEN)):
        name = f"delays_{number}"
        query = f"SELECT *, {number} AS step_{number} FROM {before} WHERE distance > {number * 10}"
        write(folder, f"catalog/flights/views/{name}.sql", f"CREATE VIEW {name} COMMENT 'Step {number}.' AS {query};\n")
        before = "delayed" if number % 8 == 7 else name
    return folder


def change_big_project(folder: Path) -> None:
    """Change views, drop some, and add some: the second version."""
    for number in range(0, VIEWS - _QUERIES - len(_WRITTEN), 3):
        path = folder / f"catalog/flights/views/delays_{number}.sql"
        path.write_text(path.read_text().replace(f"distance > {number * 10}", f"distance > {number * 10 + 5}"))
    for name in ("worst_carriers", "long_routes"):
        (folder / f"catalog/flights/views/{name}.sql").unlink()
    for name in ("early", "late"):
        sign = "<" if name == "early" else ">"
        query = f"SELECT carrier, flight FROM flights WHERE dep_delay {sign} 0"
        write(folder, f"catalog/flights/views/{name}.sql", f"CREATE VIEW {name} AS {query};\n")


def table_statements() -> list[str]:
    """Return the statements that make the databases and tables of the target, and what others have there."""
    made = ["CREATE DATABASE tpch", "CREATE DATABASE flights", "CREATE DATABASE reports"]
    made += [f"CREATE TABLE tpch.{name} ({_listed(columns)}) USING parquet" for name, columns in COLUMNS.items()]
    return [*made, f"CREATE TABLE flights.flights ({_listed(FLIGHTS)}) USING parquet"]


def _listed(columns: dict[str, str]) -> str:
    return ", ".join(f"{name} {written}" for name, written in columns.items())
