"""Read TPC-H queries that are written in SQL: ``python -m examples.tpch.texts DIRECTORY [--answers FILE]``.

For each text, check three things: the schema of the query read from it is the schema that Spark gives to the text; the
query, written as SQL and read again, is an equal query; its rows are those that Spark returns for the text and, where
the file has them, the known answers. The file is JSON, with the ``rows`` of each query and, as ``ordered``, whether
their order counts.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
import tempfile
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from examples.tpch.data import declare, generate
from tableapi import Table, TableEnvironment

DATABASE = "tpch"


def main(arguments: list[str]) -> int:
    """Read and run the queries; return 0 if every check holds."""
    parser = argparse.ArgumentParser(prog="python -m examples.tpch.texts", description="Queries of TPC-H in SQL.")
    parser.add_argument("directory", type=Path, help="where the queries are, one in each file *.sql")
    parser.add_argument("--answers", type=Path, help="the known rows of the queries, as JSON")
    parser.add_argument("--scale", type=float, default=0.01, help="the scale factor, 0.01 by default")
    given = parser.parse_args(arguments)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(given.directory.glob("*.sql"))}
    answers = json.loads(given.answers.read_text(encoding="utf-8")) if given.answers else {}
    if not texts:
        parser.error(f"{given.directory} has no file *.sql")
    with tempfile.TemporaryDirectory() as home, TableEnvironment.create(warehouse=home) as te:
        print(f"Generating TPC-H at scale factor {given.scale} …", flush=True)
        generate(Path(home) / "files", given.scale)
        te.execute_sql(f"CREATE DATABASE {DATABASE}")
        declare(te, DATABASE, Path(home) / "files")
        te.use_database(DATABASE)
        te.spark.catalog.setCurrentDatabase(DATABASE)
        wrong = sum(bool(problems(te, name, text, answers.get(name))) for name, text in texts.items())
    print(f"{len(texts) - wrong} of {len(texts)} queries are what they should be")
    return 1 if wrong else 0


def problems(te: TableEnvironment, name: str, text: str, answer: dict[str, Any] | None) -> list[str]:
    """Print the failures of reading one text, and return them."""
    found = []
    table = te.sql_query(text)
    native = te.spark.sql(text)
    schema = [(c.name, c.data_type.as_nullable().as_serializable_string()) for c in table.get_resolved_schema().columns]
    expected = [(f.name, f.dataType.simpleString().upper()) for f in native.schema.fields]
    if [(n, t.replace(" ", "")) for n, t in schema] != expected:
        found.append(f"has the schema {schema} where Spark has {expected}")
    again = te.sql_query(table.as_serializable_string())
    if again.query_operation is not table.query_operation:
        found.append("is another query after it was written and read again")
    rows = _rows(_collected(table))
    if sorted(rows) != sorted(_rows(tuple(row) for row in native.collect())):
        found.append("has other rows than the text itself")
    if answer is not None:
        known = [repr(tuple(row)) for row in answer["rows"]]
        if (rows != known) if answer["ordered"] else (sorted(rows) != sorted(known)):
            found.append("has other rows than the known answer")
    print(f"{name}: {len(rows)} rows, {'; '.join(found) or 'as it should be'}", flush=True)
    return found


def _collected(table: Table) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.execute().collect()]


def _rows(rows: Iterable[tuple[Any, ...]]) -> list[str]:
    return [repr(tuple(str(v) if isinstance(v, (Decimal, dt.date)) else v for v in row)) for row in rows]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
