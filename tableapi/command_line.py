"""The entry point of the command ``tableapi``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.cli import app
else:
    app = lazy(__name__, "tableapi.cli.app")

_NO_TYPER = (
    "The command line comes with the extra 'cli' of tableapi: {python} -m pip install 'tableapi[cli]'. In Python, all "
    "it does is there without it: tableapi.format_sql, Table.as_serializable_string, tableapi.diff."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        run = app.run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        print(_NO_TYPER.format(python=sys.executable), file=sys.stderr)
        return 2
    try:
        return run(arguments)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader closed the output; without this redirection, the interpreter reports an error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
