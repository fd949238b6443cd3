"""Print all examples in the form of the README beside this file: ``python -m examples.process_functions``."""

from __future__ import annotations

import contextlib
import importlib
import io
import sys

from examples.process_functions.show import in_order
from tableapi import TableEnvironment

NAMES = ("sessions", "deduplication", "alerts", "as_of_join", "gaps", "top", "funnel")


def page(env: TableEnvironment) -> str:
    """Return the page: for each example its purpose, SQL, rows and a picture."""
    parts = [
        "# Process table functions that people would use\n\n"
        "Each file declares a function, makes a small table and calls the function. This page is what\n"
        "`python -m examples.process_functions` prints: what each is for, the query's SQL, its rows, and a picture.\n"
        "`proposal.py` has the functions of the proposal (FLIP-440) itself.\n"
    ]
    for name in NAMES:
        module = importlib.import_module(f"examples.process_functions.{name}")
        title, _, rest = (module.__doc__ or "").partition(":")
        text = rest.partition("\n\n")[2].strip()
        table = module.build(env)
        sorted_rows = in_order(table)
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            sorted_rows.execute().print()
        parts.append(
            f"## {title}\n\n{text} [{name}.py]({name}.py)\n\n"
            f"```sql\n{table.as_serializable_string()}\n```\n\n```text\n{written.getvalue().strip()}\n```\n\n"
            f"```text\n{module.picture(list(sorted_rows.execute().collect()))}\n```\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page(TableEnvironment.create()))
