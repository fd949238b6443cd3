"""Figures of the source code: ``make figures``, or ``python -m tests.house [--detail] [ROOT]``.

Prints one column for each of the four packages and one for all of them, so that two commits can be compared. With
``--detail``, also lists the places that the figures count.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.house.history import Addition, last_new_function, last_new_operation
from tests.house.measures import MEASURES, Finding
from tests.house.sources import PACKAGES, ROOT, SourceFile, import_circles, read_sources

SIZES: dict[str, Callable[[list[int]], float]] = {
    "files": len,
    "lines": sum,
    "median lines of a file": statistics.median,
    "lines of the longest file": max,
}


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.house", description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=ROOT, help="another checkout; this one by default")
    parser.add_argument("--detail", action="store_true", help="list what the figures count")
    given = parser.parse_args()
    # Wide enough for every row, also in a pipe.
    console = Console(highlight=False, soft_wrap=True, width=120)
    sources = read_sources(given.root)
    findings = {name: [f for source in sources.values() for f in measure(source)] for name, measure in MEASURES.items()}
    circles = import_circles(sources)
    console.print(_table(sources, findings, circles))
    for what, addition in (("operation", last_new_operation(given.root)), ("function", last_new_function(given.root))):
        console.print(_touched(what, addition), markup=False)
    if given.detail:
        for name, found in findings.items():
            console.print(f"\n{name}", style="bold")
            for finding in found:
                console.print(f"  {finding.module}:{finding.line} {finding.what}", markup=False)
        console.print("\nimport circles", style="bold")
        for circle in circles:
            console.print(f"  {len(circle)}: {', '.join(circle)}", markup=False)
    return 0


def _table(sources: dict[str, SourceFile], findings: dict[str, list[Finding]], circles: list[list[str]]) -> Table:
    table = Table("", *PACKAGES, "all")
    for column in table.columns[1:]:
        column.justify = "right"
    sizes = {package: [s.lines for s in sources.values() if s.package == package] for package in PACKAGES}
    sizes["all"] = [source.lines for source in sources.values()]
    for name, size in SIZES.items():
        table.add_row(name, *[f"{size(lines):g}" if size is not sum else f"{sum(lines)}" for lines in sizes.values()])
    for name, found in findings.items():
        counts = [sum(sources[f.module].package == package for f in found) for package in PACKAGES]
        table.add_row(name, *map(str, counts), str(len(found)))
    # A cycle counts for the package of its first module; cycles across packages do not exist (import-linter).
    by_package = [[len(c) for c in circles if sources[c[0]].package == package] for package in PACKAGES]
    every = [len(circle) for circle in circles]
    table.add_row("import circles, by size", *[_listed(found) for found in by_package], _listed(every))
    return table


def _touched(what: str, addition: Addition | None) -> str:
    if addition is None:
        return f"Source files touched by the last new {what}: unknown without the history"
    return f"Source files touched by the last new {what}: {len(addition.files)} ({addition.subject})"


def _listed(numbers: list[int]) -> str:
    return f"{len(numbers)} ({', '.join(map(str, numbers))})" if numbers else "0"


if __name__ == "__main__":
    sys.exit(main())
