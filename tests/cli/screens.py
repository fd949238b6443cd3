"""Pictures of what the verbs print on a terminal: ``python -m tests.cli.screens FOLDER`` writes SVG files to look at.

Each verb runs in a terminal of 80 and of 160 columns, over a project with each kind of change. Lines that are longer
than the terminal are cut where a terminal cuts them.
"""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from tableapi.project.apply import apply_plan
from tests.project.changes import CHANGES, write_outside_views, write_shop
from tests.project.projects import planner, replace, write

WIDTHS: Final = (80, 160)
# Changes of the project with each mark.
_CHANGED: Final = (
    "filter: another value",
    "column: removed that a view of the project reads",
    "type: no longer NULL",
    "function: another body",
    "view: new",
    "view: dropped that nobody reads",
    "case: another branch",
)
_SCREENS: Final = {
    "help": [],
    "help_plan": ["plan", "--help"],
    "check": ["check"],
    "check_errors": ["check", "-C", "broken"],
    "plan": ["plan", "files"],
    "plan_sql": ["plan", "files", "--sql"],
    "plan_error": ["plan", "fils"],
    "diff": ["diff", "old.sql", "new.sql"],
    "sql": ["sql", "sales.newest"],
    "explain": ["explain", "sales.customer_totals"],
    "functions": ["functions", "json*"],
    "function": ["functions", "hypot"],
    "schema_check": ["schema", "check", "drifted"],
    "apply": ["apply", "files", "--yes"],
    "history": ["history", "files"],
    "rollback": ["rollback", "files", "--to", "DEPLOYMENT", "--dry-run"],
}


def write_projects(folder: Path) -> str:
    """Write a deployed project with changes, and a broken one; return the identifier of the deployment."""
    write_shop(folder)
    made = planner(folder)
    apply_plan(made.plan(), made, made.deployment)
    write_outside_views(folder)
    with (folder / "tableapi.toml").open("a") as settings:
        settings.write('\n[targets.drifted]\ndirectory = "drifted"\n')
    shutil.copytree(folder / "target", folder / "drifted")
    replace(folder, "drifted/sales/tables/orders.sql", "DECIMAL(10, 2)", "DECIMAL(12, 2)")
    replace(folder, "drifted/sales/tables/orders.sql", "note STRING", "channel STRING")
    broken = Path(shutil.copytree(folder, folder / "broken"))
    replace(broken, "views/shop.py", 'col("status")', 'col("stauts")')
    replace(broken, "catalog/sales/views/people.sql", "SELECT note", "SELECT FROM note")
    for name in _CHANGED:
        CHANGES[name](folder)
    for name, state in (("old.sql", "target"), ("new.sql", "catalog")):
        text = (folder / state / "sales/views/sizes.sql").read_text()
        write(folder, name, text[text.index("SELECT") :])
    first = (folder / "target/.tableapi/deployments.jsonl").read_text().splitlines()[0]
    return str(json.loads(first)["deployment"])


def run_in_terminal(folder: Path, arguments: list[str], width: int) -> str:
    """Run a verb in a terminal, and return what it prints."""
    here, there = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(width), "LINES": "50"}
    command = [sys.executable, "-m", "tableapi", *arguments]
    child = subprocess.Popen(command, cwd=folder, env=environment, stdin=there, stdout=there, stderr=there)
    os.close(there)
    read = b"".join(iter(lambda: _read(here), b""))
    child.wait()
    os.close(here)
    return read.decode()


def _read(file: int) -> bytes:
    try:
        return os.read(file, 4096)
    except OSError:
        # Linux reports the end of a terminal as an error.
        return b""


def shown(printed: str, width: int) -> Iterator[Text]:
    """Yield the lines of a terminal of a width, after all was printed."""
    for line in printed.replace("\r\n", "\n").split("\n"):
        # What a line of progress showed last.
        text = Text.from_ansi(line.rpartition("\r\x1b[K")[2])
        yield from text.divide(range(width, len(text), width)) if len(text) > width else [text]


def main() -> int:
    """Write the pictures."""
    pictures = Path(sys.argv[1])
    pictures.mkdir(parents=True, exist_ok=True)
    for width in WIDTHS:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "shop"
            deployment = write_projects(folder)
            for name, arguments in _SCREENS.items():
                given = [deployment if argument == "DEPLOYMENT" else argument for argument in arguments]
                printed = run_in_terminal(folder, given, width)
                with Path(os.devnull).open("w") as nowhere:
                    console = Console(record=True, width=width, file=nowhere, force_terminal=True)
                    for line in shown(printed, width):
                        console.print(line, no_wrap=True, overflow="ignore", crop=False)
                title = " ".join(["tableapi", *given])
                console.save_svg(str(pictures / f"{name}_{width}.svg"), title=title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
