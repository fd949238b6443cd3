"""Read the views in another process: ``python -m examples.nycflights.read_back [sc://HOST:PORT] < digests.json``.

The input is a JSON object that maps the name of each view to the expected digest of its rows. Each view is read through
this library, as a table among tables, and with plain SQL, as any other Spark program would read it.
"""

from __future__ import annotations

import json
import sys
import time

from rich.console import Console

from examples.nycflights.data import DATABASE, attach
from examples.nycflights.digest import digest
from examples.nycflights.show import console
from tableapi import TableEnvironment, TableException
from tableapi.spark.session import stop_embedded_session


def main() -> int:
    expected: dict[str, str] = json.load(sys.stdin)
    te = attach(sys.argv[1] if len(sys.argv) > 1 else None)
    te.use_database(DATABASE)
    different = verify(te, expected, console())
    stop_embedded_session()
    return 1 if different else 0


def verify(te: TableEnvironment, expected: dict[str, str], out: Console) -> int:
    """Read views of the current database, print a line for each, and return how many have unexpected rows."""
    stored, different = te.list_views(), 0
    for view, wanted in expected.items():
        started = time.perf_counter()
        if view not in stored:
            different += 1
            out.print(f"  [bold red]✗[/] {view} is not in the catalog")
            continue
        by_library = te.from_path(view).to_arrow()
        by_sql = te.spark.sql(f"SELECT * FROM {te.get_current_database()}.{view}").toArrow()
        wrong = [
            reader for reader, rows in (("the library", by_library), ("plain SQL", by_sql)) if digest(rows) != wanted
        ]
        seconds = time.perf_counter() - started
        if wrong:
            different += 1
            out.print(f"  [bold red]✗[/] {view} has other rows when read by {' and by '.join(wrong)}")
        else:
            rows = "1 row" if by_library.num_rows == 1 else f"{by_library.num_rows} rows"
            out.print(f"  [bold green]✓[/] {view}: the same {rows}, by the library and by plain SQL ({seconds:.1f} s)")
    return different


if __name__ == "__main__":
    try:
        sys.exit(main())
    except TableException as error:
        sys.exit(str(error))
