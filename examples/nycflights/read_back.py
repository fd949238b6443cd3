"""Reads the stored views in a process of its own: ``python -m examples.nycflights.read_back < digests.json``.

The input is an object of the digests that the rows should have, by the names of the views. Each view is read through
this library, as a table among tables, and by plain SQL, as any other Spark program would.
"""

from __future__ import annotations

import json
import sys
import time

from examples.nycflights.data import DATABASE
from examples.nycflights.digest import digest
from examples.nycflights.show import console
from tableapi import TableEnvironment, TableException
from tableapi.spark.session import stop_embedded_session


def main() -> int:
    out = console()
    expected: dict[str, str] = json.load(sys.stdin)
    te = TableEnvironment.create()
    te.use_database(DATABASE)
    stored, different = te.list_views(), 0
    for view, wanted in expected.items():
        started = time.perf_counter()
        if view not in stored:
            verdict = "is not in the catalog"
        else:
            by_library = te.from_path(view).to_arrow()
            by_sql = te.spark.sql(f"SELECT * FROM {DATABASE}.{view}").toArrow()
            found = {"the library": digest(by_library), "plain SQL": digest(by_sql)}
            wrong = [reader for reader, rows in found.items() if rows != wanted]
            verdict = f"read by {' and '.join(wrong)} has other rows" if wrong else ""
        seconds = time.perf_counter() - started
        different += bool(verdict)
        if verdict:
            out.print(f"  [bold red]✗[/] {view} {verdict}")
        else:
            rows = "1 row" if by_library.num_rows == 1 else f"{by_library.num_rows} rows"
            out.print(f"  [bold green]✓[/] {view}: the same {rows}, by the library and by plain SQL ({seconds:.1f} s)")
    stop_embedded_session()
    return 1 if different else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TableException as error:
        sys.exit(str(error))
