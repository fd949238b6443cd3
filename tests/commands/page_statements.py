"""The statements in the manner of Spark's documentation pages, in ``tests/commands/pages``, and the tables they are of.

Before each statement stands how this library takes it and what Spark does with it:

- ``tree``: the statement is a command; ``own``: the environment executes it; ``text``: Spark gets it as it is;
- ``runs``; ``fails`` with Spark's condition; ``parses``, if it needs a class that the tests lack, or a warehouse
  without a blank in its path, as Spark needs it to change a database.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

from tableapi import EnvironmentSettings, TableEnvironment

PAGES: Final = Path(__file__).parent / "pages"
_HEAD: Final = re.compile(r"^-- (tree|own|text): (runs|parses|fails ?(.*))$")

TABLES: Final = (
    "CREATE TABLE {} (id BIGINT, customer STRING, amount DECIMAL(10, 2), placed TIMESTAMP, day DATE, "
    "address STRUCT<street: STRING, town: STRING>, tags ARRAY<STRING>) USING parquet",
    "CREATE TABLE customers (id BIGINT, name STRING, country STRING) USING parquet",
    "CREATE TABLE visits (id BIGINT, page STRING, day DATE, country STRING) USING parquet "
    "PARTITIONED BY (day, country)",
    "CREATE TABLE lines (line STRING) STORED AS TEXTFILE",
    "CREATE TABLE lines_by_day (line STRING) PARTITIONED BY (day STRING) STORED AS TEXTFILE",
)
ROWS: Final = (
    "INSERT INTO updates VALUES (1, 'Dora', 3, NULL, DATE '2026-02-01', NULL, array('a', 'b')), "
    "(2, 'Emil', 1, NULL, DATE '2026-02-02', NULL, NULL), (3, NULL, NULL, NULL, DATE '2026-02-03', NULL, array())"
)


class PageStatement(NamedTuple):
    """A statement, how this library takes it, what Spark does with it, and Spark's condition if it fails."""

    name: str
    text: str
    kind: str
    outcome: str
    condition: str

    @property
    def runs(self) -> bool:
        """Whether Spark executes it."""
        return self.outcome == "runs"


def page_statements() -> list[PageStatement]:
    """Return the statements of all files, in their order."""
    found = []
    for path in sorted(PAGES.glob("*.sql")):
        lines = path.read_text().splitlines()
        for number, (head, text) in enumerate(zip(lines[::2], lines[1::2], strict=True), 1):
            match = _HEAD.match(head)
            assert match is not None, head
            name, outcome = f"{path.stem}-{number}", match[2].split()[0]
            found.append(PageStatement(name, text.removesuffix(";"), match[1], outcome, match[3] or ""))
    return found


def statement_name(statement: PageStatement) -> str:
    """Return the name of a statement among the cases of a test."""
    return statement.name


def environment() -> TableEnvironment:
    """Return an environment whose current catalog, in memory, has the tables of the statements."""
    te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    te.execute_sql("CREATE DATABASE sales")
    te.use_database("sales")
    row = {
        "id": "BIGINT",
        "customer": "STRING",
        "amount": "DECIMAL(10, 2)",
        "placed": "TIMESTAMP_LTZ(6)",
        "day": "DATE",
        "address": "ROW<street STRING, town STRING>",
        "tags": "ARRAY<STRING>",
    }
    for name in ("orders", "updates", "goods", "purchases"):
        te.declare(name, row)
    te.declare("customers", {"id": "BIGINT", "name": "STRING", "country": "STRING"})
    visits = {"id": "BIGINT", "page": "STRING", "day": "DATE", "country": "STRING"}
    te.declare("visits", visits, partitioned_by=("day", "country"))
    te.declare("lines", {"line": "STRING"})
    te.declare("lines_by_day", {"line": "STRING", "day": "STRING"}, partitioned_by="day")
    return te
